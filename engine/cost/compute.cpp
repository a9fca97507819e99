// SPDX-License-Identifier: Apache-2.0
#include "cost/compute.h"

#include <algorithm>
#include <cmath>

namespace gridloom::cost {

using base::ceilDiv;
using hardware::ComputeModel;
using kernel::LoopId;

namespace {

// A fold fills the array and drains it: every result has left before the next fold enters, whether all rows
// and columns have work or not. Stationary weights or inputs are first pushed in row by row.
double systolicCycles(const kernel::MatrixExtents& e, const hardware::SystolicShape& array) {
  const auto work = array.workOf(e.m, e.n, e.k);
  const bool loads = array.stationary != hardware::Stationary::Output;
  const double fold = static_cast<double>(work.stream) +
                      static_cast<double>((loads ? 2 : 1) * array.rows + array.columns - 2);
  const double folds = static_cast<double>(work.folds) * static_cast<double>(e.batch);
  return std::ceil(folds / static_cast<double>(array.arrays)) * fold;
}

double matrixCycles(const kernel::MatrixExtents& e, const ComputeModel& c) {
  if (c.matrixSustained <= 0) {
    // No matrix unit: multiply-adds on the vector unit.
    const double products = static_cast<double>(e.m) * static_cast<double>(e.n) *
                            static_cast<double>(e.k) * static_cast<double>(e.batch);
    return c.vectorDefault > 0 ? products / c.vectorDefault + c.vectorIssue : 0;
  }
  const double m = static_cast<double>(ceilDiv(e.m, c.matrixShape[0]) * c.matrixShape[0]);
  const double n = static_cast<double>(ceilDiv(e.n, c.matrixShape[1]) * c.matrixShape[1]);
  const double k = static_cast<double>(ceilDiv(e.k, c.matrixShape[2]) * c.matrixShape[2]);
  const double batch = static_cast<double>(e.batch);
  if (c.systolic.stationary != hardware::Stationary::None) {
    return systolicCycles(e, c.systolic) + c.issuePerOutput * m * n * batch + c.matrixIssue;
  }
  double rate = c.matrixSustained;
  if (c.fullRateOutput > 0) rate *= std::min(1.0, m * n / c.fullRateOutput);
  return 2 * m * n * k * batch / rate + c.issuePerOutput * m * n * batch + c.matrixIssue;
}

double vectorCycles(std::int64_t elements, double rate, const ComputeModel& c) {
  if (rate <= 0) return 0;
  const std::int64_t padded = ceilDiv(elements, c.vectorLanes) * c.vectorLanes;
  return static_cast<double>(padded) / rate + c.vectorIssue;
}

// The sizes a loop takes on the core at coordinate 0 and how often: the block, and the ragged last tile
// when that core has it.
struct Sizes {
  LoopId loop;
  std::int64_t full = 1, fullTrips = 1;
  std::int64_t edge = 0, edgeTrips = 0;
};

Sizes sizesOf(LoopId loop, const mapping::LoopTiling& t) {
  Sizes s{loop, t.block, t.trips, 0, 0};
  const std::int64_t lastTile = (t.trips - 1) * t.ways;
  const std::int64_t last = std::min(t.block, t.extent - lastTile * t.block);
  if (last < t.block) {
    s.fullTrips = t.trips - 1;
    s.edge = last;
    s.edgeTrips = 1;
  }
  return s;
}

// Sum of an operation's cycles over all tiles of the core: the product of the loops' sizes, each weighted
// by how often it occurs. Only loops with a ragged edge double the number of terms.
double overAllTiles(const kernel::TileOp& op, const std::vector<Sizes>& loops, std::size_t at,
                    std::vector<std::int64_t>& extents, const ComputeModel& compute) {
  if (at == loops.size()) return opCycles(op, extents, compute);
  const Sizes& s = loops[at];
  double sum = 0;
  if (s.fullTrips > 0) {
    extents[s.loop.index()] = s.full;
    sum += static_cast<double>(s.fullTrips) * overAllTiles(op, loops, at + 1, extents, compute);
  }
  if (s.edgeTrips > 0) {
    extents[s.loop.index()] = s.edge;
    sum += static_cast<double>(s.edgeTrips) * overAllTiles(op, loops, at + 1, extents, compute);
  }
  return sum;
}

}  // namespace

double opCycles(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const ComputeModel& compute) {
  if (op.unit == kernel::UnitKind::Matrix)
    return matrixCycles(kernel::matrixExtents(op, extents), compute);
  return vectorCycles(kernel::vectorElements(op, extents),
                      compute.vectorRate(kernel::nameOf(op.fn)), compute);
}

ComputeTime computeTime(const kernel::TileNest& nest, const mapping::Tiling& tiling,
                        const ComputeModel& compute) {
  std::vector<Sizes> every, epilogue;
  std::vector<std::int64_t> extents(tiling.loops.size(), 1);
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const LoopId loop = LoopId::of(l);
    extents[l] = tiling.loops[l].block;
    const Sizes sizes = sizesOf(loop, tiling.loops[l]);
    if (sizes.fullTrips == 1 && sizes.edgeTrips == 0) continue;
    every.push_back(sizes);
    if (kernel::contains(nest.parallel, loop)) epilogue.push_back(sizes);
  }
  ComputeTime time;
  for (const kernel::TileOp& op : nest.ops) {
    const auto& loops = op.phase == kernel::Phase::Epilogue ? epilogue : every;
    const double cycles = overAllTiles(op, loops, 0, extents, compute);
    (op.unit == kernel::UnitKind::Matrix ? time.matrix : time.vector) += cycles;
    // Loops of `every` keep the last size tried; the next operation starts from blocks again.
    for (const Sizes& s : loops) extents[s.loop.index()] = s.full;
  }
  return time;
}

double combineCycles(std::int64_t elements, const ComputeModel& compute) {
  return vectorCycles(elements, compute.vectorRate("add"), compute);
}

}  // namespace gridloom::cost
