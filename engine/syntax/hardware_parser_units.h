// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridloom::syntax {

/// The dimension of an attribute. HardwareSpec uses one unit for each: bytes, bytes per cycle, flop
/// per cycle, elements per cycle, cycles, cycles per element, elements, hertz.
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

/// "bytes per cycle or per second", with the accepted units: for messages.
std::string_view describe(Dimension dimension);
/// The unit that TL's listings imply where they give none: "B/cycle".
std::string_view bareUnit(Dimension dimension);
/// `B`, `KiB`, ...: for hints.
std::string_view unitExamples(Dimension dimension);

/// value in HardwareSpec's unit = number * scale, or number * scale / clock (per second), or
/// number * scale * clock (seconds).
struct UnitScale {
  double scale = 1;
  enum class Clock { No, Divide, Multiply } clock = Clock::No;
};

/// None when the unit does not exist or has another dimension. An empty unit is the bare one.
std::optional<UnitScale> unitScale(Dimension dimension, std::string_view unit);

}  // namespace gridloom::syntax
