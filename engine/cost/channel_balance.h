// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cost/evaluator.h"

namespace gridloom::cost {

/// Pages of a tensor lie in all memory channels in turn. A tensor of few tiles and few pages does
/// not fill all channels alike, and the channel with the most bytes decides. A duplex memory has
/// rows of its own for reads and for writes; there, only reads are asked for their balance.

/// Of all transfers of an operand at `level`, the part whose first page lies in each channel of global memory: one
/// after the other along every dimension of its tiles. Empty where all channels have as many.
std::vector<double> firstChannels(const TiledCandidate& s, const kernel::Operand& operand,
                                  int level, std::int64_t channels);

/// Part of all bytes that the busiest channel has when each transfer has so many pages (the last one may be short) in
/// successive channels; 0 where all have as many.
double busiestShare(const std::vector<double>& first, double pages);

}  // namespace gridloom::cost
