// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gridloom::base {

/// The finite number that the whole text is; none if it is none, or has blanks.
std::optional<double> numberIn(std::string_view text);

/// `x=4`: a value; `latency*0.5`: a factor.
struct Assignment {
  std::string name;
  bool factor = false;
  double value = 0;  ///< at most 1e15 in magnitude
};

/// Words separated by blanks: "x=4 latency*0.5". Error: a word of another form.
Result<std::vector<Assignment>> assignmentsIn(std::string_view text);

/// The same of whole numbers alone: "M=1024 N=512".
Result<std::vector<std::pair<std::string, std::int64_t>>> sizesIn(std::string_view text);

}  // namespace gridloom::base
