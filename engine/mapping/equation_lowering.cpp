// SPDX-License-Identifier: Apache-2.0
#include "mapping/equation_lowering.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::mapping {

using Coordinate = PointCoordinate::Kind;

namespace {

/// Replaces the equations of one text.
class EquationLowering {
 public:
  EquationLowering(const Directives& directives, const kernel::Kernel& kernel,
                   const kernel::TileNest& nest, const hardware::Topology& hw)
      : m_directives(directives), m_nest(nest), m_spaces(directives, kernel, nest, hw, m_errors) {}

  base::Result<Directives> run() {
    Directives out{{}, m_directives.source};
    for (const Directive& d : m_directives.list) {
      if (d.kind == Directive::Kind::Map) m_spaces.add(d, out.list);
    }
    if (!m_spaces.empty()) m_spaces.leaveUnused(out.list);
    for (const Directive& d : m_directives.list) {
      if (d.kind == Directive::Kind::Equation) {
        add(d, out.list);
      } else if (d.kind != Directive::Kind::Map) {
        out.list.push_back(d);
      }
    }
    if (m_errors.empty()) {
      for (auto& [name, input] : m_inputs) input.lower(out.list);
    }
    if (!m_errors.empty()) return m_errors;
    return out;
  }

 private:
  void add(const Directive& equation, std::vector<Directive>& out) {
    if (const auto* element = std::get_if<TensorElement>(&equation.equation->left))
      return addResult(equation, *element, out);
    const auto& left = std::get<PointValue>(equation.equation->left);
    const auto named = [&](const kernel::Operand& o) { return o.name == left.operand.text; };
    if (const auto in = std::ranges::find_if(m_nest.inputs, named); in != m_nest.inputs.end()) {
      m_inputs.try_emplace(left.operand.text, m_spaces, *in).first->second.add(equation);
      return;
    }
    const auto output = std::ranges::find_if(m_nest.outputs, named);
    if (output != m_nest.outputs.end()) return addSum(equation, left, *output, out);
    std::vector<std::string> known;
    for (const auto& o : m_nest.inputs) known.push_back("`" + o.name + "`");
    for (const auto& o : m_nest.outputs) known.push_back("`" + o.name + "`");
    m_spaces.fail(left.operand.span, fmt::format("the kernel moves no `{}`", left.operand.text),
                  fmt::format("its operands are {}", fmt::join(known, ", ")));
  }

  // C(i, j, k) = C(i, j, k - 1) + ..., C(i, j, 0) = 0, diag.C(i) = tri.C(i, last).
  void addSum(const Directive& equation, const PointValue& left, const kernel::Operand& output,
              std::vector<Directive>& out) {
    const IterationSpace* space = m_spaces.spaceOf(left);
    if (space == nullptr || std::holds_alternative<ZeroValue>(equation.equation->right)) return;
    const auto* from = std::get_if<PointValue>(&equation.equation->right);
    if (from == nullptr || from->operand.text != output.name) {
      return m_spaces.fail(
          equation.span,
          fmt::format("`{}` is a result: it comes from its own last value", output.name),
          "write `C(i, j, k) = C(i, j, k - 1) + A(i, j, k) * B(i, j, k)`");
    }
    checkFactors(equation, *space);
    if (left.space.text != from->space.text) return checkInterface(left, *from);
    if (m_spaces.spaceOf(*from) != space) return;
    for (std::size_t p = 0; p < from->at.size(); ++p) {
      const PointCoordinate& c = from->at[p];
      if (c.kind == Coordinate::Same) continue;
      const LoopId loop = space->loops[p];
      if (output.dependsOn(loop) || c.kind == Coordinate::First || c.kind == Coordinate::Last) {
        return m_spaces.fail(c.span,
                             fmt::format("`{}` is summed along loops that do not index it, step by "
                                         "step",
                                         output.name),
                             fmt::format("the kernel has {}", m_spaces.accessText(output)));
      }
      if (!m_spaces.isPlaced(loop)) continue;
      Directive chain;
      chain.kind = Directive::Kind::Reduce;
      chain.subject = {output.name, equation.span};
      chain.names.push_back({"chain", equation.span});
      chain.span = equation.span;
      out.push_back(std::move(chain));
    }
  }

  void checkFactors(const Directive& equation, const IterationSpace& space) {
    for (const PointValue& factor : equation.equation->terms) {
      if (m_spaces.spaceOf(factor) == nullptr) return;
      const bool isInput = std::ranges::any_of(
          m_nest.inputs, [&](const kernel::Operand& o) { return o.name == factor.operand.text; });
      const bool isHere = std::ranges::all_of(
          factor.at, [](const PointCoordinate& c) { return c.kind == Coordinate::Same; });
      if (isInput && isHere) continue;
      return m_spaces.fail(factor.span, "an element multiplies the inputs that it has",
                           fmt::format("write `{}` with an input of the kernel",
                                       m_spaces.pointText(space, factor, {})));
    }
  }

  // The sum of one space is complete where another one takes it: at the same place of the mesh.
  void checkInterface(const PointValue& left, const PointValue& from) {
    const IterationSpace* to = m_spaces.spaceOf(left);
    const IterationSpace* source = m_spaces.spaceNamed(from);
    if (to == nullptr || source == nullptr) return;
    for (std::size_t p = 0; p < from.at.size(); ++p) {
      const LoopId loop = source->loops[p];
      const bool common = kernel::contains(to->loops, loop);
      const bool agrees =
          common ? from.at[p].kind == Coordinate::Same && from.at[p].loop == m_spaces.nameOf(loop)
                 : from.at[p].kind == Coordinate::Last;
      if (agrees) continue;
      return m_spaces.fail(from.at[p].span,
                           "a finished sum stays in its element: the same loops, and `last`",
                           fmt::format("write `{}`", common ? m_spaces.nameOf(loop) : "last"));
    }
  }

  // C[i, j] = C(i, j, last), or C(0, j, last): collected at the first element.
  void addResult(const Directive& equation, const TensorElement& element,
                 std::vector<Directive>& out) {
    const auto output = std::ranges::find_if(
        m_nest.outputs, [&](const kernel::Operand& o) { return o.name == element.tensor.text; });
    const auto* from = std::get_if<PointValue>(&equation.equation->right);
    if (output == m_nest.outputs.end() || from == nullptr || from->operand.text != output->name) {
      return m_spaces.fail(equation.span, "memory takes results of the kernel only",
                           "write `C[i, j] = C(i, j, last)`");
    }
    const IterationSpace* space = m_spaces.spaceOf(*from);
    if (space == nullptr || !m_spaces.checkElement(element, *output)) return;
    Directive gather;
    gather.kind = Directive::Kind::Gather;
    gather.subject = {output->name, equation.span};
    gather.span = equation.span;
    for (std::size_t p = 0; p < from->at.size(); ++p) {
      const PointCoordinate& c = from->at[p];
      const LoopId loop = space->loops[p];
      const bool collected = c.kind == Coordinate::First && m_spaces.isPlaced(loop);
      const bool indexed = output->dependsOn(loop);
      if (indexed ? !(c.kind == Coordinate::Same || collected) : c.kind != Coordinate::Last) {
        return m_spaces.fail(c.span, "results leave where their sum is complete",
                             "the loops of the result, or `0` where it is collected; `last` along "
                             "the sum");
      }
      if (!collected) continue;
      for (const std::string& dim : m_spaces.dimsOf(loop))
        gather.names.push_back({dim, equation.span});
    }
    out.push_back(std::move(gather));
  }

  const Directives& m_directives;
  const kernel::TileNest& m_nest;
  base::Diagnostics m_errors;
  SpaceTable m_spaces;
  std::map<std::string, InputEquations> m_inputs;
};

}  // namespace

base::Result<Directives> lowerEquations(const Directives& directives, const kernel::Kernel& kernel,
                                        const kernel::TileNest& nest,
                                        const hardware::Topology& hw) {
  return EquationLowering(directives, kernel, nest, hw).run();
}

}  // namespace gridloom::mapping
