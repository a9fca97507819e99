// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_reads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "exchange/cpp_nest.h"
#include "exchange/cpp_states.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::TensorId;
using kernel::TensorRole;
using schedule::Buffer;

std::vector<std::string> indexNames(const kernel::Tensor& tensor) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) names.push_back(fmt::format("d{}", d));
  return names;
}

class AccessText {
 public:
  explicit AccessText(const CppContext& context) : m_context(context) {}

  std::string run() {
    for (std::size_t t = 0; t < m_context.kernel.tensors.size(); ++t) {
      if (m_context.kernel.tensors[t].role != TensorRole::Input) write(TensorId::of(t));
    }
    if (m_context.splitsState()) m_text += cppStateFunctions(m_context);
    for (std::size_t t = 0; t < m_context.kernel.tensors.size(); ++t) read(TensorId::of(t));
    beginScope();
    for (std::size_t b = 0; b < m_context.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_context.schedule.buffers[b];
      if (schedule::isJoined(buffer.use)) reduce(static_cast<std::int32_t>(b), buffer);
    }
    return std::move(m_text);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }

  // An output's elements go into the slot that is filled; forwarded ones where others take them.
  void write(TensorId tensor) {
    const std::string name = m_context.tensor(tensor);
    add("\ninline void write_{0}(Core& core, long e, double v) {{\n  core.value_{0}.at(e) = v;\n",
        name);
    if (m_context.heldOf(tensor) != nullptr) {
      add("  change([&] {{ held.{}[std::size_t(e)] = v; }});\n", name);
    }
    for (std::size_t b = 0; b < m_context.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_context.schedule.buffers[b];
      if (buffer.use != Buffer::Use::Output) continue;
      if (m_context.operandOf(buffer).tensor != tensor) continue;
      add("  core.{}.filling().tile.at(e) = v;\n", m_context.buffer(static_cast<std::int32_t>(b)));
      break;
    }
    add("}}\n");
  }

  void read(TensorId id) {
    const kernel::Tensor& tensor = m_context.kernel.tensor(id);
    const std::string name = m_context.tensor(id);
    const std::vector<std::string> indices = indexNames(tensor);
    std::string parameters = "[[maybe_unused]] Core& core";
    for (const std::string& i : indices) parameters += ", long " + i;
    const bool isSplit = m_context.splitsState() && m_context.stateOf[id.index()] >= 0;
    if (isSplit) parameters += ", long now";
    add("\ninline double read_{}({}) {{\n", name, parameters);
    if (isSplit) m_text += cppEarlierState(m_context, id);
    add("  const long e = {}({});\n", m_context.number(id), fmt::join(indices, ", "));
    if (tensor.initial) add("  if (e < 0) return {};\n", cppNumber(*tensor.initial));
    if (tensor.role != TensorRole::Input) {
      add("  if (const double* v = core.value_{}.find(e)) return *v;\n", name);
    }
    fromBuffers(id);
    if (tensor.initial) {
      add("  return {};\n}}\n", cppNumber(*tensor.initial));
    } else {
      add("  fail(\"read before it is there\", \"{}\", e);\n}}\n", tensor.name);
    }
  }

  // From the windows on the tensor in slots that compute holds.
  void fromBuffers(TensorId id) {
    for (std::size_t b = 0; b < m_context.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_context.schedule.buffers[b];
      if (buffer.use != Buffer::Use::Input || m_context.operandOf(buffer).tensor != id) continue;
      const std::string name = m_context.buffer(static_cast<std::int32_t>(b));
      add("  if (core.{0}.held) {{\n    if (const double* v = core.{0}.reading(0).tile.find(e)) "
          "return *v;\n  }}\n",
          name);
    }
  }

  // Values live as long as the core works on the same output tiles; state along a loop of outputs,
  // and tiles that are used in the core that made them, live on.
  void beginScope() {
    add("\n// Called before all work: on new output tiles, values of earlier ones are gone.\n"
        "inline void beginScope(Core& core, [[maybe_unused]] const Loops& w) {{\n");
    std::vector<std::string> waves;
    for (int p = 0; p < m_context.schedule.outputLevel; ++p) {
      waves.push_back("w." + m_context.loop(m_context.schedule.order[CppContext::index(p)]));
    }
    add("  std::vector<long> scope{{{}}};\n"
        "  if (std::exchange(core.started, true) && core.scope == scope) return;\n"
        "  core.scope = std::move(scope);\n",
        fmt::join(waves, ", "));
    const bool keeps = std::ranges::any_of(m_context.schedule.buffers, [](const Buffer& buffer) {
      return buffer.use == Buffer::Use::Stationary;
    });
    for (std::size_t t = 0; t < m_context.kernel.tensors.size(); ++t) {
      const TensorRole role = m_context.kernel.tensors[t].role;
      const auto id = TensorId::of(t);
      const bool lives = std::ranges::any_of(m_context.nest.locals, [&](const auto& local) {
        return local.tensor == id && local.keptAlong.valid();
      });
      if (role == TensorRole::Input || lives || (keeps && role == TensorRole::Output)) continue;
      add("  core.value_{}.clear();\n", m_context.tensor(id));
    }
    for (std::int32_t s = 0; s < m_context.plan.sums; ++s) add("  core.sum{}.clear();\n", s);
    if (m_context.splitsState()) {
      for (std::size_t s = 0; s < m_context.nest.merge->states.size(); ++s) {
        add("  core.state{}.clear();\n", s);
      }
    }
    add("}}\n");
  }

  void reduce(std::int32_t b, const Buffer& buffer) {
    const bool ofAllReduce = schedule::isOfAllReduce(buffer.use);
    add("\n// Combines received partial results with the core's own.\n"
        "inline void reduce_{0}(Core& core, const Loops& w) {{\n  beginScope(core, w);\n"
        "  [[maybe_unused]] Slot& from = core.{0}.reading(0);\n",
        m_context.buffer(b));
    for (std::size_t p = 0; p < m_context.joined.size(); ++p) {
      const values::JoinedPartial& joined = m_context.joined[p];
      if (joined.buffer < 0 || joined.state >= 0) continue;
      const Buffer& own = m_context.bufferAt(joined.buffer);
      const bool isHere =
          own.operand == buffer.operand && (own.use == Buffer::Use::Contribution) == ofAllReduce;
      if (isHere) reduceSum(p, joined);
    }
    if (!ofAllReduce) {
      if (m_context.splitsState()) m_text += cppCombineStates(m_context);
      reduceTile(m_context.operandOf(buffer).tensor);
    }
    add("}}\n");
  }

  void reduceSum(std::size_t p, const values::JoinedPartial& joined) {
    const std::string mine = joined.sum >= 0 ? fmt::format("sum{}", joined.sum)
                                             : "value_" + m_context.tensor(joined.tensor);
    add("  from.sums[{0}].each([&](long e, double v) {{\n"
        "    if (const double* old = core.{1}.find(e)) v = {2};\n"
        "    core.{1}.at(e) = v;\n    {3}\n  }});\n",
        p, mine, cppJoin(joined.join, "*old", "v"),
        cppNote(m_context, static_cast<std::int32_t>(p)));
  }

  void reduceTile(TensorId output) {
    const kernel::Statement* statement = values::joiningStatement(m_context.kernel, output);
    if (statement == nullptr) return;
    const std::string name = m_context.tensor(output);
    add("  from.tile.each([&](long e, double v) {{\n");
    if (const kernel::ExprOp op = kernel::rootReduction(*statement); kernel::isReduction(op)) {
      add("    if (const double* old = core.value_{}.find(e)) v = {};\n", name,
          cppJoin(op, "*old", "v"));
    }
    add("    write_{}(core, e, v);\n  }});\n", name);
  }

  const CppContext& m_context;
  std::string m_text;
};

}  // namespace

std::string cppAccessFunctions(const CppContext& context) { return AccessText(context).run(); }

void cppReaders(const CppContext& context, std::span<const values::StatementPlan::Step> steps,
                bool inEpilogue, const std::string& indent, std::string& text) {
  std::set<std::size_t> tensors;
  for (const auto& step : steps) {
    for (const kernel::Access& read : step.statement.reads) tensors.insert(read.tensor.index());
  }
  for (const std::size_t t : tensors) {
    const auto id = TensorId::of(t);
    const std::string name = context.tensor(id);
    const bool isSplit = context.splitsState() && context.stateOf[t] >= 0;
    std::vector<std::string> indices = indexNames(context.kernel.tensor(id));
    if (isSplit && !inEpilogue) indices.push_back("now");
    std::string parameters;
    for (const std::string& i : indices) {
      parameters += (parameters.empty() ? "long " : ", long ") + i;
    }
    indices.insert(indices.begin(), "core");
    text += fmt::format("{}[[maybe_unused]] const auto {} = [&]({}) {{ return {}_{}({}); }};\n",
                        indent, name, parameters, isSplit && inEpilogue ? "total" : "read", name,
                        fmt::join(indices, ", "));
  }
}

std::vector<kernel::LoopId> cppStateLoops(const CppContext& context) {
  if (!context.splitsState()) return {};
  std::vector<kernel::LoopId> loops(context.kernel.tensors.size());
  for (const auto& state : context.nest.merge->states) {
    loops[state.tensor.index()] = context.nest.merge->loop;
  }
  return loops;
}

std::string cppNote(const CppContext& context, std::int32_t partial) {
  if (partial < 0 || context.joined[CppContext::index(partial)].buffer < 0) return {};
  return fmt::format("core.{}.filling().sums[{}].at(e) = v;",
                     context.buffer(context.joined[CppContext::index(partial)].buffer), partial);
}

}  // namespace gridloom::exchange
