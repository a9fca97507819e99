// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_moves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Channel;
using schedule::Instruction;

/// The part of a tensor that a copy reads or writes.
AirMoves::Side AirMoves::tensorSide(const Copy& copy) {
  Side side;
  for (const CopyDim& dim : copy.dims) {
    const std::string from = m_place.valueOf(dim.index);
    side.offsets.push_back(from);
    side.strides.push_back(m_code.constant(dim.stride));
    if (dim.limit == 0) {
      side.sizes.push_back(m_code.constant(dim.size));
      continue;
    }
    const std::string size = m_code.fresh("size");
    m_code.line("{} = affine.min affine_map<(d0) -> ({}, {} - d0)>({})", size, dim.size, dim.limit,
                from);
    side.sizes.push_back(size);
  }
  return side;
}

/// The part of a slot: all of it, unless an edge tile is smaller.
AirMoves::Side AirMoves::slotSide(const Copy& copy, const Side& tensor) {
  Side side;
  const bool whole = std::all_of(copy.dims.begin(), copy.dims.end(),
                                 [](const CopyDim& dim) { return dim.limit == 0; });
  if (whole) return side;
  std::int64_t stride = 1;
  side.sizes = tensor.sizes;
  side.offsets.assign(copy.dims.size(), m_code.constant(0));
  for (std::size_t d = copy.dims.size(); d-- > 0;) {
    side.strides.insert(side.strides.begin(), m_code.constant(stride));
    stride *= copy.dims[d].size;
  }
  return side;
}

void AirMoves::copy(std::size_t p, const Instruction& at, bool load) {
  const Buffer& buffer = m_air.schedule.buffers[at.buffer.index()];
  const kernel::Operand& operand = operandOf(m_air, buffer);
  const Copy copy = copyOf(m_air, buffer);
  const Side tensor = tensorSide(copy);
  const Side slot = slotSide(copy, tensor);
  const std::string memref = m_rings.heldBy(p, at.buffer.index());
  const std::string name =
      "%" + mlirName(m_air.kernel.tensors[operand.tensor.index()].name) + m_suffix;
  const std::string type =
      memrefType(m_air.kernel.tensors[operand.tensor.index()].shape, operand.dtype, 0);
  const std::string& slotT = slotType(m_air, buffer);
  const Side& to = load ? slot : tensor;
  const Side& from = load ? tensor : slot;
  std::vector<std::string> operands = m_rings.tokensOf(p);
  std::vector<std::string> types(operands.size(), kAirToken);
  const auto add = [&](const std::string& value, const std::string& valueType) {
    operands.push_back(value);
    types.push_back(valueType);
  };
  const auto addSide = [&](const Side& side) {
    for (const auto* list : {&side.offsets, &side.sizes, &side.strides}) {
      for (const std::string& value : *list) add(value, "index");
    }
  };
  const std::size_t deps = operands.size();
  add(load ? memref : name, load ? slotT : type);
  addSide(to);
  add(load ? name : memref, load ? type : slotT);
  addSide(from);
  const std::string token = m_code.fresh(load ? "loaded" : "stored");
  m_code.line(
      "{} = \"air.dma_memcpy_nd\"({}) {{operandSegmentSizes = array<i32: {}, 1, {}, {}, {}, 1, "
      "{}, {}, {}>}} : ({}) -> {}",
      token, fmt::join(operands, ", "), deps, to.offsets.size(), to.sizes.size(), to.strides.size(),
      from.offsets.size(), from.sizes.size(), from.strides.size(), fmt::join(types, ", "),
      kAirToken);
  m_rings.tokensOf(p) = {token};
}

std::vector<std::string> AirMoves::indicesOf(const Channel& channel, const Instruction& at,
                                             bool put) {
  std::vector<std::string> indices;
  for (std::size_t d = 0; d < m_place.coordinates().size(); ++d) {
    const bool along = (channel.along >> d & 1U) != 0;
    std::string index = m_place.coordinates()[d];
    if (along && put && isBroadcast(channel)) index = m_code.constant(0);
    if (along && put && channel.kind == Channel::Kind::Neighbour)
      index = m_place.plus(index, channel.step);
    if (along && put && channel.kind == Channel::Kind::Pair)
      index = m_place.plus(index, -channel.step);
    if (along && !put && channel.kind == Channel::Kind::ToRoot) index = m_code.constant(at.arg);
    indices.push_back(index);
  }
  if (indices.size() == 1) indices.push_back(m_code.constant(0));
  return indices;
}

AirMoves::Side AirMoves::fedPart(const Channel& channel, const Buffer& from) {
  Side part;
  if (from.use != Buffer::Use::SharedInput || channel.kind != Channel::Kind::Feed) return part;
  const auto outside = static_cast<std::size_t>(levelOf(m_air, from));
  const auto inside =
      static_cast<std::size_t>(levelOf(m_air, m_air.schedule.buffers[channel.target.index()]));
  const kernel::Operand& operand = operandOf(m_air, from);
  const Copy slot = copyOf(m_air, from);
  std::size_t chosen = 0;
  for (std::size_t p = outside; p < inside; ++p) {
    const mapping::LoopId loop = m_air.schedule.order[p];
    if (!operand.dependsOn(loop)) continue;
    part.offsets.push_back(m_place.waves()[loop.index()]);
    part.sizes.push_back(m_code.constant(1));
    ++chosen;
  }
  if (chosen == 0) return part;
  std::int64_t stride = 1;
  for (std::size_t d = slot.dims.size(); d-- > 0;) {
    part.strides.insert(part.strides.begin(), m_code.constant(stride));
    stride *= slot.dims[d].size;
  }
  for (std::size_t d = chosen; d < slot.dims.size(); ++d) {
    part.offsets.push_back(m_code.constant(0));
    part.sizes.push_back(m_code.constant(slot.dims[d].size));
  }
  return part;
}

void AirMoves::pass(std::size_t p, const Instruction& at, bool put) {
  const Channel& channel = m_air.schedule.channels[at.channel.index()];
  const std::size_t b = put ? at.buffer.index() : channel.target.index();
  std::vector<std::string> operands = m_rings.tokensOf(p);
  std::vector<std::string> types(operands.size(), kAirToken);
  const std::size_t deps = operands.size();
  for (const std::string& index : indicesOf(channel, at, put)) {
    operands.push_back(index);
    types.emplace_back("index");
  }
  operands.push_back(m_rings.heldBy(p, b));
  types.push_back(slotType(m_air, m_air.schedule.buffers[b]));
  const Side part = put ? fedPart(channel, m_air.schedule.buffers[b]) : Side{};
  for (const auto* list : {&part.offsets, &part.sizes, &part.strides}) {
    operands.insert(operands.end(), list->begin(), list->end());
    types.insert(types.end(), list->size(), "index");
  }
  const std::string token = m_code.fresh(put ? "sent" : "received");
  m_code.line(
      "{} = \"air.channel.{}\"({}) {{chan_name = @{}, operandSegmentSizes = array<i32: {}, 2, 1, "
      "{}, {}, {}>}} : ({}) -> {}",
      token, put ? "put" : "get", fmt::join(operands, ", "), mlirName(channel.name), deps,
      part.offsets.size(), part.sizes.size(), part.strides.size(), fmt::join(types, ", "),
      kAirToken);
  m_rings.tokensOf(p) = {token};
}

void AirMoves::call(std::size_t p, const std::string& what) {
  std::vector<std::string> values, types;
  for (const auto& [b, slots] : m_rings.held(p)) {
    for (const AirSlot& slot : slots) {
      values.push_back(slot.memref);
      types.push_back(slotType(m_air, m_air.schedule.buffers[b]));
    }
  }
  for (const auto& [name, type] : m_rings.locals()) {
    values.push_back(name);
    types.push_back(type);
  }
  for (const std::string& origin : m_place.origins()) {
    values.push_back(origin);
    types.emplace_back("index");
  }
  const std::string signature = fmt::format("{}", fmt::join(types, ", "));
  const std::string function = functionFor(what, signature);
  const std::string token = m_code.fresh("computed");
  m_code.line("{} = \"air.execute\"({}) ({{", token, fmt::join(m_rings.tokensOf(p), ", "));
  m_code.line("  func.call_indirect %{}({}) : ({}) -> ()", function, fmt::join(values, ", "),
              signature);
  m_code.line("  \"air.execute_terminator\"() : () -> ()");
  m_code.line("}}) : ({}) -> {}", airTokens(m_rings.tokensOf(p).size()), kAirToken);
  m_rings.tokensOf(p) = {token};
}

std::string AirMoves::functionFor(const std::string& what, const std::string& signature) {
  const std::string base = mlirName(m_air.kernel.name) + "_" + what;
  std::string name = base;
  for (int i = 2;; ++i) {
    const auto [at, isNew] = m_air.functions.try_emplace(name, signature);
    if (isNew || at->second == signature) return name;
    name = fmt::format("{}_{}", base, i);
  }
}

}  // namespace gridloom::exchange
