// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QRectF>
#include <QString>
#include <vector>

#include "hardware/topology.h"
#include "mapping/mapping.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// What the colour of a core says.
enum class Heat {
  None,
  Work,       ///< tile iterations of the core over those of the busiest core
  Computing,  ///< shares of the simulated cycles from here on
  WaitingLoad,
  WaitingLink,
  WaitingDram,
  WaitingSync,
  WaitingStore,
  Idle,
};
constexpr int kHeats = 9;
QString titleOf(Heat heat);
/// One sentence that defines it.
QString meaningOf(Heat heat);

/// Movement of one operand over the mesh.
struct Flow {
  struct Line {
    int from = 0, to = 0;  ///< cells
    bool branch = false;   ///< second dimension of a two-dimensional multicast
  };
  QString operand;
  QString movement;  ///< "multicast along x, double buffered"
  int colour = 0;    ///< index of its colour
  bool output = false;
  bool stepped = false;  ///< goes from neighbour to neighbour
  bool isAllReduce =
      false;  ///< results of all cores, joined and sent back; no memory has a part in it
  std::vector<Line> lines;
  std::vector<std::uint8_t>
      touches;  ///< per core: it loads (inputs) or writes (outputs) global memory
};

/// A channel of the global memory, drawn beside the mesh.
struct MemoryBlock {
  int channel = 0;
  QString label;
  QRectF box;              ///< in cells
  std::vector<int> ports;  ///< cells
  double use = -1;         ///< share of the simulated cycles it was busy, -1 unknown
};

struct LinkUse {
  int from = 0, to = 0;  ///< cells
  double use = -1;       ///< share of the simulated cycles, -1 unknown
};

/// A mesh as flat arrays, with a mapping and a simulation when there are any. Cells are the places of
/// routers, row by row; cores sit on cells.
struct MeshScene {
  struct Placed {
    QString loop;
    std::vector<std::int32_t> way;  ///< per core: its share of the loop's tiles
    std::int64_t unroll = 1, tiles = 1, tileSize = 1;
  };

  QString hardware;
  int columns = 0, rows = 0;
  std::vector<int> coreOfCell;  ///< -1: no core there
  std::vector<int> cellOfCore;
  std::vector<std::uint8_t> enabled;  ///< per core
  std::vector<std::uint8_t> active;   ///< per core: it has work
  std::vector<QString> dimNames;
  std::vector<int> coordinates;  ///< dims per core, flat
  std::vector<Placed> placed;
  std::vector<Flow> flows;
  std::vector<MemoryBlock> memories;
  std::vector<LinkUse> links;
  Heat heat = Heat::None;
  std::vector<float> heatOfCore;  ///< shares; empty without heat

  int coreCount() const { return static_cast<int>(cellOfCore.size()); }
  bool empty() const { return cellOfCore.empty(); }
  QPoint positionOf(int cell) const { return {cell % columns, cell / columns}; }
  /// Everything drawn, in cells: the mesh and the memories around it.
  QRectF bounds() const;
  QString coordinatesText(int core) const;
  /// "i 3  j 5": the first tiles of a core.
  QString tilesText(int core) const;
  /// Several lines that say all there is to say about a core.
  QString describe(int core) const;
};

/// Largest mesh drawn, in cells.
constexpr std::int64_t kMostCells = 16'000'000;

/// The mesh without a mapping.
MeshScene sceneOf(const hardware::Topology& topology);
/// Whether two scenes show the same machine, whatever runs on it.
bool sameMachine(const MeshScene& a, const MeshScene& b);
/// The mesh with one mapping, and its simulation when there is one.
MeshScene sceneOf(const service::Hardware& hardware, const service::Kernel& kernel,
                  const mapping::Mapping& mapping, const simulate::Simulation* simulated,
                  Heat heat);

/// Flows of all operands of a mapping; `scene` has its cells and active cores.
std::vector<Flow> flowsOf(const MeshScene& scene, const hardware::Topology& topology,
                          const kernel::TileNest& nest, const mapping::Mapping& mapping);

}  // namespace gridloom::widgets
