// SPDX-License-Identifier: Apache-2.0
#include "report/access_table.h"

#include <fmt/format.h>

#include <cmath>

#include "report/numbers.h"

namespace gridloom::report {

namespace {

Cell countCell(double value) { return {cyclesText(value), exactText(value)}; }

std::vector<Cell> rowOf(const access::LevelAccesses& level, const std::string& tensor,
                        const access::TensorAccesses& accesses) {
  return {textCell(level.memory),
          countCell(level.instances),
          textCell(tensor),
          countCell(accesses.tile),
          countCell(accesses.reads),
          countCell(accesses.fills),
          countCell(accesses.updates),
          countCell(accesses.reductions),
          {trimmed(accesses.sharers, 2), exactText(accesses.sharers)},
          countCell(accesses.handedOn)};
}

}  // namespace

Table accessTable(const AccessRecord& record) {
  Table table;
  table.columns = {{"memory", "memory", Align::Left},
                   {"instances", "instances"},
                   {"tensor", "tensor", Align::Left},
                   {"tile", "tile"},
                   {"reads", "reads"},
                   {"fills", "fills"},
                   {"updates", "updates"},
                   {"added up", "reductions"},
                   {"shared by", "shared_by"},
                   {"handed on", "handed_on"}};
  for (const access::LevelAccesses& level : record.counts.levels) {
    for (std::size_t i = 0; i < level.tensors.size(); ++i) {
      if (level.tensors[i].kept)
        table.rows.push_back(rowOf(level, record.tensors[i], level.tensors[i]));
    }
  }
  return table;
}

std::string accessText(const AccessRecord& record) {
  std::string loops;
  for (const NamedSize& loop : record.loops) {
    loops += fmt::format("{}{} = {}", loops.empty() ? "" : ", ", loop.name, grouped(loop.size));
  }
  const access::AccessCounts& counts = record.counts;
  return factsText(
             {{"hardware", record.hardware},
              {"kernel", fmt::format("{} ({})", record.kernel, loops)},
              {"computes", fmt::format("{}: {} steps of {} at once", cyclesText(counts.computes),
                                       cyclesText(counts.steps), cyclesText(counts.units))}}) +
         "\nAccesses per instance, in elements\n\n" + tableText(accessTable(record));
}

}  // namespace gridloom::report
