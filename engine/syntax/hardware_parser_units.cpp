// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_units.h"

#include <array>

namespace gridloom::syntax {

namespace {

struct Scale {
  std::string_view name;
  double factor;
};

// Binary prefixes are powers of 1024, decimal ones powers of 1000 (IEC 80000-13).
constexpr std::array kBytes = {
    Scale{"B", 1},    Scale{"byte", 1},  Scale{"bytes", 1},          Scale{"KiB", 1024.0},
    Scale{"kB", 1e3}, Scale{"KB", 1e3},  Scale{"MiB", 1048576.0},    Scale{"MB", 1e6},
    Scale{"GB", 1e9}, Scale{"TB", 1e12}, Scale{"GiB", 1073741824.0}, Scale{"TiB", 1099511627776.0}};
constexpr std::array kFlops = {Scale{"flop", 1}, Scale{"flops", 1}, Scale{"FLOP", 1},
                               Scale{"GFLOP", 1e9}, Scale{"TFLOP", 1e12}};
constexpr std::array kElements = {Scale{"elem", 1}, Scale{"elems", 1}, Scale{"element", 1},
                                  Scale{"elements", 1}};
constexpr std::array kCycles = {Scale{"cycle", 1}, Scale{"cycles", 1}};
constexpr std::array kSeconds = {Scale{"s", 1}, Scale{"ms", 1e-3}, Scale{"us", 1e-6},
                                 Scale{"ns", 1e-9}};
constexpr std::array kFrequencies = {Scale{"Hz", 1}, Scale{"kHz", 1e3}, Scale{"KHz", 1e3},
                                     Scale{"MHz", 1e6}, Scale{"GHz", 1e9}};

template <std::size_t N>
std::optional<double> find(const std::array<Scale, N>& scales, std::string_view name) {
  for (const Scale& scale : scales) {
    if (scale.name == name) return scale.factor;
  }
  return {};
}

template <std::size_t N>
std::optional<UnitScale> plain(const std::array<Scale, N>& scales, std::string_view unit) {
  const std::optional<double> factor = find(scales, unit);
  if (!factor) return {};
  return UnitScale{*factor, UnitScale::Clock::No};
}

/// `<quantity>/cycle` or `<quantity>/s`.
template <std::size_t N>
std::optional<UnitScale> rate(const std::array<Scale, N>& scales, std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) return {};
  const std::optional<double> factor = find(scales, unit.substr(0, slash));
  const std::string_view per = unit.substr(slash + 1);
  if (!factor) return {};
  if (find(kCycles, per)) return UnitScale{*factor, UnitScale::Clock::No};
  if (per == "s") return UnitScale{*factor, UnitScale::Clock::Divide};
  return {};
}

std::optional<UnitScale> time(std::string_view unit) {
  if (find(kCycles, unit)) return UnitScale{};
  const std::optional<double> factor = find(kSeconds, unit);
  if (!factor) return {};
  return UnitScale{*factor, UnitScale::Clock::Multiply};
}

std::optional<UnitScale> cyclesPerElement(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) return {};
  if (!find(kCycles, unit.substr(0, slash)) || !find(kElements, unit.substr(slash + 1))) return {};
  return UnitScale{};
}

}  // namespace

std::string_view describe(Dimension dimension) {
  switch (dimension) {
  case Dimension::Bytes:
    return "bytes";
  case Dimension::Bandwidth:
    return "bytes per cycle or per second";
  case Dimension::FlopRate:
    return "flop per cycle or per second";
  case Dimension::ElementRate:
    return "elements per cycle or per second";
  case Dimension::Cycles:
    return "cycles or seconds";
  case Dimension::CyclesPerElement:
    return "cycles per element";
  case Dimension::Elements:
    return "a number of elements";
  case Dimension::Frequency:
    return "a frequency";
  }
  return "a figure";
}

std::string_view bareUnit(Dimension dimension) {
  switch (dimension) {
  case Dimension::Bytes:
    return "B";
  case Dimension::Bandwidth:
    return "B/cycle";
  case Dimension::FlopRate:
    return "flop/cycle";
  case Dimension::ElementRate:
    return "elem/cycle";
  case Dimension::Cycles:
    return "cycle";
  case Dimension::CyclesPerElement:
    return "cycle/elem";
  case Dimension::Elements:
    return "elem";
  case Dimension::Frequency:
    return "Hz";
  }
  return "";
}

std::string_view unitExamples(Dimension dimension) {
  switch (dimension) {
  case Dimension::Bytes:
    return "B, KiB, MiB, GiB, kB, MB or GB";
  case Dimension::Bandwidth:
    return "B/cycle, or GB/s with a clock";
  case Dimension::FlopRate:
    return "flop/cycle, or GFLOP/s with a clock";
  case Dimension::ElementRate:
    return "elem/cycle";
  case Dimension::Cycles:
    return "cycle, or ns with a clock";
  case Dimension::CyclesPerElement:
    return "cycle/elem";
  case Dimension::Elements:
    return "elem";
  case Dimension::Frequency:
    return "Hz, kHz, MHz or GHz";
  }
  return "";
}

std::optional<UnitScale> unitScale(Dimension dimension, std::string_view unit) {
  if (unit.empty()) return UnitScale{};
  switch (dimension) {
  case Dimension::Bytes:
    return plain(kBytes, unit);
  case Dimension::Bandwidth:
    return rate(kBytes, unit);
  case Dimension::FlopRate:
    return rate(kFlops, unit);
  case Dimension::ElementRate:
    return rate(kElements, unit);
  case Dimension::Cycles:
    return time(unit);
  case Dimension::CyclesPerElement:
    return cyclesPerElement(unit);
  case Dimension::Elements:
    return plain(kElements, unit);
  case Dimension::Frequency:
    return plain(kFrequencies, unit);
  }
  return {};
}

}  // namespace gridloom::syntax
