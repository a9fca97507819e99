// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/records.h"

namespace gridloom::exchange {

/// Figures of a report as SVG elements that stand inside an HTML page. Colours are CSS classes of
/// the page (`compute`, `dram`, ...), so that they follow its theme. Widths are 100% of the text.

/// Predicted and simulated cycles of every ranked mapping, from zero.
std::string rankingFigure(const report::ExplorationRecord& ranking);
/// From the peak to what is achieved, one row per loss.
std::string waterfallFigure(const report::WaterfallRecord& waterfall);
/// The share of its time that each core computes, as a mesh; "" for meshes that are not of one or
/// two dimensions. Meshes of over 64 cores along a side show averages of blocks.
std::string meshFigure(const report::SimulationRecord& run);

}  // namespace gridloom::exchange
