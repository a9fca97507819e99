// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "hardware/systolic.h"
#include "hardware/topology_builder.h"

namespace gridloom::hardware {

namespace {

/// Tolerance for rates that were converted from other units than flop/cycle, which round.
constexpr double kRelative = 1e-6;

}  // namespace

/// Finds pairs of figures that contradict each other: a result derived from one exceeds the limit
/// that the other sets.
void TopologyBuilder::checkContradictions() {
  for (const MatrixUnit& unit : m_spec.matrixUnits) checkArray(unit);
  for (const Memory& memory : m_spec.memories) checkBandwidths(memory);
}

/// Every element of a systolic array does one multiply-add per cycle, so its size determines its
/// rate. A multiple of that rate means several arrays in parallel.
void TopologyBuilder::checkArray(const MatrixUnit& unit) {
  if (unit.systolic == Stationary::None) return;
  const SystolicShape array = systolicShape(unit, 0);
  const double each = 2 * static_cast<double>(array.rows) * static_cast<double>(array.columns);
  for (const auto& [mode, rate] : unit.throughput) {
    const double arrays = rate.value / each;
    if (std::abs(arrays - std::max(1.0, std::round(arrays))) <= kRelative * arrays) continue;
    error(rate.span,
          fmt::format("`throughput` of `%{}` contradicts its `shape`: an array of {} x {} does {} "
                      "flop/cycle, not {}",
                      unit.name, array.rows, array.columns, each, rate.value),
          fmt::format("write `{} flop/cycle`, or a multiple of it for several arrays; or leave out "
                      "`systolic`",
                      each));
  }
}

void TopologyBuilder::checkBandwidths(const Memory& memory) {
  const auto check = [&](const std::optional<Figure>& figure, std::string_view name) {
    if (!figure || figure->value <= memory.bandwidth.value * (1 + kRelative)) return;
    error(figure->span,
          fmt::format("`{}` of `%{}` is {} B/cycle, more than its `bandwidth` of {}", name,
                      memory.name, figure->value, memory.bandwidth.value),
          "`bandwidth` is the most that an instance can do in one direction: raise it, or lower "
          "this");
  };
  check(memory.readBandwidth, "read_bandwidth");
  check(memory.writeBandwidth, "write_bandwidth");
  const auto striped =
      static_cast<double>(memory.stripes.parts) * static_cast<double>(memory.stripes.bytes);
  if (memory.stripes.parts > 1 && striped > memory.size.value) {
    error(memory.span,
          fmt::format("the `stripes` of `%{}` are {} bytes together, more than its `size` of {}",
                      memory.name, striped, memory.size.value),
          "make them smaller, or fewer");
  }
  if (memory.interleave && memory.interleave->value > memory.size.value) {
    error(memory.interleave->span,
          fmt::format("`interleave` of `%{}` is {} bytes, more than its `size` of {}", memory.name,
                      memory.interleave->value, memory.size.value),
          "a page lies in one instance");
  }
}

}  // namespace gridloom::hardware
