// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "models/ranked_rows.h"

namespace gridloom::widgets {

/// A table of more rows is made in the background, as a file.
constexpr std::size_t kMostRowsAtOnce = 20000;

/// RFC 4180: the rows of these candidates in this order, numbers unrounded, the mapping in one
/// column. `progress` counts rows; none when it is cancelled.
std::optional<QByteArray> csvOf(const RankedRows& rows, const std::vector<int>& shown,
                                base::Progress& progress);

}  // namespace gridloom::widgets
