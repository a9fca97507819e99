// SPDX-License-Identifier: Apache-2.0
#include "service/repeated_work.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

bool runsOver(const kernel::TileOp& op, kernel::LoopId loop) {
  return std::ranges::any_of(
      std::initializer_list<const std::vector<kernel::LoopId>*>{&op.m, &op.n, &op.k, &op.batch,
                                                                &op.loops, &op.stepped},
      [&](const std::vector<kernel::LoopId>* loops) { return kernel::contains(*loops, loop); });
}

}  // namespace

double repeatedShare(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                     const hardware::ComputeModel& compute) {
  double repeated = 0, all = 0;
  for (const kernel::TileOp& op : nest.ops) {
    const double cycles = timing::opCycles(op, nest.extents, compute);
    all += cycles;
    const bool isSpread = std::ranges::any_of(
        mapping.space, [&](kernel::LoopId loop) { return loop.valid() && runsOver(op, loop); });
    if (!isSpread) repeated += cycles;
  }
  return all > 0 ? repeated / all : 0;
}

}  // namespace gridloom::service
