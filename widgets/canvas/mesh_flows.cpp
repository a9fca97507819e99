// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>
#include <bit>

#include "canvas/mesh_scene.h"
#include "mapping/all_reduce.h"
#include "mapping/partials.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

using mapping::DimMask;

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

/// Lines from every root along the dimensions of `along`, `first` first.
void addLines(Flow& flow, const Walker& walker, DimMask along, std::size_t first) {
  const auto lineTo = [&](std::size_t core, std::size_t dim, bool branch) {
    const std::size_t last = walker.farthest(core, dim);
    if (last == core) return;
    Flow::Line line{walker.cell(core), walker.cell(last), branch};
    if (flow.output) std::swap(line.from, line.to);
    flow.lines.push_back(line);
  };
  for (std::size_t root = 0; root < walker.cores(); ++root) {
    if (!flow.touches[root]) continue;
    if (std::popcount(along) < 2) {
      for (std::size_t d = 0; d < walker.dims(); ++d) {
        if (has(along, d)) lineTo(root, d, false);
      }
      continue;
    }
    lineTo(root, first, false);
    for (std::size_t d = 0; d < walker.dims(); ++d) {
      if (!has(along, d) || d == first) continue;
      for (std::int64_t c = 0; c < walker.size(first); ++c) {
        const std::size_t trunk = walker.stepped(root, first, c);
        if (walker.active(trunk)) lineTo(trunk, d, true);
      }
    }
  }
}

/// Lines from every core with a shared copy to the cores that read it.
void addReaders(Flow& flow, const Walker& walker, DimMask shared, DimMask finishing) {
  for (std::size_t core = 0; core < walker.cores(); ++core) {
    if (!walker.isRoot(core, shared | finishing)) continue;
    for (std::size_t d = 0; d < walker.dims(); ++d) {
      const std::size_t last = has(shared, d) ? walker.farthest(core, d) : core;
      if (last != core) flow.lines.push_back({walker.cell(core), walker.cell(last), true});
    }
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
QString joinedAlong(const MeshScene& scene, DimMask dims) {
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
  case mapping::MovementKind::Stationary:
    return QStringLiteral("stationary in the core that made it");
  case mapping::MovementKind::Forwarded:
    how = QStringLiteral("forwarded by the cores that make it");
    break;
  }
  if (move.shared != 0) {
    how += QStringLiteral(", one copy along %1").arg(namesOf(scene, move.shared, 0));
  }
  if (move.level == 0) how += QStringLiteral(", loaded once");
  return how + (move.buffers > 1 ? QStringLiteral(", double buffered")
                                 : QStringLiteral(", single buffer"));
}

Flow inputFlow(const MeshScene& scene, const Walker& walker, const kernel::Operand& operand,
               const mapping::InputMovement& move, DimMask finishing) {
  Flow flow;
  flow.operand = text(operand.name);
  flow.movement = movementOf(scene, move);
  const bool shared = move.along != 0;
  flow.stepped = move.kind == mapping::MovementKind::Stream;
  flow.touches = rootsOf(walker, move.along | move.shared | finishing);
  addReaders(flow, walker, move.shared, finishing);
  if (!shared) return flow;
  std::size_t first = move.first;
  if (!has(move.along, first)) first = static_cast<std::size_t>(std::countr_zero(move.along));
  if (move.along != 0) addLines(flow, walker, move.along, first);
  return flow;
}

Flow outputFlow(const MeshScene& scene, const Walker& walker, const kernel::Operand& operand,
                const mapping::OutputMovement& move, DimMask split) {
  Flow flow;
  flow.output = true;
  flow.operand = text(operand.name);
  DimMask along = split;
  QStringList how;
  if (split != 0 && move.reduction == mapping::ReductionTopology::None) {
    how << QStringLiteral("written by the cores that finish it");
    along = 0;
  } else if (split != 0) {
    const QString dims = joinedAlong(scene, split);
    how << (move.reduction == mapping::ReductionTopology::Tree
                ? QStringLiteral("partial sums meet in a tree along %1")
                : QStringLiteral("partial sums in a chain along %1"))
               .arg(dims);
    flow.stepped = move.reduction == mapping::ReductionTopology::Chain;
  }
  if (move.gather >= 0) {
    along |= 1U << static_cast<unsigned>(move.gather);
    how << QStringLiteral("gathered along %1")
               .arg(scene.dimNames[static_cast<std::size_t>(move.gather)]);
  }
  flow.movement =
      how.isEmpty() ? QStringLiteral("written by every core") : how.join(QStringLiteral(", "));
  flow.touches = rootsOf(walker, along | split);
  if (along != 0) addLines(flow, walker, along, static_cast<std::size_t>(std::countr_zero(along)));
  return flow;
}

// Flow of an all-reduce: to the core that combines the results, and back.
Flow meetingFlow(const MeshScene& scene, const Walker& walker, const QString& local,
                 mapping::ReductionTopology how, DimMask along) {
  Flow flow;
  flow.output = true;
  flow.isAllReduce = true;
  flow.operand = local;
  const auto first = static_cast<std::size_t>(std::countr_zero(along));
  flow.movement = (how == mapping::ReductionTopology::Tree
                       ? QStringLiteral("joined in a tree along %1, and sent back to all")
                       : QStringLiteral("joined in a chain along %1, and sent back to all"))
                      .arg(joinedAlong(scene, along));
  flow.stepped = how == mapping::ReductionTopology::Chain;
  flow.touches = rootsOf(walker, along);
  addLines(flow, walker, along, first);
  flow.touches.assign(flow.touches.size(), 0);
  return flow;
}

}  // namespace

std::vector<Flow> flowsOf(const MeshScene& scene, const hardware::Topology& topology,
                          const kernel::TileNest& nest, const mapping::Mapping& mapping) {
  const Walker walker(scene, topology);
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < nest.inputs.size() && i < mapping.inputs.size(); ++i) {
    const DimMask finishing = mapping::finishingDims(nest, nest.inputs[i], mapping);
    flows.push_back(inputFlow(scene, walker, nest.inputs[i], mapping.inputs[i], finishing));
  }
  for (std::size_t i = 0; i < nest.outputs.size() && i < mapping.outputs.size(); ++i) {
    const DimMask split = mapping::finishingDims(nest, nest.outputs[i], mapping);
    flows.push_back(outputFlow(scene, walker, nest.outputs[i], mapping.outputs[i], split));
    if (mapping.outputs[i].usesSharedBuffer()) {
      flows.back().movement +=
          QStringLiteral(", through %1").arg(text(topology.sharedBuffer().name));
    }
  }
  for (const std::size_t reduce : mapping::splitAllReduces(nest, mapping)) {
    const kernel::AllReduce& all = nest.allReduces[reduce];
    flows.push_back(meetingFlow(scene, walker, text(all.name), mapping.allReduces[reduce],
                                mapping::allReduceDims(all, mapping)));
  }
  for (std::size_t i = 0; i < flows.size(); ++i) flows[i].colour = static_cast<int>(i);
  return flows;
}

}  // namespace gridloom::widgets
