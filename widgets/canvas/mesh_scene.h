// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QRectF>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hardware/topology.h"
#include "mapping/mapping.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// Meaning of the colour of a core.
enum class Heat {
  None,
  Work,       ///< tile iterations of the core over those of the busiest core
  States,     ///< every state of the core over the simulated cycles
  Computing,  ///< shares of the simulated cycles from here on
  WaitingLoad,
  WaitingLink,
  WaitingDram,
  WaitingSync,
  WaitingStore,
  Idle,
  Lost,   ///< cycles lost to the selected step from the peak, over those of the run
  Moved,  ///< outputs of the core in B that another one computes in A, over its outputs
  State,  ///< what the core does at the selected cycle
};
constexpr int kHeats = 13;
QString titleOf(Heat heat);
/// A word or two, beside a scale; empty for what has none.
QString briefTitleOf(Heat heat);
/// One sentence that defines the heat.
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
  /// an all-reduce; no global memory takes part
  bool isAllReduce = false;
  std::vector<Line> lines;
  /// per core: it loads from (inputs) or writes to (outputs) global memory
  std::vector<std::uint8_t> touches;
};

/// A channel of the global memory, drawn beside the mesh.
struct MemoryBlock {
  int channel = 0;
  QString label;
  QRectF box;                      ///< in cells
  std::vector<int> ports;          ///< cells
  double use = -1;                 ///< utilization over the simulated cycles, -1 unknown
  double reads = -1, writes = -1;  ///< the same of either
  double change = 0;               ///< of `use` from A to B, while comparing
};

struct MeshMoment;

struct LinkUse {
  int from = 0, to = 0;  ///< cells
  float use = -1;        ///< utilization over the simulated cycles, -1 unknown
  float change = 0;      ///< of `use` from A to B, while comparing
};

/// A mesh as flat arrays, with a mapping and a simulation where they exist. Cells are the positions
/// of routers, row by row; cores lie on cells.
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
  std::vector<std::uint8_t> active;  ///< per core: it has work
  /// A core that no mapping uses: it is disabled, or on a line with one that is.
  struct Aside {
    int cell = 0;
    bool disabled = false;
    std::vector<std::int64_t> coordinates;  ///< as described
  };
  std::vector<Aside> asides;  ///< by cell
  std::vector<QString> dimNames;
  std::vector<int> coordinates;  ///< dims per core, flat
  std::vector<int> described;    ///< the same as in the description
  std::vector<Placed> placed;
  std::vector<Flow> flows;
  std::vector<MemoryBlock> memories;
  std::vector<LinkUse> links;
  /// The links that begin at cell c: linkOrder[linkBegin[c]] up to linkBegin[c + 1].
  std::vector<int> linkBegin, linkOrder;
  float leastLink = 0, mostLink = 0;  ///< utilization of any, where it is known
  Heat heat = Heat::None;
  std::vector<float> heatOfCore;  ///< shares; empty without heat
  /// Shares of the run per core, in parts of kWholeRun: a wafer has a million cores.
  using StateShares = std::array<std::uint8_t, simulate::kStates>;
  static constexpr float kWholeRun = 255;
  std::vector<StateShares> stateShares;               ///< empty but for Heat::States
  std::array<float, simulate::kStates> stateMeans{};  ///< over the cores with work
  float heatMost = 1;                                 ///< the share at the hot end of the scale
  bool compares = false;  ///< links and memories show their change from A
  double mostChange = 0;  ///< of any link or memory, as a share
  /// The run at the selected cycle; null: the whole run is shown.
  std::shared_ptr<const MeshMoment> moment = {};

  int coreCount() const { return static_cast<int>(cellOfCore.size()); }
  bool empty() const { return cellOfCore.empty(); }
  QPoint positionOf(int cell) const { return {cell % columns, cell / columns}; }
  /// The port of a channel that is nearest to where the channel is drawn.
  std::size_t nearestPort(const MemoryBlock& block) const;
  const MemoryBlock& memoryOf(int index) const { return memories[static_cast<std::size_t>(index)]; }
  /// Every channel is drawn, with a port.
  bool hasAllPorts(std::int64_t channels) const;
  /// The mesh and the memories around it, in cells.
  QRectF bounds() const;
  QString coordinatesText(int core) const;
  /// Null where no core is aside.
  const Aside* asideAt(int cell) const;
  QString describe(const Aside& aside) const;
  /// "i 3  j 5": the first tiles of a core.
  QString tilesText(int core) const;
  /// The heat of a core as a part of the scale; 0 without heat.
  float heatAt(std::size_t core) const {
    return core < heatOfCore.size() ? heatOfCore[core] / heatMost : 0.0F;
  }
  /// Shows what every core loses; the scale ends at the largest share.
  void showLost(std::vector<float> shares);
  /// The states of a core over the run.
  QString statesText(std::size_t core) const;
  /// The full description of a core, in several lines.
  QString describe(int core) const;
};

/// Largest mesh drawn, in cells.
constexpr std::int64_t kMostCells = 16'000'000;

/// The mesh without a mapping. `progress` may stop it, which leaves a part.
MeshScene sceneOf(const hardware::Topology& topology, const base::Progress* progress = nullptr);
/// Whether two scenes show the same machine, with any mappings.
bool sameMachine(const MeshScene& a, const MeshScene& b);
/// The mesh with one mapping, and its simulation where it exists. `progress` may stop it, which
/// leaves a part.
MeshScene sceneOf(const service::Hardware& hardware, const service::Kernel& kernel,
                  const mapping::Mapping& mapping, const simulate::Simulation* simulated, Heat heat,
                  const base::Progress* progress = nullptr);

/// Flows of all operands of a mapping; `scene` has its cells and active cores.
std::vector<Flow> flowsOf(const MeshScene& scene, const hardware::Topology& topology,
                          const kernel::TileNest& nest, const mapping::Mapping& mapping,
                          const mapping::Tiling& tiling);

}  // namespace gridloom::widgets
