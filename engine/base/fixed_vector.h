// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace gridloom::base {

/// A vector of at most N plain values, without allocation. Room that is not in use is not
/// initialised, and not copied.
template <class T, std::size_t N> class FixedVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  FixedVector() {}
  FixedVector(const FixedVector& other) : m_size(other.m_size) {
    std::uninitialized_copy_n(other.m_items, m_size, m_items);
  }
  FixedVector& operator=(const FixedVector& other) {
    m_size = other.m_size;
    std::uninitialized_copy_n(other.m_items, m_size, m_items);
    return *this;
  }

  T& push_back(const T& value) {
    assert(m_size < N);
    return *std::construct_at(m_items + m_size++, value);
  }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  T& operator[](std::size_t i) { return m_items[i]; }
  const T& operator[](std::size_t i) const { return m_items[i]; }
  T& back() { return m_items[m_size - 1]; }
  const T& back() const { return m_items[m_size - 1]; }
  T* begin() { return m_items; }
  T* end() { return m_items + m_size; }
  const T* begin() const { return m_items; }
  const T* end() const { return m_items + m_size; }

 private:
  union {
    T m_items[N];
  };
  std::size_t m_size = 0;
};

}  // namespace gridloom::base
