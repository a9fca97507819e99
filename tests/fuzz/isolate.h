// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace gridloom::fuzz {

/// What went wrong with one input: the reason, "" when nothing did.
using Check = std::function<std::string(std::size_t input)>;

struct Failure {
  std::size_t input = 0;
  std::string reason;
};

/// Processor time that one input may take, in seconds. With sanitizers, opening a kernel took
/// seven times as long in optimised code, and more in other; the machine may be a slow one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kSeconds = 40;
#else
inline constexpr int kSeconds = 5;
#endif

/// Checks inputs `begin` to `end` in a process of its own and returns the first that fails: by its
/// reason, by a signal, by an exception, or by more than `kSeconds` of processor time.
std::optional<Failure> firstFailure(std::size_t begin, std::size_t end, const Check& check);

}  // namespace gridloom::fuzz
