// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "simulate/systolic_array.h"
#include "simulate/tile_work.h"

namespace gridloom::simulate {
namespace {

using hardware::ComputeModel;

double paddedTo(std::int64_t size, std::int64_t unit) {
  return static_cast<double>(base::ceilDiv(size, unit) * unit);
}

double matrixCycles(const kernel::MatrixExtents& e, const ComputeModel& compute, FoldTable& table) {
  const auto batch = static_cast<double>(e.batch);
  if (compute.matrixSustained <= 0) {
    // One multiply-add per element operation of the vector unit.
    const double multiplyAdds =
        static_cast<double>(e.m) * static_cast<double>(e.n) * static_cast<double>(e.k) * batch;
    return multiplyAdds / compute.vectorDefault + compute.vectorIssue;
  }
  const double m = paddedTo(e.m, compute.matrixShape[0]);
  const double n = paddedTo(e.n, compute.matrixShape[1]);
  const double k = paddedTo(e.k, compute.matrixShape[2]);
  if (compute.systolic.stationary != hardware::Stationary::None) {
    const auto work = compute.systolic.workOf(e.m, e.n, e.k);
    const double folds = static_cast<double>(work.folds) * batch;
    const double turns = std::ceil(folds / static_cast<double>(compute.systolic.arrays));
    return turns * static_cast<double>(table.cycles(work.stream)) +
           compute.issuePerOutput * m * n * batch + compute.matrixIssue;
  }
  const double full =
      compute.fullRateOutput > 0 ? std::min(1.0, m * n / compute.fullRateOutput) : 1.0;
  return 2 * m * n * k * batch / (compute.matrixSustained * full) +
         compute.issuePerOutput * m * n * batch + compute.matrixIssue;
}

// One operation per index of the stepped loops, one after the other.
double steppedCycles(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                     const ComputeModel& compute, FoldTable& folds) {
  std::vector<std::int64_t> single(extents.begin(), extents.end());
  double steps = 1;
  for (const kernel::LoopId loop : op.stepped) {
    steps *= static_cast<double>(single[loop.index()]);
    single[loop.index()] = 1;
  }
  kernel::TileOp step = op;
  step.stepped.clear();
  return steps * cyclesOf(step, single, compute, folds);
}

}  // namespace

double vectorCycles(std::int64_t elements, double rate, const ComputeModel& compute) {
  return paddedTo(elements, compute.vectorLanes) / rate + compute.vectorIssue;
}

double cyclesOf(const kernel::TileOp& op, std::span<const std::int64_t> extents,
                const ComputeModel& compute, FoldTable& folds) {
  if (!op.stepped.empty()) return steppedCycles(op, extents, compute, folds);
  if (op.unit == kernel::UnitKind::Matrix) {
    return matrixCycles(kernel::matrixExtents(op, extents), compute, folds);
  }
  return vectorCycles(kernel::vectorElements(op, extents),
                      compute.vectorRate(kernel::nameOf(op.fn)), compute);
}

}  // namespace gridloom::simulate
