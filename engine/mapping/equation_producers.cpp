// SPDX-License-Identifier: Apache-2.0
//
// Equations of tiles that the kernel itself makes.
#include <fmt/format.h>

#include <algorithm>

#include "mapping/equation_flow.h"

namespace gridloom::mapping {

using Coordinate = PointCoordinate::Kind;

// The interface between two spaces: the point of the other space that makes the tile. Its space has
// the loops of the result and no other: where the sum still runs, nothing is complete.
void InputEquations::addProduced(const Directive& equation, const IterationSpace& space,
                                 const PointValue& from) {
  const IterationSpace* makers = m_spaces.spaceNamed(from);
  if (makers == nullptr) return;
  for (const PointCoordinate& c : leftOf(equation).at) {
    if (c.kind == Coordinate::Same) continue;
    return m_spaces.fail(
        c.span, fmt::format("every point has its `{}` from where it is made", m_operand.name),
        fmt::format("write `{}`", m_spaces.pointText(space, leftOf(equation), {})));
  }
  if (m_produced != nullptr) {
    return m_spaces.fail(equation.span,
                         fmt::format("a second equation says where `{}` is made", m_operand.name),
                         "keep one of the two");
  }
  const std::map<LoopId, std::string> wanted = makingPoint();
  for (const auto& [loop, name] : wanted) {
    if (kernel::contains(makers->loops, loop)) continue;
    return m_spaces.fail(from.span,
                         fmt::format("this space has no loop `{}`, which indexes `{}`",
                                     m_spaces.nameOf(loop), from.operand.text),
                         "name the space of the points that complete it");
  }
  for (std::size_t p = 0; p < from.at.size(); ++p) {
    const auto loop = wanted.find(makers->loops[p]);
    if (loop == wanted.end()) {
      return m_spaces.fail(from.at[p].span,
                           fmt::format("`{}` is complete in a space without `{}`",
                                       from.operand.text, m_spaces.nameOf(makers->loops[p])),
                           "give the points that complete it a `map` of the loops of the result");
    }
    if (from.at[p].kind == Coordinate::Same && from.at[p].loop == loop->second) continue;
    return m_spaces.fail(
        from.at[p].span,
        fmt::format("{} is not made at this point", m_spaces.accessText(m_operand)),
        fmt::format("write `{}`", m_spaces.pointText(*makers, from, wanted)));
  }
  m_produced = &equation;
}

// Per loop of the output, the loop that indexes the tile there where it is read.
std::map<LoopId, std::string> InputEquations::makingPoint() const {
  const auto& outputs = m_spaces.nest().outputs;
  const auto output = std::ranges::find(outputs, m_operand.tensor, &kernel::Operand::tensor);
  std::map<LoopId, std::string> wanted;
  for (std::size_t d = 0;
       output != outputs.end() && d < std::min(m_operand.dims.size(), output->dims.size()); ++d) {
    for (std::size_t l = 0; l < m_spaces.kernel().loops.size(); ++l) {
      if (output->dims[d].index.coefficient(l) == 0) continue;
      for (std::size_t reader = 0; reader < m_spaces.kernel().loops.size(); ++reader) {
        if (m_operand.dims[d].index.coefficient(reader) != 0)
          wanted[LoopId::of(l)] = m_spaces.kernel().loops[reader].name;
      }
    }
  }
  return wanted;
}

}  // namespace gridloom::mapping
