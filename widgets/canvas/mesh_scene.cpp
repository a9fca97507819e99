// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_scene.h"

#include <algorithm>
#include <numeric>

#include "canvas/memory_places.h"
#include "canvas/mesh_heat.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

/// Column and row of a router; dimensions beyond two are side by side. Cores that share a router
/// are one below the other, in cells of their own.
class Plane {
 public:
  explicit Plane(const hardware::Topology& topology)
      : grid(topology.nodeGrid().begin(), topology.nodeGrid().end()) {
    std::vector<std::int64_t> onNode(static_cast<std::size_t>(topology.nodeCount()));
    for (std::size_t core = 0; core < static_cast<std::size_t>(topology.coreCount()); ++core) {
      const auto node = topology.nodeOf(hardware::CoreId::of(core)).index();
      mateOfCore.push_back(onNode[node]++);
      mates = std::max(mates, onNode[node]);
    }
    for (const hardware::Topology::CoreAside& aside : topology.coresAside()) {
      const auto node = aside.node.index();
      mateOfAside.push_back(onNode[node]++);
      mates = std::max(mates, onNode[node]);
    }
    columns = grid.empty() ? 1 : grid[0];
    rows = (grid.size() > 1 ? grid[1] : 1) * mates;
    for (std::size_t d = 2; d < grid.size(); ++d) columns *= grid[d];
    // A wafer asks for millions of them, one or two for each link.
    std::vector<std::int64_t> at(grid.size(), 0);
    cells.reserve(onNode.size());
    for (std::size_t node = 0; node < onNode.size(); ++node)
      cells.push_back(firstCellOf(static_cast<std::int64_t>(node), at));
  }
  int cellOf(hardware::NodeId node, std::int64_t mate = 0) const {
    return cells[node.index()] + static_cast<int>(mate * columns);
  }
  std::vector<std::int64_t> mateOfCore;   ///< index among the cores on its router
  std::vector<std::int64_t> mateOfAside;  ///< of Topology::coresAside, behind those
  std::int64_t columns = 1, rows = 1, mates = 1;

 private:
  int firstCellOf(std::int64_t rest, std::vector<std::int64_t>& at) const {
    for (std::size_t d = grid.size(); d-- > 0;) {
      at[d] = rest % grid[d];
      rest /= grid[d];
    }
    std::int64_t column = 0;
    for (std::size_t d = grid.size(); d-- > 2;) column = column * grid[d] + at[d];
    column = column * (grid.empty() ? 1 : grid[0]) + (at.empty() ? 0 : at[0]);
    const std::int64_t row = (at.size() > 1 ? at[1] : 0) * mates;
    return static_cast<int>(row * columns + column);
  }

  std::vector<std::int64_t> grid;
  std::vector<int> cells;  ///< per router: that of its first core
};

/// Links by the cell at which they begin, so that only visible ones are drawn.
void sortLinks(MeshScene& scene) {
  scene.linkBegin.assign(scene.coreOfCell.size() + 1, 0);
  for (const LinkUse& link : scene.links) {
    if (link.from >= 0) ++scene.linkBegin[static_cast<std::size_t>(link.from) + 1];
  }
  std::partial_sum(scene.linkBegin.begin(), scene.linkBegin.end(), scene.linkBegin.begin());
  scene.linkOrder.resize(static_cast<std::size_t>(scene.linkBegin.back()));
  std::vector<int> next(scene.linkBegin.begin(), scene.linkBegin.end() - 1);
  for (std::size_t l = 0; l < scene.links.size(); ++l) {
    if (scene.links[l].from < 0) continue;
    int& at = next[static_cast<std::size_t>(scene.links[l].from)];
    scene.linkOrder[static_cast<std::size_t>(at++)] = static_cast<int>(l);
  }
}

/// Looks at the progress at some of many steps.
bool isStopped(const base::Progress* progress, std::size_t step) {
  constexpr std::size_t kPerLook = 4096;
  return step % kPerLook == 0 && progress != nullptr && progress->cancelled();
}

void addLinks(MeshScene& scene, const hardware::Topology& topology, const Plane& plane,
              const base::Progress* progress) {
  const auto channels = static_cast<std::size_t>(topology.global().channels);
  constexpr std::size_t kMostBlocks = 256;
  scene.memories.resize(std::min(channels, kMostBlocks));
  for (std::size_t i = 0; i < scene.memories.size(); ++i) {
    scene.memories[i].channel = static_cast<int>(i);
    scene.memories[i].label = QString::number(i);
  }
  scene.links.reserve(topology.links().size());
  for (const hardware::Link& link : topology.links()) {
    if (isStopped(progress, scene.links.size())) return;
    if (link.kind == hardware::Link::Kind::Hop) {
      scene.links.push_back({plane.cellOf(link.from), plane.cellOf(link.to), -1});
    } else {
      scene.links.push_back({-1, -1, -1});
      if (link.kind == hardware::Link::Kind::ReadPort &&
          link.channel.index() < scene.memories.size()) {
        scene.memories[link.channel.index()].ports.push_back(plane.cellOf(link.to));
      }
    }
  }
  placeMemories(scene);
  sortLinks(scene);
}

void addTiles(MeshScene& scene, const hardware::Topology& topology, const kernel::Kernel& kernel,
              const mapping::Mapping& mapping, const mapping::Tiling& tiling) {
  const std::size_t dims = topology.dims().size();
  for (const kernel::LoopId loop : mapping.space) {
    const bool known =
        std::any_of(scene.placed.begin(), scene.placed.end(), [&](const auto& placed) {
          return loop.valid() && placed.loop == text(kernel.loop(loop).name);
        });
    if (!loop.valid() || known) continue;
    const mapping::LoopTiling& split = tiling.loops[loop.index()];
    scene.placed.push_back(
        {text(kernel.loop(loop).name), {}, split.unroll, split.tiles, split.tileSize});
    std::vector<std::int32_t>& way = scene.placed.back().way;
    way.resize(static_cast<std::size_t>(topology.coreCount()));
    std::vector<std::int64_t> at(dims);
    for (std::size_t core = 0; core < way.size(); ++core) {
      topology.coordinatesOf(hardware::CoreId::of(core), at);
      way[core] = static_cast<std::int32_t>(
          mapping::Tiling::unrollIndexOf(mapping, topology, loop, at.data()));
    }
  }
  for (std::size_t core = 0; core < scene.active.size(); ++core) {
    bool active = true;
    for (std::size_t d = 0; d < dims; ++d) {
      if (!mapping.space[d].valid() && scene.coordinates[core * dims + d] != 0) active = false;
    }
    for (const auto& placed : scene.placed) active = active && placed.way[core] < placed.tiles;
    scene.active[core] = active ? 1 : 0;
  }
}

}  // namespace

QRectF MeshScene::bounds() const {
  QRectF box(0, 0, columns, rows);
  for (const MemoryBlock& memory : memories) {
    if (!memory.ports.empty()) box = box.united(memory.box);
  }
  return box;
}

bool sameMachine(const MeshScene& a, const MeshScene& b) {
  const auto sameBox = [](const MemoryBlock& x, const MemoryBlock& y) {
    return x.box == y.box && x.label == y.label && x.ports == y.ports;
  };
  const auto sameAside = [](const MeshScene::Aside& x, const MeshScene::Aside& y) {
    return x.cell == y.cell && x.disabled == y.disabled;
  };
  const auto sameEnds = [](const LinkUse& x, const LinkUse& y) {
    return x.from == y.from && x.to == y.to;
  };
  return a.hardware == b.hardware && a.columns == b.columns && a.rows == b.rows &&
         a.coreOfCell == b.coreOfCell && a.dimNames == b.dimNames &&
         std::equal(a.asides.begin(), a.asides.end(), b.asides.begin(), b.asides.end(),
                    sameAside) &&
         std::equal(a.memories.begin(), a.memories.end(), b.memories.begin(), b.memories.end(),
                    sameBox) &&
         std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(), sameEnds);
}

MeshScene sceneOf(const hardware::Topology& topology, const base::Progress* progress) {
  MeshScene scene;
  scene.hardware = text(topology.name());
  if (topology.nodeCount() > kMostCells) return scene;
  const Plane plane(topology);
  scene.columns = static_cast<int>(plane.columns);
  scene.rows = static_cast<int>(plane.rows);
  scene.coreOfCell.assign(static_cast<std::size_t>(plane.columns * plane.rows), -1);
  const auto cores = static_cast<std::size_t>(topology.coreCount());
  const std::size_t dims = topology.dims().size();
  for (const auto& dim : topology.dims()) scene.dimNames.push_back(text(dim.name));
  scene.cellOfCore.resize(cores);
  scene.coordinates.resize(cores * dims);
  scene.described.resize(cores * dims);
  std::vector<std::int64_t> at(dims);
  for (std::size_t core = 0; core < cores; ++core) {
    if (isStopped(progress, core)) return scene;
    const auto id = hardware::CoreId::of(core);
    scene.cellOfCore[core] = plane.cellOf(topology.nodeOf(id), plane.mateOfCore[core]);
    scene.coreOfCell[static_cast<std::size_t>(scene.cellOfCore[core])] = static_cast<int>(core);
    topology.coordinatesOf(id, at);
    for (std::size_t d = 0; d < dims; ++d)
      scene.coordinates[core * dims + d] = static_cast<int>(at[d]);
    topology.describedCoordinates(id, at);
    for (std::size_t d = 0; d < dims; ++d)
      scene.described[core * dims + d] = static_cast<int>(at[d]);
  }
  scene.active.assign(cores, 1);
  for (std::size_t i = 0; i < topology.coresAside().size(); ++i) {
    const hardware::Topology::CoreAside& aside = topology.coresAside()[i];
    scene.asides.push_back(
        {plane.cellOf(aside.node, plane.mateOfAside[i]), aside.disabled, aside.coordinates});
  }
  std::ranges::sort(scene.asides, {}, &MeshScene::Aside::cell);
  addLinks(scene, topology, plane, progress);
  return scene;
}

MeshScene sceneOf(const service::Hardware& hardware, const service::Kernel& kernel,
                  const mapping::Mapping& mapping, const simulate::Simulation* simulated, Heat heat,
                  const base::Progress* progress) {
  const auto stopped = [progress] { return progress && progress->cancelled(); };
  MeshScene scene = sceneOf(hardware.topology, progress);
  if (scene.empty() || !kernel.nest || stopped()) return scene;
  const mapping::Tiling tiling = mapping::tilingOf(mapping, kernel.kernel, hardware.topology);
  addTiles(scene, hardware.topology, kernel.kernel, mapping, tiling);
  if (stopped()) return scene;
  scene.flows = flowsOf(scene, hardware.topology, *kernel.nest, mapping, tiling);
  scene.heat = heat >= Heat::States && !simulated ? Heat::Work : heat;
  if (scene.heat == Heat::Work) addWorkHeat(scene);
  if (simulated) addSimulation(scene, hardware.topology, *simulated, scene.heat);
  return scene;
}

}  // namespace gridloom::widgets
