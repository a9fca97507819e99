// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>

namespace gridloom::exchange {

/// An input iterator over the bytes of a text that records the reading position, so that the events
/// of a streaming JSON parser can be located.
class JsonCursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  JsonCursor(const char* at, const char** shared) : m_at(at), m_shared(shared) {}
  reference operator*() const { return *m_at; }
  JsonCursor& operator++() {
    *m_shared = ++m_at;
    return *this;
  }
  JsonCursor operator++(int) {
    JsonCursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const JsonCursor& a, const JsonCursor& b) { return a.m_at == b.m_at; }
  friend bool operator!=(const JsonCursor& a, const JsonCursor& b) { return a.m_at != b.m_at; }

 private:
  const char* m_at;
  const char** m_shared;
};

}  // namespace gridloom::exchange
