// SPDX-License-Identifier: Apache-2.0
//
// What the equations of an input say of its movement.
#include "mapping/equation_flow.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::mapping {

using Coordinate = PointCoordinate::Kind;

namespace {

Directive made(Directive::Kind kind, const std::string& subject,
               const std::vector<std::string>& names, base::Span span) {
  Directive d;
  d.kind = kind;
  d.subject = {subject, span};
  for (const std::string& name : names) d.names.push_back({name, span});
  d.span = span;
  return d;
}

}  // namespace

void InputEquations::add(const Directive& equation) {
  const PointValue& left = leftOf(equation);
  const IterationSpace* space = m_spaces.spaceOf(left);
  if (space == nullptr) return;
  if (m_space != nullptr && m_space != space) {
    return m_spaces.fail(left.span,
                         fmt::format("`{}` has equations in another space", m_operand.name),
                         "one space says where its tiles come from");
  }
  m_space = space;
  if (!m_spaces.checkOffsets(equation, m_operand)) return;
  for (const PointCoordinate& c : left.at) {
    if (c.kind == Coordinate::Same || c.kind == Coordinate::First) continue;
    return m_spaces.fail(
        c.span, "an equation is about points: a loop, or `0`",
        fmt::format("write `{}` on the left", m_spaces.pointText(*space, left, {})));
  }
  if (!equation.equation->terms.empty()) {
    return m_spaces.fail(equation.equation->terms.front().span,
                         fmt::format("nothing is added to `{}`: it is an input", m_operand.name),
                         "leave the sum out");
  }
  const auto& right = equation.equation->right;
  if (const auto* from = std::get_if<PointValue>(&right)) {
    return addMove(equation, *space, *from);
  }
  const auto* element = std::get_if<TensorElement>(&right);
  if (element == nullptr)
    return m_spaces.fail(equation.span, fmt::format("`{}` is an input, no sum", m_operand.name));
  if (!m_spaces.checkElement(*element, m_operand)) return;
  if (m_load != nullptr) {
    return m_spaces.fail(equation.span, fmt::format("a second equation loads `{}`", m_operand.name),
                         "keep one of the two");
  }
  m_load = &equation;
  for (std::size_t p = 0; p < left.at.size(); ++p) {
    if (left.at[p].kind == Coordinate::First) m_firsts.push_back(space->loops[p]);
  }
}

void InputEquations::addMove(const Directive& equation, const IterationSpace& space,
                             const PointValue& from) {
  const std::string& tensor = m_spaces.kernel().tensor(m_operand.tensor).name;
  if (m_operand.produced && from.operand.text == tensor) return addProduced(equation, space, from);
  if (from.operand.text != m_operand.name) {
    return m_spaces.fail(
        from.operand.span,
        fmt::format("`{}` cannot come from `{}`", m_operand.name, from.operand.text),
        fmt::format("a value moves as what it is: `{}(...)`", m_operand.name));
  }
  if (m_operand.produced) {
    return m_spaces.fail(
        equation.span,
        fmt::format("`{}` goes straight from the element that makes it", m_operand.name),
        fmt::format("name the point that makes {}", m_spaces.accessText(m_operand)));
  }
  const IterationSpace* source = m_spaces.spaceOf(from);
  if (source == nullptr) return;
  if (source != &space) {
    return m_spaces.fail(from.span, fmt::format("`{}` moves within one space", m_operand.name),
                         "other spaces hand over what the kernel makes");
  }
  const std::size_t before = m_moves.size();
  for (std::size_t p = 0; p < from.at.size(); ++p) {
    const Coordinate kind = from.at[p].kind;
    const LoopId loop = space.loops[p];
    const std::string& name = m_spaces.nameOf(loop);
    if (leftOf(equation).at[p].kind == Coordinate::First) {
      if (kind == Coordinate::First) {
        m_borders.push_back({&equation, loop, true});
        continue;
      }
      return m_spaces.fail(from.at[p].span,
                           fmt::format("the left side is the point at `{}` = 0 only", name),
                           fmt::format("write `{}` on the left, or `0` on both sides", name));
    }
    if (kind == Coordinate::Same) continue;
    if (kind == Coordinate::After || kind == Coordinate::Last) {
      return m_spaces.fail(from.at[p].span, "values travel upwards on this mesh",
                           fmt::format("write `{} - 1`", name));
    }
    const bool holds = kind == Coordinate::First && !m_spaces.isPlaced(loop);
    if (m_operand.dependsOn(loop) && !holds) {
      return m_spaces.fail(
          from.at[p].span,
          fmt::format("{} is another tile at each `{}`", m_spaces.accessText(m_operand), name),
          "values move along loops that do not index them");
    }
    if (std::ranges::find(m_moves, loop, &Move::loop) != m_moves.end()) {
      return m_spaces.fail(
          equation.span,
          fmt::format("a second equation moves `{}` along `{}`", m_operand.name, name),
          "keep one of the two");
    }
    m_moves.push_back({&equation, loop, kind == Coordinate::First});
  }
  if (m_moves.size() == before)
    m_spaces.fail(equation.span, "the value comes from its own point",
                  "write the point before along a loop that does not index it, or `0`");
}

bool InputEquations::isComplete() const {
  const Directive* any = m_load != nullptr ? m_load
                         : m_moves.empty() ? nullptr
                                           : m_moves.front().equation;
  if (any == nullptr) return false;
  const PointValue& left = leftOf(*any);
  std::map<LoopId, std::string> firsts;
  for (const Move& move : m_moves) firsts[move.loop] = "0";
  const std::string wanted = fmt::format(
      "add `{} = {}`", m_spaces.pointText(*m_space, left, firsts), m_spaces.accessText(m_operand));
  if (m_load == nullptr) {
    m_spaces.fail(any->span, fmt::format("no point takes `{}` from memory", m_operand.name),
                  wanted);
    return false;
  }
  for (const Move& move : m_moves) {
    if (kernel::contains(m_firsts, move.loop)) continue;
    m_spaces.fail(m_load->span,
                  fmt::format("`{}` comes from memory at every `{}`, and from another point",
                              m_operand.name, m_spaces.nameOf(move.loop)),
                  "keep one of the two, or " + wanted.substr(4));
    return false;
  }
  for (const Move& border : m_borders) {
    if (std::ranges::find(m_moves, border.loop, &Move::loop) != m_moves.end()) continue;
    const std::string& name = m_spaces.nameOf(border.loop);
    m_spaces.fail(
        border.equation->span,
        fmt::format("where `{}` > 0, no equation says where `{}` comes from", name, m_operand.name),
        fmt::format("write `{}` on both sides", name));
    return false;
  }
  for (const LoopId first : m_firsts) {
    if (std::ranges::find(m_moves, first, &Move::loop) != m_moves.end()) continue;
    const std::string& name = m_spaces.nameOf(first);
    m_spaces.fail(
        m_load->span,
        fmt::format("where `{}` > 0, no equation says where `{}` comes from", name, m_operand.name),
        fmt::format("add `{} = {}`", m_spaces.pointText(*m_space, left, {}),
                    m_spaces.pointText(*m_space, left, {{first, name + " - 1"}})));
    return false;
  }
  return true;
}

void InputEquations::lower(std::vector<Directive>& out) {
  if (m_produced != nullptr && m_load == nullptr) {
    out.push_back(made(Directive::Kind::Forwarded, m_operand.name, {}, m_produced->span));
    return;
  }
  if (m_produced != nullptr) {
    return m_spaces.fail(m_produced->span,
                         fmt::format("another equation loads `{}`", m_operand.name),
                         "keep one of the two");
  }
  if (!isComplete()) return;
  lowerMoved(out);
  lowerKept(out);
}

void InputEquations::lowerMoved(std::vector<Directive>& out) const {
  std::vector<std::string> dims;
  const Move* last = nullptr;
  std::map<LoopId, std::string> firsts;
  bool fromFirst = true, several = false;
  for (const Move& move : m_moves) {
    if (!m_spaces.isPlaced(move.loop)) continue;
    several = last != nullptr;
    firsts[move.loop] = "0";
    last = &move;
    fromFirst = fromFirst && move.fromFirst;
    const auto& more = m_spaces.dimsOf(move.loop);
    dims.insert(dims.end(), more.begin(), more.end());
  }
  if (last == nullptr) {
    out.push_back(made(Directive::Kind::Direct, m_operand.name, {}, m_load->span));
  } else if (fromFirst && dims.size() <= 2) {
    out.push_back(made(Directive::Kind::Multicast, m_operand.name, dims, last->equation->span));
  } else if (!several && dims.size() == 1) {
    out.push_back(made(Directive::Kind::Stream, m_operand.name, dims, last->equation->span));
  } else {
    m_spaces.fail(last->equation->span,
                  fmt::format("tiles of `{}` pass along one dimension of the mesh, or are "
                              "broadcast along one or two",
                              m_operand.name),
                  fmt::format("take all values from the first point: `{} = {}`",
                              m_spaces.pointText(*m_space, leftOf(*m_load), {}),
                              m_spaces.pointText(*m_space, leftOf(*m_load), firsts)));
  }
}

// Along loops in time an element keeps the tile: the transfer stands outside the outermost.
void InputEquations::lowerKept(std::vector<Directive>& out) const {
  std::vector<LoopId> kept;
  const Directive* equation = nullptr;
  for (const Move& move : m_moves) {
    if (m_spaces.isPlaced(move.loop)) continue;
    kept.push_back(move.loop);
    equation = move.equation;
  }
  if (kept.empty()) return;
  std::string outermost = m_spaces.nameOf(kept.front());
  if (kept.size() > 1) {
    const auto order = std::ranges::find_if(m_spaces.directives().list, [](const Directive& d) {
      return d.kind == Directive::Kind::Order && !d.excluded;
    });
    const auto isKept = [&](const NameInText& name) {
      const auto loop = m_spaces.loopNamed(name.text);
      return loop && kernel::contains(kept, *loop);
    };
    if (order == m_spaces.directives().list.end() ||
        std::ranges::count_if(order->names, isKept) != std::ssize(kept)) {
      return m_spaces.fail(
          equation->span,
          fmt::format("`{}` stays along several loops in time: which is outermost?",
                      m_operand.name),
          "name them in an `order(...)`");
    }
    outermost = std::ranges::find_if(order->names, isKept)->text;
  }
  out.push_back(made(Directive::Kind::Hoist, m_operand.name, {outermost}, equation->span));
}

}  // namespace gridloom::mapping
