// SPDX-License-Identifier: Apache-2.0
#include "network/traffic_programs.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

namespace gridloom::network {

namespace {

constexpr std::int64_t kStreamBytes = 1 << 20;
constexpr std::int64_t kStreamTransfer = 8192;

/// Every router of the plane in the columns and rows of cores: not those of memory and Ethernet.
std::vector<hardware::NodeId> coreTiles(const hardware::Topology& hw) {
  std::vector<bool> columns(static_cast<std::size_t>(hw.nodeGrid()[0]));
  std::vector<bool> rows(static_cast<std::size_t>(hw.nodeGrid()[1]));
  std::array<std::int64_t, 2> at{};
  for (std::int64_t core = 0; core < hw.coreCount(); ++core) {
    hw.nodeCoordinates(hw.nodeOf(hardware::CoreId(static_cast<std::int32_t>(core))), at);
    columns[static_cast<std::size_t>(at[0])] = true;
    rows[static_cast<std::size_t>(at[1])] = true;
  }
  std::vector<hardware::NodeId> out;
  for (std::size_t x = 0; x < columns.size(); ++x) {
    for (std::size_t y = 0; y < rows.size(); ++y) {
      if (!columns[x] || !rows[y]) continue;
      out.push_back(routerAt(hw, static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)));
    }
  }
  return out;
}

/// Readers behind the channel's router, writers before it, in the direction of their network.
hardware::NodeId besideChannel(const hardware::Topology& hw, const DramStreams& streams,
                               hardware::NodeId router, std::int64_t nth) {
  std::array<std::int64_t, 2> at{};
  hw.nodeCoordinates(router, at);
  const bool rightward = (streams.plane == 0) == streams.reads;
  const std::int64_t columns = hw.nodeGrid()[0];
  const std::int64_t step = rightward ? nth + 1 : columns - nth - 1;
  return routerAt(hw, (at[0] + step) % columns, at[1]);
}

class RandomPackets {
 public:
  RandomPackets(const hardware::Topology& hw, double rate, bool uniform)
      : m_hw(hw), m_rate(rate), m_uniform(uniform), m_random(7) {}

  TransferProgram make(double cycles) {
    TransferProgram program;
    for (std::int64_t n = 0; n < m_hw.nodeCount(); ++n) {
      TransferProcessor& processor = program.processors.emplace_back();
      processor.name = fmt::format("node {}", n);
      processor.node = hardware::NodeId(static_cast<std::int32_t>(n));
      for (double at = gap(); at < cycles; at += gap()) {
        TransferStep step;
        step.kind = TransferStep::Kind::Write;
        step.posted = true;
        step.bytes = 1;
        step.start = at;
        step.peer = target(static_cast<std::int32_t>(n));
        processor.steps.push_back(step);
      }
    }
    return program;
  }

 private:
  double unit() { return (static_cast<double>(m_random()) + 0.5) / 4294967296.0; }
  /// Cycles to the next packet, when each cycle has one with the same probability.
  double gap() { return std::floor(std::log(unit()) / std::log(1 - m_rate)) + 1; }
  std::int32_t target(std::int32_t from) {
    if (m_uniform)
      return static_cast<std::int32_t>(m_random() % static_cast<std::uint32_t>(m_hw.nodeCount()));
    const auto rows = static_cast<std::int32_t>(m_hw.nodeGrid()[1]);
    const auto columns = static_cast<std::int32_t>(m_hw.nodeGrid()[0]);
    return (from / rows + 1) % columns * rows + (from + 1) % rows;
  }

  const hardware::Topology& m_hw;
  double m_rate;
  bool m_uniform;
  std::mt19937 m_random;
};

}  // namespace

hardware::NodeId routerAt(const hardware::Topology& hw, std::int64_t x, std::int64_t y) {
  return hardware::NodeId(static_cast<std::int32_t>(x * hw.nodeGrid()[1] + y));
}

std::vector<hardware::NodeId> channelRouters(const hardware::Topology& hw) {
  std::vector<hardware::NodeId> routers(static_cast<std::size_t>(hw.global().channels));
  for (const hardware::Link& link : hw.links()) {
    if (link.kind != hardware::Link::Kind::ReadPort) continue;
    hardware::NodeId& router = routers[link.channel.index()];
    if (!router.valid()) router = link.to;
  }
  return routers;
}

TransferProcessor burstOf(const Burst& burst, hardware::NodeId node, hardware::NodeId peer,
                          std::int32_t channel) {
  TransferStep step;
  step.kind = burst.reads ? TransferStep::Kind::Read : TransferStep::Kind::Write;
  step.plane = static_cast<std::uint8_t>(burst.plane);
  step.peer = peer.value();
  step.channel = channel;
  step.bytes = burst.bytes;
  TransferProcessor processor;
  processor.name = "core";
  processor.node = node;
  processor.steps.assign(static_cast<std::size_t>(burst.count), step);
  TransferStep wait;
  wait.kind = TransferStep::Kind::Wait;
  wait.waitsFor = TransferStep::Reads | TransferStep::Writes;
  processor.steps.push_back(wait);
  return processor;
}

TransferProgram dramStreams(const hardware::Topology& hw, const DramStreams& streams,
                            std::mt19937& random) {
  TransferProgram program;
  const std::vector<hardware::NodeId> routers = channelRouters(hw);
  std::vector<hardware::NodeId> anywhere = coreTiles(hw);
  // Not std::shuffle: its order is the library's own.
  for (std::size_t i = anywhere.size(); i > 1; --i) {
    std::swap(anywhere[i - 1], anywhere[random() % i]);
  }
  const std::size_t oneChannel = random() % routers.size();
  const Burst burst{streams.reads, streams.plane, kStreamTransfer, kStreamBytes / kStreamTransfer};
  for (std::int64_t t = 0; t < streams.tiles; ++t) {
    const auto channel =
        streams.channels == 1 ? oneChannel : static_cast<std::size_t>(t % streams.channels);
    const hardware::NodeId node =
        streams.besideChannel ? besideChannel(hw, streams, routers[channel], t / streams.channels)
                              : anywhere[static_cast<std::size_t>(t) % anywhere.size()];
    program.processors.push_back(
        burstOf(burst, node, routers[channel], static_cast<std::int32_t>(channel)));
  }
  return program;
}

TransferProgram randomPackets(const hardware::Topology& hw, double rate, bool uniform,
                              double cycles) {
  return RandomPackets(hw, rate, uniform).make(cycles);
}

}  // namespace gridloom::network
