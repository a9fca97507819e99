// SPDX-License-Identifier: Apache-2.0
#include "report/loop_nest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "mapping/all_reduce.h"
#include "mapping/transfers.h"
#include "report/resource_text.h"

namespace gridloom::report {

namespace {

using kernel::LoopId;

class LoopNestWriter {
 public:
  LoopNestWriter(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                 const hardware::Topology& hw, const mapping::Mapping& mapping)
      : m_kernel(kernel),
        m_nest(nest),
        m_hw(hw),
        m_mapping(mapping),
        m_resources(hw),
        m_tiling(mapping::tilingOf(mapping, kernel, hw)),
        m_plan(mapping::transferPlan(nest, hw, mapping, m_tiling)),
        m_outputLevel(mapping::outputLevel(nest, mapping.order)) {}

  std::vector<NestItem> write() {
    openCores();
    for (int level = 0; level <= depth(); ++level) {
      writeTransfers(level);
      if (level < depth()) openLoop(m_mapping.order[static_cast<std::size_t>(level)]);
    }
    writeBody();
    for (int level = depth(); level >= 0; --level) {
      if (level == m_outputLevel) finishOutputs();
      m_items.push_back({});
    }
    return std::move(m_items);
  }

 private:
  int depth() const { return static_cast<int>(m_mapping.order.size()); }
  const std::string& dimName(std::size_t d) const { return m_hw.dims()[d].name; }
  const std::string& loopName(LoopId loop) const { return m_kernel.loop(loop).name; }

  void add(std::string name, std::string subject, std::vector<std::string> tile,
           std::string attributes) {
    m_items.push_back({NestItem::Kind::Operation, std::move(name), std::move(subject),
                       std::move(tile), std::move(attributes)});
  }

  void openCores() {
    NestItem cores{NestItem::Kind::Cores, {}, {}};
    for (std::size_t d = 0; d < m_mapping.space.size(); ++d) {
      const LoopId loop = m_mapping.space[d];
      cores.extents.emplace_back(dimName(d), loop.valid() ? m_hw.dims()[d].size : 1);
      cores.comment += (d == 0 ? "" : ", ") +
                       (loop.valid() ? loopName(loop) + "->" + dimName(d) : dimName(d) + " unused");
    }
    m_items.push_back(std::move(cores));
  }

  void openLoop(LoopId loop) {
    const mapping::LoopTiling& tiling = m_tiling.loops[loop.index()];
    NestItem item{NestItem::Kind::Loop, loopName(loop), {}};
    item.comment =
        fmt::format("{} of {} tiles of {}", tiling.unroll, tiling.tiles, tiling.tileSize);
    item.loop = loop;
    item.trips = tiling.trips;
    m_items.push_back(std::move(item));
  }

  void writeTransfers(int level) {
    if (level == m_outputLevel) allocateOutputs();
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
      for (const mapping::TransferStep& step : m_plan.inputs[i].steps) {
        if (step.to.isShared() && step.level == level)
          writeSharedBuffer(m_nest.inputs[i], step, m_plan.inputs[i]);
      }
      if (m_mapping.inputs[i].level == level)
        writeLoad(m_nest.inputs[i], m_mapping.inputs[i], slotBytes(m_plan.inputs[i]));
    }
  }

  void allocateOutputs() {
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
      writeAlloc(m_nest.outputs[o].name, slotBytes(m_plan.outputs[o]),
                 m_mapping.outputs[o].buffers);
    }
    for (const kernel::LocalBuffer& local : m_nest.locals) {
      writeAlloc(local.name, mapping::localBufferBytes(m_nest, local, m_tiling, m_mapping.order),
                 1);
    }
  }

  // Bytes of a core's slots, without the tiles of a tensor in local layout.
  static std::int64_t slotBytes(const mapping::Transfers& transfers) {
    using mapping::BufferUse;
    std::int64_t bytes = 0;
    for (const mapping::TileBuffer& buffer : transfers.buffers) {
      const bool resident = buffer.use == BufferUse::Resident ||
                            buffer.use == BufferUse::Remaining || buffer.use == BufferUse::Held;
      if (buffer.memory == mapping::Memory::Local && !resident)
        bytes += buffer.bytes * buffer.slots;
    }
    return bytes;
  }

  void writeAlloc(const std::string& name, std::int64_t bytes, int buffers) {
    add("alloc", name, {},
        fmt::format("target_buffer=%{}, size={}, buffers={}", m_hw.local().name, bytes, buffers));
  }

  void writeLoad(const kernel::Operand& operand, const mapping::InputMovement& movement,
                 std::int64_t bytes) {
    writeAlloc(operand.name, bytes, movement.buffers);
    add("load", operand.name, region(operand, movement.level),
        m_resources.movementText(movement) + m_resources.sharedText(movement));
  }

  void writeSharedBuffer(const kernel::Operand& operand, const mapping::TransferStep& step,
                         const mapping::Transfers& transfers) {
    const mapping::TileBuffer& there =
        *std::ranges::find(transfers.buffers, step.to, &mapping::TileBuffer::memory);
    const std::string& target = m_hw.sharedBuffer(step.to.level()).name;
    add("alloc", operand.name, {},
        fmt::format("target_buffer=%{}, size={}, buffers={}", target, there.bytes * there.slots,
                    there.slots));
    if (step.kind == mapping::TransferStep::Kind::Load) {
      add("load", operand.name, region(operand, step.level),
          fmt::format("type=\"global\", target=%{}, resources={{{}}}", target,
                      m_resources.globalNames()));
      return;
    }
    add("load", operand.name, region(operand, step.level),
        fmt::format("type=\"feed\", along=({}), target=%{}, resources={{%{}, {}}}",
                    m_resources.dimsText(step.along), target,
                    m_hw.sharedBuffer(step.from.level()).name, m_resources.networkNames()));
  }

  /// [ti, *]: the tile that a transfer moves; `*` where it covers all tiles of the loops inside it.
  std::vector<std::string> region(const kernel::Operand& operand, int level) const {
    std::vector<std::string> tile;
    for (const kernel::RegionDim& dim : operand.dims) tile.push_back(indexText(dim, level));
    return tile;
  }

  std::string indexText(const kernel::RegionDim& dim, int level) const {
    std::string text;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      if (!dim.index.dependsOn(l)) continue;
      const LoopId loop = LoopId::of(l);
      const auto at = std::ranges::find(m_mapping.order, loop);
      if (at != m_mapping.order.end() && at - m_mapping.order.begin() >= level) return "*";
      text += (text.empty() ? "t" : " + t") + loopName(loop);
    }
    return text.empty() ? "0" : text;
  }

  // The body, with its all-reduces.
  void writeBody() {
    int from = 0;
    for (const std::size_t r : mapping::splitAllReduces(m_nest, m_mapping)) {
      const kernel::AllReduce& reduce = m_nest.allReduces[r];
      writeAlloc(reduce.name + " exchange", slotBytes(m_plan.allReduces[r]), 1);
      writeOps(kernel::Phase::Every, from, static_cast<int>(r));
      add("all_reduce", reduce.name, {},
          fmt::format("type=\"{}\", along=({}), resources={{{}}}",
                      mapping::kReductionNames[static_cast<std::size_t>(m_mapping.allReduces[r])],
                      m_resources.dimsText(mapping::allReduceDims(reduce, m_mapping)),
                      m_resources.networkNames()));
      from = static_cast<int>(r) + 1;
    }
    writeOps(kernel::Phase::Every, from);
  }

  // The operations of the stages from `first` to `last`.
  void writeOps(kernel::Phase phase, int first = 0, int last = std::numeric_limits<int>::max()) {
    for (const kernel::TileOp& op : m_nest.ops) {
      if (op.phase != phase || op.stage < first || op.stage > last) continue;
      const kernel::Statement& statement = m_kernel.statements[op.statement.index()];
      const std::string& target = m_kernel.tensor(statement.target.tensor).name;
      const bool matrix = op.unit == kernel::UnitKind::Matrix;
      add(matrix ? "matrix.matmul" : "vector." + std::string(kernel::nameOf(op.fn)), target, {},
          extentsText(op));
    }
  }

  std::string extentsText(const kernel::TileOp& op) const {
    std::vector<std::int64_t> tileSizes;
    for (const mapping::LoopTiling& loop : m_tiling.loops) tileSizes.push_back(loop.tileSize);
    if (op.unit == kernel::UnitKind::Vector) {
      return fmt::format("elements={}", kernel::vectorElements(op, tileSizes));
    }
    const kernel::MatrixExtents e = kernel::matrixExtents(op, tileSizes);
    return e.batch == 1 ? fmt::format("m={}, n={}, k={}", e.m, e.n, e.k)
                        : fmt::format("m={}, n={}, k={}, batch={}", e.m, e.n, e.k, e.batch);
  }

  void finishOutputs() {
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
      writeReduction(m_nest.outputs[o], m_mapping.outputs[o]);
    }
    writeOps(kernel::Phase::Epilogue);
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
      writeStore(m_nest.outputs[o], m_mapping.outputs[o]);
    }
  }

  // The cores at coordinate 0 of these dimensions run what follows.
  void writeReduction(const kernel::Operand& operand, const mapping::OutputMovement& movement) {
    if (movement.reduction == mapping::ReductionTopology::None) return;
    const std::string along = m_resources.dimsText(mapping::splitDims(m_nest, m_mapping));
    const std::string states =
        m_nest.merge ? fmt::format("states=\"{}\", ", describe(m_kernel, *m_nest.merge)) : "";
    add("reduce", operand.name, {},
        fmt::format("type=\"{}\", along=({}), {}resources={{{}}}",
                    mapping::kReductionNames[static_cast<std::size_t>(movement.reduction)], along,
                    states, m_resources.networkNames()));
  }

  void writeStore(const kernel::Operand& operand, const mapping::OutputMovement& movement) {
    if (movement.gather >= 0) {
      add("gather", operand.name, {},
          fmt::format("along=({}), resources={{{}}}",
                      dimName(static_cast<std::size_t>(movement.gather)),
                      m_resources.networkNames()));
    }
    for (int k = movement.nextShared(-1); k >= 0; k = movement.nextShared(k)) {
      const auto level = static_cast<std::size_t>(k);
      const int buffers = movement.sharedBuffers[level];
      add("alloc", operand.name, {},
          fmt::format("target_buffer=%{}, size={}, buffers={}", m_hw.sharedBuffer(level).name,
                      tileBytes(operand, m_tiling, m_mapping.order, m_outputLevel) * buffers,
                      buffers));
      add("drain", operand.name, {},
          fmt::format("target=%{}, resources={{{}}}", m_hw.sharedBuffer(level).name,
                      m_resources.networkNames()));
    }
    add("store", operand.name, region(operand, m_outputLevel),
        fmt::format("type=\"global\", resources={{{}}}", m_resources.globalNames()));
  }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const mapping::Mapping& m_mapping;
  ResourceText m_resources;
  mapping::Tiling m_tiling;
  mapping::TransferPlan m_plan;
  int m_outputLevel;
  std::vector<NestItem> m_items;
};

}  // namespace

std::vector<NestItem> loopNestItems(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                    const hardware::Topology& hw, const mapping::Mapping& mapping) {
  return LoopNestWriter(kernel, nest, hw, mapping).write();
}

}  // namespace gridloom::report
