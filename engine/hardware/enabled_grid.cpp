// SPDX-License-Identifier: Apache-2.0
#include "hardware/enabled_grid.h"

#include <algorithm>

namespace gridloom::hardware {

namespace {

// Limit on tried choices: enough for a dozen disabled cores in different lines. Fewer where each
// takes long.
constexpr std::int64_t kMostChoices = 20'000;
constexpr std::int64_t kMostSteps = 4'000'000;

class LineChoice {
 public:
  LineChoice(const Grid& grid, const std::vector<bool>& disabled) : m_rank(grid.sizes.size()) {
    for (std::size_t d = 0; d < m_rank; ++d) {
      m_kept.emplace_back(static_cast<std::size_t>(grid.sizes[d]), true);
      m_count.push_back(grid.sizes[d]);
    }
    std::vector<std::int64_t> point(m_rank);
    std::int64_t first = -1;
    for (std::size_t i = 0; i < disabled.size(); ++i) {
      if (disabled[i]) {
        grid.pointOf(static_cast<std::int64_t>(i), point);
        m_holes.push_back(point);
      } else if (first < 0) {
        first = static_cast<std::int64_t>(i);
      }
    }
    if (first < 0) return;
    grid.pointOf(first, point);
    std::int64_t lines = 0;
    for (const std::int64_t size : grid.sizes) lines += size;
    const auto holes = static_cast<std::int64_t>(m_holes.size());
    m_choices =
        std::min(kMostChoices, std::max(2 * lines, kMostSteps / std::max<std::int64_t>(1, holes)));
    for (const std::int64_t c : point) m_best.push_back({c});
    m_most = 1;
    dropDeadLines(grid);
    narrow();
  }

  KeptLines take() { return std::move(m_best); }

 private:
  // A line without an enabled core is dropped at no cost.
  void dropDeadLines(const Grid& grid) {
    for (std::size_t d = 0; d < m_rank; ++d) {
      std::vector<std::int64_t> dead(m_kept[d].size(), 0);
      for (const auto& hole : m_holes) ++dead[static_cast<std::size_t>(hole[d])];
      for (std::size_t c = 0; c < dead.size(); ++c) {
        if (dead[c] == grid.count() / grid.sizes[d]) drop(d, static_cast<std::int64_t>(c));
      }
    }
  }

  void drop(std::size_t d, std::int64_t c) {
    m_kept[d][static_cast<std::size_t>(c)] = false;
    --m_count[d];
  }
  void restore(std::size_t d, std::int64_t c) {
    m_kept[d][static_cast<std::size_t>(c)] = true;
    ++m_count[d];
  }

  std::int64_t cores() const {
    std::int64_t product = 1;
    for (const std::int64_t n : m_count) product *= n;
    return product;
  }

  const std::vector<std::int64_t>* firstHole() const {
    const auto at = std::find_if(m_holes.begin(), m_holes.end(), [&](const auto& hole) {
      for (std::size_t d = 0; d < m_rank; ++d) {
        if (!m_kept[d][static_cast<std::size_t>(hole[d])]) return false;
      }
      return true;
    });
    return at == m_holes.end() ? nullptr : &*at;
  }

  void narrow() {
    if (cores() <= m_most || --m_choices < 0) return;
    const std::vector<std::int64_t>* hole = firstHole();
    if (hole == nullptr) return keep();
    // Tries the cheapest line first: that of the dimension with the most lines left.
    std::vector<std::size_t> dims(m_rank);
    for (std::size_t d = 0; d < m_rank; ++d) dims[d] = d;
    std::stable_sort(dims.begin(), dims.end(),
                     [&](std::size_t a, std::size_t b) { return m_count[a] > m_count[b]; });
    for (const std::size_t d : dims) {
      drop(d, (*hole)[d]);
      narrow();
      restore(d, (*hole)[d]);
    }
  }

  void keep() {
    m_most = cores();
    for (std::size_t d = 0; d < m_rank; ++d) {
      m_best[d].clear();
      for (std::size_t c = 0; c < m_kept[d].size(); ++c) {
        if (m_kept[d][c]) m_best[d].push_back(static_cast<std::int64_t>(c));
      }
    }
  }

  std::size_t m_rank;
  std::vector<std::vector<std::int64_t>> m_holes;
  std::vector<std::vector<bool>> m_kept;
  std::vector<std::int64_t> m_count;  ///< lines kept per dimension
  KeptLines m_best;
  std::int64_t m_most = 0;
  std::int64_t m_choices = 0;  ///< choices left to try
};

}  // namespace

KeptLines largestEnabledGrid(const Grid& grid, const std::vector<bool>& disabled) {
  return LineChoice(grid, disabled).take();
}

}  // namespace gridloom::hardware
