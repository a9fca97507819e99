// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sweep/parameters.h"

namespace gridloom::sweep {

constexpr std::size_t kMostValues = 1000;  // of one axis
constexpr int kUsualValues = 5;            // of a range without a step

/// An axis as `--vary` takes it: "cols=4,8,16", "cols=4..16" (five values), "cols=4..16:4" (steps
/// of 4), "cols=4..64x2" (each twice the one before). Errors: another form, a number that the
/// inputs do not have, values that it cannot take, more than `kMostValues`.
base::Result<SweepAxis> axisOf(std::string_view words, std::span<const SweepParameter> parameters);

/// The same, from an axis: "cols=4,8,16".
std::string varyText(const SweepAxis& axis);

}  // namespace gridloom::sweep
