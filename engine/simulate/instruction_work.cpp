// SPDX-License-Identifier: Apache-2.0
#include "simulate/instruction_work.h"

#include <algorithm>

#include "schedule/op_names.h"
#include "schedule/rings.h"
#include "timing/interleaving.h"
#include "timing/stripes.h"

namespace gridloom::simulate {

using schedule::Buffer;
using schedule::Code;
using schedule::index;
using schedule::Op;

namespace {

// Temporal loops outside the transfers between a buffer and global memory.
int levelOf(const schedule::Schedule& schedule, const Buffer& buffer) {
  if (!schedule::isOfInput(buffer.use)) return schedule.outputLevel;
  const schedule::OperandTransfer& transfer = schedule.inputs[index(buffer.operand)];
  return buffer.use == Buffer::Use::SharedInput ? transfer.sharedLevels[buffer.sharedLevel]
                                                : transfer.hoistLevel;
}

}  // namespace

InstructionWork::InstructionWork(const schedule::TokenMachine& tokens, const TileWork& work,
                                 const hardware::ComputeModel& compute)
    : m_tokens(tokens),
      m_placed(tokens.placed()),
      m_work(work),
      m_guarded(tokens.placed(), compute) {
  const hardware::MemoryStripes& stripes = m_placed.hw.global().stripes;
  if (stripes.parts <= 1) return;
  const schedule::Schedule& schedule = m_placed.schedule;
  for (const Buffer& buffer : schedule.buffers) {
    double& longer = m_longer.emplace_back(1);
    if (buffer.use == Buffer::Use::Local || schedule::isOfAllReduce(buffer.use)) continue;
    std::uint64_t outside = 0;
    for (int p = 0; p < levelOf(schedule, buffer); ++p)
      outside |= std::uint64_t{1} << schedule.order[index(p)].index();
    longer = timing::stripeFactor(
        kernel::regionRows(operandOf(buffer), schedule.tiling.extentsTogether(outside)), stripes);
  }
}

const Buffer& InstructionWork::bufferOf(std::int32_t process) const {
  return m_placed.schedule.buffers[index(m_tokens.at(process).buffer)];
}

network::Ticks InstructionWork::cycles(std::int32_t process) const {
  const Code& code = m_tokens.at(process);
  const std::int32_t core = m_tokens.coreOf(process);
  if (code.op == Op::Compute && m_guarded.guardsOps()) {
    return network::ticksOf(m_guarded.bodyCycles(core, m_tokens.waves(process)));
  }
  const std::int32_t shape = m_placed.placement.shapeIndex(core);
  const EdgeMask edges = m_work.edges(shape, m_tokens.waves(process), code.depth);
  if (code.op == Op::Compute) {
    return network::ticksOf(m_work.bodyCycles(index(code.arg), shape, edges));
  }
  if (code.op == Op::Epilogue) return network::ticksOf(m_work.epilogueCycles(shape, edges));
  if (schedule::isOfAllReduce(bufferOf(process).use)) {
    return network::ticksOf(m_work.joinCycles(index(code.arg), shape, edges));
  }
  const double whole = m_work.combineCycles(index(bufferOf(process).operand), shape, edges);
  if (code.ring < 0) return network::ticksOf(whole);
  const std::int64_t bytes = m_work.partialBytes(index(bufferOf(process).operand), shape, edges);
  return network::ticksOf(whole * static_cast<double>(shareOf(process, bytes).bytes) /
                          static_cast<double>(std::max<std::int64_t>(1, bytes)));
}

std::int64_t InstructionWork::bytes(std::int32_t process) const { return rangeOf(process).bytes; }

InstructionWork::Range InstructionWork::rangeOf(std::int32_t process) const {
  const std::int64_t tile = tileBytes(process);
  return m_tokens.at(process).ring < 0 ? Range{0, tile} : shareOf(process, tile);
}

InstructionWork::Range InstructionWork::shareOf(std::int32_t process, std::int64_t tile) const {
  const Code& code = m_tokens.at(process);
  const schedule::RingPlace at =
      schedule::shareAt(m_placed.placement, m_tokens.coreOf(process), code.ring, code.arg);
  const kernel::DType dtype = operandOf(bufferOf(process)).dtype;
  const auto elements =
      static_cast<std::int64_t>(static_cast<double>(tile) * 8 / kernel::bitsOf(dtype));
  const schedule::Share share = schedule::shareOf(elements, at.cores, at.number);
  const std::int64_t end = share.first + share.count;
  const std::int64_t first = kernel::bytesOf(dtype, share.first);
  return {first, (end == elements ? tile : kernel::bytesOf(dtype, end)) - first};
}

std::int64_t InstructionWork::tileBytes(std::int32_t process) const {
  const Code& code = m_tokens.at(process);
  const std::int32_t shape = m_placed.placement.shapeIndex(m_tokens.tileOwner(process));
  const EdgeMask edges = m_work.edges(shape, m_tokens.waves(process), code.depth);
  const Buffer& buffer = bufferOf(process);
  const std::size_t operand = index(buffer.operand);
  if (!buffer.need.guard.always()) {
    return m_guarded.inputBytes(buffer, m_tokens.coreOf(process), m_tokens.waves(process),
                                code.depth);
  }
  if (schedule::isOfAllReduce(buffer.use)) {
    return m_work.contributionBytes(operand, shape, edges);
  }
  const Buffer& filled =
      code.op == Op::Send
          ? m_placed.schedule
                .buffers[m_placed.schedule.channels[index(code.channel)].target.index()]
          : buffer;
  if (filled.use == Buffer::Use::SharedInput)
    return m_work.sharedBytes(operand, filled.sharedLevel, shape, edges);
  if (filled.use == Buffer::Use::Partial) return m_work.partialBytes(operand, shape, edges);
  return schedule::isOfInput(buffer.use) ? m_work.inputBytes(operand, shape, edges)
                                         : m_work.outputBytes(operand, shape, edges);
}

const kernel::Operand& InstructionWork::operandOf(const Buffer& buffer) const {
  const auto& operands =
      schedule::isOfInput(buffer.use) ? m_placed.nest.inputs : m_placed.nest.outputs;
  return operands[index(buffer.operand)];
}

bool InstructionWork::isInPlace(std::int32_t process) const {
  return layoutOf(m_placed.schedule, bufferOf(process)) == hardware::TensorLayout::Local;
}

std::int32_t InstructionWork::port(std::int32_t process) const {
  const std::int32_t core = m_tokens.coreOf(process);
  const Buffer& buffer = bufferOf(process);
  if (!schedule::isInSharedBuffer(buffer.use)) return core;
  return network::sharedBufferPort(m_placed, buffer, core);
}

network::Layout InstructionWork::layout(std::int32_t process, std::int64_t bytes) const {
  network::Layout at = channels(process, bytes);
  if (!m_longer.empty()) at.longer = m_longer[index(m_tokens.at(process).buffer)];
  return at;
}

network::Layout InstructionWork::channels(std::int32_t process, std::int64_t bytes) const {
  const Buffer& buffer = bufferOf(process);
  const bool input = schedule::isOfInput(buffer.use);
  const kernel::Operand& operand = operandOf(buffer);
  const hardware::TensorLayout layout = layoutOf(m_placed.schedule, buffer);
  const bool byTile = layout == hardware::TensorLayout::TileInterleaved;
  const std::int64_t tile =
      byTile ? kernel::regionBytes(operand, m_placed.schedule.tiling.tileSizes) : bytes;
  const std::int64_t unit =
      timing::unitBytes(layout, m_placed.hw.global(), tile, std::max<std::int64_t>(bytes, 1));
  if (timing::isInterleaved(layout))
    return {diagonal(process, operand) + rangeOf(process).first / unit, unit, 1};
  // The channel nearest to the first of the cores that load the same tile.
  std::int32_t core = m_tokens.coreOf(process);
  if (input) {
    const hardware::DimMask sameTile = m_placed.schedule.inputs[index(buffer.operand)].sameTile;
    core = m_placed.placement.rootOf(core, sameTile);
  }
  return {m_placed.hw.nearestChannel(hardware::CoreId(core), !input).value(), unit, 1};
}

std::int64_t InstructionWork::diagonal(std::int32_t process, const kernel::Operand& operand) const {
  const std::int32_t core = m_tokens.tileOwner(process);
  const auto depth = static_cast<std::size_t>(m_tokens.at(process).depth);
  const auto& order = m_placed.schedule.order;
  const auto waves = m_tokens.waves(process);
  std::int64_t diagonal = 0;
  for (const kernel::LoopId loop : operand.loops) {
    std::int64_t wave = 0;
    for (std::size_t p = 0; p < depth; ++p) {
      if (order[p] == loop) wave = m_placed.placement.waveAt(core, p, waves[p]);
    }
    diagonal +=
        m_placed.schedule.tiling.tileOf(loop, wave, m_placed.placement.unrollIndexOf(core, loop));
  }
  return diagonal;
}

}  // namespace gridloom::simulate
