// SPDX-License-Identifier: Apache-2.0
#include "unit/timing/systolic_array.h"

#include <algorithm>
#include <vector>

namespace gridloom::test {

namespace {

using hardware::Stationary;

constexpr std::int32_t kNothing = -1;

/// The registers of an array: per element, the stream element to which an operand or a sum belongs.
class SystolicArray {
 public:
  SystolicArray(std::int64_t rows, std::int64_t columns)
      : m_rows(static_cast<std::size_t>(rows)),
        m_columns(static_cast<std::size_t>(columns)),
        m_right(m_rows * m_columns, kNothing),
        m_down(m_rows * m_columns, kNothing),
        m_products(m_rows * m_columns, 0) {}

  /// Output stationary: both operands stream through, and a result leaves as soon as it is
  /// complete.
  std::int64_t runOutputStationary(std::int64_t stream) {
    std::int64_t cycles = 0;
    for (std::size_t left = m_rows * m_columns; left > 0; ++cycles) {
      shiftRight(cycles, stream);
      shiftDown([&](std::size_t column) { return entering(cycles, column, stream); });
      for (std::size_t at = 0; at < m_right.size(); ++at) {
        if (m_right[at] == kNothing || m_right[at] != m_down[at]) continue;
        if (++m_products[at] == stream) --left;
      }
    }
    return cycles;
  }

  /// One operand is stationary and is loaded row by row from above. The other streams to the right;
  /// sums flow down and leave below the last row.
  std::int64_t runOperandStationary(std::int64_t stream) {
    std::int64_t loading = 0;
    for (; m_down[(m_rows - 1) * m_columns] == kNothing; ++loading) {
      shiftDown([&](std::size_t) { return static_cast<std::int32_t>(loading); });
    }
    std::ranges::fill(m_down, kNothing);
    std::int64_t cycles = 0;
    for (auto left = stream * static_cast<std::int64_t>(m_columns); left > 0; ++cycles) {
      shiftRight(cycles, stream);
      // A sum begins in the first row, where its operand is.
      shiftDown([&](std::size_t column) { return m_right[column]; });
      for (std::size_t column = 0; column < m_columns; ++column) {
        const std::size_t at = (m_rows - 1) * m_columns + column;
        if (m_down[at] != kNothing && m_down[at] == m_right[at]) --left;
      }
    }
    return loading + cycles;
  }

 private:
  /// The element that enters a row (or column) at a cycle: skewed by the row's number, so that
  /// wavefronts align.
  static std::int32_t entering(std::int64_t cycle, std::size_t lane, std::int64_t stream) {
    const std::int64_t element = cycle - static_cast<std::int64_t>(lane);
    return element >= 0 && element < stream ? static_cast<std::int32_t>(element) : kNothing;
  }

  void shiftRight(std::int64_t cycle, std::int64_t stream) {
    for (std::size_t row = 0; row < m_rows; ++row) {
      const auto begin = m_right.begin() + static_cast<std::ptrdiff_t>(row * m_columns);
      std::shift_right(begin, begin + static_cast<std::ptrdiff_t>(m_columns), 1);
      *begin = entering(cycle, row, stream);
    }
  }

  template <class Feed> void shiftDown(Feed feed) {
    std::shift_right(m_down.begin(), m_down.end(), static_cast<std::ptrdiff_t>(m_columns));
    for (std::size_t column = 0; column < m_columns; ++column) m_down[column] = feed(column);
  }

  std::size_t m_rows;
  std::size_t m_columns;
  std::vector<std::int32_t> m_right;
  std::vector<std::int32_t> m_down;
  std::vector<std::int64_t> m_products;
};

}  // namespace

std::int64_t clockedFoldCycles(const hardware::SystolicShape& array, std::int64_t stream) {
  SystolicArray registers(array.rows, array.columns);
  return array.stationary == Stationary::Output ? registers.runOutputStationary(stream)
                                                : registers.runOperandStationary(stream);
}

}  // namespace gridloom::test
