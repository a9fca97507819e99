// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/peak_waterfall.h"

namespace gridloom::report {

/// One phrase with the figures behind a loss: "716.8 of 1,024 flop/cycle sustained".
std::string reasonOf(const PeakRun& run, PeakLoss loss);

/// The unit that performs an operation on a full tile of the run.
kernel::UnitKind unitOf(const PeakRun& run, const kernel::TileOp& op);

/// Whether it is a product that runs on the vector unit.
bool isVectorProduct(const PeakRun& run, const kernel::TileOp& op);

/// Loops, operands, links and channels that have a part in a loss, the largest first.
std::vector<CauseRecord> causesOf(const PeakRun& run, PeakLoss loss);

}  // namespace gridloom::report
