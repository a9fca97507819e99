// SPDX-License-Identifier: Apache-2.0
//
// The description of transfers against a slow walk: every core's elements, step by step.
#include "mapping/transfers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "mapping/rotation.h"
#include "support/problem.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::meshWithSharedBuffer;
using test::meshWithTwoSharedBuffers;
using test::Problem;
using test::smallMesh;
using test::withSharedMemories;
using Kind = TransferStep::Kind;
using Coordinates = std::vector<std::int64_t>;
using Elements = std::set<std::vector<std::int64_t>>;

/// One wave of a mapping, core by core.
class Walk {
 public:
  Walk(const Problem& p, const Mapping& m)
      : m_p(p), m_m(m), m_t(tilingOf(m, p.kernel, p.hw)), m_skews(skewsOf(m, m_t)) {
    Coordinates at(p.hw.dims().size(), 0);
    collect(at, 0);
  }

  const std::vector<Coordinates>& cores() const { return m_cores; }
  const Tiling& tiling() const { return m_t; }

  /// The elements of an operand that a core's tiles access, from the accesses of the kernel: the
  /// loops outside `level` stand at the iterations `waves`, the others run.
  Elements needed(const kernel::Operand& operand, const Coordinates& core, int level,
                  const std::map<std::size_t, std::int64_t>& waves) const {
    std::vector<std::vector<std::int64_t>> indices(m_p.kernel.loops.size());
    for (std::size_t l = 0; l < indices.size(); ++l) {
      const LoopTiling& loop = m_t.loops[l];
      const std::int64_t way = Tiling::unrollIndexOf(m_m, m_p.hw, LoopId::of(l), core.data());
      for (std::int64_t wave = 0; wave < loop.trips; ++wave) {
        if (isOutside(l, level) && wave != waveAt(l, waves.at(l), core)) continue;
        const std::int64_t tile = m_t.tileOf(LoopId::of(l), wave, way);
        for (std::int64_t e = 0; e < m_t.elementsOf(LoopId::of(l), tile); ++e)
          indices[l].push_back(tile * loop.tileSize + e);
      }
    }
    Elements out;
    for (const kernel::Statement& statement : m_p.kernel.statements) {
      for (const kernel::Access& read : statement.reads) {
        if (!operand.output && read.tensor == operand.tensor) add(out, read, indices);
      }
      if (operand.output && statement.target.tensor == operand.tensor)
        add(out, statement.target, indices);
    }
    return out;
  }

  /// A random wave of every temporal loop.
  std::map<std::size_t, std::int64_t> someWaves(std::mt19937_64& random) const {
    std::map<std::size_t, std::int64_t> waves;
    for (std::size_t l = 0; l < m_t.loops.size(); ++l) {
      const auto trips = static_cast<std::uint64_t>(m_t.loops[l].trips);
      waves[l] = static_cast<std::int64_t>(random() % trips);
    }
    return waves;
  }

  /// All cores that differ from one along `along` only.
  std::vector<Coordinates> groupOf(const Coordinates& core, DimMask along) const {
    std::vector<Coordinates> group;
    for (const Coordinates& other : m_cores) {
      bool same = true;
      for (std::size_t d = 0; d < core.size(); ++d) {
        if ((along >> d & 1U) == 0 && other[d] != core[d]) same = false;
      }
      if (same) group.push_back(other);
    }
    return group;
  }

 private:
  // The wave of a loop that a core works on in an iteration.
  std::int64_t waveAt(std::size_t loop, std::int64_t iteration, const Coordinates& core) const {
    for (std::size_t p = 0; p < m_m.order.size(); ++p) {
      if (m_m.order[p].index() != loop) continue;
      std::int64_t delay = 0;
      for (std::size_t d = 0; d < core.size(); ++d) {
        if ((m_skews[p].along >> d & 1U) != 0) delay += core[d];
      }
      return m_skews[p].waveAt(iteration, delay);
    }
    return iteration;
  }

  bool isOutside(std::size_t loop, int level) const {
    for (int p = 0; p < level; ++p) {
      if (m_m.order[static_cast<std::size_t>(p)].index() == loop) return true;
    }
    return false;
  }

  // Active cores: every spatial loop has a tile for them in the first wave.
  void collect(Coordinates& at, std::size_t d) {
    if (d < at.size()) {
      const std::int64_t size = m_m.space[d].valid() ? m_p.hw.dims()[d].size : 1;
      for (at[d] = 0; at[d] < size; ++at[d]) collect(at, d + 1);
      at[d] = 0;
      return;
    }
    for (std::size_t l = 0; l < m_t.loops.size(); ++l) {
      const std::int64_t way = Tiling::unrollIndexOf(m_m, m_p.hw, LoopId::of(l), at.data());
      if (m_t.elementsOf(LoopId::of(l), way) == 0) return;
    }
    m_cores.push_back(at);
  }

  void add(Elements& out, const kernel::Access& access,
           const std::vector<std::vector<std::int64_t>>& indices) const {
    std::vector<std::int64_t> point(indices.size(), 0);
    const auto visit = [&](auto&& self, std::size_t l) -> void {
      if (l == indices.size()) {
        std::vector<std::int64_t> element;
        for (const affine::LinearExpr& index : access.indices)
          element.push_back(index.evaluate(point));
        out.insert(std::move(element));
        return;
      }
      const bool used = std::ranges::any_of(
          access.indices, [&](const affine::LinearExpr& i) { return i.coefficient(l) != 0; });
      if (!used && !indices[l].empty()) return self(self, l + 1);
      for (const std::int64_t value : indices[l]) {
        point[l] = value;
        self(self, l + 1);
      }
    };
    visit(visit, 0);
  }

  const Problem& m_p;
  const Mapping& m_m;
  Tiling m_t;
  std::vector<LoopSkew> m_skews;
  std::vector<Coordinates> m_cores;
};

bool isIn(const CoordinateClass& cls, const Coordinates& at) {
  bool other = cls.other == 0;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if ((cls.zero >> d & 1U) != 0 && at[d] != 0) return false;
    if ((cls.other >> d & 1U) != 0 && at[d] != 0) other = true;
  }
  return other;
}

/// A ring of cores: each holds its share of what all need, and passes on what it got last.
void followRing(const Walk& walk, const TransferStep& step,
                std::map<Coordinates, Elements>& holds) {
  std::map<Coordinates, Elements> last = holds;
  std::size_t longest = 0;
  for (const Coordinates& core : walk.cores())
    longest = std::max(longest, walk.groupOf(core, step.along).size());
  for (std::size_t round = 1; round < longest; ++round) {
    std::map<Coordinates, Elements> next;
    for (const auto& [core, share] : last) {
      const std::vector<Coordinates> line = walk.groupOf(core, step.along);
      if (round >= line.size()) continue;
      Coordinates to = core;
      to[step.first] = (core[step.first] + 1) % static_cast<std::int64_t>(line.size());
      next[to] = share;
    }
    for (const auto& [core, share] : next) {
      for (const auto& element : share)
        EXPECT_TRUE(holds[core].insert(element).second) << "a share comes once";
    }
    last = std::move(next);
  }
}

/// The part of a tile that a core of a ring loads.
Elements shareOf(const Walk& walk, const Elements& tile, const Coordinates& core,
                 const TransferStep& ring) {
  const auto cores = static_cast<std::int64_t>(walk.groupOf(core, ring.along).size());
  const auto elements = static_cast<std::int64_t>(tile.size());
  const std::int64_t each = base::ceilDiv(elements, cores), from = each * core[ring.first];
  Elements share;
  std::int64_t n = 0;
  for (const auto& element : tile) {
    if (n >= from && n < from + each) share.insert(element);
    ++n;
  }
  return share;
}

/// Follows the steps of an input: what each core holds after them.
void checkInput(const Problem& p, const Mapping& m, std::size_t i, std::mt19937_64& random) {
  const Walk walk(p, m);
  const kernel::Operand& operand = p.nest.inputs[i];
  const Transfers transfers = inputTransfers(p.nest, m, walk.tiling(), i, m.inputs[i]);
  const auto waves = walk.someWaves(random);
  std::map<Coordinates, Elements> needed, holds;
  std::map<std::size_t, std::map<Coordinates, Elements>> shared;  // by level, of a group's root
  for (const Coordinates& core : walk.cores()) {
    if (isIn({transfers.absent, 0}, core))
      needed[core] = walk.needed(operand, core, transfers.level, waves);
  }
  for (const TransferStep& step : transfers.steps) {
    const auto deliver = [&](const Coordinates& to, const Elements& what) {
      EXPECT_FALSE(holds.contains(to)) << "a core gets its tile once";
      holds[to] = what;
    };
    if (step.kind == Kind::Load) {
      for (const Coordinates& core : walk.cores()) {
        if (!isIn(step.sinks(), core)) continue;
        Elements loaded = walk.needed(operand, core, step.level, waves);
        if (transfers.has(Kind::AllGather))
          loaded = shareOf(walk, loaded, core, transfers.steps.back());
        EXPECT_LE(bytesOf(operand.dtype, static_cast<std::int64_t>(loaded.size())), step.bytes);
        if (step.to.isShared()) {
          shared[step.to.level()][core] = loaded;
        } else {
          deliver(core, loaded);
        }
      }
      continue;
    }
    if (step.kind == Kind::AllGather) {
      followRing(walk, step, holds);
      continue;
    }
    for (const Coordinates& source : walk.cores()) {
      if (!isIn({step.zero | step.along, 0}, source)) continue;
      const bool fed = step.from.isShared();
      const auto& has = fed ? shared[step.from.level()] : holds;
      ASSERT_TRUE(has.contains(source)) << "it sends what it has";
      const Elements sent = fed ? walk.needed(operand, source, step.level, waves) : holds[source];
      EXPECT_TRUE(std::ranges::includes(has.at(source), sent)) << "a part of what it holds";
      for (const Coordinates& sink : walk.groupOf(source, step.along)) {
        if (!isIn(step.sinks(), sink)) continue;
        if (step.to.isShared()) {
          EXPECT_TRUE(shared[step.to.level()].emplace(sink, sent).second) << "once";
        } else {
          deliver(sink, sent);
        }
      }
    }
  }
  for (const auto& [core, elements] : needed) {
    ASSERT_TRUE(holds.contains(core)) << operand.name << " never reaches a core";
    EXPECT_TRUE(std::ranges::includes(holds[core], elements)) << operand.name;
  }
  EXPECT_EQ(holds.size(), needed.size()) << "no core gets what it does not use";
}

/// Follows the tiles of an input through a round of a rotation, iteration by iteration: what each
/// core holds is what its accesses need when the rotated loops are skewed. Every tile is loaded
/// once.
void checkRotation(const Problem& p, const Mapping& m, std::size_t i, std::mt19937_64& random) {
  const Walk walk(p, m);
  const kernel::Operand& operand = p.nest.inputs[i];
  const Transfers transfers = inputTransfers(p.nest, m, walk.tiling(), i, m.inputs[i]);
  ASSERT_EQ(transfers.steps.size(), 2u);
  const TransferStep &load = transfers.steps[0], &step = transfers.steps[1];
  ASSERT_EQ(load.kind, Kind::Load);
  ASSERT_EQ(step.kind, Kind::Rotate);
  auto iterations = walk.someWaves(random);
  std::int64_t& sum = iterations[m.order[m.inputs[i].level - 1u].index()];
  const std::int64_t round = skewsOf(m, walk.tiling())[m.inputs[i].level - 1u].period;
  sum -= sum % round;
  const auto needed = [&](const Coordinates& core) {
    return walk.needed(operand, core, transfers.level, iterations);
  };
  std::map<Coordinates, Elements> holds;
  for (const Coordinates& core : walk.cores()) {
    if (!isIn(load.sinks(), core)) continue;
    holds[core] = needed(core);
    EXPECT_LE(bytesOf(operand.dtype, static_cast<std::int64_t>(holds[core].size())), load.bytes);
    for (const Coordinates& mate : walk.groupOf(core, step.along)) {
      if (mate < core) {
        EXPECT_NE(holds[mate], holds[core]) << "a line loads different tiles";
      }
    }
  }
  EXPECT_EQ(holds.size(), walk.cores().size());
  for (std::int64_t t = 1; t < round; ++t) {
    ++sum;
    std::map<Coordinates, Elements> next;
    for (const auto& [core, tile] : holds) {
      ASSERT_TRUE(isIn(step.sources(), core) && isIn(step.sinks(), core));
      Coordinates to = core;
      const auto line = static_cast<std::int64_t>(walk.groupOf(core, step.along).size());
      to[step.first] = (core[step.first] + 1) % line;
      next[to] = tile;
    }
    holds = std::move(next);
    for (const Coordinates& core : walk.cores())
      EXPECT_TRUE(std::ranges::includes(holds[core], needed(core))) << operand.name << " at " << t;
  }
}

using Shares = std::multiset<Coordinates>;

/// Where a core sends in a step towards coordinate 0, round by round; nothing where it does not.
std::vector<std::pair<Coordinates, Coordinates>> sendsOf(const Walk& walk,
                                                         const TransferStep& step) {
  std::vector<std::pair<Coordinates, Coordinates>> sends;
  const std::size_t d = step.first;
  std::int64_t longest = 1;
  for (const Coordinates& core : walk.cores()) longest = std::max(longest, core[d] + 1);
  const auto line = [&](const Coordinates& core) {
    return static_cast<std::int64_t>(walk.groupOf(core, DimMask{1} << d).size());
  };
  const auto moved = [&](Coordinates core, std::int64_t to) {
    core[d] = to;
    return core;
  };
  if (step.kind == Kind::Tree) {
    for (std::int64_t by = 1; by < longest; by *= 2) {
      for (const Coordinates& core : walk.cores()) {
        if (isIn({step.zero, 0}, core) && core[d] % (2 * by) == by)
          sends.emplace_back(core, moved(core, core[d] - by));
      }
    }
    return sends;
  }
  for (std::int64_t n = 1; n < longest; ++n) {
    for (const Coordinates& core : walk.cores()) {
      if (!isIn({step.zero, 0}, core) || core[d] == 0) continue;
      const std::int64_t last = line(core) - 1;
      if (step.kind == Kind::Gather) {
        if (core[d] == n) sends.emplace_back(core, moved(core, 0));
      } else if (step.direction < 0) {
        if (core[d] == last + 1 - n) sends.emplace_back(core, moved(core, core[d] - 1));
      } else if (core[d] == n) {
        sends.emplace_back(core, moved(core, core[d] == last ? 0 : core[d] + 1));
      }
    }
  }
  return sends;
}

/// Follows a line of cores that reduces a tile in shares: in every round each core sends on the
/// share that it reduced last. Each ends with another share, and all cores' results in it.
void checkScatter(const Walk& walk, const TransferStep& step, Coordinates core,
                  const Elements& tile) {
  const auto cores = walk.groupOf(core, step.along).size();
  std::vector<std::vector<std::set<std::size_t>>> parts(cores);  // by core and share
  for (std::size_t c = 0; c < cores; ++c) parts[c].assign(cores, {c});
  for (std::size_t round = 0; round + 1 < cores; ++round) {
    auto next = parts;
    for (std::size_t c = 0; c < cores; ++c) {
      const std::size_t share = (c + cores - round) % cores, to = (c + 1) % cores;
      for (const std::size_t part : parts[c][share])
        EXPECT_TRUE(next[to][share].insert(part).second) << "every result once";
    }
    parts = std::move(next);
  }
  Elements stored;
  for (std::size_t c = 0; c < cores; ++c) {
    const std::size_t share = (c + 1) % cores;
    EXPECT_EQ(parts[c][share].size(), cores);
    core[step.first] = static_cast<std::int64_t>(share);
    const Elements elements = shareOf(walk, tile, core, step);
    stored.insert(elements.begin(), elements.end());
    EXPECT_LE(elements.size() * 2, static_cast<std::size_t>(step.bytes)) << "sums of 2 bytes";
  }
  EXPECT_EQ(stored, tile);
}

/// Follows partial results: the cores that store hold the shares of all that made the same tile.
void checkOutput(const Problem& p, const Mapping& m, std::size_t o, std::mt19937_64& random) {
  const Walk walk(p, m);
  const kernel::Operand& operand = p.nest.outputs[o];
  const Transfers transfers = outputTransfers(p.nest, p.hw, m, walk.tiling(), o, m.outputs[o]);
  const auto waves = walk.someWaves(random);
  std::map<Elements, Shares> made;
  std::map<Coordinates, Shares> holds;
  std::map<Coordinates, Elements> tile;
  for (const Coordinates& core : walk.cores()) {
    tile[core] = walk.needed(operand, core, transfers.level, waves);
    if (m.outputs[o].reduction == ReductionTopology::None && !isIn({transfers.absent, 0}, core))
      continue;
    if (!tile[core].empty()) made[tile[core]].insert(core);
    holds[core] = {core};
  }
  std::map<Coordinates, std::vector<Coordinates>> gathered;
  for (const TransferStep& step : transfers.steps) {
    if (step.kind == Kind::ReduceScatter) {
      for (const Coordinates& core : walk.cores()) {
        if (core[step.first] == 0) checkScatter(walk, step, core, tile[core]);
        made.erase(tile[core]);
      }
      break;  // each core stores its share
    }
    if (step.kind == Kind::Store) {
      for (const Coordinates& core : walk.cores()) {
        if (!isIn(step.sources(), core)) continue;
        if (step.to == Memory::Global && !tile[core].empty()) {
          EXPECT_EQ(holds[core], made[tile[core]]) << "every share once";
          made.erase(tile[core]);
        }
      }
      for (auto& [root, others] : gathered) {
        for (const Coordinates& other : others) {
          if (!step.to.isShared()) made.erase(tile[other]);
        }
      }
      continue;
    }
    for (const auto& [from, to] : sendsOf(walk, step)) {
      if (step.kind == Kind::Gather) {
        gathered[to].push_back(from);
        continue;
      }
      ASSERT_TRUE(holds.contains(from)) << "it sends once";
      holds[to].insert(holds[from].begin(), holds[from].end());
      holds.erase(from);
    }
  }
  EXPECT_TRUE(made.empty()) << "every tile is stored";
}

/// Follows an all-reduce: afterwards all cores of a group hold every share once.
void checkAllReduce(const Problem& p, const Mapping& m, std::size_t r) {
  const Walk walk(p, m);
  const Transfers transfers =
      allReduceTransfers(p.nest, p.hw, m, walk.tiling(), r, m.allReduces[r]);
  std::map<Coordinates, Shares> holds;
  for (const Coordinates& core : walk.cores()) holds[core] = {core};
  for (const TransferStep& step : transfers.steps) {
    if (step.reduces()) {
      for (const auto& [from, to] : sendsOf(walk, step)) {
        holds[to].insert(holds[from].begin(), holds[from].end());
        holds.erase(from);
      }
      continue;
    }
    for (const Coordinates& source : walk.cores()) {
      if (!isIn({step.zero | step.along, 0}, source)) continue;
      for (const Coordinates& sink : walk.groupOf(source, step.along)) {
        if (isIn(step.sinks(), sink)) holds[sink] = holds[source];
      }
    }
  }
  for (const Coordinates& core : walk.cores()) {
    Shares all;
    for (const Coordinates& mate : walk.groupOf(core, transfers.sameTile)) all.insert(mate);
    EXPECT_EQ(holds[core], all);
  }
}

/// A mapping in which an input rotates, where that is possible.
std::optional<Mapping> withRotation(const Problem& p, std::uint64_t seed) {
  Constraints wanted;
  wanted.inputs[static_cast<int>(seed % p.nest.inputs.size())].kind = MovementKind::Rotate;
  const Axes axes =
      makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, wanted);
  return sampleMapping(p.kernel, p.nest, p.hw, axes, wanted, seed);
}

std::string randomMesh(std::mt19937_64& random) {
  const int columns = 2 + static_cast<int>(random() % 3), rows = 1 + static_cast<int>(random() % 3);
  switch (random() % 6) {
  case 0:
    return meshWithSharedBuffer(columns, rows, 65536, 65536, random() % 2 == 0);
  case 1:
    return withSharedMemories(smallMesh(columns, rows), random() % 2 == 0 ? "y" : "x");
  case 2:
    return meshWithTwoSharedBuffers(columns, rows, 65536, 65536);
  case 3:
    return test::smallTorus(columns, rows, random() % 2 == 0);
  default:
    return smallMesh(columns, rows);
  }
}

TEST(Transfers, ReachEveryCoreOnceWithWhatItsAccessesNeed) {
  std::mt19937_64 random(20261122);
  int checked = 0, rings = 0, scattered = 0, rotated = 0;
  const char* const kernels[] = {
      "kernel gemm(M = 7, N = 10, K = 6) {\n  tensor A[M, K]: f16\n  tensor B[K, N]: f16\n"
      "  tensor C[M, N]: f16\n  C[i, j] = sum(k) A[i, k] * B[k, j]\n}\n",
      "kernel gemv(M = 9, K = 8) {\n  tensor A[M, K]: f16\n  tensor x[K]: f16\n"
      "  tensor y[M]: f16\n  y[i] = sum(k) A[i, k] * x[k]\n}\n",
      "kernel window(C = 3, H = 8, F = 4, R = 3, P = H - R + 1) {\n  tensor I[C, H]: f16\n"
      "  tensor K[F, C, R]: f16\n  tensor O[F, P]: f16\n"
      "  O[f, p] = sum(c, r) I[c, p + r] * K[f, c, r]\n}\n",
      "kernel softmax(M = 6, N = 12) {\n  tensor X[M, N]: f16\n  tensor Y[M, N]: f16\n"
      "  local m[M]: f32\n  local e[M, N]: f32\n  local l[M]: f32\n  m[i] = max(j) X[i, j]\n"
      "  e[i, j] = exp(X[i, j] - m[i])\n  l[i] = sum(j) e[i, j]\n  Y[i, j] = e[i, j] / l[i]\n}\n",
      "kernel ttm(I = 4, J = 3, L = 6, K = 5) {\n  tensor A[I, J, L]: f32\n  tensor B[L, K]: f32\n"
      "  tensor C[I, J, K]: f32\n  C[i, j, k] = sum(l) A[i, j, l] * B[l, k]\n}\n",
  };
  for (int n = 0; n < 360; ++n) {
    const std::string mesh = randomMesh(random);
    const Problem p = makeProblem(mesh, kernels[static_cast<std::size_t>(n) % std::size(kernels)]);
    Mapping m = test::randomMapping(p, random());
    if (n % 2 == 0) m = withRotation(p, random()).value_or(m);
    if (m.inputs.empty() && !p.nest.inputs.empty()) continue;
    if (n % 3 == 0) m = test::withRings(p, m, random());
    rings += static_cast<int>(
        std::ranges::count(m.inputs, MovementKind::AllGather, &InputMovement::kind));
    scattered += static_cast<int>(std::ranges::count(m.outputs, ReductionTopology::ReduceScatter,
                                                     &OutputMovement::reduction));
    SCOPED_TRACE(mesh + "\n" + describe(p.kernel, p.nest, p.hw, m));
    for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
      const kernel::Operand& input = p.nest.inputs[i];
      if (!input.guard.always() || input.produced) continue;
      if (m.inputs[i].kind == MovementKind::Rotate) {
        checkRotation(p, m, i, random);
        ++rotated;
      } else {
        checkInput(p, m, i, random);
      }
    }
    for (std::size_t o = 0; o < p.nest.outputs.size(); ++o) checkOutput(p, m, o, random);
    for (std::size_t r = 0; r < p.nest.allReduces.size(); ++r) checkAllReduce(p, m, r);
    ++checked;
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, 150);
  EXPECT_GT(rings, 20);
  EXPECT_GT(scattered, 10);
  EXPECT_GT(rotated, 10);
}

TEST(Transfers, ATwoStageMulticastSendsAlongOneDimensionAfterTheOther) {
  const TransferSteps steps = inputSteps({MovementKind::TwoStage, 3, 1}, 4);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].sinks(), (CoordinateClass{7, 0})) << "the core at coordinate 0 loads";
  EXPECT_EQ(steps[1].along, DimMask{2});
  EXPECT_EQ(steps[1].sources(), (CoordinateClass{7, 0}));
  EXPECT_EQ(steps[1].sinks(), (CoordinateClass{5, 2}));
  EXPECT_EQ(steps[2].sources(), (CoordinateClass{5, 0})) << "each of the line sends on";
}

TEST(Transfers, AReductionGoesAlongTheLastDimensionFirst) {
  const auto p = makeProblem(smallMesh(4, 2), "gemm");
  const TransferSteps steps = outputSteps({ReductionTopology::Chain}, 3, p.hw);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].along, DimMask{2});
  EXPECT_EQ(steps[1].zero, DimMask{2}) << "those at coordinate 0 go on";
  EXPECT_EQ(steps[2].sources(), (CoordinateClass{3, 0})) << "one core stores";
}

}  // namespace
}  // namespace gridloom::mapping
