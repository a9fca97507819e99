// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_process.h"

#include <fmt/format.h>

#include <set>

#include "exchange/cpp_nest.h"
#include "kernel/interpreter.h"
#include "schedule/op_names.h"

namespace gridloom::exchange {

namespace {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;
using schedule::PlacedSchedule;

class ProcessText {
 public:
  explicit ProcessText(const PlacedSchedule& placed) : m_placed(placed) {}

  std::string run(std::size_t program, std::size_t process) {
    m_text = fmt::format("void {}(Core& core) {{\n  [[maybe_unused]] Loops w = kNone;\n",
                         cppProcessName(m_placed, program, process));
    const auto id = schedule::ProgramId::of(program);
    for (std::int32_t pc = m_placed.code.entries(id)[process]; !m_placed.code.at(pc).end; ++pc) {
      add(m_placed.code.at(pc));
    }
    return m_text + "}\n";
  }

 private:
  void line(const std::string& text) {
    m_text += std::string(2 * m_open.size() + 2, ' ') + text + "\n";
  }
  std::string loopAt(std::int32_t position) const {
    return cppName(m_placed.kernel.loop(m_placed.schedule.order[index(position)]).name);
  }
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::string buffer(std::int32_t b) const {
    return "core." + cppName(m_placed.schedule.buffers[index(b)].name);
  }
  // The slot that the process works on: the one it fills, or the one it reads.
  std::string slot(const Code& code) const {
    if (m_filling.contains(code.buffer)) return buffer(code.buffer) + ".filling()";
    return fmt::format("{}.reading({})", buffer(code.buffer), code.reader);
  }

  void add(const Code& code) {
    const std::string name = code.buffer < 0 ? "" : buffer(code.buffer);
    const std::string ends =
        code.channel < 0 ? ""
                         : cppName(m_placed.schedule.channels[index(code.channel)].name) + "_ends";
    switch (code.op) {
    case Op::LoopBegin: {
      const std::string loop = loopAt(code.arg);
      line(fmt::format("for (w.{0} = 0; w.{0} < core.waves.{0}; ++w.{0}) {{", loop));
      return m_open.push_back(loop);
    }
    case Op::LoopEnd: {
      const std::string loop = m_open.back();
      m_open.pop_back();
      line("}");
      return line(fmt::format("w.{} = -1;", loop));
    }
    case Op::Acquire:
      m_filling.insert(code.buffer);
      return line(fmt::format("{}.acquire({});", name, fresh(code.buffer)));
    case Op::Publish:
      m_filling.erase(code.buffer);
      return line(name + ".publish();");
    case Op::WaitFull:
      m_readers[index(code.buffer)] = code.reader;
      return line(fmt::format("{}.waitFull({});", name, code.reader));
    case Op::Release:
      return line(fmt::format("{}.release({});", name, code.reader));
    case Op::Load:
      return line(fmt::format("{}.with({}_, [](double& to, double& from) {{ to = from; }});",
                              slot(code), tensor(code.buffer)));
    case Op::Store:
      return line(fmt::format("{}.with({}_, [](double& from, double& to) {{ to = from; }});",
                              slot(code), tensor(code.buffer)));
    case Op::Ready:
      return line(fmt::format("{}[core.id].ready();", ends));
    case Op::Receive:
      return line(fmt::format("{}[core.id].receive();", ends));
    case Op::Send:
      return send(code, ends);
    case Op::Compute:
      return compute();
    case Op::Reduce:
      return reduce(code);
    default:
      return;  // refused before, or nothing to do without an epilogue
    }
  }

  std::string tensor(std::int32_t b) const {
    const Buffer& of = m_placed.schedule.buffers[index(b)];
    return "global." + cppName(schedule::operandName(m_placed.nest, of.use, of.operand));
  }

  std::string fresh(std::int32_t b) const {
    const Buffer& of = m_placed.schedule.buffers[index(b)];
    const bool isInput = of.use == Buffer::Use::Input;
    const auto tensor = (isInput ? m_placed.nest.inputs : m_placed.nest.outputs)[index(of.operand)];
    return fmt::format("{}_tile(boxOf(core, w))", cppName(tensor.name));
  }

  void send(const Code& code, const std::string& ends) {
    std::string takes;
    for (const std::string& loop : m_open) {
      takes += fmt::format("{}w.{} < to.waves.{}", takes.empty() ? "" : " && ", loop, loop);
    }
    const schedule::Channel& channel = m_placed.schedule.channels[index(code.channel)];
    line(fmt::format("for (const std::size_t leaf : {}_of[core.id]) {{", cppName(channel.name)));
    line("  Core& to = *cores[leaf];");
    const std::string target = cppName(m_placed.schedule.buffers[channel.target.index()].name);
    line(fmt::format("  {}{}[leaf].send({}, to.{});", takes.empty() ? "" : "if (" + takes + ") ",
                     ends, slot(code), target));
    line("}");
  }

  void compute() {
    std::string arguments = "boxOf(core, w), core";
    for (std::size_t b = 0; b < m_placed.schedule.buffers.size(); ++b) {
      const Buffer& of = m_placed.schedule.buffers[b];
      const auto id = static_cast<std::int32_t>(b);
      if (of.use == Buffer::Use::Input) {
        arguments += fmt::format(", {}.reading({})", buffer(id), m_readers[b]);
      } else if (of.use == Buffer::Use::Output) {
        arguments += fmt::format(", {}.filling()", buffer(id));
      }
    }
    line("compute_tile(" + arguments + ");");
  }

  void reduce(const Code& code) {
    const Buffer& from = m_placed.schedule.buffers[index(code.buffer)];
    for (std::size_t b = 0; b < m_placed.schedule.buffers.size(); ++b) {
      const Buffer& to = m_placed.schedule.buffers[b];
      if (to.use != Buffer::Use::Output || to.operand != from.operand) continue;
      const kernel::ExprOp op = kernel::rootReduction(m_placed.kernel.statements.front());
      line(fmt::format("{}.filling().with({}, [](double& a, double& b) {{ a = {}; }});",
                       buffer(static_cast<std::int32_t>(b)), slot(code), cppJoin(op, "a", "b")));
    }
  }

  const PlacedSchedule& m_placed;
  std::string m_text;
  std::vector<std::string> m_open;
  std::set<std::int32_t> m_filling;
  std::vector<int> m_readers = std::vector<int>(m_placed.schedule.buffers.size(), 0);
};

}  // namespace

std::string cppProcessName(const PlacedSchedule& placed, std::size_t program, std::size_t process) {
  const schedule::Process& of = placed.schedule.programs[program].processes[process];
  std::string name = fmt::format("{}{}_{}", schedule::nameOf(of.role), process,
                                 placed.schedule.programs[program].name);
  return fmt::format("{}_{}", cppName(name), program);
}

std::string cppProcess(const PlacedSchedule& placed, std::size_t program, std::size_t process) {
  return ProcessText(placed).run(program, process);
}

}  // namespace gridloom::exchange
