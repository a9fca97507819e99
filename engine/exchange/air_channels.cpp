// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace gridloom::exchange {

namespace {

using schedule::Channel;
using schedule::PlacedSchedule;
using Reach = AirChannel::Reach;

bool isBroadcast(const Channel& channel) {
  switch (channel.kind) {
  case Channel::Kind::Multicast:
  case Channel::Kind::Feed:
  case Channel::Kind::Share:
    return true;
  case Channel::Kind::Neighbour:
  case Channel::Kind::Pair:
  case Channel::Kind::ToRoot:
  case Channel::Kind::Drain:
  case Channel::Kind::Ring:
  case Channel::Kind::Rotate:
    return false;
  }
  return false;
}

class Receivers {
 public:
  Receivers(const PlacedSchedule& placed, int channel)
      : m_placement(placed.placement), m_wiring(placed.wiring), m_channel(channel) {}

  /// Fills in the dimensions along which any receiver differs from its sender, and whether a sender
  /// receives its own tile.
  void look(AirChannel& out, mapping::DimMask along) const {
    for (std::int32_t core = 0; core < m_placement.coreCount(); ++core) {
      for (const std::int32_t leaf : m_wiring.leavesOf(m_channel, core)) {
        out.toSender = out.toSender || leaf == core;
        for (int d = 0; d < m_placement.dims(); ++d) {
          const bool moves = (along >> d & 1U) != 0 && m_placement.coordinate(leaf, d) != 0;
          if (moves) out.along |= mapping::DimMask{1} << d;
        }
      }
    }
  }

  /// Whether the receivers of every sender are one and the same box of cores.
  bool areBox(AirChannel& out) const {
    out.size.clear();
    for (std::int32_t core = 0; core < m_placement.coreCount(); ++core) {
      const auto leaves = m_wiring.leavesOf(m_channel, core);
      if (leaves.empty()) continue;
      std::vector<std::int64_t> size;
      std::int64_t cores = 1;
      for (int d = 0; d < m_placement.dims(); ++d) {
        const bool moves = (out.along >> d & 1U) != 0;
        size.push_back(moves ? m_placement.activeAlong(core, d) : m_placement.sizeOf(d));
        if (moves) cores *= size.back();
      }
      const auto receivers = static_cast<std::int64_t>(leaves.size()) + (out.toSender ? 0 : 1);
      if (receivers != cores || (!out.size.empty() && out.size != size)) return false;
      out.size = size;
    }
    return !out.size.empty();
  }

 private:
  const schedule::Placement& m_placement;
  const schedule::Wiring& m_wiring;
  int m_channel;
};

// Whether all cores along the dimensions have a tile in every iteration.
bool inEveryIteration(const PlacedSchedule& placed, mapping::DimMask along) {
  for (std::size_t d = 0; d < placed.schedule.mapping.space.size(); ++d) {
    const mapping::LoopId loop = placed.schedule.mapping.space[d];
    if ((along >> d & 1U) == 0 || !loop.valid()) continue;
    const mapping::LoopTiling& tiling = placed.schedule.tiling.loops[loop.index()];
    if (tiling.trips > 1 && tiling.tiles % tiling.unroll != 0) return false;
  }
  return true;
}

std::string declaration(const AirContext& air, const Channel& channel, const std::string& name,
                        const AirChannel* broadcast) {
  std::vector<std::int64_t> size, shape;
  for (std::size_t d = 0; d < air.hw.dims().size(); ++d) {
    const bool moves = broadcast != nullptr && (broadcast->along >> d & 1U) != 0;
    size.push_back(moves ? 1 : air.hw.dims()[d].size);
    if (broadcast != nullptr) shape.push_back(broadcast->size[d]);
  }
  const std::size_t dims = std::max<std::size_t>(2, size.size());
  size.resize(dims, 1);
  if (!shape.empty()) shape.resize(dims, 1);
  const std::string to =
      shape.empty() ? "" : fmt::format("broadcast_shape = [{}], ", fmt::join(shape, ", "));
  // Cores of one memory read the sender's slot in place.
  const char* shares = channel.kind == Channel::Kind::Share ? "shared_copy, " : "";
  return fmt::format("  \"air.channel\"() {{{}buffer_resources = {} : i64, {}size = [{}], "
                     "sym_name = \"{}\"}} : () -> ()\n",
                     to, channel.depth, shares, fmt::join(size, ", "), name);
}

}  // namespace

std::vector<AirChannel> airChannelsOf(const PlacedSchedule& placed) {
  std::vector<AirChannel> all;
  std::set<std::string> names;
  for (std::size_t c = 0; c < placed.schedule.channels.size(); ++c) {
    const Channel& channel = placed.schedule.channels[c];
    AirChannel& out = all.emplace_back();
    out.name = mlirName(channel.name);
    for (int n = 2; names.contains(out.name) || names.contains(out.each()); ++n) {
      out.name = fmt::format("{}_{}", mlirName(channel.name), n);
    }
    names.insert({out.name, out.each()});
    if (!isBroadcast(channel)) {
      out.along = channel.along;
      continue;
    }
    const Receivers receivers(placed, static_cast<int>(c));
    receivers.look(out, channel.along);
    out.reach = Reach::Each;
    if (!receivers.areBox(out)) continue;
    out.reach = inEveryIteration(placed, out.along) ? Reach::All : Reach::Sometimes;
  }
  return all;
}

std::string airChannelText(const AirContext& air) {
  std::string text;
  for (std::size_t c = 0; c < air.channels.size(); ++c) {
    const AirChannel& at = air.channels[c];
    const Channel& channel = air.schedule.channels[c];
    const bool all = at.reach == Reach::All || at.reach == Reach::Sometimes;
    if (at.reach == Reach::One || all) {
      text += declaration(air, channel, at.name, all ? &at : nullptr);
    }
    if (at.reach == Reach::Each || at.reach == Reach::Sometimes) {
      text += declaration(air, channel, at.each(), nullptr);
    }
  }
  for (const AirAwaited& at : air.awaited) {
    std::int64_t tiles = 1;
    for (const std::int64_t count : at.tiles) tiles *= count;
    text += fmt::format(
        "  \"air.channel\"() {{buffer_resources = {} : i64, size = [{}, {}], sym_name = "
        "\"{}\"}} : () -> ()\n",
        at.depth, tiles, air.placed.placement.coreCount(), at.name);
  }
  return text;
}

}  // namespace gridloom::exchange
