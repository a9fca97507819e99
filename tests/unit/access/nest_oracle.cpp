// SPDX-License-Identifier: Apache-2.0
#include "nest_oracle.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

namespace gridloom::test {

namespace {

using Element = std::vector<std::int64_t>;
using Elements = std::set<Element>;
using Point = std::vector<std::int64_t>;

struct Digit {
  std::size_t loop;
  std::int64_t trips;
  std::int64_t stride;
  int level;
  bool spatial;
  int axis;
};

/// All loops of the nest, outermost first, with the elements that one iteration spans.
std::vector<Digit> digitsOf(const kernel::Kernel& kernel, const access::MemoryNest& nest) {
  std::vector<Digit> digits;
  for (std::size_t level = 0; level < nest.levels.size(); ++level) {
    for (const auto& loop : nest.levels[level].loops) {
      digits.push_back({loop.loop.index(), loop.trips, 0, static_cast<int>(level), false, 0});
    }
    for (const auto& loop : nest.levels[level].spatialLoops) {
      digits.push_back(
          {loop.loop.index(), loop.unroll, 0, static_cast<int>(level), true, loop.axis});
    }
  }
  Point span(kernel.loops.size(), 1);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    digit->stride = span[digit->loop];
    span[digit->loop] *= digit->trips;
  }
  return digits;
}

/// Every combination of the digits; the first one varies slowest.
std::vector<Point> countings(const std::vector<Digit>& digits) {
  std::vector<Point> out{{}};
  for (const Digit& digit : digits) {
    std::vector<Point> next;
    for (const Point& start : out) {
      for (std::int64_t i = 0; i < digit.trips; ++i) {
        next.push_back(start);
        next.back().push_back(i);
      }
    }
    out = std::move(next);
  }
  return out;
}

Point pointOf(const std::vector<Digit>& digits, const Point& counts, std::size_t loops) {
  Point point(loops, 0);
  for (std::size_t i = 0; i < digits.size(); ++i)
    point[digits[i].loop] += counts[i] * digits[i].stride;
  return point;
}

Element elementOf(const kernel::Access& access, const Point& point) {
  Element element;
  for (const auto& index : access.indices) {
    element.push_back(index.evaluate(point) - index.constant);
  }
  return element;
}

Elements tileAt(const kernel::Access& access, const Point& base, const std::vector<Point>& inner) {
  Elements tile;
  for (const Point& offset : inner) {
    Point point = base;
    for (std::size_t d = 0; d < point.size(); ++d) point[d] += offset[d];
    tile.insert(elementOf(access, point));
  }
  return tile;
}

/// One instance: its tile, and the last move of the tile.
struct Keeper {
  Elements tile;
  std::optional<Element> moved;
  Elements fetched;

  void moveTo(const Elements& next) {
    fetched = next;
    if (!tile.empty()) {
      Element move;
      int axes = 0;
      for (std::size_t d = 0; d < next.begin()->size(); ++d) {
        move.push_back((*next.begin())[d] - (*tile.begin())[d]);
        axes += move.back() != 0 ? 1 : 0;
      }
      const bool steady = !moved || *moved == move;
      if (steady && axes <= 1) {
        for (const Element& element : tile) fetched.erase(element);
      }
      moved = steady ? std::optional(move) : std::nullopt;
    }
    tile = next;
  }
};

class Watch {
 public:
  Watch(const kernel::Kernel& kernel, const access::MemoryNest& nest, std::size_t level,
        const kernel::Access& access)
      : m_access(access),
        m_loops(kernel.loops.size()),
        m_computes(level + 1 == nest.levels.size()) {
    std::vector<Digit> inner;
    for (const Digit& digit : digitsOf(kernel, nest)) {
      const bool here = digit.level == static_cast<int>(level);
      if (digit.level > static_cast<int>(level)) inner.push_back(digit);
      if (digit.spatial && here) m_spatial.push_back(digit);
      if (!digit.spatial && digit.level <= static_cast<int>(level)) m_times.push_back(digit);
    }
    for (const Point& counts : countings(inner)) m_inner.push_back(pointOf(inner, counts, m_loops));
    m_places = countings(m_spatial);
    m_keepers.resize(m_places.size());
  }

  WatchedAccesses run() {
    for (const Point& time : countings(m_times)) step(pointOf(m_times, time, m_loops));
    m_out.arriving /= static_cast<double>(m_places.size());
    m_out.distinct = static_cast<double>(m_seen.size());
    return m_out;
  }

 private:
  void step(const Point& base) {
    std::vector<Elements> before;
    for (const Keeper& keeper : m_keepers) before.push_back(keeper.fetched);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
      Point point = base;
      const Point offset = pointOf(m_spatial, m_places[i], m_loops);
      for (std::size_t d = 0; d < point.size(); ++d) point[d] += offset[d];
      const Elements tile = tileAt(m_access, point, m_inner);
      m_seen.insert(tile.begin(), tile.end());
      if (m_computes) {
        m_keepers[i].fetched = tile;
      } else {
        m_keepers[i].moveTo(tile);
      }
    }
    account(before);
  }

  void account(const std::vector<Elements>& before) {
    std::set<Elements> all;
    std::set<Elements> rest;
    double alone = 0;
    double handed = 0;
    for (std::size_t i = 0; i < m_keepers.size(); ++i) {
      const Elements& fetched = m_keepers[i].fetched;
      if (fetched.empty()) continue;
      all.insert(fetched);
      if (neighbourHad(i, fetched, before)) {
        handed += static_cast<double>(fetched.size());
      } else {
        rest.insert(fetched);
        alone += static_cast<double>(fetched.size());
      }
    }
    const bool hand = rest.size() < all.size();
    for (const Elements& one : hand ? rest : all) m_out.accesses += static_cast<double>(one.size());
    m_out.arriving += alone + (hand ? 0 : handed);
    m_out.handedOn += hand ? handed : 0;
  }

  bool neighbourHad(std::size_t self, const Elements& fetched,
                    const std::vector<Elements>& before) const {
    for (std::size_t other = 0; other < m_places.size(); ++other) {
      if (distance(self, other) == 1 && before[other] == fetched) return true;
    }
    return false;
  }

  std::int64_t distance(std::size_t a, std::size_t b) const {
    std::int64_t at[2][2] = {};
    for (std::size_t i = 0; i < m_spatial.size(); ++i) {
      const int axis = m_spatial[i].axis;
      at[0][axis] = at[0][axis] * m_spatial[i].trips + m_places[a][i];
      at[1][axis] = at[1][axis] * m_spatial[i].trips + m_places[b][i];
    }
    return std::abs(at[0][0] - at[1][0]) + std::abs(at[0][1] - at[1][1]);
  }

  const kernel::Access& m_access;
  std::size_t m_loops;
  bool m_computes;
  std::vector<Digit> m_times;
  std::vector<Digit> m_spatial;
  std::vector<Point> m_inner;
  std::vector<Point> m_places;
  std::vector<Keeper> m_keepers;
  Elements m_seen;
  WatchedAccesses m_out;
};

}  // namespace

std::vector<std::vector<WatchedAccesses>> watchNest(const kernel::Kernel& kernel,
                                                    const access::MemoryNest& nest) {
  std::vector<std::vector<WatchedAccesses>> out;
  for (std::size_t level = 0; level < nest.levels.size(); ++level) {
    out.emplace_back();
    for (const kernel::Access* access : access::nestAccesses(kernel)) {
      out.back().push_back(Watch(kernel, nest, level, *access).run());
    }
  }
  return out;
}

}  // namespace gridloom::test
