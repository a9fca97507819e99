// SPDX-License-Identifier: Apache-2.0
#include "report/unit_choices.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "mapping/units.h"
#include "report/numbers.h"
#include "timing/op_cycles.h"

namespace gridloom::report {

using kernel::UnitKind;

namespace {

// Small tiles take few cycles, or less than one.
std::string tileCycles(double cycles) {
  return cycles < 10 ? fmt::format("{:.3g}", cycles) : cyclesText(cycles);
}

}  // namespace

std::vector<UnitRecord> unitsOf(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                const hardware::ComputeModel& compute,
                                std::span<const std::int64_t> tileSizes) {
  std::vector<UnitRecord> units;
  for (const kernel::TileOp& op : nest.ops) {
    if (op.unit != UnitKind::Matrix) continue;
    UnitRecord record{writtenName(kernel.tensor(mapping::targetOf(kernel, op))),
                      std::string(nameOf(timing::opTime(op, tileSizes, compute).unit)),
                      op.pinned.has_value(),
                      {}};
    for (const UnitKind unit : {UnitKind::Matrix, UnitKind::Vector}) {
      const auto cycles = timing::cyclesOnUnit(unit, op, tileSizes, compute);
      if (cycles) record.cycles.push_back({std::string(nameOf(unit)), *cycles});
    }
    units.push_back(std::move(record));
  }
  return units;
}

namespace {

std::string lineOf(const UnitRecord& product) {
  std::string chosen, others;
  for (const NamedNumber& each : product.cycles) {
    if (each.name == product.unit)
      chosen = fmt::format(", {} cycle{} per tile", tileCycles(each.value),
                           tileCycles(each.value) == "1" ? "" : "s");
    else
      others += fmt::format("; on {} {}", each.name, tileCycles(each.value));
  }
  return fmt::format("{} on {}{}{}{}", product.tensor, product.unit,
                     product.pinned ? " (pinned)" : "", chosen, others);
}

}  // namespace

void addUnits(const std::vector<UnitRecord>& units, std::vector<Fact>& facts) {
  std::vector<std::pair<std::string, int>> lines;  // with the number of products like it
  for (const UnitRecord& product : units) {
    if (!product.pinned && product.cycles.size() < 2) continue;
    std::string line = lineOf(product);
    if (lines.empty() || lines.back().first != line) lines.emplace_back(std::move(line), 0);
    ++lines.back().second;
  }
  std::string out;
  for (const auto& [line, products] : lines) {
    out += (out.empty() ? "" : "\n") + line;
    if (products > 1) out += fmt::format(" (each of {} products)", products);
  }
  if (!out.empty()) facts.push_back({"units", std::move(out)});
}

}  // namespace gridloom::report
