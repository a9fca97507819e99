// SPDX-License-Identifier: Apache-2.0
#include "language/machine_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::language {

using syntax::HardwareAttribute;
using syntax::HardwareOp;

MachineText::MachineText(const base::SourceRef& source) : m_tokens(syntax::lex(source)) {
  base::Diagnostics unused;
  m_ops = syntax::readHardwareOps(m_tokens, unused);
}

std::string_view MachineText::at(base::Span span) const {
  return m_tokens.source->text().substr(span.begin, span.end - span.begin);
}

std::uint32_t MachineText::positionOf(std::string_view part) const {
  return static_cast<std::uint32_t>(part.data() - m_tokens.source->text().data());
}

const HardwareOp* MachineText::opNamed(std::string_view name) const {
  const auto found = std::ranges::find(m_ops.ops, name, &HardwareOp::name);
  return found == m_ops.ops.end() ? nullptr : &*found;
}

const HardwareAttribute* MachineText::attribute(const HardwareOp& op, std::string_view name) {
  const auto found = std::ranges::find(op.attributes, name, &HardwareAttribute::name);
  return found == op.attributes.end() ? nullptr : &*found;
}

bool MachineText::isNetwork(const HardwareOp& op) const {
  return op.op == "interconnects" && op.operands.size() == 2 &&
         at(op.operands[0].span) == at(op.operands[1].span) && attribute(op, "map") != nullptr;
}

std::int64_t MachineText::planeOf(const HardwareOp& op) {
  const HardwareAttribute* plane = attribute(op, "plane");
  return plane == nullptr ? 0 : plane->value.integer;
}

std::string MachineText::newName(const std::string& name) {
  std::string free = name;
  for (int n = 2; opNamed(free) != nullptr || m_given.contains(free); ++n)
    free = fmt::format("{}_{}", name, n);
  m_given.insert(free);
  return free;
}

std::string MachineText::marked(const HardwareOp& op, const std::string& name) const {
  return (at(op.nameSpan).starts_with('%') ? "%" : "") + name;
}

}  // namespace gridloom::language
