// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/scatter_figure.h"

namespace gridloom::widgets {

/// Grid, ticks and titles of both axes.
void paintScatterAxes(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                      const Tokens& tokens);
/// The line of equal figures, the band of 10 % around it, and the bound.
void paintScatterReference(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                           const Tokens& tokens);

}  // namespace gridloom::widgets
