// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "syntax/hardware_parser_components.h"

namespace gridloom::syntax {

namespace {

using hardware::kMostStripeParts;

void readStripes(HardwareAttributeReader& reader, hardware::Memory& memory) {
  const std::string hint = "such as `stripes = { parts = 2, size = 256 B }`";
  const HardwareValue* value = reader.find("stripes");
  if (value == nullptr) return;
  std::optional<std::int64_t> parts;
  std::optional<hardware::Figure> size;
  for (const HardwareAttribute& entry : value->attributes) {
    if (entry.name == "parts" && !parts) {
      parts = reader.integer("parts", entry.value, 1, kMostStripeParts).value_or(1);
    } else if (entry.name == "size" && !size) {
      size = reader.toFigure("size", entry.value, Dimension::Bytes, Sign::Positive);
      if (!size) return;
      if (size->value != std::floor(size->value)) {
        reader.error(entry.value.span, "stripes have whole bytes", hint);
        return;
      }
    } else {
      reader.error(entry.nameSpan,
                   entry.name == "parts" || entry.name == "size"
                       ? fmt::format("`stripes` names `{}` twice", entry.name)
                       : fmt::format("`stripes` has no `{}`", entry.name),
                   hint);
      return;
    }
  }
  if (!parts || !size) {
    reader.error(value->span, "`stripes` wants its `parts` and their `size`", hint);
    return;
  }
  memory.stripes = {*parts, static_cast<std::int64_t>(std::min(size->value, 0x1p52))};
}

}  // namespace

hardware::Memory readMemory(HardwareAttributeReader& reader) {
  hardware::Memory memory;
  memory.name = reader.op().name;
  memory.scaleout = reader.dims("scaleout");
  memory.size = reader.figureOrZero("size", Dimension::Bytes);
  memory.bandwidth = reader.figureOrZero("bandwidth", Dimension::Bandwidth);
  memory.readBandwidth = reader.figure("read_bandwidth", Dimension::Bandwidth, Sign::Positive);
  memory.writeBandwidth = reader.figure("write_bandwidth", Dimension::Bandwidth, Sign::Positive);
  memory.duplex = reader.flag("duplex");
  memory.latency = reader.figure("latency", Dimension::Cycles, Sign::NotNegative);
  memory.writeLatency = reader.figure("write_latency", Dimension::Cycles, Sign::NotNegative);
  if (const HardwareValue* banks = reader.find("banks")) {
    const auto count = reader.integer("banks", *banks, 1, kLargestDim);
    const auto number = static_cast<double>(count.value_or(1));
    memory.banks = hardware::Figure{number, {}, number, banks->span};
  }
  readDma(reader, memory);
  memory.setup = reader.figure("setup", Dimension::Cycles, Sign::NotNegative);
  memory.interleave = reader.figure("interleave", Dimension::Bytes, Sign::Positive);
  memory.randomAccess = reader.figure("random_access", Dimension::Bytes, Sign::Positive);
  readStripes(reader, memory);
  const HardwareValue* layout = reader.find("layout");
  if (layout == nullptr) layout = reader.find("place");  // its name in earlier versions
  if (layout != nullptr) {
    memory.pagesOnly = layout->text == "page";
    if (!memory.pagesOnly) {
      reader.error(layout->span, "`layout` can only be `page`",
                   "leave it out: a search then also lays tiles near the cores that use them");
    }
  }
  memory.at = readPositions(reader);
  if (const HardwareValue* kind = reader.find("kind")) {
    memory.global = kind->text == "global";
    if (!memory.global) {
      reader.error(kind->span, "`kind` can only be `global`",
                   "leave it out: other kinds follow from the connections");
    }
  }
  memory.span = reader.op().span;
  return memory;
}

}  // namespace gridloom::syntax
