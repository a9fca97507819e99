// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_moves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schedule/wiring.h"

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Channel;
using schedule::Code;

std::vector<std::string> AirMoves::indices(mapping::DimMask zero) {
  std::vector<std::string> all = m_place.coordinates();
  for (std::size_t d = 0; d < all.size(); ++d) {
    if ((zero >> d & 1U) != 0) all[d] = m_code.constant(0);
  }
  return all;
}

std::vector<std::string> AirMoves::receiver(const Code& at) {
  const Channel& channel = m_air.schedule.channels[static_cast<std::size_t>(at.channel)];
  std::vector<std::string> all = indices();
  const auto dim = static_cast<std::size_t>(schedule::dimOf(channel.along));
  switch (channel.kind) {
  case Channel::Kind::Multicast:
  case Channel::Kind::Feed:
  case Channel::Kind::Share:
  case Channel::Kind::ToRoot:  // the receiver knows the sender's index
  case Channel::Kind::Drain:
    return all;
  case Channel::Kind::Pair:
    all[dim] = m_place.plus(all[dim], -channel.step);
    return all;
  case Channel::Kind::Neighbour:
    if (channel.step < 0) {
      all[dim] = m_place.plus(all[dim], channel.step);
      return all;
    }
    break;
  case Channel::Kind::Ring:
  case Channel::Kind::Rotate:
    break;
  }
  // The last active core sends to the first one.
  const std::string next = m_place.plus(all[dim], 1), index = m_code.fresh("next");
  m_code.line("{} = arith.remsi {}, {} : index", index, next, m_place.activeAlong(dim));
  all[dim] = index;
  return all;
}

void AirMoves::put(std::size_t p, const Code& at) {
  const Channel& wire = m_air.schedule.channels[static_cast<std::size_t>(at.channel)];
  const Buffer& target = m_air.schedule.buffers[wire.target.index()];
  if (isMessage(m_air, target)) {
    m_message = m_code.fresh("message");
    m_code.top("{} = memref.alloc() : {}", m_message, slotType(m_air, target));
    call(p, "pack", {}, {m_message, slotType(m_air, target)});
  }
  const AirSide part =
      m_message.empty() ? partOf(at, static_cast<std::size_t>(at.buffer)) : AirSide{};
  putTo(p, at, part);
  m_message.clear();
}

void AirMoves::putTo(std::size_t p, const Code& at, const AirSide& part) {
  const AirChannel& channel = channelOf(at);
  switch (channel.reach) {
  case AirChannel::Reach::One: {
    const std::vector<std::string> to = receiver(at);
    const bool elsewhere = to != m_place.coordinates();
    const std::string takes = elsewhere ? m_conditions.takes(m_place.at(to)) : "";
    return m_rings.inBranch(p, takes, [&] { pass(p, at, true, channel.name, to, part); });
  }
  case AirChannel::Reach::All:
    return pass(p, at, true, channel.name, indices(channel.along), part);
  case AirChannel::Reach::Each:
    return putToEach(p, at, part);
  case AirChannel::Reach::Sometimes:
    break;
  }
  m_rings.inBranch(
      p, reachesAll(channel),
      [&] { pass(p, at, true, channel.name, indices(channel.along), part); },
      [&] { putToEach(p, at, part); });
}

std::string AirMoves::reachesAll(const AirChannel& channel) {
  std::vector<std::string> last = m_place.coordinates();
  for (std::size_t d = 0; d < last.size(); ++d) {
    if ((channel.along >> d & 1U) != 0) last[d] = m_code.constant(channel.size[d] - 1);
  }
  return m_conditions.takes(m_place.at(last));
}

void AirMoves::putToEach(std::size_t p, const Code& at, const AirSide& part) {
  const AirChannel& channel = channelOf(at);
  std::vector<std::string> to = m_place.coordinates();
  const auto visit = [&](const auto& self, std::size_t d) -> void {
    if (d < to.size()) {
      if ((channel.along >> d & 1U) == 0) return self(self, d + 1);
      return m_rings.inLoop(p, "to", m_code.constant(0), m_place.at(to).activeAlong(d),
                            [&](const std::string& coordinate) {
                              to[d] = coordinate;
                              self(self, d + 1);
                            });
    }
    std::string when = m_conditions.takes(m_place.at(to));
    if (!channel.toSender) when = m_code.both(when, isElsewhere(to));
    m_rings.inBranch(p, when, [&] { pass(p, at, true, channel.each(), to, part); });
  };
  visit(visit, 0);
}

std::string AirMoves::isElsewhere(const std::vector<std::string>& to) {
  std::string any;
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (to[d] == m_place.coordinates()[d]) continue;
    const std::string differs = m_code.fresh("if");
    m_code.line("{} = arith.cmpi ne, {}, {} : index", differs, to[d], m_place.coordinates()[d]);
    any = any.empty() ? differs : m_code.either(any, differs);
  }
  return any;
}

void AirMoves::get(std::size_t p, const Code& at) {
  const AirChannel& channel = channelOf(at);
  const Channel& wire = m_air.schedule.channels[static_cast<std::size_t>(at.channel)];
  const AirSide part = partOf(at, wire.target.index());
  std::vector<std::string> from = indices();
  if (wire.kind == Channel::Kind::ToRoot) {
    from[static_cast<std::size_t>(schedule::dimOf(wire.along))] = m_code.constant(at.arg);
  }
  switch (channel.reach) {
  case AirChannel::Reach::One:
  case AirChannel::Reach::All:
    return pass(p, at, false, channel.name, from, part);
  case AirChannel::Reach::Each:
    return pass(p, at, false, channel.each(), from, part);
  case AirChannel::Reach::Sometimes:
    break;
  }
  m_rings.inBranch(
      p, reachesAll(channel), [&] { pass(p, at, false, channel.name, from, part); },
      [&] { pass(p, at, false, channel.each(), from, part); });
}

AirSide AirMoves::partOf(const Code& at, std::size_t b) {
  const Buffer& buffer = m_air.schedule.buffers[b];
  if (at.ring >= 0) {
    const std::vector<std::string> sizes =
        m_shares.sharedSizes(operandOf(m_air, buffer), slotShapeOf(m_air, buffer));
    return m_shares.sideOf(m_shares.shareOf(at, m_shares.product(sizes)));
  }
  if (at.op == schedule::Op::Send && buffer.use == Buffer::Use::SharedInput) {
    return fedPart(m_air.schedule.channels[static_cast<std::size_t>(at.channel)], buffer);
  }
  if (at.gate < 0) return tilePart(buffer);
  CorePlace place = senderOf(m_air, m_code, m_place, at.gate, at.arg);
  std::swap(m_place, place);
  const AirSide part = tilePart(buffer);
  std::swap(m_place, place);
  return part;
}

AirSide AirMoves::tilePart(const Buffer& buffer) {
  const bool isTile = buffer.use != Buffer::Use::Local && !schedule::isOfAllReduce(buffer.use);
  if (!isTile || isMessage(m_air, buffer)) return {};
  const kernel::Operand& operand = operandOf(m_air, buffer);
  const SlotShape slot = slotShapeOf(m_air, buffer);
  if (operand.gather || !isEqualInside(m_air, operand, slot)) return {};
  const AirRegion region = m_shares.regionOf(operand);
  if (region.whole && slot.inner.empty()) return {};
  AirSide part{
      std::vector<std::string>(slot.inner.size(), m_code.constant(0)), m_shares.countsOf(slot), {}};
  if (region.whole && part.sizes == m_code.constants(slot.sizes(), slot.inner.size())) return {};
  part.offsets.insert(part.offsets.end(), region.skipped.begin(), region.skipped.end());
  part.sizes.insert(part.sizes.end(), region.count.begin(), region.count.end());
  const std::vector<std::int64_t> strides = stridesOf(slot.sizes());
  part.strides = m_code.constants(strides, strides.size());
  return part;
}

AirSide AirMoves::fedPart(const Channel& channel, const Buffer& from) {
  AirSide part;
  if (from.use != Buffer::Use::SharedInput || channel.kind != Channel::Kind::Feed) return part;
  const auto outside = static_cast<std::size_t>(levelOf(m_air, from));
  const auto inside =
      static_cast<std::size_t>(levelOf(m_air, m_air.schedule.buffers[channel.target.index()]));
  const kernel::Operand& operand = operandOf(m_air, from);
  const std::vector<std::int64_t> slot = slotShapeOf(m_air, from).sizes();
  std::size_t chosen = 0;
  for (std::size_t p = outside; p < inside; ++p) {
    const mapping::LoopId loop = m_air.schedule.order[p];
    if (!operand.dependsOn(loop)) continue;
    part.offsets.push_back(m_place.iterationAt(p));
    part.sizes.push_back(m_code.constant(1));
    ++chosen;
  }
  const AirSide tile = tilePart(m_air.schedule.buffers[channel.target.index()]);
  if (chosen == 0) return tile;
  const std::vector<std::int64_t> strides = stridesOf(slot);
  part.strides = m_code.constants(strides, strides.size());
  for (std::size_t d = chosen; d < slot.size(); ++d) {
    const bool isPart = !tile.sizes.empty();
    part.offsets.push_back(isPart ? tile.offsets[d - chosen] : m_code.constant(0));
    part.sizes.push_back(isPart ? tile.sizes[d - chosen] : m_code.constant(slot[d]));
  }
  return part;
}

void AirMoves::pass(std::size_t p, const Code& at, bool put, const std::string& name,
                    const std::vector<std::string>& to, const AirSide& part) {
  const Channel& channel = m_air.schedule.channels[static_cast<std::size_t>(at.channel)];
  const std::size_t b = put ? static_cast<std::size_t>(at.buffer) : channel.target.index();
  std::vector<std::string> place = to;
  if (place.size() < 2) place.resize(2, m_code.constant(0));
  const Buffer& of = m_air.schedule.buffers[m_message.empty() ? b : channel.target.index()];
  passThrough(m_code, m_rings, p,
              {put, name, place, m_message.empty() ? m_rings.heldBy(p, b) : m_message,
               slotType(m_air, of), part});
}

void passThrough(AirCode& code, SlotRings& rings, std::size_t p, const AirPass& pass) {
  std::vector<std::string> operands = rings.tokensOf(p);
  std::vector<std::string> types(operands.size(), kAirToken);
  const std::size_t deps = operands.size();
  const auto add = [&](const std::vector<std::string>& values) {
    operands.insert(operands.end(), values.begin(), values.end());
    types.insert(types.end(), values.size(), "index");
  };
  add(pass.indices);
  operands.push_back(pass.memref);
  types.push_back(pass.type);
  for (const auto* list : {&pass.part.offsets, &pass.part.sizes, &pass.part.strides}) add(*list);
  const std::string token = code.fresh(pass.put ? "sent" : "received");
  code.line(
      "{} = \"air.channel.{}\"({}) {{chan_name = @{}, operandSegmentSizes = array<i32: {}, {}, 1, "
      "{}, {}, {}>}} : ({}) -> {}",
      token, pass.put ? "put" : "get", fmt::join(operands, ", "), pass.channel, deps,
      pass.indices.size(), pass.part.offsets.size(), pass.part.sizes.size(),
      pass.part.strides.size(), fmt::join(types, ", "), kAirToken);
  rings.tokensOf(p) = {token};
}

void AirMoves::reduce(std::size_t p, const Code& at) {
  if (at.ring < 0) return call(p, "combine");
  const AirSide part = partOf(at, static_cast<std::size_t>(at.buffer));
  call(p, "combine_share", {part.offsets[0], part.sizes[0]});
}

void AirMoves::call(std::size_t p, const std::string& what, const std::vector<std::string>& more,
                    const std::pair<std::string, std::string>& message) {
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
  if (!message.first.empty()) {
    values.push_back(message.first);
    types.push_back(message.second);
  }
  for (const std::string& origin : m_place.origins()) {
    values.push_back(origin);
    types.emplace_back("index");
  }
  values.insert(values.end(), more.begin(), more.end());
  types.insert(types.end(), more.size(), "index");
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
