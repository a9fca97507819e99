// SPDX-License-Identifier: Apache-2.0
#include "base/large_vector.h"

#include <cstdlib>

#include "base/machine_fault.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gridloom::base {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

}  // namespace

void* allocateLarge(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - kPage) throw std::bad_alloc();
  const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
  void* const memory = std::aligned_alloc(kPage, whole);
  if (memory == nullptr) {
    g_refusedBytes.store(whole, std::memory_order_relaxed);
    throw std::bad_alloc();
  }
#ifdef __linux__
  // Only advice: failure is harmless.
  static_cast<void>(madvise(memory, whole, MADV_HUGEPAGE));
#endif
  return memory;
}

void freeLarge(void* memory) noexcept { std::free(memory); }

}  // namespace gridloom::base
