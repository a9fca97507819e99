// SPDX-License-Identifier: Apache-2.0
#include "timing/op_cycles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/units.h"

namespace gridloom::timing {

using base::ceilDiv;
using hardware::ComputeModel;
using kernel::UnitKind;

namespace {

double systolicCycles(const kernel::MatrixExtents& e, const hardware::SystolicShape& array) {
  const auto work = array.workOf(e.m, e.n, e.k);
  const double folds = static_cast<double>(work.folds) * static_cast<double>(e.batch);
  const double turns = std::ceil(folds / static_cast<double>(array.arrays));
  return turns * static_cast<double>(foldCycles(array, work.stream));
}

double matrixCycles(const kernel::MatrixExtents& e, const ComputeModel& c) {
  if (c.matrixSustained <= 0) {
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

// A product on the vector unit, index by index of the sum: a column times a row, added to the sums,
// as if its terms were written out.
double columnCycles(const kernel::MatrixExtents& e, const ComputeModel& c) {
  const double multiply = c.vectorRate("mul"), add = c.vectorRate("add");
  if (multiply <= 0 || add <= 0) return std::numeric_limits<double>::infinity();
  const std::int64_t elements = base::saturatingMul(base::saturatingMul(e.m, e.n), e.batch);
  return static_cast<double>(e.k) *
         (vectorCycles(elements, multiply, c) + vectorCycles(elements, add, c));
}

// Whether a product may run on the vector unit although there is a matrix unit.
bool mayTakeVectorUnit(const ComputeModel& c) {
  return c.matrixSustained > 0 && c.systolic.stationary == hardware::Stationary::None;
}

double cyclesOn(UnitKind unit, const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const ComputeModel& c) {
  if (op.unit == UnitKind::Vector) {
    return vectorCycles(kernel::vectorElements(op, extents), c.vectorRate(kernel::nameOf(op.fn)),
                        c);
  }
  const kernel::MatrixExtents e = kernel::matrixExtents(op, extents);
  return unit == UnitKind::Matrix || c.matrixSustained <= 0 ? matrixCycles(e, c)
                                                            : columnCycles(e, c);
}

OpTime productTime(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                   const ComputeModel& c) {
  if (op.pinned) return {cyclesOn(*op.pinned, op, extents, c), *op.pinned};
  const kernel::MatrixExtents e = kernel::matrixExtents(op, extents);
  const double product = matrixCycles(e, c);
  if (!mayTakeVectorUnit(c)) {
    return {product, c.matrixSustained > 0 ? UnitKind::Matrix : UnitKind::Vector};
  }
  // Each step of the sum issues two operations.
  if (product <= 2 * static_cast<double>(e.k) * c.vectorIssue) return {product, UnitKind::Matrix};
  const double columns = columnCycles(e, c);
  return columns < product ? OpTime{columns, UnitKind::Vector} : OpTime{product, UnitKind::Matrix};
}

/// An operation that runs once per index of its stepped loops, one after the other.
struct Steps {
  kernel::TileOp op;  ///< of one step
  std::vector<std::int64_t> extents;
  double count = 1;
};

Steps stepsOf(const kernel::TileOp& op, std::span<const std::int64_t> extents) {
  Steps steps{op, {extents.begin(), extents.end()}};
  for (const kernel::LoopId loop : op.stepped) {
    steps.count *= static_cast<double>(std::exchange(steps.extents[loop.index()], 1));
  }
  steps.op.stepped.clear();
  return steps;
}

}  // namespace

OpTime opTime(const kernel::TileOp& op, std::span<const std::int64_t> extents,
              const ComputeModel& compute) {
  if (!op.stepped.empty()) {
    const Steps steps = stepsOf(op, extents);
    const OpTime step = opTime(steps.op, steps.extents, compute);
    return {steps.count * step.cycles, step.unit};
  }
  if (op.unit == UnitKind::Matrix) return productTime(op, extents, compute);
  return {cyclesOn(op.unit, op, extents, compute), op.unit};
}

std::optional<double> cyclesOnUnit(UnitKind unit, const kernel::TileOp& op,
                                   std::span<const std::int64_t> extents,
                                   const ComputeModel& compute) {
  const bool isProduct = op.unit == UnitKind::Matrix;
  if (unit == UnitKind::Matrix && (!isProduct || compute.matrixSustained <= 0)) return std::nullopt;
  if (unit == UnitKind::Vector && compute.vectorDefault <= 0) return std::nullopt;
  const Steps steps = stepsOf(op, extents);
  const double cycles = steps.count * cyclesOn(unit, steps.op, steps.extents, compute);
  if (!std::isfinite(cycles) || cycles <= 0) return std::nullopt;
  return cycles;
}

double opCycles(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const ComputeModel& compute) {
  return opTime(op, extents, compute).cycles;
}

namespace {

// A multiplication, then an addition.
double columnRate(const ComputeModel& c) {
  const double multiply = c.vectorRate("mul"), add = c.vectorRate("add");
  return multiply <= 0 || add <= 0 ? 0 : 2 / (1 / multiply + 1 / add);
}

}  // namespace

double productRate(const ComputeModel& c) {
  if (c.matrixSustained <= 0) return 2 * c.vectorDefault;
  if (c.systolic.stationary != hardware::Stationary::None) return c.matrixPeak;
  const double vector = columnRate(c);
  return c.chained ? c.matrixPeak + vector : std::max(c.matrixPeak, vector);
}

double productRate(const kernel::TileOp& op, const ComputeModel& c) {
  if (!op.pinned || c.matrixSustained <= 0) return productRate(c);
  return *op.pinned == UnitKind::Matrix ? c.matrixPeak : columnRate(c);
}

double vectorCycles(std::int64_t elements, double rate, const ComputeModel& compute) {
  if (rate <= 0) return 0;
  const std::int64_t padded = ceilDiv(elements, compute.vectorLanes) * compute.vectorLanes;
  return static_cast<double>(padded) / rate + compute.vectorIssue;
}

double additionCycles(std::int64_t elements, const ComputeModel& compute) {
  return vectorCycles(elements, compute.vectorRate("add"), compute);
}

std::int64_t foldCycles(const hardware::SystolicShape& array, std::int64_t stream) {
  const bool loads = array.stationary != hardware::Stationary::Output;
  return stream + (loads ? 2 : 1) * array.rows + array.columns - 2;
}

ComputeLadder computeLadder(const ComputeModel& compute) {
  ComputeModel padded = compute;
  ComputeModel filled = padded;
  for (std::int64_t& extent : filled.matrixShape) extent = 1;
  filled.vectorLanes = 1;
  ComputeModel issued = filled;
  issued.systolic = {};
  issued.fullRateOutput = 0;
  ComputeModel rated = issued;
  rated.issuePerOutput = rated.matrixIssue = rated.vectorIssue = 0;
  ComputeModel atPeak = rated;
  atPeak.matrixSustained = atPeak.vectorDefault = compute.peakFlops();
  atPeak.vectorRates.clear();
  return {std::move(atPeak), std::move(rated), std::move(issued), std::move(filled),
          std::move(padded)};
}

std::array<double, kComputeParts> opParts(const kernel::TileOp& op,
                                          std::span<const std::int64_t> extents,
                                          const ComputeLadder& ladder) {
  const UnitKind unit = opTime(op, extents, ladder.back()).unit;
  const Steps steps = stepsOf(op, extents);
  std::array<double, kComputeParts> parts{};
  double before = 0;
  for (std::size_t part = 0; part < kComputeParts; ++part) {
    const double cycles = steps.count * cyclesOn(unit, steps.op, steps.extents, ladder[part]);
    parts[part] = cycles - before;
    before = cycles;
  }
  return parts;
}

double operandBits(const kernel::TileNest& nest) {
  double bits = 0;
  for (const kernel::Operand& o : nest.inputs) {
    // Indices of gathers are addresses: no unit computes with them.
    const bool isIndex = std::ranges::any_of(nest.inputs, [&](const kernel::Operand& gathered) {
      return gathered.gather &&
             std::ranges::any_of(gathered.gather->access.gathers,
                                 [&](const auto& i) { return i.access.tensor == o.tensor; });
    });
    if (!isIndex) bits = std::max(bits, kernel::bitsOf(o.dtype));
  }
  return bits;
}

}  // namespace gridloom::timing
