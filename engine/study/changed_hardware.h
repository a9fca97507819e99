// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/workspace.h"

namespace gridloom::study {

/// `x=4`: a new value; `latency*4`: a factor.
struct Change {
  std::string name;
  bool factor = false;
  double value = 0;
};
/// Of words separated by blanks: "x=4 latency*0.5".
base::Result<std::vector<Change>> changesIn(std::string_view text);
/// "M=1024 N=512": names with whole numbers.
using Sizes = std::vector<std::pair<std::string, std::int64_t>>;
base::Result<Sizes> sizesIn(std::string_view text);

/// A hardware that differs from a described one: `DIM=N` is the size of a spatial dimension (of a
/// global memory's instances, the first N stay), `launch=N` the cycles per kernel (0: as
/// described), `latency*F` scales the latency of all links, `local*F` the size of the cores'
/// memories. Error: no such dimension, or no machine with it.
base::Result<service::HardwareRef> changedHardware(service::HardwareRef hardware,
                                                   const std::vector<Change>& changes);

}  // namespace gridloom::study
