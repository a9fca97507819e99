// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/large_vector.h"

namespace gridloom::base {

/// An array of unknown length that grows to many megabytes. It grows by whole chunks: a vector
/// would double, and hold the old and the new memory while it moves.
template <class T> class ChunkedVector {
 public:
  ChunkedVector() = default;
  ChunkedVector(const ChunkedVector&) = delete;
  ChunkedVector(ChunkedVector&&) = default;
  ChunkedVector& operator=(const ChunkedVector&) = delete;
  ChunkedVector& operator=(ChunkedVector&&) = default;
  ~ChunkedVector() = default;

  std::size_t size() const { return m_size; }
  T& operator[](std::size_t i) { return m_begins[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return m_begins[i / kChunk][i % kChunk]; }
  /// References stay valid, except to entries of the first chunk while it grows.
  void push_back(T value) {
    if (m_size % kChunk == 0) {
      m_chunks.emplace_back();
      m_begins.emplace_back();
      if (m_size > 0) m_chunks.back().reserve(kChunk);
    }
    m_chunks.back().push_back(std::move(value));
    m_begins.back() = m_chunks.back().data();
    ++m_size;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 17;  // a power of two: a shift finds it

  std::vector<LargeVector<T>> m_chunks;
  std::vector<T*> m_begins;  ///< of the chunks: one step less to an entry
  std::size_t m_size = 0;
};

}  // namespace gridloom::base
