// SPDX-License-Identifier: Apache-2.0
//
// Which tiles of an output the tiles of the nest need (mapping/dependences.h).
#include <algorithm>

#include "affine/integer_set.h"
#include "mapping/dependences.h"

namespace gridloom::mapping {

namespace {

using affine::LinearExpr;
using kernel::Difference;
using kernel::GuardPart;
using kernel::Operand;
using kernel::TileNest;

/// The pairs of a tile that reads through a window and a tile that makes what it reads, as a set
/// over the reader's tile numbers, its elements, and the maker's tile numbers.
class TilePairs {
 public:
  TilePairs(const TileNest& nest, const std::vector<std::int64_t>& tileSize, const Operand& window,
            const GuardPart& part)
      : m_nest(nest), m_block(tileSize) {
    const Operand& made = *std::ranges::find(nest.outputs, window.tensor, &Operand::tensor);
    for (std::size_t d = 0; d < window.dims.size(); ++d) addDim(made.dims[d], window.dims[d]);
    for (const Difference& d : part.tiles) addDifference(d, false);
    for (const Difference& d : part.elements) addDifference(d, true);
    for (const TileNest::End& end : nest.ends) addPair(end.sum, end.by);
  }

  void collect(SignCombinations& known, std::vector<std::vector<int>>& out) const {
    std::vector<LinearExpr> distances;
    for (const Pair& pair : m_pairs) distances.push_back(pair.distance);
    for (const SignCombinations::Signs& found : known.of(m_set, distances)) {
      std::vector<int> signs(m_block.size(), 0);
      for (std::size_t p = 0; p < found.size(); ++p) signs[m_pairs[p].loop.index()] = found[p];
      const bool own = std::ranges::all_of(m_nest.parallel,
                                           [&](LoopId loop) { return signs[loop.index()] == 0; });
      if (!own && std::ranges::find(out, signs) == out.end()) out.push_back(std::move(signs));
    }
  }

 private:
  struct Pair {
    LoopId loop;
    LinearExpr distance;  ///< reader's tile minus maker's
  };

  std::int64_t tilesOf(LoopId loop) const {
    return base::ceilDiv(m_nest.extents[loop.index()], m_block[loop.index()]);
  }

  std::size_t variable(std::vector<std::pair<LoopId, std::size_t>>& of, LoopId loop,
                       std::int64_t extent) {
    for (const auto& [known, at] : of) {
      if (known == loop) return at;
    }
    of.emplace_back(loop, m_set.extents.size());
    m_set.extents.push_back(extent);
    return m_set.extents.size() - 1;
  }

  LinearExpr tile(LoopId loop) { return LinearExpr::dim(variable(m_tiles, loop, tilesOf(loop))); }
  LinearExpr maker(LoopId loop) {
    const bool same = std::ranges::find(m_same, loop) != m_same.end();
    return same ? tile(loop) : LinearExpr::dim(variable(m_makers, loop, tilesOf(loop)));
  }

  void require(LinearExpr atLeastZero) { m_set.constraints.push_back({atLeastZero, false}); }

  // An element lies in its tile.
  LinearExpr element(LoopId loop) {
    const std::size_t before = m_elements.size();
    const LinearExpr x = LinearExpr::dim(variable(m_elements, loop, m_nest.extents[loop.index()]));
    if (m_elements.size() > before) {
      const std::int64_t size = m_block[loop.index()];
      require(x - tile(loop) * size);
      require(tile(loop) * size + LinearExpr::number(size - 1) - x);
    }
    return x;
  }

  void addDifference(const Difference& d, bool elements) {
    const auto value = [&](LoopId loop) {
      if (!loop.valid()) return LinearExpr::number(0);
      return elements ? element(loop) : tile(loop);
    };
    require(value(d.a) - value(d.b) - LinearExpr::number(d.least));
  }

  static LoopId loopOf(const kernel::RegionDim& dim) {
    for (std::size_t l = 0; l < dim.index.coefficients.size(); ++l) {
      if (dim.index.coefficients[l] != 0) return LoopId::of(l);
    }
    return {};
  }

  // The maker's tile overlaps the region that the window reads along a dimension.
  void addDim(const kernel::RegionDim& made, const kernel::RegionDim& read) {
    const LoopId loop = loopOf(made), from = loopOf(read);
    if (loop == from && read.minOffset == 0 && read.maxOffset == 0) {
      m_same.push_back(loop);
      return;
    }
    const std::int64_t size = m_block[loop.index()];
    LinearExpr first = LinearExpr::number(read.minOffset),
               last = LinearExpr::number(read.maxOffset);
    if (from.valid()) {
      const LinearExpr origin = tile(from) * m_block[from.index()];
      first = first + origin;
      last = last + origin + LinearExpr::number(m_block[from.index()] - 1);
      if (read.behind) last = origin - LinearExpr::number(1);
    }
    require(maker(loop) * size + LinearExpr::number(size - 1) - first);
    require(last - maker(loop) * size);
    addPair(loop, loop);
  }

  void addPair(LoopId reader, LoopId made) {
    if (tilesOf(reader) > 1) m_pairs.push_back({reader, tile(reader) - maker(made)});
  }

  const TileNest& m_nest;
  const std::vector<std::int64_t>& m_block;
  affine::IntegerSet m_set;
  std::vector<std::pair<LoopId, std::size_t>> m_tiles, m_elements, m_makers;
  std::vector<LoopId> m_same;
  std::vector<Pair> m_pairs;
};

// Whether another window holds what a tile needs of those before it along a dimension.
bool hasWindowBehind(const TileNest& nest, kernel::TensorId tensor, std::size_t dim) {
  return std::ranges::any_of(nest.inputs, [&](const Operand& other) {
    return other.produced && other.tensor == tensor && other.dims[dim].behind;
  });
}

// Whether a tile needs elements of its own time step from neighbouring tiles. A window one step
// behind does not contain them.
bool readsWithinStep(const TileNest& nest, const Operand& window,
                     const std::vector<std::int64_t>& tileSize) {
  bool behind = false, neighbours = false;
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const kernel::RegionDim& dim = window.dims[d];
    const std::size_t maker = window.makers[d].index();
    if (!dim.index.dependsOn(maker)) {
      neighbours = neighbours || tileSize[maker] < nest.extents[maker];
    }
    for (const LoopId loop : window.loops) {
      if (!dim.index.dependsOn(loop.index())) continue;
      const std::int64_t size = tileSize[loop.index()];
      if (dim.behind) {
        behind = size > -dim.maxOffset;
      } else if (dim.maxOffset > 0 ||
                 (dim.minOffset < 0 && !hasWindowBehind(nest, window.tensor, d))) {
        neighbours = neighbours || size < nest.extents[loop.index()];
      }
    }
  }
  return behind && neighbours;
}

// Whether the tiles of several outputs are read back.
bool needsSeveralOutputs(const TileNest& nest) {
  const Operand* first = nullptr;
  return std::ranges::any_of(nest.inputs, [&](const Operand& window) {
    if (!window.produced) return false;
    if (first == nullptr) first = &window;
    return window.tensor != first->tensor;
  });
}

}  // namespace

bool isWavefront(const TileNest& nest) {
  const auto behindOf = [](const Operand& window) {
    return std::ranges::find(window.dims, true, &kernel::RegionDim::behind) - window.dims.begin();
  };
  return std::ranges::any_of(nest.inputs, [&](const Operand& a) {
    const auto dim = behindOf(a);
    if (!a.produced || dim == std::ssize(a.dims)) return false;
    return std::ranges::any_of(nest.inputs, [&](const Operand& b) {
      const auto other = behindOf(b);
      return b.produced && b.tensor == a.tensor && other != std::ssize(b.dims) && other != dim;
    });
  });
}

TileDependences tileDependences(const TileNest& nest, const std::vector<std::int64_t>& tileSize,
                                SignCombinations& known) {
  TileDependences all(nest.inputs.size());
  const bool oneOrder = isWavefront(nest) || needsSeveralOutputs(nest);
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    const Operand& window = nest.inputs[i];
    if (!window.produced) continue;
    all[i].withinStep = readsWithinStep(nest, window, tileSize);
    all[i].oneOrder = oneOrder;
    const std::vector<GuardPart> everywhere{GuardPart{}};
    for (const GuardPart& part : window.guard.always() ? everywhere : window.guard.parts) {
      TilePairs(nest, tileSize, window, part).collect(known, all[i].vectors);
    }
    std::ranges::sort(all[i].vectors);
  }
  return all;
}

}  // namespace gridloom::mapping
