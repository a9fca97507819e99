// SPDX-License-Identifier: Apache-2.0
#include "traffic/route_loads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "support/problem.h"
#include "traffic/channel_traffic.h"
#include "traffic/dominant_resources.h"
#include "traffic/line_loads.h"

namespace gridloom::traffic {
namespace {

using hardware::ChannelId;
using hardware::CoreId;
using hardware::LinkId;
using hardware::NodeId;
using hardware::Route;
using hardware::Topology;

/// Cores on a larger plane of routers: links in both directions or one, one or two planes, one port
/// per channel or one at every core.
std::string machine(int columns, int rows, bool ring, bool oneWay, bool manyPorts) {
  const std::string x = ring ? fmt::format(" mod {}", columns) : "";
  const std::string y = ring ? fmt::format(" mod {}", rows) : "";
  std::string text = fmt::format(
      "%fpu = df.mat {{ shape = [4, 4, 4], throughput = 128 flop/cycle }}\n"
      "%x = df.spatial_dim {}\n%y = df.spatial_dim {}\n%ch = df.spatial_dim 3\n"
      "%cores = df.core {{ scaleout = (%x, %y), scalein = (%fpu, [1]), clock = 1 GHz }}\n"
      "%l1 = df.memory {{ scaleout = (%x, %y), size = 65536 B, bandwidth = 64 B/cycle }}\n"
      "%dram = df.memory {{ scaleout = (%ch), size = 1 GiB, bandwidth = 12 B/cycle, kind = global "
      "}}\n",
      columns, rows);
  const auto network = [&](const char* name, const std::string& to, int plane) {
    text += fmt::format(
        "%{} = df.interconnects %cores, %cores {{ map = affine_map<(d0, d1) -> ({})>, bandwidth = "
        "{} B/cycle, latency = {} cycle, plane = {} }}\n",
        name, to, 8 + static_cast<int>(to.size()), 1 + static_cast<int>(to.size()) % 3, plane);
  };
  network("east", "(d0 + 1)" + x + ", d1", 0);
  network("south", "d0, (d1 + 1)" + y, 0);
  network("west", "(d0 - 1)" + x + ", d1", oneWay ? 1 : 0);
  network("north", "d0, (d1 - 1)" + y, oneWay ? 1 : 0);
  text += manyPorts ? "%to = df.interconnects %cores, %dram { map = affine_map<(d0, d1) -> ((d0 + "
                      "2 * d1) mod 3)>, bandwidth = 6 B/cycle, latency = 3 cycle }\n"
                    : "%to = df.interconnects %dram, %cores { map = affine_map<(d0) -> (d0 mod 2, "
                      "d0)>, bandwidth = 6 B/cycle, latency = 3 cycle }\n";
  return text;
}

std::vector<Topology> machines() {
  std::vector<Topology> all;
  for (int kind = 0; kind < 8; ++kind) {
    const bool ring = (kind & 1) != 0, oneWay = ring && (kind & 2) != 0, many = (kind & 4) != 0;
    all.push_back(test::makeProblem(machine(5, 4, ring, oneWay, many), "gemm").hw);
  }
  all.push_back(test::makeProblem("wormhole_n150", "gemm").hw);
  return all;
}

std::vector<double> linksOf(const Topology& hw, const RouteLoads& loads) {
  std::vector<double> bytes(hw.links().size(), 0.0);
  loads.forLinks([&](LinkId link, double b) { bytes[link.index()] += b; });
  return bytes;
}

TEST(RouteLoads, CountWhatWalkingEveryRouteCounts) {
  std::mt19937 random(7);
  for (const Topology& hw : machines()) {
    for (std::int64_t plane = 0; plane < hw.planes(); ++plane) {
      std::vector<NodeId> from, to;
      const auto any = [&] {
        return NodeId(static_cast<std::int32_t>(random() % static_cast<unsigned>(hw.nodeCount())));
      };
      for (int n = 0; n < 9; ++n) from.push_back(any());
      for (int n = 0; n < 13; ++n) to.push_back(any());
      std::vector<double> walked(hw.links().size(), 0.0);
      RouteLoads one(hw, plane), all(hw, plane);
      Route route;
      for (const NodeId a : from) {
        for (const NodeId b : to) {
          hw.route(plane, a, b, route);
          const RouteLoads::Path path = one.add(a, b);
          double latency = 0, slowest = 0;
          for (const LinkId id : route) {
            walked[id.index()] += 1;
            latency += hw.links()[id.index()].latency;
            slowest = std::max(slowest, 1 / hw.links()[id.index()].bandwidth);
          }
          ASSERT_EQ(path.hops, static_cast<std::int64_t>(route.size()));
          ASSERT_DOUBLE_EQ(path.latency, latency);
          ASSERT_DOUBLE_EQ(path.slowest, slowest);
        }
      }
      all.addAll(from, to);
      EXPECT_EQ(linksOf(hw, one), walked) << hw.name() << " plane " << plane;
      EXPECT_EQ(linksOf(hw, all), walked) << hw.name() << " plane " << plane;
    }
  }
}

/// Adds route by route, as cores do.
struct Walked {
  std::vector<double> links, channels;
  double latency = 0, alone = 0;
};

Walked walk(const Topology& hw, std::span<const CoreId> cores, bool write,
            const ChannelChoice& choice) {
  Walked out;
  out.links.assign(hw.links().size(), 0.0);
  out.channels.assign(static_cast<std::size_t>(hw.global().channels), 0.0);
  const auto all = static_cast<double>(std::reduce(choice.parts.begin(), choice.parts.end()));
  const auto channels = static_cast<std::int64_t>(out.channels.size());
  Route route;
  for (const CoreId core : cores) {
    std::map<LinkId, double> own;
    for (std::size_t c = 0; c < out.channels.size(); ++c) {
      const ChannelId channel = ChannelId::of(c);
      const std::int64_t first = choice.first ? choice.first(core).value() : 0;
      const std::int64_t offset = (channel.value() - first + channels) % channels;
      const auto found = std::ranges::find(choice.offsets, offset);
      if (found == choice.offsets.end()) continue;
      const auto n = static_cast<std::size_t>(found - choice.offsets.begin());
      const double share = static_cast<double>(choice.parts[n]) / all;
      write ? hw.writeRoute(core, channel, route) : hw.readRoute(channel, core, route);
      double latency = 0;
      for (const LinkId id : route) {
        own[id] += share;
        latency += hw.links()[id.index()].latency;
      }
      out.channels[c] += share;
      out.latency = std::max(out.latency, latency);
    }
    for (const auto& [id, bytes] : own) {
      out.links[id.index()] += bytes;
      out.alone = std::max(out.alone, bytes / hw.links()[id.index()].bandwidth);
    }
  }
  return out;
}

TEST(ChannelTraffic, IsThatOfEveryRouteWalked) {
  std::mt19937 random(3);
  for (const Topology& hw : machines()) {
    for (int trial = 0; trial < 24; ++trial) {
      // A rectangle of cores, or any of them.
      std::vector<CoreId> cores;
      const bool rectangle = trial % 2 == 0;
      const std::int64_t right =
          1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(hw.dims()[0].size));
      for (std::int64_t c = 0; c < hw.coreCount(); ++c) {
        std::int64_t at[2];
        hw.coordinatesOf(CoreId(static_cast<std::int32_t>(c)), at);
        if (rectangle ? at[0] < right : random() % 3 == 0) {
          cores.emplace_back(static_cast<std::int32_t>(c));
        }
      }
      const bool write = trial / 2 % 2 == 1;
      // All channels, the nearest one, or some in turn from one of the core's own or from the first
      // on, with different parts of the bytes.
      ChannelChoice choice;
      choice.offsets.resize(static_cast<std::size_t>(hw.global().channels));
      std::iota(choice.offsets.begin(), choice.offsets.end(), 0);
      const int kind = trial / 4 % 4;
      if (kind == 0) {
        choice = {{0}, {1}, [&](CoreId core) { return hw.nearestChannel(core, write); }};
      }
      if (kind > 1) {
        std::erase_if(choice.offsets, [&](std::int64_t offset) { return offset % 3 == trial % 3; });
        if (choice.offsets.empty()) choice.offsets = {0};
      }
      if (kind == 3) {
        choice.first = [&](CoreId core) {
          return ChannelId(static_cast<std::int32_t>(core.value() % hw.global().channels));
        };
      }
      choice.parts.assign(choice.offsets.size(), 1);
      if (kind > 1) {
        for (std::int64_t& parts : choice.parts)
          parts = 1 + static_cast<std::int64_t>(random() % 3);
      }
      const Walked walked = walk(hw, cores, write, choice);
      std::vector<double> links(hw.links().size(), 0.0);
      const ChannelTraffic counted =
          channelTraffic(hw, cores, write, choice, nullptr,
                         [&](LinkId link, double bytes) { links[link.index()] += bytes; });
      for (std::size_t l = 0; l < links.size(); ++l) {
        ASSERT_NEAR(links[l], walked.links[l], 1e-9) << hw.linkName(LinkId::of(l)) << trial;
      }
      for (std::size_t c = 0; c < walked.channels.size(); ++c) {
        ASSERT_NEAR(counted.channels[c], walked.channels[c], 1e-9);
      }
      EXPECT_NEAR(counted.latency, walked.latency, 1e-9) << trial;
      EXPECT_NEAR(counted.alone, walked.alone, 1e-9) << trial;
    }
  }
}

TEST(LineLoads, CountOnEveryLineWhatRoutesCount) {
  std::mt19937 random(5);
  std::vector<Topology> all = machines();
  all.pop_back();  // its cores are placed on a larger plane of routers
  for (const Topology& hw : all) {
    for (std::size_t trial = 0; trial < 8; ++trial) {
      const std::size_t dim = trial % 2;
      const std::int64_t plane = static_cast<std::int64_t>(trial / 2) % hw.planes();
      const auto size = static_cast<unsigned>(hw.nodeGrid()[dim]);
      std::vector<std::pair<std::int64_t, std::int64_t>> sends;
      for (int n = 0; n < 4; ++n) sends.emplace_back(random() % size, random() % size);
      const LineLoads line(hw, plane, dim, sends);
      RouteLoads routes(hw, plane);
      std::vector<double> cycles(hw.links().size(), 0.0);
      double latency = 0, slowest = 0, hops = 0;
      for (std::int64_t other = 0; other < hw.nodeGrid()[1 - dim]; ++other) {
        std::vector<std::int64_t> at(2, other);
        const auto node = [&](std::int64_t c) { return at[dim] = c, hw.nodeOf(hw.coreAt(at)); };
        for (const auto& [from, to] : sends) {
          const RouteLoads::Path path = routes.add(node(from), node(to));
          latency = std::max(latency, path.latency);
          slowest = std::max(slowest, path.slowest);
          hops += static_cast<double>(path.hops);
        }
        const std::size_t first = node(0).index();
        for (const auto& link : line.links())
          cycles[link.hops[first + link.offset].index()] += link.cycles;
      }
      const std::vector<double> bytes = linksOf(hw, routes);
      for (std::size_t l = 0; l < cycles.size(); ++l)
        ASSERT_EQ(cycles[l], bytes[l] / hw.links()[l].bandwidth) << hw.linkName(LinkId::of(l));
      EXPECT_EQ(line.latency(), latency);
      EXPECT_EQ(line.slowest(), slowest);
      EXPECT_EQ(line.hops() * static_cast<double>(hw.nodeGrid()[1 - dim]), hops);
    }
  }
}

TEST(Load, PartsWithoutLoadCountAsZero) {
  Load some(3 * Load::kPart + 5), other(3 * Load::kPart + 5);
  some[Load::kPart + 1] = 2;
  other[Load::kPart + 1] = 1;
  other[3 * Load::kPart + 4] = 7;
  some.add(other);
  some.scale(0.5);
  const Load& sum = some;
  EXPECT_EQ(sum[0], 0);
  EXPECT_EQ(sum[Load::kPart + 1], 1.5);
  EXPECT_EQ(sum[3 * Load::kPart + 4], 3.5);
  EXPECT_EQ(sum.peak(), 3.5);
  EXPECT_EQ(sum.part(0), nullptr);
  EXPECT_EQ(sum.partSize(3), 5u);
  EXPECT_EQ(Load(4).peak(), 0);
}

TEST(DecisiveRows, DecideEveryWeightedSum) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Load> patterns(3, Load(40));
    for (Load& pattern : patterns) {
      for (std::size_t row = 0; row < 40; ++row) pattern[row] = static_cast<double>(random() % 6);
    }
    std::vector<const Load*> loads;
    for (const auto& pattern : patterns) loads.push_back(&pattern);
    const std::vector<std::size_t> kept = dominantResources(loads, nullptr);
    EXPECT_LT(kept.size(), 40u);
    for (int sum = 0; sum < 20; ++sum) {
      double weight[3];
      for (double& w : weight) w = static_cast<double>(random() % 10);
      const auto total = [&](std::size_t row) {
        return weight[0] * patterns[0][row] + weight[1] * patterns[1][row] +
               weight[2] * patterns[2][row];
      };
      double most = 0, mostKept = 0;
      for (std::size_t row = 0; row < 40; ++row) most = std::max(most, total(row));
      for (const std::size_t row : kept) mostKept = std::max(mostKept, total(row));
      EXPECT_EQ(mostKept, most);
    }
  }
}

}  // namespace
}  // namespace gridloom::traffic
