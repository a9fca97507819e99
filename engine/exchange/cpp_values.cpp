// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "exchange/cpp_nest.h"
#include "exchange/cpp_reads.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::ExprOp;
using kernel::LoopId;
using schedule::Buffer;
using Group = values::StatementPlan::Group;
using Step = values::StatementPlan::Step;

class ComputeText {
 public:
  explicit ComputeText(const CppContext& context) : m_context(context) {}

  std::string run() {
    int parts = 1;
    for (const Group& group : m_context.plan.body) parts = std::max(parts, group.part + 1);
    for (int part = 0; part < parts; ++part) compute(part);
    if (!m_context.plan.epilogue.empty()) epilogue();
    return std::move(m_text);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }
  template <class... T> void line(fmt::format_string<T...> form, T&&... values) {
    m_text += m_indent;
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
    m_text += '\n';
  }
  void open() { m_indent += "  "; }
  void close() {
    m_indent.resize(m_indent.size() - 2);
    line("}}");
  }
  void closeTo(std::size_t columns) {
    while (m_indent.size() > columns) close();
  }

  void compute(int part) {
    add("\n// The tile operations of one tile.\n"
        "void compute_{}(Core& core, [[maybe_unused]] const Loops& w) {{\n",
        part);
    line("beginScope(core, w);");
    line("[[maybe_unused]] const Box whole = boxOf(core, w);");
    exchangeSums();
    if (m_context.nest.hasProduced()) {
      dependent();
    } else {
      for (const Group& group : m_context.plan.body) {
        if (group.part == part) addGroup(group, false);
      }
    }
    add("}}\n");
  }

  // The all-reduced sums replace the core's own sums.
  void exchangeSums() {
    for (std::size_t b = 0; b < m_context.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_context.schedule.buffers[b];
      if (buffer.use != Buffer::Use::Total) continue;
      const std::string name = m_context.buffer(static_cast<std::int32_t>(b));
      line("if (core.{}.held) {{", name);
      open();
      for (std::size_t p = 0; p < m_context.joined.size(); ++p) {
        const values::JoinedPartial& joined = m_context.joined[p];
        if (joined.buffer < 0 || joined.sum < 0) continue;
        const Buffer& own = m_context.bufferAt(joined.buffer);
        if (own.use != Buffer::Use::Contribution || own.operand != buffer.operand) continue;
        line("core.{0}.reading(0).sums[{1}].each([&](long e, double v) {{ core.sum{2}.at(e) = v; "
             "}});",
             name, p, joined.sum);
      }
      close();
    }
  }

  void epilogue() {
    add("\n// The tile operations after all tiles of an output's scope.\n"
        "void epilogue(Core& core, [[maybe_unused]] const Loops& scope) {{\n");
    line("tiles(core, scope, {{{}}}, [&](const Box& whole, [[maybe_unused]] const Loops& w) {{",
         m_context.members(m_context.nest.outputLoops));
    open();
    for (const Group& group : m_context.plan.epilogue) addGroup(group, true);
    m_indent.resize(2);
    line("}});");
    add("}}\n");
  }

  // Sums accumulate over earlier tiles. In the tile in which they end, elements are computed one by
  // one.
  void dependent() {
    const kernel::TileNest& nest = m_context.nest;
    std::vector<std::string> ends;
    for (const kernel::TileNest::End& end : nest.ends) {
      ends.push_back(fmt::format("whole.{}.lo == whole.{}.lo", m_context.loop(end.sum),
                                 m_context.loop(end.by)));
    }
    if (!ends.empty()) {
      line("if (!({})) {{", fmt::join(ends, " && "));
      open();
      for (const Group& group : m_context.plan.body) addSteps({{}, group.steps}, false);
      line("return;");
      close();
    }
    Group all{nest.steps, {}};
    for (const Group& group : nest.ends.empty() ? m_context.plan.body : m_context.plan.epilogue) {
      all.steps.insert(all.steps.end(), group.steps.begin(), group.steps.end());
    }
    addSteps(all, false);
  }

  void addGroup(const Group& group, bool inEpilogue) { addSteps(group, inEpilogue); }

  // The steps of a group, which run its sequential loops together, index by index.
  void addSteps(const Group& group, bool inEpilogue) {
    if (group.steps.empty()) return;
    const std::size_t columns = m_indent.size();
    line("{{");
    open();
    line("[[maybe_unused]] Box t = whole;");
    for (const LoopId loop : group.running) {
      line("for (t.{0} = first(whole.{0}); t.{0}.lo < whole.{0}.hi; t.{0} = next(t.{0})) {{",
           m_context.loop(loop));
      open();
    }
    cppReaders(m_context, group.steps, inEpilogue, m_indent, m_text);
    for (const Step& step : group.steps) addStep(step, inEpilogue);
    closeTo(columns);
  }

  // A sum that does not depend on a loop of the scope is complete after that loop's first wave.
  std::string firstTime(const Step& step) const {
    if (m_context.nest.hasProduced() || step.join == ExprOp::Constant) return {};
    std::vector<std::string> all;
    const auto& order = m_context.schedule.order;
    for (auto p = CppContext::index(m_context.schedule.outputLevel); p < order.size(); ++p) {
      if (kernel::contains(step.statement.loops, order[p])) continue;
      all.push_back(fmt::format("w.{} == 0", m_context.loop(order[p])));
    }
    return fmt::format("{}", fmt::join(all, " && "));
  }

  void addStep(const Step& step, bool inEpilogue) {
    const kernel::Statement& statement = step.statement;
    const std::size_t columns = m_indent.size();
    if (const std::string once = firstTime(step); !once.empty()) {
      line("if ({}) {{", once);
      open();
    }
    if (step.targetLoops.empty()) {
      line("do {{");
      open();
    }
    for (const LoopId loop : step.targetLoops) {
      line("{} {{", cppLoop(m_context.kernel, loop, true));
      open();
    }
    if (const std::string outside = conditions(statement); !outside.empty()) {
      line("if (!({})) continue;", outside);
    }
    std::vector<std::string> indices;
    for (const affine::LinearExpr& i : statement.target.indices) {
      indices.push_back(cppIndex(m_context.kernel, i));
    }
    line("const long e = {}({});", m_context.number(statement.target.tensor),
         fmt::join(indices, ", "));
    CppForm form{true};
    if (!inEpilogue) form.now = cppStateLoops(m_context);
    for (const auto& [node, sum] : step.fromSums) form.nodes[node] = finished(sum, form);
    line("{}double v = {};", step.join == ExprOp::Constant ? "const " : "",
         cppExpression(m_context.kernel, statement, form));
    addResult(step);
    if (step.targetLoops.empty()) {
      m_indent.resize(m_indent.size() - 2);
      line("}} while (false);");
    }
    closeTo(columns);
  }

  std::string conditions(const kernel::Statement& statement) const {
    std::string all = cppConditions(m_context.kernel, targetConstraints(statement));
    if (!m_context.nest.hasProduced()) return all;
    const auto& outputs = m_context.nest.outputs;
    const auto made = std::ranges::find(outputs, statement.target.tensor, &kernel::Operand::tensor);
    if (made == outputs.end()) return all;
    for (std::size_t d = 0; d < made->dims.size(); ++d) {
      const auto& loops = made->dims[d].index.coefficients;
      const auto l = static_cast<std::size_t>(std::ranges::find(loops, 1) - loops.begin());
      const std::string at = cppIndex(m_context.kernel, statement.target.indices[d]);
      const std::string loop = m_context.loop(LoopId::of(l));
      all +=
          fmt::format("{0}{1} >= t.{2}.lo && {1} < t.{2}.hi", all.empty() ? "" : " && ", at, loop);
    }
    return all;
  }

  // A sum that an expression reads: what was accumulated, with the tile at hand where outputs
  // depend on each other.
  std::string finished(std::int32_t sum, const CppForm& form) const {
    if (!m_context.nest.hasProduced()) return fmt::format("core.sum{}.at(e)", sum);
    for (const Group& group : m_context.plan.body) {
      for (const Step& step : group.steps) {
        if (step.toSum != sum) continue;
        return fmt::format("[&] {{ const double now = {}; const double* before = core.sum{}.find(e)"
                           "; return before ? {} : now; }}()",
                           cppExpression(m_context.kernel, step.statement, form), sum,
                           cppJoin(step.join, "*before", "now"));
      }
    }
    return "0";
  }

  void addResult(const Step& step) {
    const std::string tensor = m_context.tensor(step.statement.target.tensor);
    const std::string into = step.toSum >= 0 ? fmt::format("sum{}", step.toSum) : "value_" + tensor;
    if (step.join != ExprOp::Constant) {
      line("if (const double* old = core.{}.find(e)) v = {};", into,
           cppJoin(step.join, "*old", "v"));
    }
    if (step.toSum >= 0) {
      line("core.{}.at(e) = v;", into);
    } else {
      line("write_{}(core, e, v);", tensor);
    }
    if (step.state >= 0) {
      if (m_context.splitsState()) line("note_{}(core, e, v);", tensor);
      return;
    }
    if (const std::string note = cppNote(m_context, step.partial); !note.empty()) {
      line("{}", note);
    }
  }

  const CppContext& m_context;
  std::string m_text;
  std::string m_indent = "  ";
};

}  // namespace

std::string cppValueMembers(const CppContext& context) {
  std::string text;
  for (std::size_t t = 0; t < context.kernel.tensors.size(); ++t) {
    if (context.kernel.tensors[t].role == kernel::TensorRole::Input) continue;
    text += fmt::format("  Tile value_{}{{}};\n", context.tensor(kernel::TensorId::of(t)));
  }
  for (std::int32_t s = 0; s < context.plan.sums; ++s)
    text += fmt::format("  Tile sum{}{{}};\n", s);
  if (context.splitsState()) {
    for (std::size_t s = 0; s < context.nest.merge->states.size(); ++s) {
      text += fmt::format("  Tile state{}{{}};\n", s);
    }
  }
  return text + "  bool started = false;\n  std::vector<long> scope{};  // waves of its outputs\n";
}

std::string cppComputeFunctions(const CppContext& context) { return ComputeText(context).run(); }

}  // namespace gridloom::exchange
