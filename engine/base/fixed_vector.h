// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace gridloom::base {

/// A vector of at most N elements, without allocation.
template <class T, std::size_t N> class FixedVector {
 public:
  T& push_back(const T& value) {
    assert(m_size < N);
    return m_items[m_size++] = value;
  }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  T& operator[](std::size_t i) { return m_items[i]; }
  const T& operator[](std::size_t i) const { return m_items[i]; }
  T& back() { return m_items[m_size - 1]; }
  const T& back() const { return m_items[m_size - 1]; }
  T* begin() { return m_items.data(); }
  T* end() { return m_items.data() + m_size; }
  const T* begin() const { return m_items.data(); }
  const T* end() const { return m_items.data() + m_size; }

 private:
  std::array<T, N> m_items;
  std::size_t m_size = 0;
};

}  // namespace gridloom::base
