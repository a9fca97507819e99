// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/execution.h"
#include "simulate/summary.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

namespace {

// Tolerance for the rounding of a sum of many doubles.
constexpr double kRounding = 1e-6;

bool same(double a, double b) {
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

double channelBusy(const hardware::Topology& hw, const Simulation& simulation,
                   std::size_t channel) {
  const double reads = simulation.channelReads[channel].busy;
  const double writes = simulation.channelWrites[channel].busy;
  return hw.global().duplex ? std::max(reads, writes) : reads + writes;
}

base::Result<Simulation> Execution::summarize() {
  Simulation out;
  out.cycles = network::inCycles(m_now + m_skipped);
  out.skipped = network::inCycles(m_skipped);
  out.events = m_events;
  out.work = work();
  m_clock.finish(m_now + m_skipped);
  releaseProcesses();
  fillStates(out);
  fillResources(out);
  fillOverTime(out);
  out.flops = kernel::flopCount(m_placed.kernel);
  if (m_placed.hw.clock() > 0) {
    out.seconds = out.cycles / m_placed.hw.clock();
    if (out.seconds > 0) out.tflops = out.flops / out.seconds / 1e12;
  }
  const double peak = m_compute.peakFlops();
  const double whole = peak * static_cast<double>(m_placed.hw.enabledCores()) * out.cycles;
  if (whole > 0) out.utilization = out.flops / whole;
  nameBottleneck(out);
  m_trace.moveTo(out);
  if (m_values) out.outputs = m_values->takeOutputs();
  const std::string broken = brokenConservation(out);
  if (!broken.empty()) {
    return base::plainError(std::string(kInternalError) + broken,
                            "please report it with the hardware, kernel and mapping");
  }
  return out;
}

/// The figures of a wafer take hundreds of megabytes: what only the run needed goes first.
void Execution::releaseProcesses() {
  m_processes = {};
  m_movements = {};
  m_begins = {};
  m_inbox = {};
  m_taken = {};
  m_queue = {};
  if (!m_values) m_tokens.release();
  m_network.releaseTransfers();
}

void Execution::fillStates(Simulation& out) const {
  out.coreStates.resize(m_clock.times().size());
  for (std::size_t core = 0; core < out.coreStates.size(); ++core) {
    for (std::size_t s = 0; s < kStates; ++s) {
      out.coreStates[core][s] = network::inCycles(m_clock.times()[core][s]);
    }
  }
  const double active = std::max(1, m_placed.placement.activeCores());
  for (std::int32_t core = 0; core < m_placed.placement.coreCount(); ++core) {
    if (!m_placed.placement.active(core)) continue;
    for (std::size_t s = 0; s < kStates; ++s)
      out.states[s] += out.coreStates[index(core)][s] / active;
  }
  out.coreFill.resize(out.coreStates.size());
  for (std::size_t core = 0; core < out.coreFill.size(); ++core)
    out.coreFill[core] = m_clock.fillOf(core);
  for (const StateClock::Times& waits : m_bufferWaits) {
    auto& mean = out.bufferWaits.emplace_back();
    for (std::size_t s = 0; s < kStates; ++s) mean[s] = network::inCycles(waits[s]) / active;
  }
}

void Execution::fillResources(Simulation& out) const {
  out.links = m_network.links();
  out.channelReads = m_network.channelReads();
  out.channelWrites = m_network.channelWrites();
  for (const network::ResourceUse& use : out.channelReads) out.traffic.dramRead += use.bytes;
  for (const network::ResourceUse& use : out.channelWrites) out.traffic.dramWrite += use.bytes;
  out.traffic.network = static_cast<double>(m_network.networkBytes());
  out.traffic.localWrite = static_cast<double>(m_network.totals().localWrite);
  out.traffic.localRead = static_cast<double>(m_network.totals().localRead);
  for (const hardware::SharedBuffer& buffer : m_placed.hw.sharedBuffers())
    out.sharedTraffic.push_back(static_cast<double>(m_network.bytesThrough(buffer)));
}

void Execution::fillOverTime(Simulation& out) const {
  const UseRecorder::Shares use = m_use.finish(m_now + m_skipped, useAt(m_now));
  out.overTime.binCycles = network::inCycles(use.bin);
  out.overTime.bins = use.bins;
  const auto links = use.shares.begin() + static_cast<std::ptrdiff_t>(out.links.size() * use.bins);
  const auto channels = links + static_cast<std::ptrdiff_t>(out.channelReads.size() * use.bins);
  out.overTime.links.assign(use.shares.begin(), links);
  out.overTime.channels.assign(links, channels);
  out.overTime.cores.assign(channels, use.shares.end());
}

// If no resource is busy more than half of the time, the bottleneck is latency.
void Execution::nameBottleneck(Simulation& out) const {
  double busiest = out.cycles / 2;
  out.bottleneck = "latency";
  const auto offer = [&](double busy, const auto& name) {
    if (busy <= busiest) return;
    busiest = busy;
    out.bottleneck = name();
  };
  for (const auto& states : out.coreStates) {
    offer(states[static_cast<std::size_t>(State::Compute)], [] { return std::string("compute"); });
  }
  for (std::size_t c = 0; c < out.channelReads.size(); ++c) {
    offer(channelBusy(m_placed.hw, out, c),
          [&] { return fmt::format("{} {}", m_placed.hw.global().name, c); });
  }
  for (std::size_t l = 0; l < out.links.size(); ++l) {
    offer(out.links[l].busy, [&] { return m_placed.hw.linkName(hardware::LinkId::of(l)); });
  }
  offer(m_network.busiestPort(), [&] { return m_placed.hw.local().name; });
  for (const hardware::SharedBuffer& buffer : m_placed.hw.sharedBuffers()) {
    offer(m_network.busiestInstance(buffer), [&] { return buffer.name; });
  }
}

std::string Execution::brokenConservation(const Simulation& out) const {
  const network::QueueingNetwork::Totals& totals = m_network.totals();
  if (totals.issued != totals.landed) {
    return fmt::format("{} bytes were sent and {} arrived", totals.issued, totals.landed);
  }
  const double limit = out.cycles * (1 + kRounding) + kRounding;
  for (std::size_t l = 0; l < out.links.size(); ++l) {
    if (out.links[l].busy > limit) {
      return fmt::format("link {} was busy for {} of {} cycles",
                         m_placed.hw.linkName(hardware::LinkId::of(l)), out.links[l].busy,
                         out.cycles);
    }
  }
  for (std::size_t c = 0; c < out.channelReads.size(); ++c) {
    const double busy = channelBusy(m_placed.hw, out, c);
    if (busy > limit) {
      return fmt::format("memory channel {} was busy for {} of {} cycles", c, busy, out.cycles);
    }
  }
  if (m_network.busiestPort() > limit)
    return "a local memory's port was busy for longer than the run";
  for (const hardware::SharedBuffer& buffer : m_placed.hw.sharedBuffers()) {
    if (m_network.busiestInstance(buffer) > limit)
      return fmt::format("{} was busy for longer than the run", buffer.name);
  }
  for (std::size_t core = 0; core < out.coreStates.size(); ++core) {
    double sum = 0;
    for (const double time : out.coreStates[core]) sum += time;
    if (!same(sum, out.cycles)) {
      return fmt::format("the states of core {} sum to {} of {} cycles", core, sum, out.cycles);
    }
  }
  return {};
}

}  // namespace gridloom::simulate
