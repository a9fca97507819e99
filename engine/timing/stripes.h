// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"

namespace gridloom::timing {

/// How many times longer a memory channel works on the rows of a region than on the same bytes
/// side by side, from 1 to the parts of its stripes. Rows that lie a multiple of all parts apart
/// begin in the same part: where they are shorter than all parts, the others have nothing to do.
/// `rows`: of all that is transferred together. They are taken to begin with a stripe; rows that
/// lie less than a stripe apart, to be spread evenly over the parts.
inline double stripeFactor(const kernel::RegionRows& rows, const hardware::MemoryStripes& stripes) {
  if (stripes.parts <= 1 || rows.apart == 0 || rows.bytes == 0) return 1;
  const std::int64_t apart = std::gcd(rows.apart, stripes.parts * stripes.bytes);
  // Rows begin in every `different`-th part; parts that lie so far apart have equally many bytes.
  const std::int64_t different = apart / stripes.bytes;
  if (different <= 1) return 1;
  const std::int64_t turns = rows.bytes / (different * stripes.bytes);
  const std::int64_t rest = rows.bytes - turns * different * stripes.bytes;
  const std::int64_t most = turns * stripes.bytes + std::min(rest, stripes.bytes);
  return static_cast<double>(different) * static_cast<double>(most) /
         static_cast<double>(rows.bytes);
}

}  // namespace gridloom::timing
