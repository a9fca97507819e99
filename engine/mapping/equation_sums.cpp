// SPDX-License-Identifier: Apache-2.0
//
// What the equations of an output say of its sum.
#include "mapping/equation_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "mapping/summed_products.h"

namespace gridloom::mapping {

using Coordinate = PointCoordinate::Kind;

namespace {

base::Span spanOf(const std::vector<PointValue>& terms) {
  return {terms.front().span.begin, terms.back().span.end};
}

}  // namespace

void OutputEquations::add(const Directive& equation) {
  const PointValue& left = leftOf(equation);
  const IterationSpace* space = m_spaces.spaceOf(left);
  if (space == nullptr) return;
  if (std::holds_alternative<ZeroValue>(equation.equation->right))
    return addInitial(equation, *space);
  const auto* from = std::get_if<PointValue>(&equation.equation->right);
  if (from == nullptr || from->operand.text != m_operand.name) {
    return m_spaces.fail(
        equation.span,
        fmt::format("`{}` is a result: it comes from its own last value", m_operand.name),
        fmt::format("write `{0} = {0} + ...`, on the right the point before along its sum",
                    m_spaces.pointText(*space, left, {})));
  }
  if (!isOwnPoint(*space, left)) return;
  if (left.space.text != from->space.text) return addInterface(equation, *space, *from);
  if (m_spaces.spaceOf(*from) == space) addRecurrence(equation, *space, *from);
}

bool OutputEquations::isFresh(const Part& part, const Directive& equation, const char* what) {
  if (part.equation == nullptr) return true;
  m_spaces.fail(equation.span, fmt::format("a second equation {} `{}`", what, m_operand.name),
                "keep one of the two");
  return false;
}

bool OutputEquations::isOwnPoint(const IterationSpace& space, const PointValue& value) {
  for (const PointCoordinate& c : value.at) {
    if (c.kind == Coordinate::Same) continue;
    m_spaces.fail(c.span, "an equation of a sum is about every point: its own loops",
                  fmt::format("write `{}` on the left", m_spaces.pointText(space, value, {})));
    return false;
  }
  return true;
}

// C(i, j, 0) = 0
void OutputEquations::addInitial(const Directive& equation, const IterationSpace& space) {
  if (!isFresh(m_initial, equation, "begins the sum of")) return;
  const PointValue& left = leftOf(equation);
  Part part{&equation, &space, {}};
  std::map<LoopId, std::string> firsts;
  for (const LoopId loop : space.loops) {
    if (!m_operand.dependsOn(loop)) firsts[loop] = "0";
  }
  for (std::size_t p = 0; p < left.at.size(); ++p) {
    const LoopId loop = space.loops[p];
    const Coordinate kind = left.at[p].kind;
    if (kind == Coordinate::First && firsts.contains(loop)) {
      part.loops.push_back(loop);
    } else if (kind != Coordinate::Same) {
      return m_spaces.fail(left.at[p].span, "a sum begins at the first point of its own loops",
                           fmt::format("write `{} = 0`", m_spaces.pointText(space, left, firsts)));
    }
  }
  if (part.loops.empty()) {
    return m_spaces.fail(equation.span,
                         fmt::format("`{}` would be 0 at every point", m_operand.name),
                         fmt::format("write `{} = 0`", m_spaces.pointText(space, left, firsts)));
  }
  m_initial = std::move(part);
}

// C(i, j, k) = C(i, j, k - 1) + A(i, j, k) * B(i, j, k)
void OutputEquations::addRecurrence(const Directive& equation, const IterationSpace& space,
                                    const PointValue& from) {
  if (!isFresh(m_recurrence, equation, "sums")) return;
  Part part{&equation, &space, {}};
  for (std::size_t p = 0; p < from.at.size(); ++p) {
    const PointCoordinate& c = from.at[p];
    if (c.kind == Coordinate::Same) continue;
    const LoopId loop = space.loops[p];
    if (m_operand.dependsOn(loop) || c.kind != Coordinate::Before) {
      return m_spaces.fail(
          c.span,
          fmt::format("`{}` is summed along loops that do not index it, from the point before",
                      m_operand.name),
          m_operand.dependsOn(loop)
              ? fmt::format("the kernel has {}", m_spaces.accessText(m_operand))
              : fmt::format("write `{} - 1`", m_spaces.nameOf(loop)));
    }
    part.loops.push_back(loop);
  }
  if (part.loops.empty()) {
    return m_spaces.fail(from.span, "the sum comes from its own point",
                         fmt::format("take it from the point before along a loop that does not "
                                     "index {}",
                                     m_spaces.accessText(m_operand)));
  }
  m_recurrence = std::move(part);
  if (checkFactors(equation, space)) checkProduct(equation, space);
}

bool OutputEquations::checkFactors(const Directive& equation, const IterationSpace& space) {
  for (const PointValue& factor : equation.equation->terms) {
    if (m_spaces.spaceOf(factor) == nullptr) return false;
    const bool isInput = std::ranges::find(m_spaces.nest().inputs, factor.operand.text,
                                           &kernel::Operand::name) != m_spaces.nest().inputs.end();
    const bool isHere = std::ranges::all_of(
        factor.at, [](const PointCoordinate& c) { return c.kind == Coordinate::Same; });
    if (isInput && isHere) continue;
    m_spaces.fail(factor.span, "an element multiplies the inputs that it has",
                  fmt::format("write `{}` with an input of the kernel",
                              m_spaces.pointText(space, factor, {})));
    return false;
  }
  return true;
}

bool OutputEquations::checkProduct(const Directive& equation, const IterationSpace& space) {
  const auto& terms = equation.equation->terms;
  std::vector<std::string> written;
  for (const PointValue& factor : terms) written.push_back(factor.operand.text);
  std::ranges::sort(written);
  const auto known =
      summedProducts(m_spaces.kernel(), m_spaces.nest(), m_operand.tensor, m_recurrence.loops);
  if (std::ranges::find(known, written) != known.end()) return true;
  const base::Span at = terms.empty() ? equation.span : spanOf(terms);
  if (known.empty()) {
    m_spaces.fail(at,
                  fmt::format("the kernel has no sum of products of inputs along `{}`",
                              m_spaces.nameOf(m_recurrence.loops.front())),
                  fmt::format("use directives, as `reduce({}, chain)`", m_operand.name));
    return false;
  }
  std::vector<std::string> factors;
  for (const std::string& name : known.front()) {
    PointValue factor = leftOf(equation);
    factor.operand.text = name;
    factors.push_back(m_spaces.pointText(space, factor, {}));
  }
  m_spaces.fail(at, fmt::format("the kernel sums another product for `{}`", m_operand.name),
                fmt::format("add `{}`", fmt::join(factors, " * ")));
  return false;
}

// The sum of one space is complete where another one takes it: at the same place of the mesh.
void OutputEquations::addInterface(const Directive& equation, const IterationSpace& to,
                                   const PointValue& from) {
  if (!isFresh(m_interface, equation, "hands over")) return;
  const IterationSpace* source = m_spaces.spaceNamed(from);
  if (source == nullptr) return;
  if (!equation.equation->terms.empty()) {
    return m_spaces.fail(spanOf(equation.equation->terms), "a finished sum is handed over as it is",
                         "leave the sum out");
  }
  for (std::size_t p = 0; p < from.at.size(); ++p) {
    const LoopId loop = source->loops[p];
    const bool common = kernel::contains(to.loops, loop);
    const bool agrees =
        common ? from.at[p].kind == Coordinate::Same && from.at[p].loop == m_spaces.nameOf(loop)
               : from.at[p].kind == Coordinate::Last;
    if (agrees) continue;
    return m_spaces.fail(from.at[p].span,
                         "a finished sum stays in its element: the same loops, and `last`",
                         fmt::format("write `{}`", common ? m_spaces.nameOf(loop) : "last"));
  }
  m_interface = {&equation, &to, {}};
}

// C[i, j] = C(i, j, last), or C(0, j, last): collected at the first element.
void OutputEquations::addResult(const Directive& equation, const TensorElement& element) {
  const auto* from = std::get_if<PointValue>(&equation.equation->right);
  if (from == nullptr || from->operand.text != m_operand.name) {
    return m_spaces.fail(equation.span, "memory takes results of the kernel only",
                         fmt::format("write a point of `{0}`: `{0}(...)`", m_operand.name));
  }
  if (!isFresh(m_result, equation, "stores")) return;
  const IterationSpace* space = m_spaces.spaceOf(*from);
  if (space == nullptr || !m_spaces.checkElement(element, m_operand)) return;
  if (!equation.equation->terms.empty()) {
    return m_spaces.fail(spanOf(equation.equation->terms), "a finished sum is stored as it is",
                         "leave the sum out");
  }
  Directive gather;
  gather.kind = Directive::Kind::Gather;
  gather.subject = {m_operand.name, equation.span};
  gather.span = equation.span;
  for (std::size_t p = 0; p < from->at.size(); ++p) {
    const PointCoordinate& c = from->at[p];
    const LoopId loop = space->loops[p];
    const bool collected = c.kind == Coordinate::First && m_spaces.isPlaced(loop);
    const bool indexed = m_operand.dependsOn(loop);
    if (indexed ? !(c.kind == Coordinate::Same || collected) : c.kind != Coordinate::Last) {
      return m_spaces.fail(c.span, "results leave where their sum is complete",
                           "the loops of the result, or `0` where it is collected; `last` along "
                           "the sum");
    }
    if (!collected) continue;
    for (const std::string& dim : m_spaces.dimsOf(loop))
      gather.names.push_back({dim, equation.span});
  }
  m_result = {&equation, space, {}};
  m_gather = std::move(gather);
}

void OutputEquations::lower(std::vector<Directive>& out) {
  lowerSum(out);
  if (m_gather) out.push_back(std::move(*m_gather));
}

void OutputEquations::lowerSum(std::vector<Directive>& out) {
  const Part& sum = m_recurrence;
  if (sum.equation == nullptr) {
    if (m_initial.equation != nullptr) {
      m_spaces.fail(m_initial.equation->span,
                    fmt::format("no equation adds to the sum of `{}`", m_operand.name),
                    "add one, or leave this one out");
    }
    return;
  }
  std::map<LoopId, std::string> firsts;
  for (const LoopId loop : sum.loops) firsts[loop] = "0";
  const std::string begin =
      fmt::format("`{} = 0`", m_spaces.pointText(*sum.space, leftOf(*sum.equation), firsts));
  if (m_initial.equation == nullptr) {
    return m_spaces.fail(
        sum.equation->span,
        fmt::format("no equation says where the sum of `{}` begins", m_operand.name),
        "add " + begin);
  }
  if (m_initial.space != sum.space || m_initial.loops != sum.loops) {
    return m_spaces.fail(m_initial.equation->span,
                         fmt::format("the sum of `{}` begins elsewhere", m_operand.name),
                         "write " + begin);
  }
  for (const LoopId loop : sum.loops) {
    if (!m_spaces.isPlaced(loop)) continue;
    Directive chain;
    chain.kind = Directive::Kind::Reduce;
    chain.subject = {m_operand.name, sum.equation->span};
    chain.names.push_back({"chain", sum.equation->span});
    chain.span = sum.equation->span;
    out.push_back(std::move(chain));
  }
}

}  // namespace gridloom::mapping
