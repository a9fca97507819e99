// SPDX-License-Identifier: Apache-2.0
#include "service/peak_run.h"

#include "schedule/placement.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

PeakOfRun::PeakOfRun(SimulationRunRef run) : m_run(std::move(run)) {
  const hardware::Topology& hw = m_run->hardware->topology;
  const kernel::TileNest& nest = *m_run->kernel->nest;
  // The mode is one that the run has used.
  m_compute = *hw.compute(m_run->mode, timing::operandBits(nest));
  m_split = simulate::splitCompute(m_run->schedule, schedule::Placement(m_run->schedule, hw), nest,
                                   m_compute);
  m_waterfall = report::waterfallOf(parts());
}

report::PeakRun PeakOfRun::parts() const {
  return {m_run->kernel->kernel,
          *m_run->kernel->nest,
          m_run->hardware->topology,
          m_compute,
          m_run->schedule,
          m_run->simulated,
          m_split};
}

std::vector<float> PeakOfRun::sharesOfCores(report::PeakLoss loss) const {
  const report::PeakRun run = parts();
  const report::CoreLosses losses(run);
  std::vector<float> shares(m_split.classOf.size());
  for (std::size_t core = 0; core < shares.size(); ++core)
    shares[core] = static_cast<float>(losses.of(loss, core) / m_run->simulated.cycles);
  return shares;
}

report::WaterfallRecord waterfallOf(const SimulationRunRef& run) {
  return PeakOfRun(run).waterfall();
}

}  // namespace gridloom::service
