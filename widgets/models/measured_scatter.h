// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "charts/scatter_figure.h"
#include "report/reproduction.h"

namespace gridloom::widgets {

/// Predicted and simulated figures of one quantity against the measured ones. A point's id is the
/// position of its figure.
ScatterData measuredScatter(std::span<const report::ReproducedFigure> figures);

/// Errors and rank correlation of one quantity, as `gridloom study` works them out.
QString measuredSummary(std::span<const report::ReproducedFigure> figures);

/// The figures of one quantity as `gridloom study` prints them, with the sizes that each is of
/// instead of the quantity; what is published there is measured here.
report::Table measuredTable(const report::Reproduction& figures, const QStringList& sizes);

}  // namespace gridloom::widgets
