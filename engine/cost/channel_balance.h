// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cost/tiled_candidate.h"

namespace gridloom::cost {

/// Pages of a tensor are interleaved over all memory channels. A tensor of few tiles and few pages
/// does not load all channels equally, and the busiest channel is the bound. A duplex memory has
/// separate resource loads for reads and for writes; there, only reads are checked for balance.

/// Distribution of an operand's transfers at `level` over the channels of global memory: the share
/// of transfers whose first page lies in each channel. Neighbouring tiles start at successive
/// channels along every dimension. Empty where the distribution is even.
std::vector<double> firstChannels(const TiledCandidate& s, const kernel::Operand& operand,
                                  int level, std::int64_t channels);

/// Share of all bytes that the busiest channel carries when each transfer has `pages` pages (the
/// last one may be short) in successive channels; 0 where the distribution is even.
double busiestShare(const std::vector<double>& first, double pages);

/// Both for a candidate, which caches the result.
double busiestShareAt(const TiledCandidate& s, const kernel::Operand& operand, int level,
                      std::int64_t channels, double pages);

}  // namespace gridloom::cost
