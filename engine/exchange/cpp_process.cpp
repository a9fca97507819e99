// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "exchange/cpp_nest.h"
#include "schedule/op_names.h"

namespace gridloom::exchange {

namespace {

using schedule::Buffer;
using schedule::Channel;
using schedule::Code;
using schedule::Op;
using schedule::Turn;

class ProcessText {
 public:
  explicit ProcessText(const CppContext& context)
      : m_context(context), m_placement(context.placed.placement) {}

  std::string run(std::size_t program, std::size_t process) {
    m_text = fmt::format("Process {}(Core& core) {{\n  [[maybe_unused]] Loops w = kNone;\n",
                         cppProcessName(m_context, program, process));
    const auto id = schedule::ProgramId::of(program);
    const schedule::ResolvedCode& code = m_context.placed.code;
    for (std::int32_t pc = code.entries(id)[process]; !code.at(pc).end; ++pc) add(code.at(pc));
    return m_text + "  co_return;\n}\n";
  }

 private:
  void line(const std::string& text) {
    m_text += std::string(2 * m_open.size() + 2, ' ') + text + "\n";
  }
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::string loopAt(std::int32_t position) const {
    return m_context.loop(m_context.schedule.order[index(position)]);
  }
  std::string buffer(const Code& code) const { return "core." + m_context.buffer(code.buffer); }
  // The slot that the process works on: the one it fills, or the one it reads.
  std::string slot(const Code& code) const {
    if (m_filling.contains(code.buffer)) return buffer(code) + ".filling()";
    return fmt::format("{}.reading({})", buffer(code), code.reader);
  }
  const Channel& channelOf(const Code& code) const {
    return m_context.schedule.channels[index(code.channel)];
  }
  std::string name(const kernel::Operand& operand) const {
    return m_context.tensor(operand.tensor);
  }

  // What must hold for an instruction to run.
  std::string condition(const Code& code) const {
    std::string all;
    const auto also = [&](const std::string& part) { all += (all.empty() ? "" : " && ") + part; };
    if (code.turn != Turn::Always) {
      const auto position = static_cast<std::size_t>(code.depth - 1);
      const std::int64_t round = m_placement.roundOf(position);
      const std::string at = fmt::format("w.{} % {}", loopAt(code.depth - 1), round);
      also(code.turn == Turn::First      ? at + " == 0"
           : code.turn == Turn::NotFirst ? at + " > 0"
                                         : fmt::format("{} < {}", at, round - 1));
    }
    if (code.guarded) {
      also(code.buffer < 0 ? "has_work(core, w)"
                           : fmt::format("needed_{}(core, w)", m_context.buffer(code.buffer)));
    }
    if (!code.guarded && code.gate >= 0) also(fmt::format("takes({}, w)", sender(code)));
    return all;
  }

  // The core whose tile a gather's instruction moves.
  std::string sender(const Code& code) const {
    const auto& wire = m_context.schedule.channels[index(code.gate)];
    const int dim = schedule::dimOf(wire.along);
    return fmt::format("*cores[core.moved({}, {})]", dim, code.arg);
  }
  std::string end(const Code& code) const {
    const std::string at =
        code.gate < 0
            ? "core.id"
            : fmt::format("core.moved({}, {})", schedule::dimOf(channelOf(code).along), code.arg);
    return fmt::format("{}.ends[{}]", m_context.channel(code.channel), at);
  }

  void add(const Code& code) {
    if (code.op == Op::LoopBegin) {
      const std::string loop = loopAt(code.arg);
      line(fmt::format("for (w.{0} = 0; w.{0} < core.waves.{0}; ++w.{0}) {{", loop));
      return m_open.push_back(loop);
    }
    if (code.op == Op::LoopEnd) {
      const std::string loop = m_open.back();
      m_open.pop_back();
      line("}");
      return line(fmt::format("w.{} = -1;", loop));
    }
    const std::string when = condition(code);
    if (!when.empty()) {
      line("if (" + when + ") {");
      m_open.push_back({});
    }
    instruction(code);
    if (when.empty()) return;
    m_open.pop_back();
    line("}");
  }

  void instruction(const Code& code) {
    switch (code.op) {
    case Op::LoopBegin:
    case Op::LoopEnd:
      return;
    case Op::Acquire:
      m_filling.insert(code.buffer);
      if (const std::string wait = room(code); !wait.empty()) {
        line("{");
        line("  const std::function<bool()> room = " + wait + ";");
        line("  co_await " + buffer(code) + ".acquire(room);");
        return line("}");
      }
      return line("co_await " + buffer(code) + ".acquire();");
    case Op::Publish:
      m_filling.erase(code.buffer);
      line(buffer(code) + ".publish();");
      return markMade(code, "computed");
    case Op::WaitFull:
      return line(fmt::format("co_await {}.waitFull({});", buffer(code), code.reader));
    case Op::Release:
      return line(fmt::format("{}.release({});", buffer(code), code.reader));
    case Op::Await:
      return await(code);
    case Op::Signal:
      return line(fmt::format("change([&] {{ ++core.tokens[{}]; }});", code.arg));
    case Op::AwaitToken:
      return line(fmt::format("co_await core.awaitToken({});", code.arg));
    case Op::Load:
    case Op::Take:
      return load(code);
    case Op::Store:
      return store(code);
    case Op::Ready:
      return line(end(code) + ".ready();");
    case Op::Claim:
      return line(fmt::format("co_await claim({}, core, &Core::{});",
                              m_context.channel(code.channel), m_context.buffer(code.buffer)));
    case Op::Receive:
      return line(fmt::format("co_await {}.receive({});", end(code), buffer(code)));
    case Op::Send:
      return send(code);
    case Op::Compute:
      return line(fmt::format("compute_{}(core, w);", code.arg));
    case Op::Epilogue:
      return line(m_context.plan.epilogue.empty() ? "// nothing is left to compute"
                                                  : "epilogue(core, w);");
    case Op::Reduce:
      return line(fmt::format("reduce_{}(core, w);", m_context.buffer(code.buffer)));
    }
  }

  // The elements that an instruction on a buffer moves: all, or its share.
  std::string elements(const Code& code) const {
    const kernel::Operand& operand = m_context.operandOf(m_context.bufferAt(code.buffer));
    const std::string all = fmt::format("elements_{}(core, w)", m_context.window(operand));
    if (code.ring < 0) return all;
    return fmt::format("share({}, core.at[{}] - {}, core.along[{}])", all, code.ring, code.arg,
                       code.ring);
  }

  // Forwarded tiles keep their room until all cores that need them have taken them.
  std::string room(const Code& code) const {
    const Buffer& of = m_context.bufferAt(code.buffer);
    if (of.use != Buffer::Use::Output || code.depth == 0) return {};
    const kernel::Operand& output = m_context.operandOf(of);
    const Buffer* held = m_context.heldOf(output.tensor);
    if (held == nullptr) return {};
    return fmt::format("[&core, old = w.{0} - {1}] {{ return room_{2}(core, old); }}", loopAt(0),
                       held->slots, m_context.window(output));
  }

  void await(const Code& code) {
    const schedule::TileDemand& need = m_context.bufferAt(code.buffer).need;
    if (need.awaits < 0) return;
    line("{");
    m_open.push_back({});
    line("const Until there{[&core, w] {");
    line("  bool all = true;");
    line(fmt::format("  awaited_{}(core, w, [&](std::size_t n) {{ all = all && {}_{}[n]; }});",
                     m_context.buffer(code.buffer), need.passed ? "computed" : "stored",
                     m_context.window(m_context.nest.outputs[index(need.awaits)])));
    line("  return all;");
    line("}};");
    line("co_await there;");
    m_open.pop_back();
    line("}");
  }

  void load(const Code& code) {
    const Buffer& of = m_context.bufferAt(code.buffer);
    const kernel::Operand& operand = m_context.operandOf(of);
    line(fmt::format("load({}.{}, {}, {});", of.need.passed ? "held" : "global", name(operand),
                     elements(code), slot(code)));
    if (code.op != Op::Take || of.need.awaits < 0) return;
    line(fmt::format("change([&] {{ awaited_{}(core, w, [](std::size_t n) {{ --untaken_{}[n]; }}); "
                     "}});",
                     m_context.buffer(code.buffer),
                     m_context.window(m_context.nest.outputs[index(of.need.awaits)])));
  }

  void store(const Code& code) {
    const kernel::Operand& operand = m_context.operandOf(m_context.bufferAt(code.buffer));
    const std::string from = code.ring < 0 ? slot(code)
                                           : fmt::format("part({}, {}, \"{}\")", slot(code),
                                                         elements(code), operand.name);
    line(fmt::format("store({}, global.{});", from, name(operand)));
    markMade(code, "stored");
  }

  // Tells those who await an output's tile that it was computed, or stored.
  void markMade(const Code& code, const char* how) {
    const Buffer& of = m_context.bufferAt(code.buffer);
    if (m_context.schedule.grids.empty() || schedule::isOfInput(of.use)) return;
    if (schedule::isOfAllReduce(of.use)) return;
    const kernel::Operand& output = m_context.operandOf(of);
    const bool isComputed = how == std::string_view("computed");
    if (isComputed &&
        (of.use != Buffer::Use::Output || m_context.heldOf(output.tensor) == nullptr)) {
      return;
    }
    const std::string window = m_context.window(output);
    line(fmt::format("change([&] {{ made_{0}({1}, w, [](std::size_t n) {{ {2}_{0}[n] = 1; }}); "
                     "}});",
                     window, code.gate < 0 ? "core" : sender(code), how));
  }

  void send(const Code& code) {
    const Buffer& of = m_context.bufferAt(code.buffer);
    std::string what = slot(code);
    if (of.use == Buffer::Use::SharedInput || code.ring >= 0) {
      what =
          fmt::format("part({}, {}, \"{}\")", what, elements(code), m_context.operandOf(of).name);
    }
    line(fmt::format("if (const auto to = receivers({}, core, w); !to.empty()) {{",
                     m_context.channel(code.channel)));
    line("  co_await credits(to);");
    // Readers count the copy before they can release it.
    if (channelOf(code).kind == Channel::Kind::Share) {
      line(fmt::format("  share({}, core, w, &Core::{});", m_context.channel(code.channel),
                       m_context.buffer(code.buffer)));
    }
    line(fmt::format("  send(to, {});", what));
    line("}");
  }

  const CppContext& m_context;
  const schedule::Placement& m_placement;
  std::string m_text;
  std::vector<std::string> m_open;
  std::set<std::int32_t> m_filling;
};

}  // namespace

std::string cppProcessName(const CppContext& context, std::size_t program, std::size_t process) {
  const schedule::Process& of = context.schedule.programs[program].processes[process];
  std::string name = fmt::format("{}{}_{}", schedule::nameOf(of.role), process,
                                 context.schedule.programs[program].name);
  return fmt::format("{}_{}", cppName(name), program);
}

std::string cppProcess(const CppContext& context, std::size_t program, std::size_t process) {
  return ProcessText(context).run(program, process);
}

}  // namespace gridloom::exchange
