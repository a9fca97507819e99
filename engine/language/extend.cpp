// SPDX-License-Identifier: Apache-2.0

// Edits that give a hardware text more parts, or other places to those it has.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "language/language.h"
#include "language/machine_text.h"

namespace gridloom::language {

namespace {

using syntax::HardwareAttribute;
using syntax::HardwareOp;
using syntax::HardwareValue;
using Kind = HardwareValue::Kind;

/// An attribute as it stands there, or `otherwise`.
std::string valueText(const MachineText& machine, const HardwareOp& op, std::string_view name,
                      const std::string& otherwise) {
  const HardwareAttribute* found = MachineText::attribute(op, name);
  return found == nullptr ? otherwise : std::string(machine.at(found->value.span));
}

/// The op as a line of its own, with a new name and another plane.
std::string onPlane(MachineText& machine, const HardwareOp& op, std::int64_t plane) {
  const std::string name = machine.newName(std::string(op.name) + "_2");
  std::string line(machine.at(op.span));
  const auto from = op.span.begin;
  const auto replace = [&](base::Span part, const std::string& with) {
    line.replace(part.begin - from, part.end - part.begin, with);
  };
  // The last part first, so that what is before it stays in its place.
  if (const HardwareAttribute* old = MachineText::attribute(op, "plane"))
    replace(old->value.span, std::to_string(plane));
  else
    line.insert(op.attributes.back().value.span.end - from, fmt::format(", plane = {}", plane));
  replace(op.nameSpan, machine.marked(op, name));
  return line;
}

/// The attribute with the comma that divides it from the others.
base::Span withComma(const HardwareOp& op, const HardwareAttribute& part) {
  const auto index = static_cast<std::size_t>(&part - op.attributes.data());
  if (index + 1 < op.attributes.size())
    return {part.nameSpan.begin, op.attributes[index + 1].nameSpan.begin};
  if (index > 0) return {op.attributes[index - 1].value.span.end, part.value.span.end};
  return {part.nameSpan.begin, part.value.span.end};
}

/// A size in the unit of another, scaled: `1464 KiB` times 4 is `5856 KiB`. With as many digits as
/// the number has, and no exponent where it is whole.
std::string scaled(const HardwareValue& value, double factor) {
  constexpr double kExact = 9007199254740992;  // 2^53: whole numbers below are exact
  const double size = value.number * factor;
  if (size == std::floor(size) && size < kExact)
    return fmt::format("{} {}", static_cast<std::int64_t>(size), value.unit);
  return fmt::format("{} {}", size, value.unit);
}

std::string routerText(const std::vector<std::int64_t>& router) {
  return fmt::format("({})", fmt::join(router, ", "));
}

/// `(0, 1)`, or `[(0, 1), (2, 3)]` of several ports.
std::string portsText(const PortRouters& ports) {
  std::vector<std::string> places;
  for (const auto& router : ports) places.push_back(routerText(router));
  return places.size() == 1 ? places.front() : fmt::format("[{}]", fmt::join(places, ", "));
}

/// What places the channels of a memory, last edit first. The map of a port would name other
/// places; a memory with `at` does without.
std::vector<TextEdit> withoutMaps(const MachineText& machine, const std::string& memory,
                                  TextEdit places) {
  std::vector<TextEdit> edits{std::move(places)};
  for (const HardwareOp& port : machine.ops()) {
    if (port.op != "interconnects" || port.operands.size() != 2) continue;
    const bool toMemory = port.operands[0].text == memory || port.operands[1].text == memory;
    const HardwareAttribute* map = MachineText::attribute(port, "map");
    if (toMemory && map != nullptr) edits.push_back({withComma(port, *map), ""});
  }
  std::ranges::sort(edits, std::greater(), [](const TextEdit& edit) { return edit.span.begin; });
  return edits;
}

}  // namespace

std::vector<TextEdit> addNetwork(const base::SourceRef& text) {
  MachineText machine(text);
  std::int64_t first = 0, last = 0;
  bool any = false;
  for (const HardwareOp& op : machine.ops()) {
    if (!machine.isNetwork(op)) continue;
    const std::int64_t plane = MachineText::planeOf(op);
    first = any ? std::min(first, plane) : plane;
    last = any ? std::max(last, plane) : plane;
    any = true;
  }
  std::string lines;
  std::uint32_t end = 0;
  for (const HardwareOp& op : machine.ops()) {
    if (!machine.isNetwork(op)) continue;
    if (MachineText::planeOf(op) == first) lines += "\n" + onPlane(machine, op, last + 1);
    end = std::max(end, op.span.end);
  }
  if (lines.empty()) return {};
  return {{{end, end}, lines}};
}

std::vector<TextEdit> addSharedBuffer(const base::SourceRef& text, const std::string& localMemory,
                                      bool perColumn) {
  MachineText machine(text);
  const HardwareOp* local = machine.opNamed(localMemory);
  const HardwareOp* cores = nullptr;
  for (const HardwareOp& op : machine.ops())
    if (op.op == "core" || op.op == "compute") cores = &op;
  if (local == nullptr || cores == nullptr) return {};
  const HardwareAttribute* size = MachineText::attribute(*local, "size");
  const HardwareAttribute* scaleout = MachineText::attribute(*cores, "scaleout");
  const bool isPlane = scaleout != nullptr && scaleout->value.items.size() == 2;
  if (size == nullptr || size->value.kind != Kind::Number || !isPlane) return {};
  const std::string rate = valueText(machine, *local, "bandwidth", "64 B/cycle");
  const std::string name = machine.newName(perColumn ? "column_buffer" : "chip_buffer");
  std::string dimension = std::string(scaleout->value.items.front().text), lines;
  if (!perColumn) {
    dimension = machine.newName(name + "_idx");
    lines += fmt::format("\n%{} = df.spatial_dim 1", dimension);
  }
  lines += fmt::format("\n%{} = df.memory {{ scaleout = (%{}), size = {}, bandwidth = {} }}", name,
                       dimension, scaled(size->value, perColumn ? 4 : 16), rate);
  lines += fmt::format(
      "\n%{} = df.interconnects %{}, %{} {{ map = affine_map<(d0, d1) -> ({})>, bandwidth = {} }}",
      machine.newName("to_" + name), cores->name, name, perColumn ? "d0" : "0", rate);
  // Names are defined before they are used; a module may end behind these lines.
  const std::uint32_t end = std::max(local->span.end, cores->span.end);
  return {{{end, end}, lines}};
}

std::vector<TextEdit> placeChannels(const base::SourceRef& text, const std::string& memory,
                                    const std::vector<PortRouters>& routers) {
  const MachineText machine(text);
  const HardwareOp* op = machine.opNamed(memory);
  if (op == nullptr || op->attributes.empty() || routers.empty()) return {};
  std::vector<std::string> places;
  for (const PortRouters& ports : routers) places.push_back(portsText(ports));
  const std::string list = fmt::format("[{}]", fmt::join(places, ", "));
  const std::uint32_t end = op->attributes.back().value.span.end;
  if (const HardwareAttribute* at = MachineText::attribute(*op, "at"))
    return withoutMaps(machine, memory, {at->value.span, list});
  return withoutMaps(machine, memory, {{end, end}, ", at = " + list});
}

std::vector<TextEdit> placePort(const base::SourceRef& text, const std::string& memory,
                                std::size_t channel, std::size_t port,
                                const std::vector<PortRouters>& routers) {
  const MachineText machine(text);
  const HardwareOp* op = machine.opNamed(memory);
  if (op == nullptr || channel >= routers.size() || port >= routers[channel].size()) return {};
  const HardwareAttribute* at = MachineText::attribute(*op, "at");
  if (at == nullptr) return placeChannels(text, memory, routers);
  if (at->value.kind != Kind::List || at->value.items.size() != routers.size()) return {};
  const HardwareValue& ports = at->value.items[channel];
  const bool isList = !ports.items.empty() && ports.items.front().kind == Kind::List;
  if (ports.kind != Kind::List || (isList ? ports.items.size() : 1) != routers[channel].size())
    return {};
  return withoutMaps(
      machine, memory,
      {isList ? ports.items[port].span : ports.span, routerText(routers[channel][port])});
}

}  // namespace gridloom::language
