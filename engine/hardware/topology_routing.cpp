// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "hardware/topology.h"

namespace gridloom::hardware {

std::size_t Topology::hopTable(std::int64_t plane, std::size_t dim, Direction direction) const {
  const auto wrapped = static_cast<std::size_t>(plane % m_planes);
  return (wrapped * m_nodeGrid.size() + dim) * 2 + direction;
}

Topology::Run Topology::runAlong(std::int64_t plane, std::size_t dim, NodeId from,
                                 NodeId to) const {
  return runBetween(plane, dim, from, nodeCoordinate(from, dim), nodeCoordinate(to, dim));
}

Topology::Run Topology::runBetween(std::int64_t plane, std::size_t dim, NodeId from, std::int64_t a,
                                   std::int64_t b) const {
  if (a == b) return {};
  const std::int64_t size = m_nodeGrid[dim];
  const std::int64_t stride = m_nodeStride[dim];
  const auto links = [&](Direction direction, std::int64_t coordinate) {
    const auto& table = m_hops->hops[hopTable(plane, dim, direction)];
    const std::int64_t node = from.value() + (coordinate - a) * stride;
    return !table.empty() && table[static_cast<std::size_t>(node)].valid();
  };
  const bool up = b > a ? links(Up, a) : links(Up, size - 1);
  const bool down = b < a ? links(Down, a) : links(Down, 0);
  const Run upward{Up, b > a ? b - a : b - a + size};
  const Run downward{Down, b < a ? a - b : a - b + size};
  if (!down) return upward;
  if (!up) return downward;
  return upward.hops <= downward.hops ? upward : downward;
}

NodeId Topology::walk(std::int64_t plane, std::size_t dim, Run run, NodeId from, Route& out) const {
  if (run.hops == 0) return from;
  const LinkId* table = m_hops->hops[hopTable(plane, dim, run.direction)].data();
  const std::int64_t size = m_nodeGrid[dim];
  const std::int64_t step = run.direction == Up ? m_nodeStride[dim] : -m_nodeStride[dim];
  const std::int64_t start = nodeCoordinate(from, dim);
  // Hops to the wrap-around link, which leads back across the whole dimension.
  const std::int64_t toEdge = run.direction == Up ? size - 1 - start : start;
  std::int64_t node = from.value();
  const std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(run.hops));
  for (std::int64_t hop = 0; hop < run.hops; ++hop) {
    out[begin + static_cast<std::size_t>(hop)] = table[node];
    node += hop == toEdge ? -step * (size - 1) : step;
  }
  return NodeId(static_cast<std::int32_t>(node));
}

std::size_t Topology::dimAt(std::int64_t plane, std::size_t step) const {
  const bool firstDimFirst = plane % m_planes % 2 == 0;
  return firstDimFirst ? step : m_nodeGrid.size() - 1 - step;
}

void Topology::appendRoute(std::int64_t plane, NodeId from, NodeId to, Route& out) const {
  for (std::size_t step = 0; step < m_nodeGrid.size(); ++step) {
    const std::size_t dim = dimAt(plane, step);
    from = walk(plane, dim, runAlong(plane, dim, from, to), from, out);
  }
}

std::int64_t Topology::hopsBetween(std::int64_t plane, NodeId from, NodeId to) const {
  std::int64_t hops = 0;
  for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) hops += runAlong(plane, d, from, to).hops;
  return hops;
}

void Topology::route(std::int64_t plane, NodeId from, NodeId to, Route& out) const {
  out.clear();
  appendRoute(plane, from, to, out);
}

bool Topology::goesUpwards(std::int64_t plane, std::size_t meshDim) const {
  if (m_dims[meshDim].size < 2) return false;
  std::vector<std::int64_t> at(m_dims.size(), 0);
  const NodeId first = nodeOf(coreAt(at));
  at[meshDim] = 1;
  const NodeId second = nodeOf(coreAt(at));
  return hopsBetween(plane, first, second) < hopsBetween(plane, second, first);
}

bool Topology::wrapsAround(std::int64_t plane, std::size_t meshDim) const {
  if (m_dims[meshDim].size < 2) return false;
  std::vector<std::int64_t> at(m_dims.size(), 0);
  const NodeId first = nodeOf(coreAt(at));
  at[meshDim] = m_dims[meshDim].size - 1;
  const NodeId last = nodeOf(coreAt(at));
  std::int64_t upwards = 0;
  for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) {
    if (nodeCoordinate(first, d) == nodeCoordinate(last, d)) continue;
    const Run run = runAlong(plane, d, last, first);
    const bool rises = nodeCoordinate(first, d) < nodeCoordinate(last, d);
    if ((run.direction == Up) != rises) return false;
    ++upwards;
  }
  return upwards > 0;
}

/// Appends the links from one core to all cores of its line along a mesh dimension. Returns the
/// hops to the farthest one.
std::int64_t Topology::spread(std::int64_t plane, CoreId from, std::size_t meshDim,
                              Route& out) const {
  std::array<std::int64_t, kMostDims> at{};
  const std::span<std::int64_t> coordinates(at.data(), m_dims.size());
  coordinatesOf(from, coordinates);
  // Cores on one line of routers share the route to the farthest of them in each direction.
  std::array<std::array<std::int64_t, 2>, kMostDims> farthest{};
  std::int64_t depth = 0;
  const NodeId root = nodeOf(from);
  for (std::int64_t c = 0; c < m_dims[meshDim].size; ++c) {
    coordinates[meshDim] = c;
    const NodeId to = nodeOf(coreAt(coordinates));
    std::size_t moved = 0;
    std::size_t dim = 0;
    Run run;
    for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) {
      if (nodeCoordinate(root, d) == nodeCoordinate(to, d)) continue;
      ++moved;
      dim = d;
      run = runAlong(plane, d, root, to);
    }
    depth = std::max(depth, hopsBetween(plane, root, to));
    if (moved == 1) {
      farthest[dim][run.direction] = std::max(farthest[dim][run.direction], run.hops);
    } else if (moved > 1) {
      appendRoute(plane, root, to, out);
    }
  }
  for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) {
    walk(plane, d, {Up, farthest[d][Up]}, root, out);
    walk(plane, d, {Down, farthest[d][Down]}, root, out);
  }
  return depth;
}

Topology::Tree Topology::multicastTree(std::int64_t plane, CoreId root,
                                       std::span<const int> order) const {
  Tree tree;
  std::vector<CoreId> reached{root};
  std::vector<std::int64_t> coordinates(m_dims.size());
  for (const int d : order) {
    const auto dim = static_cast<std::size_t>(d);
    std::int64_t depth = 0;
    std::vector<CoreId> next;
    for (const CoreId core : reached) {
      depth = std::max(depth, spread(plane, core, dim, tree.links));
      coordinatesOf(core, coordinates);
      for (std::int64_t c = 0; c < m_dims[dim].size; ++c) {
        coordinates[dim] = c;
        next.push_back(coreAt(coordinates));
      }
    }
    tree.depth += depth;
    reached = std::move(next);
  }
  // Cores that share a router, and routes that overlap, list a link more than once.
  std::sort(tree.links.begin(), tree.links.end());
  tree.links.erase(std::unique(tree.links.begin(), tree.links.end()), tree.links.end());
  return tree;
}

}  // namespace gridloom::hardware
