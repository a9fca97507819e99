// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "base/progress.h"
#include "models/ranked_rows.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// The row of a mapping, with its simulation where there is one.
RankedRow rowOf(const service::Exploration& exploration, std::size_t at,
                const service::SimulationRun* run);
/// All rows, without simulations. Null where it was cancelled.
std::shared_ptr<const RankedRows> rowsOf(const service::Exploration& exploration,
                                         const base::Progress* progress = nullptr);

}  // namespace gridloom::widgets
