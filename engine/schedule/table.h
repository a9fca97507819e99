// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_vector.h"

namespace gridloom::schedule {

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

/// A value per row and column, in rows. Large machines make it many megabytes.
template <class T> class Table {
 public:
  Table() = default;
  Table(std::size_t rows, std::size_t columns, const T& value = {})
      : m_columns(columns), m_values(rows * columns, value) {}

  T& at(std::int32_t row, std::int32_t column) {
    return m_values[index(row) * m_columns + index(column)];
  }
  const T& at(std::int32_t row, std::int32_t column) const {
    return m_values[index(row) * m_columns + index(column)];
  }
  auto begin() const { return m_values.begin(); }
  auto end() const { return m_values.end(); }
  friend bool operator==(const Table&, const Table&) = default;

 private:
  std::size_t m_columns = 0;
  base::LargeVector<T> m_values;
};

}  // namespace gridloom::schedule
