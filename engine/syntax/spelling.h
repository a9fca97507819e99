// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gridloom::syntax {

/// The candidate that `word` most likely means (edit distance at most a third of its length, at
/// least one); empty when there is none.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "did you mean `X`?", or "known are: `a`, `b`, ..." without a near candidate; empty without
/// candidates.
std::string spellingHint(std::string_view word, std::span<const std::string_view> candidates);

/// The same for a data type; knows the names that other languages use (`int4`, `float16`, `e4m3`).
std::string dtypeHint(std::string_view word);

}  // namespace gridloom::syntax
