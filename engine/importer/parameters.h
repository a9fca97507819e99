// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace gridloom::importer {

using Values = std::map<std::string, std::int64_t>;

/// The text of kernels with sizes as parameters that a person can change: `kernel f(x_0 = 8)`.
/// `kernels` is what `imported` gives for `values`; asked with other values, it gives what the same
/// file becomes for them, or nothing. A value is a parameter where every number of the text grows
/// with it in proportion and nothing else changes; other values stay numbers. `budget` limits how
/// long texts may be in all.
std::string withParameters(const std::string& kernels, const Values& values,
                           const std::function<std::optional<std::string>(const Values&)>& imported,
                           std::size_t budget = std::size_t{1} << 20);

}  // namespace gridloom::importer
