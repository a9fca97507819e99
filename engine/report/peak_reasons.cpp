// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/numbers.h"
#include "report/peak_causes.h"

namespace gridloom::report {

namespace {

using kernel::LoopId;
using kernel::TileOp;
using kernel::UnitKind;

bool hasUnit(const PeakRun& run, UnitKind unit) {
  return std::ranges::any_of(run.nest.ops,
                             [&](const TileOp& op) { return unitOf(run, op) == unit; });
}

/// Whether a product runs on the vector unit.
bool hasVectorProduct(const PeakRun& run) {
  return std::ranges::any_of(run.nest.ops,
                             [&](const TileOp& op) { return isVectorProduct(run, op); });
}

/// As cycles are written elsewhere: "1,024", "0.5".
std::string numberText(double value, int decimals) {
  return value >= 1000 && value == std::floor(value) ? cyclesText(value) : trimmed(value, decimals);
}

std::string productReason(const PeakRun& run) {
  const hardware::ComputeModel& c = run.compute;
  const std::string multiply = numberText(c.vectorRate("mul"), 2),
                    add = numberText(c.vectorRate("add"), 2);
  if (c.matrixSustained <= 0 || multiply == add)
    return fmt::format("products on the vector unit, {} multiply-adds a cycle",
                       c.matrixSustained > 0 ? numberText(c.vectorRate("mul") / 2, 2)
                                             : numberText(c.vectorDefault, 1));
  return fmt::format("products on the vector unit, {} multiplications or {} additions a cycle",
                     multiply, add);
}

std::string rateReason(const PeakRun& run) {
  const hardware::ComputeModel& c = run.compute;
  const std::string peak = numberText(c.peakFlops(), 1);
  std::string out;
  if (hasUnit(run, UnitKind::Matrix)) {
    out = fmt::format("matrix unit sustains {} of {} flop/cycle", numberText(c.matrixSustained, 1),
                      peak);
  }
  if (hasVectorProduct(run)) out += (out.empty() ? "" : "; ") + productReason(run);
  std::set<double> rates;
  for (const TileOp& op : run.nest.ops) {
    if (op.unit == UnitKind::Vector) rates.insert(c.vectorRate(kernel::nameOf(op.fn)));
  }
  if (rates.empty()) return out;
  const std::string low = numberText(*rates.begin(), 2), high = numberText(*rates.rbegin(), 2);
  return fmt::format("{}{}vector functions at {}{} of {} flop/cycle", out, out.empty() ? "" : "; ",
                     low, low == high ? "" : " to " + high, peak);
}

/// Tile operations of the core that has the most.
double iterationsOf(const PeakRun& run) {
  double most = 1;
  for (const LoopId loop : run.schedule.order) {
    most *= static_cast<double>(run.schedule.tiling.loops[loop.index()].trips);
  }
  return most;
}

std::string issueReason(const PeakRun& run) {
  const hardware::ComputeModel& c = run.compute;
  const std::string times = cyclesText(iterationsOf(run)) + " iterations per core";
  std::string out;
  for (const TileOp& op : run.nest.ops) {
    if (unitOf(run, op) != UnitKind::Matrix || c.issuePerOutput <= 0) continue;
    const auto e = kernel::matrixExtents(op, run.schedule.tiling.tileSizes);
    out = fmt::format("{} × {} outputs × {} cycles", times,
                      cyclesText(static_cast<double>(e.m * e.n * e.batch)),
                      numberText(c.issuePerOutput, 3));
    break;
  }
  if (!out.empty()) return out;
  const double each = hasUnit(run, UnitKind::Matrix) ? c.matrixIssue : c.vectorIssue;
  return fmt::format("{}, {} cycles per operation", times, numberText(each, 1));
}

std::string fillReason(const PeakRun& run) {
  if (run.compute.systolic.stationary != hardware::Stationary::None) {
    return fmt::format("folds on a {} × {} systolic array", run.compute.systolic.rows,
                       run.compute.systolic.columns);
  }
  return fmt::format("full rate from {} outputs per operation on",
                     numberText(run.compute.fullRateOutput, 0));
}

std::string paddingReason(const PeakRun& run) {
  const auto& shape = run.compute.matrixShape;
  std::string out;
  if (hasUnit(run, UnitKind::Matrix))
    out = fmt::format("intrinsics of {} × {} × {}", shape[0], shape[1], shape[2]);
  if (hasUnit(run, UnitKind::Vector))
    out += fmt::format("{}vectors of {}", out.empty() ? "" : ", ", run.compute.vectorLanes);
  return out;
}

std::int64_t activeCores(const PeakRun& run) {
  return std::ranges::count_if(run.split.classOf, [](std::int32_t at) { return at >= 0; });
}

std::string namesOf(const std::vector<CauseRecord>& causes, std::string_view kind) {
  std::string out;
  for (const CauseRecord& cause : causes) {
    if (cause.kind == kind) out += (out.empty() ? "" : ", ") + cause.name;
  }
  return out;
}

std::string waitReason(const PeakRun& run, PeakLoss loss, const std::string& verb) {
  const std::string operands = namesOf(causesOf(run, loss), "operand");
  return operands.empty() ? verb : fmt::format("{} {}", verb, operands);
}

}  // namespace

std::string reasonOf(const PeakRun& run, PeakLoss loss) {
  switch (loss) {
  case PeakLoss::UnitRate:
    return rateReason(run);
  case PeakLoss::Issue:
    return issueReason(run);
  case PeakLoss::UnitFill:
    return fillReason(run);
  case PeakLoss::Padding:
    return paddingReason(run);
  case PeakLoss::ExtraWork:
    return "masked points, rescaling, recomputation";
  case PeakLoss::PartialSums:
    return "reducing partial results of other cores";
  case PeakLoss::Launch:
    return "launch of the kernel";
  case PeakLoss::FillDram:
  case PeakLoss::FillLink:
  case PeakLoss::FillSync:
    return waitReason(run, loss, "first tiles of");
  case PeakLoss::WaitDram:
  case PeakLoss::WaitLink:
  case PeakLoss::WaitSync:
    return waitReason(run, loss, "later tiles of");
  case PeakLoss::WaitStore:
    return waitReason(run, loss, "until a buffer is free for");
  case PeakLoss::UnevenCores:
    return "done, while other cores still compute";
  case PeakLoss::Drain:
    return "last tiles of " + namesOf(causesOf(run, loss), "operand") + " on their way to memory";
  case PeakLoss::IdleCores:
    return fmt::format("{} of {} cores work", grouped(activeCores(run)),
                       grouped(run.hw.enabledCores()));
  }
  return {};
}

}  // namespace gridloom::report
