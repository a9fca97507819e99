// SPDX-License-Identifier: Apache-2.0
#include "hardware/folded_grid.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

namespace gridloom::hardware {

namespace {

// Cores of one line, in the order of their coordinate.
using Line = std::vector<std::int64_t>;

// Limit on the lengths that are tried: those of a triangle with a thousand lines.
constexpr std::size_t kMostLengths = 4'096;

std::vector<Line> linesAlong(std::size_t dim, const Grid& grid, const std::vector<bool>& disabled) {
  std::vector<Line> lines(static_cast<std::size_t>(grid.sizes[1 - dim]));
  std::vector<std::int64_t> at(2);
  for (std::size_t core = 0; core < disabled.size(); ++core) {
    if (disabled[core]) continue;
    grid.pointOf(static_cast<std::int64_t>(core), at);
    lines[static_cast<std::size_t>(at[1 - dim])].push_back(static_cast<std::int64_t>(core));
  }
  std::erase_if(lines, [](const Line& line) { return line.empty(); });
  return lines;
}

// Which lines make one: `second` is not needed where it is `first`.
struct Fold {
  std::size_t first = 0, second = 0;
};

// The longest line that is left is continued by the shortest one that suffices: no other way makes
// more lines of this length. `lines` descend in length.
std::vector<Fold> foldsOf(const std::vector<Line>& lines, std::size_t length) {
  std::vector<Fold> folds;
  std::size_t end = lines.size();
  for (std::size_t i = 0; i < end; ++i) {
    if (lines[i].size() >= length) {
      folds.push_back({i, i});
      continue;
    }
    while (end > i + 1 && lines[i].size() + lines[end - 1].size() < length) --end;
    if (end <= i + 1) break;
    folds.push_back({i, --end});
  }
  return folds;
}

std::set<std::size_t> lengthsOf(const std::vector<Line>& lines) {
  std::set<std::size_t> single, lengths;
  for (const Line& line : lines) single.insert(line.size());
  for (const std::size_t a : single) {
    lengths.insert(a);
    for (const std::size_t b : single) {
      if (lengths.size() < kMostLengths) lengths.insert(a + b);
    }
  }
  return lengths;
}

struct Way {
  bool firstBackward = false, secondBackward = false;
};

// The cores line by line.
std::vector<std::int64_t> walked(const std::vector<Line>& lines, const std::vector<Fold>& folds,
                                 std::size_t length, Way way) {
  std::vector<std::int64_t> cores;
  const auto append = [&](Line line, bool backward, std::size_t end) {
    if (backward) std::ranges::reverse(line);
    for (std::size_t n = 0; n < line.size() && cores.size() < end; ++n) cores.push_back(line[n]);
  };
  for (const Fold& fold : folds) {
    const std::size_t end = cores.size() + length;
    append(lines[fold.first], way.firstBackward, end);
    if (fold.second != fold.first) append(lines[fold.second], way.secondBackward, end);
  }
  return cores;
}

// Steps on the described grid between all neighbours of the logical one.
std::int64_t stepsOf(const std::vector<std::int64_t>& cores, std::size_t length, const Grid& grid) {
  std::int64_t steps = 0;
  std::vector<std::int64_t> a(2), b(2);
  const auto add = [&](std::size_t from, std::size_t to) {
    grid.pointOf(cores[from], a);
    grid.pointOf(cores[to], b);
    steps += std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]);
  };
  for (std::size_t core = 0; core < cores.size(); ++core) {
    if ((core + 1) % length != 0) add(core, core + 1);
    if (core + length < cores.size()) add(core, core + length);
  }
  return steps;
}

std::vector<std::int64_t> nearestWalk(const std::vector<Line>& lines,
                                      const std::vector<Fold>& folds, std::size_t length,
                                      const Grid& grid) {
  std::vector<std::int64_t> best;
  std::int64_t least = 0;
  for (const Way way : {Way{false, false}, Way{false, true}, Way{true, false}, Way{true, true}}) {
    std::vector<std::int64_t> cores = walked(lines, folds, length, way);
    const std::int64_t steps = stepsOf(cores, length, grid);
    if (!best.empty() && steps >= least) continue;
    least = steps;
    best = std::move(cores);
  }
  return best;
}

// Row-major in the dimensions of the description.
FoldedGrid asGrid(const std::vector<std::int64_t>& cores, std::size_t length, std::size_t dim) {
  const std::size_t count = cores.size() / length;
  FoldedGrid out{{0, 0}, cores};
  out.sizes[dim] = static_cast<std::int64_t>(length);
  out.sizes[1 - dim] = static_cast<std::int64_t>(count);
  if (dim == 1) return out;
  for (std::size_t i = 0; i < cores.size(); ++i)
    out.cores[i % length * count + i / length] = cores[i];
  return out;
}

}  // namespace

FoldedGrid foldedGrid(const Grid& grid, const std::vector<bool>& disabled) {
  FoldedGrid best;
  if (grid.sizes.size() != 2) return best;
  for (const std::size_t dim : {std::size_t{1}, std::size_t{0}}) {
    std::vector<Line> lines = linesAlong(dim, grid, disabled);
    std::ranges::stable_sort(lines, std::greater<>(), &Line::size);
    std::size_t most = best.cores.size(), length = 0;
    for (const std::size_t each : lengthsOf(lines)) {
      const std::size_t used = each * foldsOf(lines, each).size();
      if (used <= most) continue;
      most = used;
      length = each;
    }
    if (length == 0) continue;
    std::vector<Fold> folds = foldsOf(lines, length);
    std::ranges::stable_sort(folds, {}, [&](const Fold& f) { return lines[f.first].front(); });
    best = asGrid(nearestWalk(lines, folds, length, grid), length, dim);
  }
  return best;
}

}  // namespace gridloom::hardware
