// SPDX-License-Identifier: Apache-2.0
#include "base/large_vector.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <vector>

#include "base/machine_fault.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gridloom::base {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

/// Freed blocks that the next arrays of their size take. The system clears every page that it
/// hands out, and an edit of a wafer allocates the same arrays again: that was a fifth of its time.
class FreeBlocks {
 public:
  /// A block of as many bytes, the latest; null: none is kept.
  void* take(std::size_t bytes) {
    const std::lock_guard lock(m_mutex);
    const auto last = std::find_if(m_blocks.rbegin(), m_blocks.rend(),
                                   [&](const Block& block) { return block.bytes == bytes; });
    if (last == m_blocks.rend()) return nullptr;
    void* const memory = last->memory;
    m_blocks.erase(std::next(last).base());
    m_kept -= bytes;
    return memory;
  }

  /// Whether the block is kept. The oldest ones make room: sizes that no array has any more go.
  bool keep(void* memory, std::size_t bytes) noexcept {
    const std::lock_guard lock(m_mutex);
    if (bytes > kMostKept) return false;
    while (m_kept + bytes > kMostKept || m_blocks.size() == m_blocks.capacity()) freeOldest();
    m_blocks.push_back({memory, bytes});
    m_kept += bytes;
    return true;
  }

  /// Whether any was kept.
  bool freeAll() noexcept {
    const std::lock_guard lock(m_mutex);
    const bool any = !m_blocks.empty();
    while (!m_blocks.empty()) freeOldest();
    return any;
  }

  FreeBlocks() { m_blocks.reserve(kMostBlocks); }

 private:
  void freeOldest() noexcept {
    std::free(m_blocks.front().memory);
    m_kept -= m_blocks.front().bytes;
    m_blocks.erase(m_blocks.begin());
  }

#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t kMostKept = 0;  // reads of freed memory are to be found
#else
  static constexpr std::size_t kMostKept = std::size_t{192} << 20;
#endif
  static constexpr std::size_t kMostBlocks = 64;
  struct Block {
    void* memory;
    std::size_t bytes;
  };
  std::mutex m_mutex;
  std::vector<Block> m_blocks;
  std::size_t m_kept = 0;
};

/// Never destroyed: arrays of static objects may be freed after it.
FreeBlocks& freeBlocks() {
  static auto* const blocks = new FreeBlocks;
  return *blocks;
}

std::size_t wholePages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

void* allocateLarge(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - kPage) throw std::bad_alloc();
  const std::size_t whole = wholePages(bytes);
  if (void* const kept = freeBlocks().take(whole)) return kept;
  void* memory = std::aligned_alloc(kPage, whole);
  if (memory == nullptr && freeBlocks().freeAll()) memory = std::aligned_alloc(kPage, whole);
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

void freeLarge(void* memory, std::size_t bytes) noexcept {
  if (!freeBlocks().keep(memory, wholePages(bytes))) std::free(memory);
}

}  // namespace gridloom::base
