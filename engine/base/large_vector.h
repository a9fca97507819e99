// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace gridloom::base {

/// Allocates arrays of many megabytes, in large pages where the system provides them on request.
void* allocateLarge(std::size_t bytes);
/// `bytes` as for allocateLarge. Some freed blocks are kept for arrays of the same size.
void freeLarge(void* memory, std::size_t bytes) noexcept;

/// Above `kSmallest` bytes, memory is in large pages. Arrays with an entry per core of a wafer are
/// accessed at random, and most of the time went into page faults and address translation.
template <class T> struct LargePages {
  using value_type = T;
  static constexpr std::size_t kSmallest = std::size_t{2} << 20;

  LargePages() = default;
  template <class U> LargePages(const LargePages<U>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::bad_array_new_length();
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < kSmallest ? ::operator new(bytes) : allocateLarge(bytes));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    const std::size_t bytes = count * sizeof(T);
    bytes < kSmallest ? ::operator delete(memory) : freeLarge(memory, bytes);
  }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T> using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace gridloom::base
