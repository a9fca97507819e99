// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gridloom::syntax {

/// Limits on the size of a text, checked while it is read: a larger text costs no more than one at
/// the limits. Limits of kernels are in kernel/check.h.
inline constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20;
/// words, punctuation and comments
inline constexpr std::size_t kMaxTokens = std::size_t{1} << 20;
inline constexpr std::size_t kMaxWordBytes = 255;  ///< of one name or number

inline constexpr std::size_t kMaxKernels = 256;
inline constexpr std::size_t kMaxIndexParts = 1000;  ///< loops, numbers and parameters of one index

inline constexpr std::size_t kMaxComponents = 1000;  ///< operations of one hardware
inline constexpr std::size_t kMaxAttributes = 64;    ///< of one operation

inline constexpr std::size_t kMaxDirectives = 1000;
inline constexpr std::size_t kMaxDirectiveNames = 64;
inline constexpr std::size_t kMaxDirectiveSizes = 1000;

inline constexpr std::size_t kMaxScheduleParts = 1000;  ///< of each kind: buffers, channels, herds
inline constexpr std::size_t kMaxInstructions = 100'000;

}  // namespace gridloom::syntax
