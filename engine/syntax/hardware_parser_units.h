// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridloom::syntax {

/// What an attribute measures. In HardwareSpec each has one unit: bytes, bytes per cycle, flop per cycle,
/// elements per cycle, cycles, cycles per element, elements, hertz.
enum class Dimension {
  Bytes,
  Bandwidth,
  FlopRate,
  ElementRate,
  Cycles,
  CyclesPerElement,
  Elements,
  Frequency,
};

/// "bytes per cycle or per second", with the units it takes: for messages.
std::string_view describe(Dimension dimension);
/// The unit that TL's listings mean when they give none: "B/cycle".
std::string_view bareUnit(Dimension dimension);
/// `B`, `KiB`, ...: for hints.
std::string_view unitExamples(Dimension dimension);

/// value in HardwareSpec's unit = number * scale, or number * scale / clock (per second), or
/// number * scale * clock (seconds).
struct UnitScale {
  double scale = 1;
  enum class Clock { No, Divide, Multiply } clock = Clock::No;
};

/// Nothing when the unit does not exist or measures something else. An empty unit is the bare one.
std::optional<UnitScale> unitScale(Dimension dimension, std::string_view unit);

}  // namespace gridloom::syntax
