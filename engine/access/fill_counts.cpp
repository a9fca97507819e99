// SPDX-License-Identifier: Apache-2.0
#include "access/fill_counts.h"

#include <algorithm>
#include <utility>

#include "access/tile_window.h"

namespace gridloom::access {

namespace {

using Corner = std::vector<std::int64_t>;

struct TemporalLoop {
  std::size_t loop;
  std::int64_t trips;
  std::int64_t stride;  ///< elements per iteration
};

Corner cornerOf(const kernel::Access& access, const std::vector<std::int64_t>& point) {
  Corner corner;
  for (const affine::LinearExpr& index : access.indices) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < point.size(); ++d) at += index.coefficient(d) * point[d];
    corner.push_back(at);
  }
  return corner;
}

/// The instances below one memory: their positions, and the offsets of their tiles from the first
/// one's.
struct Instances {
  std::vector<std::vector<std::int64_t>> points;  ///< per instance: iteration of every loop
  std::vector<std::pair<std::size_t, std::size_t>> places;  ///< x, y
  std::vector<std::vector<std::size_t>> neighbours;
};

Instances instancesBelow(const NestLevel& level, std::vector<std::int64_t> stride) {
  Instances out;
  out.points.emplace_back(stride.size(), 0);
  out.places.emplace_back(0, 0);
  // Inner spatial loops step by one tile, outer ones by the span of the inner ones.
  std::vector<std::int64_t> steps(level.spatialLoops.size());
  for (std::size_t i = level.spatialLoops.size(); i-- > 0;) {
    steps[i] = stride[level.spatialLoops[i].loop.index()];
    stride[level.spatialLoops[i].loop.index()] *= level.spatialLoops[i].unroll;
  }
  for (std::size_t i = 0; i < level.spatialLoops.size(); ++i) {
    const SpatialLoop& spatial = level.spatialLoops[i];
    const auto unroll = static_cast<std::size_t>(spatial.unroll);
    Instances next;
    for (std::size_t old = 0; old < out.points.size(); ++old) {
      for (std::size_t way = 0; way < unroll; ++way) {
        auto point = out.points[old];
        point[spatial.loop.index()] += static_cast<std::int64_t>(way) * steps[i];
        auto [x, y] = out.places[old];
        (spatial.axis == 0 ? x : y) = (spatial.axis == 0 ? x : y) * unroll + way;
        next.points.push_back(std::move(point));
        next.places.emplace_back(x, y);
      }
    }
    out = std::move(next);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> at;
  for (std::size_t i = 0; i < out.places.size(); ++i) at[out.places[i]] = i;
  for (const auto& [x, y] : out.places) {
    std::vector<std::size_t> near;
    for (const auto& [dx, dy] : {std::pair{0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
      const auto found =
          at.find({x + static_cast<std::size_t>(dx), y + static_cast<std::size_t>(dy)});
      if (found != at.end()) near.push_back(found->second);
    }
    out.neighbours.push_back(std::move(near));
  }
  return out;
}

std::map<std::int64_t, double> groupsBySharers(const std::vector<Corner>& offsets,
                                               const std::vector<char>& served) {
  std::map<Corner, std::int64_t> sharers;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (!served[i]) ++sharers[offsets[i]];
  }
  std::map<std::int64_t, double> groups;
  for (const auto& [offset, count] : sharers) groups[count] += 1;
  return groups;
}

double total(const std::map<std::int64_t, double>& groups) {
  double out = 0;
  for (const auto& [sharers, count] : groups) out += count;
  return out;
}

/// Fills of one tensor below one memory.
class Stream {
 public:
  Stream(const kernel::Access& access, const Instances& instances, Corner widths, bool kept)
      : m_access(access),
        m_instances(instances),
        m_window(widths),
        m_widths(std::move(widths)),
        m_kept(kept) {
    for (const auto& point : instances.points) m_offsets.push_back(cornerOf(access, point));
    m_groups = groupsBySharers(m_offsets, std::vector<char>(m_offsets.size(), 0));
  }

  void step(const std::vector<std::int64_t>& point, double weight) {
    const Corner corner = cornerOf(m_access, point);
    Box box = m_kept ? m_window.moveTo(corner) : Box{corner, m_widths};
    if (!box.empty()) deliver(box, weight);
    m_last = std::move(box);
  }

  FillCounts take() { return std::move(m_out); }

 private:
  void deliver(const Box& box, double weight) {
    const double elements = box.elements() * weight;
    const std::vector<char> served = servedByNeighbours(box);
    const auto handed = static_cast<double>(std::ranges::count(served, 1));
    if (handed > 0) {
      const auto rest = groupsBySharers(m_offsets, served);
      if (total(rest) < total(m_groups)) {
        m_out.handedOn += handed * elements;
        for (const auto& [sharers, count] : rest) m_out.bySharers[sharers] += count * elements;
        return;
      }
    }
    for (const auto& [sharers, count] : m_groups) m_out.bySharers[sharers] += count * elements;
  }

  /// Instances whose part a neighbour fetched one step before.
  std::vector<char> servedByNeighbours(const Box& box) const {
    std::vector<char> served(m_offsets.size(), 0);
    if (m_offsets.size() < 2 || m_last.empty() || m_last.widths != box.widths) return served;
    Corner moved(box.corner.size());
    for (std::size_t d = 0; d < moved.size(); ++d) moved[d] = box.corner[d] - m_last.corner[d];
    for (std::size_t i = 0; i < m_offsets.size(); ++i) {
      for (const std::size_t near : m_instances.neighbours[i]) {
        bool same = true;
        for (std::size_t d = 0; same && d < moved.size(); ++d) {
          same = m_offsets[near][d] - m_offsets[i][d] == moved[d];
        }
        if (same) served[i] = 1;
      }
    }
    return served;
  }

  const kernel::Access& m_access;
  const Instances& m_instances;
  TileWindow m_window;
  Corner m_widths;
  bool m_kept;
  std::vector<Corner> m_offsets;
  std::map<std::int64_t, double> m_groups;
  Box m_last;
  FillCounts m_out;
};

class LevelWalk {
 public:
  LevelWalk(const kernel::Kernel& kernel, const MemoryNest& nest, std::size_t level, Sweep sweep)
      : m_sweep(sweep),
        m_point(kernel.loops.size(), 0),
        m_instances(instancesBelow(nest.levels[level], tileExtents(kernel, nest, level + 1))) {
    gatherLoops(kernel, nest, level);
    const auto tile = tileExtents(kernel, nest, level + 1);
    const bool kept = level + 1 < nest.levels.size();
    for (const kernel::Access* access : nestAccesses(kernel)) {
      m_streams.emplace_back(*access, m_instances, boxOf(*access, tile), kept);
    }
  }

  std::vector<FillCounts> run() {
    visit(0, 1);
    std::vector<FillCounts> out;
    for (Stream& stream : m_streams) out.push_back(stream.take());
    return out;
  }

 private:
  void gatherLoops(const kernel::Kernel& kernel, const MemoryNest& nest, std::size_t level) {
    for (std::size_t outer = 0; outer <= level; ++outer) {
      auto stride = tileExtents(kernel, nest, outer + 1);
      for (const SpatialLoop& spatial : nest.levels[outer].spatialLoops) {
        stride[spatial.loop.index()] *= spatial.unroll;
      }
      std::vector<TemporalLoop> here;
      const auto& loops = nest.levels[outer].loops;
      for (std::size_t i = loops.size(); i-- > 0;) {
        const std::size_t loop = loops[i].loop.index();
        if (loops[i].trips > 1) here.push_back({loop, loops[i].trips, stride[loop]});
        stride[loop] *= loops[i].trips;
      }
      m_loops.insert(m_loops.end(), here.rbegin(), here.rend());
    }
  }

  void visit(std::size_t depth, double weight) {
    if (depth == m_loops.size()) {
      for (Stream& stream : m_streams) stream.step(m_point, weight);
      return;
    }
    const TemporalLoop& loop = m_loops[depth];
    const std::int64_t start = m_point[loop.loop];
    visit(depth + 1, weight);
    const std::int64_t walked = m_sweep == Sweep::Full ? loop.trips : 2;
    const double each =
        m_sweep == Sweep::Full ? weight : weight * static_cast<double>(loop.trips - 1);
    for (std::int64_t i = 1; i < walked; ++i) {
      m_point[loop.loop] = start + i * loop.stride;
      visit(depth + 1, each);
    }
    m_point[loop.loop] = start;
  }

  Sweep m_sweep;
  std::vector<std::int64_t> m_point;
  Instances m_instances;
  std::vector<TemporalLoop> m_loops;
  std::vector<Stream> m_streams;
};

}  // namespace

double FillCounts::accesses() const { return total(bySharers); }

double FillCounts::arrivals() const {
  double out = 0;
  for (const auto& [sharers, elements] : bySharers) out += static_cast<double>(sharers) * elements;
  return out;
}

std::vector<std::vector<FillCounts>> fillCounts(const kernel::Kernel& kernel,
                                                const MemoryNest& nest, Sweep sweep) {
  std::vector<std::vector<FillCounts>> out;
  for (std::size_t level = 0; level < nest.levels.size(); ++level) {
    out.push_back(LevelWalk(kernel, nest, level, sweep).run());
  }
  return out;
}

double walkSteps(const MemoryNest& nest, Sweep sweep) {
  double steps = 1;
  double out = 0;
  for (const NestLevel& level : nest.levels) {
    for (const NestLoop& loop : level.loops) {
      if (loop.trips > 1) steps *= sweep == Sweep::Full ? static_cast<double>(loop.trips) : 2;
    }
    out += steps;
  }
  return out;
}

}  // namespace gridloom::access
