// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "random.h"

namespace gridloom::fuzz {

/// A text made from one of `seeds` by a few random changes: bytes flipped, cut off, spliced with
/// another seed, words swapped or doubled, parts repeated, numbers made huge. At most `kLongest`
/// bytes.
inline constexpr std::size_t kLongest = 64 << 10;
std::string mutated(std::span<const std::string> seeds, Random& random);

}  // namespace gridloom::fuzz
