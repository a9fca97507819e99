// SPDX-License-Identifier: Apache-2.0
#include "exchange/signal_pairs.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gridloom::exchange {

namespace {

using Step = network::TransferStep;

/// A transfer that may wake a processor.
struct Arrival {
  double start = 0;
  Step* step = nullptr;
};
/// By destination router and kind, sorted by start.
using Arrivals = std::map<std::pair<std::int32_t, Step::Kind>, std::vector<Arrival>>;

Arrivals arrivalsOf(network::TransferProgram& program) {
  Arrivals out;
  for (network::TransferProcessor& processor : program.processors) {
    for (Step& step : processor.steps) {
      if (step.kind != Step::Kind::Signal && step.kind != Step::Kind::Write) continue;
      out[{step.peer, step.kind}].push_back({step.start, &step});
    }
  }
  for (auto& [to, arrivals] : out) std::ranges::stable_sort(arrivals, {}, &Arrival::start);
  return out;
}

void pairSignal(const Arrivals& arrivals, std::int32_t node, Step& wait, std::int32_t& signals) {
  const double over = wait.start + wait.work;
  for (const Step::Kind kind : {Step::Kind::Signal, Step::Kind::Write}) {
    const auto found = arrivals.find({node, kind});
    if (found == arrivals.end()) continue;
    const auto after = std::ranges::lower_bound(found->second, over, {}, &Arrival::start);
    if (after == found->second.begin()) continue;
    Step& step = *(after - 1)->step;
    if (step.signal < 0) step.signal = signals++;
    wait.signal = step.signal;
    wait.end = over;
    wait.work = 0;
    return;
  }
  wait.kind = Step::Kind::Work;
}

}  // namespace

void pairSignals(network::TransferProgram& program) {
  const Arrivals arrivals = arrivalsOf(program);
  for (network::TransferProcessor& processor : program.processors) {
    for (Step& step : processor.steps) {
      if (step.kind != Step::Kind::Await) continue;
      pairSignal(arrivals, processor.node.value(), step, program.signals);
    }
  }
}

}  // namespace gridloom::exchange
