// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>
#include <bit>

#include "canvas/mesh_scene.h"
#include "mapping/transfers.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

using mapping::DimMask;
using mapping::TransferStep;

bool has(DimMask mask, std::size_t dim) { return (mask >> dim & 1U) != 0; }

/// Iterates over the logical grid of active cores.
class Walker {
 public:
  Walker(const MeshScene& scene, const hardware::Topology& topology)
      : m_scene(scene), m_topology(topology), m_dims(topology.dims().size()) {}

  bool isRoot(std::size_t core, DimMask along) const {
    for (std::size_t d = 0; d < m_dims; ++d) {
      if (has(along, d) && m_scene.coordinates[core * m_dims + d] != 0) return false;
    }
    return m_scene.active[core] != 0;
  }
  /// The last active core from `core` along a dimension.
  std::size_t farthest(std::size_t core, std::size_t dim) const {
    std::vector<std::int64_t> at(
        m_scene.coordinates.begin() + static_cast<std::ptrdiff_t>(core * m_dims),
        m_scene.coordinates.begin() + static_cast<std::ptrdiff_t>((core + 1) * m_dims));
    std::size_t last = core;
    for (at[dim] = m_topology.dims()[dim].size - 1; at[dim] >= 0; --at[dim]) {
      last = m_topology.coreAt(at).index();
      if (m_scene.active[last]) break;
    }
    return last;
  }
  std::size_t stepped(std::size_t core, std::size_t dim, std::int64_t coordinate) const {
    std::vector<std::int64_t> at(
        m_scene.coordinates.begin() + static_cast<std::ptrdiff_t>(core * m_dims),
        m_scene.coordinates.begin() + static_cast<std::ptrdiff_t>((core + 1) * m_dims));
    at[dim] = coordinate;
    return m_topology.coreAt(at).index();
  }
  int cell(std::size_t core) const { return m_scene.cellOfCore[core]; }
  std::size_t cores() const { return m_scene.active.size(); }
  std::size_t dims() const { return m_dims; }
  std::int64_t size(std::size_t dim) const { return m_topology.dims()[dim].size; }
  bool active(std::size_t core) const { return m_scene.active[core] != 0; }

 private:
  const MeshScene& m_scene;
  const hardware::Topology& m_topology;
  std::size_t m_dims;
};

std::vector<std::uint8_t> rootsOf(const Walker& walker, DimMask along) {
  std::vector<std::uint8_t> roots(walker.cores());
  for (std::size_t core = 0; core < roots.size(); ++core)
    roots[core] = walker.isRoot(core, along) ? 1 : 0;
  return roots;
}

/// Lines along the dimensions that a step crosses, from every core at coordinate 0 of them; along
/// two dimensions, a trunk along the first one and branches along the other.
void addLines(Flow& flow, const Walker& walker, const TransferStep& step, bool branch) {
  const bool towardsRoot =
      (step.reduces() && !step.isRing()) || step.kind == TransferStep::Kind::Gather;
  const auto lineTo = [&](std::size_t core, std::size_t dim, bool isBranch) {
    const std::size_t last = walker.farthest(core, dim);
    if (last == core) return;
    Flow::Line line{walker.cell(core), walker.cell(last), isBranch};
    if (towardsRoot) std::swap(line.from, line.to);
    flow.lines.push_back(line);
    // A ring closes: back from the last core to the first.
    if (step.isRing() || step.kind == TransferStep::Kind::Rotate)
      flow.lines.push_back({line.to, line.from, true});
  };
  const std::size_t first = step.first;
  for (std::size_t root = 0; root < walker.cores(); ++root) {
    if (!walker.isRoot(root, step.zero | step.along)) continue;
    if (has(step.along, first)) lineTo(root, first, branch);
    for (std::size_t d = 0; d < walker.dims(); ++d) {
      if (!has(step.along, d) || d == first) continue;
      for (std::int64_t c = 0; c < walker.size(first); ++c) {
        const std::size_t trunk = walker.stepped(root, first, c);
        if (walker.active(trunk)) lineTo(trunk, d, true);
      }
    }
  }
}

/// The lines of all steps between cores, and the cores that load or store.
void addSteps(Flow& flow, const Walker& walker, const mapping::Transfers& transfers) {
  bool branch = false;
  for (const TransferStep& step : transfers.steps) {
    const bool global = step.from == mapping::Memory::Global || step.to == mapping::Memory::Global;
    if (global || step.kind == TransferStep::Kind::Forward)
      flow.touches = rootsOf(walker, step.zero);
    if (step.along == 0) continue;
    const bool copies = step.kind == TransferStep::Kind::SharedCopy;
    addLines(flow, walker, step, copies || branch);
    branch = branch || step.kind == TransferStep::Kind::Multicast;
    flow.stepped |= step.kind == TransferStep::Kind::Stream ||
                    step.kind == TransferStep::Kind::Chain || step.isRing() ||
                    step.kind == TransferStep::Kind::Rotate;
  }
}

QString namesOf(const MeshScene& scene, DimMask along, std::size_t first) {
  QStringList names;
  if (has(along, first)) names << scene.dimNames[first];
  for (std::size_t d = 0; d < scene.dimNames.size(); ++d) {
    if (has(along, d) && d != first) names << scene.dimNames[d];
  }
  return names.join(QStringLiteral(", then "));
}

/// Dimensions of a reduction; partial results move along the last one first.
QString reducedAlong(const MeshScene& scene, DimMask dims) {
  QStringList names;
  for (std::size_t d = scene.dimNames.size(); d-- > 0;) {
    if (has(dims, d)) names << scene.dimNames[d];
  }
  return names.join(QStringLiteral(", then "));
}

QString movementOf(const MeshScene& scene, const mapping::InputMovement& move) {
  const QString dims = namesOf(scene, move.along, move.first);
  QString how;
  switch (move.kind) {
  case mapping::MovementKind::Direct:
    how = QStringLiteral("loaded by every core");
    break;
  case mapping::MovementKind::Multicast:
    how = QStringLiteral("multicast along %1").arg(dims);
    break;
  case mapping::MovementKind::TwoStage:
    how = QStringLiteral("two-stage multicast along %1").arg(dims);
    break;
  case mapping::MovementKind::Stream:
    how = QStringLiteral("streamed along %1").arg(dims);
    break;
  case mapping::MovementKind::AllGather:
    how = QStringLiteral("gathered around a ring along %1, each core loads a share").arg(dims);
    break;
  case mapping::MovementKind::Stationary:
    return QStringLiteral("stationary in the core that made it");
  case mapping::MovementKind::Forwarded:
    how = QStringLiteral("forwarded by the cores that make it");
    break;
  case mapping::MovementKind::Rotate:
    how = QStringLiteral("rotating along %1").arg(dims);
    break;
  }
  if (move.shared != 0) {
    how += QStringLiteral(", one copy along %1").arg(namesOf(scene, move.shared, 0));
  }
  if (move.level == 0) how += QStringLiteral(", loaded once");
  return how + (move.buffers > 1 ? QStringLiteral(", double buffered")
                                 : QStringLiteral(", single buffer"));
}

QString movementOf(const MeshScene& scene, const mapping::OutputMovement& move, DimMask split) {
  QStringList how;
  if (split != 0 && move.reduction == mapping::ReductionTopology::None) {
    how << QStringLiteral("written by the cores that finish it");
  } else if (move.reduction == mapping::ReductionTopology::ReduceScatter) {
    how << QStringLiteral("partial sums in a ring along %1, each core stores a share")
               .arg(reducedAlong(scene, split));
  } else if (split != 0) {
    how << (move.reduction == mapping::ReductionTopology::Tree
                ? QStringLiteral("partial sums meet in a tree along %1")
                : QStringLiteral("partial sums in a chain along %1"))
               .arg(reducedAlong(scene, split));
  }
  if (move.gather >= 0) {
    how << QStringLiteral("gathered along %1")
               .arg(scene.dimNames[static_cast<std::size_t>(move.gather)]);
  }
  return how.isEmpty() ? QStringLiteral("written by every core") : how.join(QStringLiteral(", "));
}

Flow flowOf(const MeshScene& scene, const Walker& walker, const std::string& operand,
            const mapping::Transfers& transfers) {
  Flow flow;
  flow.operand = text(operand);
  flow.touches.assign(scene.active.size(), 0);
  addSteps(flow, walker, transfers);
  return flow;
}

// To the core that combines the results, and back on the same lines.
Flow allReduceFlow(const MeshScene& scene, const Walker& walker, const std::string& local,
                   const mapping::Transfers& transfers) {
  mapping::Transfers there;
  for (const TransferStep& step : transfers.steps) {
    if (step.reduces()) there.steps.push_back(step);
  }
  Flow flow = flowOf(scene, walker, local, there);
  flow.output = true;
  flow.isAllReduce = true;
  flow.movement = (there.has(TransferStep::Kind::Tree)
                       ? QStringLiteral("reduced in a tree along %1, and sent back to all")
                       : QStringLiteral("reduced in a chain along %1, and sent back to all"))
                      .arg(reducedAlong(scene, transfers.sameTile));
  return flow;
}

}  // namespace

std::vector<Flow> flowsOf(const MeshScene& scene, const hardware::Topology& topology,
                          const kernel::TileNest& nest, const mapping::Mapping& mapping,
                          const mapping::Tiling& tiling) {
  const Walker walker(scene, topology);
  const mapping::TransferPlan plan = mapping::transferPlan(nest, topology, mapping, tiling);
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    Flow& flow = flows.emplace_back(flowOf(scene, walker, nest.inputs[i].name, plan.inputs[i]));
    flow.movement = movementOf(scene, mapping.inputs[i]);
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    Flow& flow = flows.emplace_back(flowOf(scene, walker, nest.outputs[o].name, plan.outputs[o]));
    flow.output = true;
    flow.movement = movementOf(scene, mapping.outputs[o], plan.outputs[o].absent);
    for (const mapping::TransferStep& step : plan.outputs[o].steps) {
      if (!step.to.isShared()) continue;
      const std::string& memory = topology.sharedBuffer(step.to.level()).name;
      flow.movement += QStringLiteral(", through %1").arg(text(memory));
    }
  }
  for (std::size_t r = 0; r < plan.allReduces.size(); ++r) {
    if (plan.allReduces[r].steps.empty()) continue;
    flows.push_back(allReduceFlow(scene, walker, nest.allReduces[r].name, plan.allReduces[r]));
  }
  for (std::size_t i = 0; i < flows.size(); ++i) flows[i].colour = static_cast<int>(i);
  return flows;
}

}  // namespace gridloom::widgets
