// SPDX-License-Identifier: Apache-2.0

// Networks of a hardware text that close at the edge of the mesh, or end there.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "language/language.h"
#include "language/machine_text.h"

namespace gridloom::language {

namespace {

using syntax::HardwareAttribute;
using syntax::HardwareOp;
using syntax::HardwareValue;
using Kind = HardwareValue::Kind;

/// One step of a network along one dimension, as a result of its map: `d0 + 1`, or
/// `(d0 + 1) mod cols`.
struct Step {
  const HardwareOp* op = nullptr;
  std::size_t dim = 0;
  bool isUp = true;
  bool wraps = false;
  base::Span span;         ///< of the result
  std::string_view inner;  ///< `d0 + 1`
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

/// The results of an affine map's text, which refer to it.
std::vector<std::string_view> resultsOf(std::string_view map) {
  const std::size_t arrow = map.find("->");
  const std::size_t begin = map.find('(', arrow == std::string_view::npos ? map.size() : arrow);
  std::vector<std::string_view> results;
  if (begin == std::string_view::npos) return results;
  std::size_t depth = 0, from = begin + 1;
  for (std::size_t i = begin; i < map.size(); ++i) {
    if (map[i] == '(') ++depth;
    if (map[i] == ')') --depth;
    if ((depth != 0 && (depth > 1 || map[i] != ',')) || i == begin) continue;
    results.push_back(trimmed(map.substr(from, i - from)));
    from = i + 1;
    if (depth == 0) break;
  }
  return results;
}

/// `d0 + 1`, `d1 - 2`: a dimension and a number.
bool isStep(std::string_view text, std::size_t dim, bool& isUp) {
  const std::string name = fmt::format("d{}", dim);
  if (!text.starts_with(name)) return false;
  text = trimmed(text.substr(name.size()));
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return false;
  isUp = text.front() == '+';
  text = trimmed(text.substr(1));
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

class Networks {
 public:
  explicit Networks(const base::SourceRef& source) : m_machine(source) {
    for (const HardwareOp& op : m_machine.ops())
      if (m_machine.isNetwork(op)) addStepOf(op);
  }

  const std::vector<Step>& steps() const { return m_steps; }

  /// The step without its wrap, or with one at the size of its dimension.
  std::optional<std::string> withWrap(const Step& step, bool wraps) const {
    if (!wraps) return std::string(step.inner);
    const std::optional<std::string_view> size = sizeOf(step);
    if (!size) return {};
    return fmt::format("({}) mod {}", step.inner, *size);
  }

  bool hasOpposite(const Step& step) const {
    return std::ranges::any_of(m_steps, [&](const Step& other) {
      return other.dim == step.dim && other.isUp != step.isUp &&
             other.op->operands[0].text == step.op->operands[0].text &&
             MachineText::planeOf(*other.op) == MachineText::planeOf(*step.op);
    });
  }

  /// The same links in the other direction, as a line of its own.
  std::string opposite(const Step& step) {
    std::string inner(step.inner);
    inner[inner.find(step.isUp ? '+' : '-')] = step.isUp ? '-' : '+';
    std::string line(m_machine.at(step.op->span));
    line.replace(step.span.begin - step.op->span.begin, step.span.end - step.span.begin, inner);
    line.replace(
        step.op->nameSpan.begin - step.op->span.begin,
        step.op->nameSpan.end - step.op->nameSpan.begin,
        m_machine.marked(*step.op, m_machine.newName(std::string(step.op->name) + "_back")));
    return line;
  }

 private:
  static const HardwareValue* valueOf(const HardwareOp& op, std::string_view name) {
    const HardwareAttribute* found = MachineText::attribute(op, name);
    return found == nullptr ? nullptr : &found->value;
  }

  void addStepOf(const HardwareOp& op) {
    const HardwareValue* map = valueOf(op, "map");
    if (map->kind != Kind::Map) return;
    const auto results = resultsOf(m_machine.at(map->span));
    for (std::size_t dim = 0; dim < results.size(); ++dim) {
      Step step;
      step.op = &op;
      step.dim = dim;
      step.inner = results[dim];
      const std::uint32_t begin = m_machine.positionOf(results[dim]);
      step.span = {begin, begin + static_cast<std::uint32_t>(results[dim].size())};
      const std::size_t close = step.inner.rfind(')');
      if (step.inner.starts_with('(') && close != std::string_view::npos &&
          trimmed(step.inner.substr(close + 1)).starts_with("mod ")) {
        step.wraps = true;
        step.inner = trimmed(step.inner.substr(1, close - 1));
      }
      if (isStep(step.inner, dim, step.isUp)) m_steps.push_back(step);
    }
  }

  /// The size of the step's dimension, as it stands in the text.
  std::optional<std::string_view> sizeOf(const Step& step) const {
    const HardwareOp* part = m_machine.opNamed(step.op->operands[0].text);
    if (part == nullptr) return {};
    const HardwareValue* grid = valueOf(*part, "grid");
    if (grid == nullptr) grid = valueOf(*part, "scaleout");
    if (grid == nullptr) return {};
    const bool isList = grid->kind == Kind::List;
    if (step.dim >= (isList ? grid->items.size() : 1)) return {};
    const HardwareOp* dim = m_machine.opNamed((isList ? grid->items[step.dim] : *grid).text);
    if (dim == nullptr || dim->operands.empty()) return {};
    return m_machine.at(dim->operands.front().span);
  }

  MachineText m_machine;
  std::vector<Step> m_steps;
};

}  // namespace

EdgeLinks edgeLinks(const base::SourceRef& text) {
  const Networks networks(text);
  EdgeLinks links;
  for (const Step& step : networks.steps()) ++(step.wraps ? links.wrapped : links.open);
  return links;
}

std::vector<TextEdit> wrapLinks(const base::SourceRef& text, bool wraps) {
  Networks networks(text);
  std::vector<TextEdit> edits;
  for (const Step& step : networks.steps()) {
    if (step.wraps != wraps) {
      const auto changed = networks.withWrap(step, wraps);
      if (!changed) return {};
      edits.push_back({step.span, *changed});
    }
    if (!wraps && !networks.hasOpposite(step)) {
      const std::uint32_t end = step.op->span.end;
      edits.push_back({{end, end}, "\n" + networks.opposite(step)});
    }
  }
  // The last first, so that spans stay right while they are applied.
  std::ranges::sort(edits, [](const TextEdit& a, const TextEdit& b) {
    return std::pair(a.span.begin, a.span.end) > std::pair(b.span.begin, b.span.end);
  });
  return edits;
}

}  // namespace gridloom::language
