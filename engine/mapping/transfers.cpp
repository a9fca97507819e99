// SPDX-License-Identifier: Apache-2.0
#include "mapping/transfers.h"

#include <algorithm>

#include "mapping/all_reduce.h"
#include "mapping/partials.h"
#include "mapping/tile_buffers.h"

namespace gridloom::mapping {

using base::saturatingAdd;
using base::saturatingMul;

bool Transfers::has(TransferStep::Kind kind) const {
  return std::ranges::any_of(steps, [&](const TransferStep& step) { return step.kind == kind; });
}

bool Transfers::has(BufferUse use) const {
  return std::ranges::any_of(buffers, [&](const TileBuffer& b) { return b.use == use; });
}

std::int64_t Transfers::bytesIn(Memory memory, const hardware::Topology& hw,
                                const Tiling& tiling) const {
  return mapping::bytesIn(buffers, memory, hw, tiling);
}

Transfers inputTransfers(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                         std::size_t input, const InputMovement& movement) {
  const kernel::Operand& operand = nest.inputs[input];
  Transfers out;
  out.level = movement.level;
  out.absent = finishingDims(nest, operand, mapping);
  out.sameTile = sharedDims(operand, mapping);
  out.steps = inputSteps(movement, out.absent);
  out.buffers = inputBuffers(nest, mapping, tiling, input, movement);
  const std::int64_t bytes = tileBytes(operand, tiling, mapping.order, movement.level);
  for (TransferStep& step : out.steps) {
    step.level = movement.level;
    step.bytes = bytes;
    if (!step.to.isShared()) continue;
    step.level = static_cast<std::uint8_t>(movement.sharedBuffers[step.to.level()].level);
    step.bytes = tileBytes(operand, tiling, mapping.order, step.level);
  }
  if (movement.kind == MovementKind::AllGather) {
    const std::int64_t share =
        shareBytes(operand.dtype, bytes, tiling.active[out.steps.back().first]);
    for (TransferStep& step : out.steps) step.bytes = share;
  }
  return out;
}

Transfers outputTransfers(const kernel::TileNest& nest, const hardware::Topology& hw,
                          const Mapping& mapping, const Tiling& tiling, std::size_t output,
                          const OutputMovement& movement) {
  const kernel::Operand& operand = nest.outputs[output];
  const int level = outputLevel(nest, mapping.order);
  Transfers out;
  out.level = level;
  out.absent = finishingDims(nest, operand, mapping);
  out.sameTile = sharedDims(operand, mapping);
  out.steps = outputSteps(movement, out.absent, hw);
  out.buffers = outputBuffers(nest, mapping, tiling, output, movement);
  const bool reduces = movement.reduction != ReductionTopology::None;
  const std::int64_t tile = tileBytes(operand, tiling, mapping.order, level);
  const std::int64_t partial = reduces ? partialBytes(nest, operand, tiling, mapping.order) : 0;
  for (TransferStep& step : out.steps) {
    step.level = static_cast<std::uint8_t>(level);
    step.bytes = step.reduces() ? partial : tile;
    if (movement.reduction == ReductionTopology::ReduceScatter)
      step.bytes = shareBytes(operand.dtype, step.bytes, tiling.active[out.steps[0].first]);
  }
  return out;
}

Transfers allReduceTransfers(const kernel::TileNest& nest, const hardware::Topology& hw,
                             const Mapping& mapping, const Tiling& tiling, std::size_t reduce,
                             ReductionTopology how) {
  Transfers out;
  const DimMask dims = allReduceDims(nest.allReduces[reduce], mapping);
  if (dims == 0) return out;
  out.level = static_cast<int>(mapping.order.size());
  out.sameTile = dims;
  out.steps = allReduceSteps(how, dims, hw);
  const std::int64_t bytes = resultBytes(nest.allReduces[reduce], tiling.tileSizes);
  for (TransferStep& step : out.steps) {
    step.level = static_cast<std::uint8_t>(out.level);
    step.bytes = bytes;
  }
  for (const BufferUse use : {BufferUse::Contribution, BufferUse::Contributed, BufferUse::Total}) {
    out.buffers.push_back({use, Memory::Local, 0, bytes});
  }
  return out;
}

TransferPlan transferPlan(const kernel::TileNest& nest, const hardware::Topology& hw,
                          const Mapping& mapping, const Tiling& tiling) {
  TransferPlan plan;
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    plan.inputs.push_back(inputTransfers(nest, mapping, tiling, i, mapping.inputs[i]));
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    const kernel::Operand& output = nest.outputs[o];
    Transfers& out = plan.outputs.emplace_back(
        outputTransfers(nest, hw, mapping, tiling, o, mapping.outputs[o]));
    const std::int64_t held = heldIterations(nest, mapping, tiling, output);
    if (held == 0) continue;
    out.buffers.push_back({BufferUse::Held, Memory::Local, 0,
                           heldBytes(output, 1, tiling, mapping.order), static_cast<int>(held)});
  }
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    plan.allReduces.push_back(
        allReduceTransfers(nest, hw, mapping, tiling, r, mapping.allReduces[r]));
  }
  return plan;
}

namespace {

std::int64_t bytesIn(Memory memory, const kernel::TileNest& nest, const Mapping& mapping,
                     const Tiling& tiling, const hardware::Topology& hw) {
  const TransferPlan plan = transferPlan(nest, hw, mapping, tiling);
  std::int64_t bytes = 0;
  for (const auto* operands : {&plan.inputs, &plan.outputs, &plan.allReduces}) {
    for (const Transfers& transfers : *operands) {
      bytes = saturatingAdd(bytes, transfers.bytesIn(memory, hw, tiling));
    }
  }
  return bytes;
}

}  // namespace

std::int64_t localMemoryBytes(const kernel::TileNest& nest, const Mapping& mapping,
                              const Tiling& tiling, const hardware::Topology& hw) {
  std::int64_t locals = 0;  // of one core
  for (const kernel::LocalBuffer& local : nest.locals) {
    locals = saturatingAdd(locals, localBufferBytes(nest, local, tiling, mapping.order));
  }
  return saturatingAdd(bytesIn(Memory::Local, nest, mapping, tiling, hw),
                       saturatingMul(locals, hw.local().copies(tiling.active)));
}

std::int64_t sharedBufferBytes(std::size_t level, const kernel::TileNest& nest,
                               const Mapping& mapping, const Tiling& tiling,
                               const hardware::Topology& hw) {
  return bytesIn(Memory::shared(level), nest, mapping, tiling, hw);
}

std::size_t overfullSharedBuffer(const kernel::TileNest& nest, const Mapping& mapping,
                                 const Tiling& tiling, const hardware::Topology& hw) {
  std::size_t level = 0;
  while (level < hw.sharedBuffers().size() &&
         sharedBufferBytes(level, nest, mapping, tiling, hw) <= hw.sharedBuffer(level).bytes) {
    ++level;
  }
  return level;
}

}  // namespace gridloom::mapping
