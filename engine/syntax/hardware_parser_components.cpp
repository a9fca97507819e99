// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_components.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hardware/systolic.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;
using Coordinates = std::vector<std::int64_t>;

constexpr std::int64_t kMostUnits = 1 << 20;
constexpr std::int64_t kMostCoordinate = 1 << 24;
constexpr std::array<std::string_view, 3> kUnitOps = {"mat", "vec", "scalar"};

bool isCoordinates(const HardwareValue& value) {
  return value.kind == Kind::List && !value.items.empty() && value.items.front().kind != Kind::List;
}

Coordinates readCoordinates(HardwareAttributeReader& reader, const HardwareValue& value) {
  Coordinates coordinates;
  for (const HardwareValue& item : value.items) {
    coordinates.push_back(reader.integer("at", item, 0, kMostCoordinate).value_or(0));
  }
  return coordinates;
}

std::vector<Coordinates> readInstance(HardwareAttributeReader& reader, const HardwareValue& value) {
  if (isCoordinates(value)) return {readCoordinates(reader, value)};
  std::vector<Coordinates> positions;
  for (const HardwareValue& item : value.items) {
    if (isCoordinates(item)) {
      positions.push_back(readCoordinates(reader, item));
    } else {
      reader.error(item.span, "`at` wants the coordinates of a router", "such as `(0, 11)`");
    }
  }
  return positions;
}

hardware::CorePattern readPattern(HardwareAttributeReader& reader, const HardwareValue& value) {
  hardware::CorePattern pattern;
  for (const HardwareValue& item : value.items) {
    if (item.kind == Kind::Star) {
      pattern.coordinates.emplace_back();
    } else {
      pattern.coordinates.push_back(reader.integer("disabled", item, 0, kMostCoordinate));
    }
  }
  return pattern;
}

}  // namespace

hardware::Stationary readSystolic(HardwareAttributeReader& reader,
                                  const std::vector<std::int64_t>& shape) {
  using hardware::Stationary;
  const HardwareValue* value = reader.find("systolic");
  if (value == nullptr) return Stationary::None;
  struct Kind {
    Stationary stationary;
    std::size_t stream;
    std::string_view example;
  };
  constexpr std::array<Kind, 3> kinds{{{Stationary::Output, 2, "[32, 32, 1]"},
                                       {Stationary::Weight, 0, "[1, 32, 32]"},
                                       {Stationary::Input, 1, "[32, 1, 32]"}}};
  for (const Kind& kind : kinds) {
    if (value->kind != HardwareValue::Kind::Word ||
        value->text != hardware::nameOf(kind.stationary)) {
      continue;
    }
    if (shape.size() == 3 && shape[kind.stream] != 1) {
      reader.error(value->span,
                   fmt::format("with `systolic = {}`, `{}` of `shape` is a stream of 1",
                               value->text, "mnk"[kind.stream]),
                   fmt::format("such as `shape = {}`", kind.example));
    }
    return kind.stationary;
  }
  reader.error(value->span,
               "`systolic` says what stays in the array: `output`, `weight` or `input`",
               "such as `shape = [32, 32, 1], systolic = output`");
  return Stationary::None;
}

std::vector<hardware::UnitCount> readScalein(HardwareAttributeReader& reader) {
  std::vector<hardware::UnitCount> units;
  const HardwareValue* value = reader.find("scalein");
  if (value == nullptr) return units;
  if (value->kind != Kind::List) {
    reader.error(value->span, "`scalein` wants a list of units", "such as `(%FPU, %SFPU, [8, 1])`");
    return units;
  }
  const HardwareValue* counts = nullptr;
  for (const HardwareValue& item : value->items) {
    if (item.kind == Kind::List && &item == &value->items.back()) {
      counts = &item;
    } else if (reader.reference(item, kUnitOps)) {
      units.push_back({std::string(item.text), 1});
    }
  }
  if (counts == nullptr) return units;
  const std::size_t named = value->items.size() - 1;
  if (counts->items.size() != named) {
    reader.error(counts->span, fmt::format("`scalein` names {} units but gives {} counts", named,
                                           counts->items.size()));
    return units;
  }
  for (std::size_t i = 0; i < named; ++i) {
    const auto count = reader.integer("scalein", counts->items[i], 1, kMostUnits);
    if (count && i < units.size()) units[i].count = *count;
  }
  return units;
}

std::vector<hardware::CorePattern> readDisabled(HardwareAttributeReader& reader) {
  std::vector<hardware::CorePattern> patterns;
  const HardwareValue* value = reader.find("disabled");
  if (value == nullptr) return patterns;
  const bool isList = value->kind == Kind::List;
  if (!isList || std::any_of(value->items.begin(), value->items.end(),
                             [](const HardwareValue& v) { return v.kind != Kind::List; })) {
    reader.error(value->span, "`disabled` wants a list of core coordinates",
                 "such as `[(3, *), (5, 7)]`");
    return patterns;
  }
  for (const HardwareValue& item : value->items) patterns.push_back(readPattern(reader, item));
  return patterns;
}

void readDma(HardwareAttributeReader& reader, hardware::Memory& memory) {
  const std::string_view hint = "such as `dma = { in = 2, out = 2, rate = 4 B/cycle }`";
  hardware::DmaChannels& dma = memory.dma;
  const HardwareValue* value = reader.find("dma");
  if (value == nullptr) return;
  if (value->kind != Kind::Dict) {
    dma.in = dma.out = reader.integer("dma", *value, 1, kMostUnits).value_or(1);
    return;
  }
  std::vector<std::string_view> seen;
  for (const HardwareAttribute& entry : value->attributes) {
    if (std::ranges::find(seen, entry.name) != seen.end()) {
      reader.error(entry.nameSpan, fmt::format("`dma` names `{}` twice", entry.name),
                   std::string(hint));
    } else if (entry.name == "in" || entry.name == "out") {
      (entry.name == "in" ? dma.in : dma.out) =
          reader.integer("dma", entry.value, 1, kMostUnits).value_or(1);
    } else if (entry.name == "rate") {
      memory.dmaRate = reader.toFigure("rate", entry.value, Dimension::Bandwidth, Sign::Positive);
    } else {
      reader.error(entry.nameSpan, fmt::format("`dma` has no `{}`", entry.name), std::string(hint));
    }
    seen.push_back(entry.name);
  }
  if (value->attributes.empty()) {
    reader.error(value->span, "`dma` names neither a direction nor a rate", std::string(hint));
  }
}

std::vector<std::vector<Coordinates>> readPositions(HardwareAttributeReader& reader) {
  std::vector<std::vector<Coordinates>> instances;
  const HardwareValue* value = reader.find("at");
  if (value == nullptr) return instances;
  const std::string_view hint = "such as `[(0, 0), (5, 0)]`, one router per instance";
  if (value->kind != Kind::List || value->items.empty()) {
    reader.error(value->span, "`at` wants a list of router coordinates", std::string(hint));
    return instances;
  }
  for (const HardwareValue& item : value->items) {
    if (item.kind != Kind::List || item.items.empty()) {
      reader.error(item.span, "`at` wants the coordinates of a router", std::string(hint));
      continue;
    }
    instances.push_back(readInstance(reader, item));
  }
  return instances;
}

void readMulticast(HardwareAttributeReader& reader, hardware::Interconnect& interconnect) {
  const HardwareValue* value = reader.find("multicast");
  if (value == nullptr) return;
  if (value->kind == Kind::Number) {
    interconnect.multicastBandwidth =
        reader.toFigure("multicast", *value, Dimension::Bandwidth, Sign::Positive);
  } else if (value->kind == Kind::Word && (value->text == "yes" || value->text == "true")) {
    interconnect.multicast = true;
  } else if (value->kind == Kind::Word && (value->text == "no" || value->text == "false")) {
    interconnect.multicast = false;
  } else {
    reader.error(value->span, "`multicast` wants `yes`, `no` or a bandwidth",
                 "such as `multicast = 19 B/cycle`");
  }
}

}  // namespace gridloom::syntax
