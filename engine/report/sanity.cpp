// SPDX-License-Identifier: Apache-2.0
#include "report/sanity.h"

#include <fmt/format.h>

#include <cmath>

#include "network/ticks.h"

namespace gridloom::report {

namespace {

/// Tolerance for the rounding of a sum of many doubles.
constexpr double kRounding = 1e-6;

bool near(double a, double b) {
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

void require(bool holds, std::string message, base::Diagnostics& out) {
  if (!holds) out.push_back(base::plainError(std::move(message)));
}

void requireShare(double part, double whole, const std::string& what, base::Diagnostics& out) {
  require(part <= whole * (1 + kRounding) && part >= 0,
          fmt::format("{} is at {:.2f}% of the whole time", what, 100 * part / whole), out);
}

void requireSum(double sum, double whole, const std::string& what, base::Diagnostics& out) {
  require(near(sum, whole), fmt::format("{} sum to {} of {} cycles", what, sum, whole), out);
}

double sumOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

base::Diagnostics checkSanity(const cost::Estimate& predicted) {
  base::Diagnostics out;
  double sum = 0;
  for (const cost::Term& term : predicted.terms) sum += term.cycles;
  requireSum(sum, predicted.cycles, "the predicted terms", out);
  requireShare(predicted.utilization, 1, "predicted utilization", out);
  return out;
}

base::Diagnostics checkSanity(const SimulatedRecord& simulated,
                              const std::vector<ResourceRecord>& links,
                              const std::vector<ResourceRecord>& channels) {
  base::Diagnostics out;
  double sum = 0;
  for (const NamedNumber& state : simulated.states) sum += state.value;
  requireSum(sum, simulated.cycles, "the simulated states", out);
  requireShare(simulated.utilization, 1, "simulated utilization", out);
  double channelBytes = 0;
  for (const ResourceRecord& link : links)
    requireShare(link.busy, simulated.cycles, link.name, out);
  for (const ResourceRecord& channel : channels) {
    requireShare(channel.busy, simulated.cycles, channel.name, out);
    channelBytes += channel.bytes;
  }
  const double moved = simulated.traffic.dramRead + simulated.traffic.dramWrite;
  require(near(channelBytes, moved),
          fmt::format("the memory channels carried {} bytes of the {} moved", channelBytes, moved),
          out);
  return out;
}

base::Diagnostics checkSanity(const WaterfallRecord& waterfall) {
  constexpr double kTolerance = 1e-3;
  base::Diagnostics out;
  require(std::abs(waterfall.sum() - 1) <= kTolerance,
          fmt::format("the steps from peak to achieved sum to {:.3f}%", 100 * waterfall.sum()),
          out);
  for (const LossRecord& loss : waterfall.losses) {
    require(loss.share >= -kTolerance,
            fmt::format("`{}` loses {:.3f}% of the peak", loss.name, 100 * loss.share), out);
  }
  return out;
}

base::Diagnostics checkBound(const cost::Roofline& bound, double simulatedCycles,
                             std::int64_t events) {
  base::Diagnostics out;
  const double shortfall = network::inCycles(events);
  require(simulatedCycles + shortfall >= bound.cycles * (1 - kRounding),
          fmt::format("the simulation took {:.2f} cycles, and no mapping can take less than {:.2f}",
                      simulatedCycles, bound.cycles),
          out);
  return out;
}

base::Diagnostics checkSanity(const SimulationRecord& run) {
  base::Diagnostics out = checkSanity(run.predicted);
  for (const base::Diagnostics& more :
       {checkSanity(run.simulated, run.links, run.channels),
        checkBound(run.roofline, run.simulated.cycles, run.simulated.events)}) {
    out.insert(out.end(), more.begin(), more.end());
  }
  for (const CoreRecord& core : run.cores) {
    requireSum(sumOf(core.states), run.simulated.cycles, "the states of a core", out);
  }
  return out;
}

}  // namespace gridloom::report
