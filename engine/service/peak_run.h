// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/peak_waterfall.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Where the peak went in a run: its waterfall and what every core loses.
class PeakOfRun {
 public:
  explicit PeakOfRun(SimulationRunRef run);

  const report::WaterfallRecord& waterfall() const { return m_waterfall; }
  /// Per core of the topology: cycles lost to one cause over those of the run.
  std::vector<float> sharesOfCores(report::PeakLoss loss) const;

 private:
  report::PeakRun parts() const;

  SimulationRunRef m_run;
  hardware::ComputeModel m_compute;
  simulate::ComputeSplit m_split;
  report::WaterfallRecord m_waterfall;
};

/// The waterfall alone.
report::WaterfallRecord waterfallOf(const SimulationRunRef& run);

}  // namespace gridloom::service
