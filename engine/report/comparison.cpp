// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/numbers.h"

namespace gridloom::report {

namespace {

using Better = Metric::Better;

void addTraffic(std::vector<Metric>& out, const std::string& prefix,
                const hardware::Traffic& traffic) {
  out.push_back({prefix + " dram read", traffic.dramRead, Better::Lower});
  out.push_back({prefix + " dram write", traffic.dramWrite, Better::Lower});
  out.push_back({prefix + " network", traffic.network, Better::Lower});
}

void addPredicted(std::vector<Metric>& out, const cost::Estimate& predicted) {
  out.push_back({"predicted cycles", predicted.cycles, Better::Lower});
  out.push_back({"predicted utilization", predicted.utilization, Better::Higher});
  for (const cost::Term& term : predicted.terms) {
    out.push_back({"predicted " + term.name, term.cycles, Better::Lower});
  }
  addTraffic(out, "predicted", predicted.traffic);
  out.push_back({"local bytes", static_cast<double>(predicted.localBytes), Better::Neither});
}

void addSimulated(std::vector<Metric>& out, const SimulatedRecord& simulated) {
  out.push_back({"simulated cycles", simulated.cycles, Better::Lower});
  out.push_back({"simulated utilization", simulated.utilization, Better::Higher});
  for (const NamedNumber& state : simulated.states) {
    out.push_back({"simulated " + state.name, state.value, Better::Neither});
  }
  addTraffic(out, "simulated", simulated.traffic);
}

std::string valueText(double value) {
  if (std::abs(value) < 10 && value != std::floor(value)) return trimmed(value, 4);
  return cyclesText(value);
}

/// Above tenfold, a factor instead of a percentage; "new" where the first number shows as 0.
std::string changeOf(const Difference& difference) {
  constexpr double kMostShare = 10;
  const std::optional<double> change = difference.change();
  const bool fromNothing =
      difference.before != difference.after && valueText(difference.before) == "0";
  if (!change || fromNothing) return "new";
  if (*change <= kMostShare) return changeText(*change);
  return fmt::format("x {}", trimmed(*change + 1, *change < 100 ? 1 : 0));
}

Cell valueCell(double value) { return {valueText(value), exactText(value)}; }

void addIfDifferent(std::vector<Fact>& facts, const std::string& name, const std::string& a,
                    const std::string& b) {
  facts.push_back({name, a == b ? a : "A: " + a + "\nB: " + b});
}

std::string sizesText(const KernelRecord& kernel) {
  std::string out;
  for (const NamedSize& p : kernel.parameters) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", p.name, p.size);
  }
  return out.empty() ? "none" : out;
}

std::string tensorsText(const KernelRecord& kernel) {
  std::string out;
  for (const TensorRecord& tensor : kernel.tensors) {
    if (tensor.role == "local") continue;
    out += fmt::format("{}{}[{}]: {}", out.empty() ? "" : ", ", tensor.name,
                       fmt::join(tensor.shape, ", "), tensor.dtype);
  }
  return out;
}

/// The hardware figures that times depend on, apart from the peak of the numeric mode.
std::string figuresText(const HardwareRecord& hw) {
  std::string mesh;
  for (const NamedSize& dim : hw.dims) mesh += fmt::format("{} {} ", dim.name, dim.size);
  return fmt::format(
      "{}, {}: {}{} cores, clock {}, {} per core, {} channels of {} and {} B/cycle{}", hw.name,
      hw.label, mesh, hw.cores, exactText(hw.clock), bytesText(static_cast<double>(hw.localBytes)),
      hw.channels, exactText(hw.readBandwidth), exactText(hw.writeBandwidth),
      hw.duplex ? " side by side" : "");
}

base::Diagnostic note(std::string message) {
  return {base::Severity::Note, std::move(message), nullptr, {}, {}};
}

base::Diagnostic kernelsDiffer(const Summary& a, const Summary& b, const std::string& what,
                               const std::string& inA, const std::string& inB) {
  return base::plainError(fmt::format("{} and {} cannot be compared, {} differ: {} and {}", a.title,
                                      b.title, what, inA, inB),
                          "results are comparable for one kernel, with the same sizes and "
                          "element types");
}

}  // namespace

bool Summary::isSimulated() const {
  return std::ranges::find(metrics, "simulated cycles", &Metric::name) != metrics.end();
}

base::Diagnostics checkComparable(const Summary& a, const Summary& b) {
  const KernelRecord& before = a.kernel;
  const KernelRecord& after = b.kernel;
  if (before.name != after.name) {
    return {kernelsDiffer(a, b, "the kernels", "`" + before.name + "`", "`" + after.name + "`")};
  }
  if (sizesText(before) != sizesText(after)) {
    return {kernelsDiffer(a, b, "the sizes", sizesText(before), sizesText(after))};
  }
  if (tensorsText(before) != tensorsText(after)) {
    return {kernelsDiffer(a, b, "the tensors", tensorsText(before), tensorsText(after))};
  }
  if (before.flops != after.flops) {
    return {kernelsDiffer(a, b, "the kernels' operations", countText(before.flops) + "FLOP",
                          countText(after.flops) + "FLOP")};
  }
  base::Diagnostics notes;
  const std::string hardwareA = figuresText(a.hardware), hardwareB = figuresText(b.hardware);
  if (hardwareA != hardwareB) {
    notes.push_back(note(fmt::format("the hardware differs:\n  {}: {}\n  {}: {}", a.title,
                                     hardwareA, b.title, hardwareB)));
  }
  if (a.mode != b.mode) {
    notes.push_back(note(fmt::format("the numeric mode differs: {} and {}", a.mode, b.mode)));
  }
  for (const Summary* each : {&a, &b}) {
    if (each->interrupted) {
      notes.push_back(note(each->title + " was interrupted: there may be better mappings"));
    }
  }
  return notes;
}

Summary summaryOf(const ExplorationRecord& exploration, std::string title) {
  Summary summary{
      std::move(title),       exploration.hardware, exploration.kernel, exploration.mode, {}, {},
      exploration.interrupted};
  if (!exploration.top.empty()) {
    const RankedRecord& best = exploration.top.front();
    summary.mapping = best.mapping.line;
    addPredicted(summary.metrics, best.predicted);
    if (best.simulated) addSimulated(summary.metrics, *best.simulated);
  }
  summary.whyNone = exploration.whyNone;
  summary.metrics.push_back(
      {"space size", static_cast<double>(exploration.space.size), Better::Neither});
  summary.metrics.push_back(
      {"space feasible", static_cast<double>(exploration.space.feasible), Better::Neither});
  return summary;
}

Summary summaryOf(const SimulationRecord& run, std::string title) {
  Summary summary{std::move(title), run.hardware, run.kernel, run.mode,
                  run.mapping.line, {},           false};
  addPredicted(summary.metrics, run.predicted);
  addSimulated(summary.metrics, run.simulated);
  return summary;
}

std::optional<double> Difference::change() const {
  if (before == after) return 0.0;
  if (before == 0) return std::nullopt;
  return after / before - 1;
}

bool Difference::worseThan(double tolerance) const {
  if (better == Better::Neither) return false;
  const double sign = better == Better::Lower ? 1 : -1;
  return sign * (after - before) > tolerance * std::abs(before);
}

Comparison compare(Summary before, Summary after) {
  Comparison comparison{std::move(before), std::move(after), {}};
  for (const Metric& metric : comparison.before.metrics) {
    const auto other = std::ranges::find(comparison.after.metrics, metric.name, &Metric::name);
    if (other == comparison.after.metrics.end()) continue;
    comparison.differences.push_back({metric.name, metric.value, other->value, metric.better});
  }
  return comparison;
}

bool isJudged(const std::string& name) {
  return name == "predicted cycles" || name == "simulated cycles";
}

std::vector<Difference> regressions(const Comparison& comparison, double tolerance) {
  std::vector<Difference> out;
  for (const Difference& difference : comparison.differences) {
    if (isJudged(difference.name) && difference.worseThan(tolerance)) out.push_back(difference);
  }
  const auto& before = comparison.before.metrics;
  const auto& after = comparison.after.metrics;
  const auto predicted = std::ranges::find(before, "predicted cycles", &Metric::name);
  if (predicted != before.end() &&
      std::ranges::find(after, "predicted cycles", &Metric::name) == after.end()) {
    out.push_back({"predicted cycles", predicted->value, std::numeric_limits<double>::infinity(),
                   Better::Lower});
  }
  return out;
}

Table comparisonTable(const Comparison& comparison) {
  Table table;
  table.columns = {{"metric", "metric", Align::Left}, {"A", "a"}, {"B", "b"}, {"change", "change"}};
  for (const Difference& difference : comparison.differences) {
    const std::optional<double> change = difference.change();
    table.rows.push_back({textCell(difference.name), valueCell(difference.before),
                          valueCell(difference.after),
                          Cell{changeOf(difference), change ? exactText(*change) : ""}});
  }
  return table;
}

std::string comparisonText(const Comparison& comparison) {
  const Summary& a = comparison.before;
  const Summary& b = comparison.after;
  std::vector<Fact> facts{{"A", a.title}, {"B", b.title}};
  addIfDifferent(facts, "hardware", a.hardware.name, b.hardware.name);
  addIfDifferent(facts, "kernel", a.kernel.name, b.kernel.name);
  if (!a.mode.empty() || !b.mode.empty()) addIfDifferent(facts, "mode", a.mode, b.mode);
  addIfDifferent(facts, "mapping", a.mapping.empty() ? "none" : a.mapping,
                 b.mapping.empty() ? "none" : b.mapping);
  if (!b.whyNone.empty())
    facts.push_back({"why none", fmt::format("{}", fmt::join(b.whyNone, "\n"))});
  return factsText(facts) + "\n" + tableText(comparisonTable(comparison));
}

}  // namespace gridloom::report
