// SPDX-License-Identifier: Apache-2.0
#include "hardware/topology.h"

#include <gtest/gtest.h>

#include <array>

#include "hardware_text.h"

namespace gridloom::hardware {
namespace {

std::string cores4x4(const std::string& attributes, const std::string& more = "") {
  return "%x = df.spatial_dim 4\n%y = df.spatial_dim 4\n"
         "%c = df.core { scaleout = (%x, %y) " +
         attributes +
         " }\n"
         "%l = df.memory { scaleout = (%x, %y), size = 1 KiB, bandwidth = 8 B/cycle }\n"
         "%h = df.interconnects %c, %c { map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, "
         "bandwidth = 4 B/cycle }\n"
         "%v = df.interconnects %c, %c { map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, "
         "bandwidth = 4 B/cycle }\n" +
         more;
}

TEST(Topology, WormholeHasTheFiguresOfItsDescription) {
  const Topology t = presetTopology("wormhole_8x8");
  EXPECT_EQ(t.coreCount(), 64);
  EXPECT_EQ(t.planes(), 1);
  EXPECT_EQ(t.links().size(), 64u * 2 + 64 * 2);
  EXPECT_EQ(t.local().bytes, 1499136);
  EXPECT_EQ(t.global().channels, 4);
  EXPECT_DOUBLE_EQ(t.global().readBandwidth, 37.5);
  EXPECT_DOUBLE_EQ(t.networks()[0].latency, 9);
  const auto compute = t.compute("", 16);
  ASSERT_TRUE(compute.ok());
  EXPECT_DOUBLE_EQ(compute->matrixPeak, 1024);
  EXPECT_DOUBLE_EQ(compute->matrixSustained, 716);
  EXPECT_DOUBLE_EQ(compute->vectorRate("exp"), 7);
  EXPECT_DOUBLE_EQ(compute->vectorRate("tanh"), 4);
}

TEST(Topology, ReductionsFallBackOnTheRateOfReduce) {
  ComputeModel model;
  model.vectorDefault = 2;
  EXPECT_EQ(model.vectorRate("sumreduce"), 2);
  model.vectorRates = {{"reduce", 8}, {"maxreduce", 4}};
  EXPECT_EQ(model.vectorRate("sumreduce"), 8);
  EXPECT_EQ(model.vectorRate("maxreduce"), 4);
  EXPECT_EQ(model.vectorRate("exp"), 2);
}

TEST(Topology, CoresAndChannelsSitAtTheirRoutersOnTheRealCard) {
  const Topology t = presetTopology("wormhole_n150");
  EXPECT_EQ(t.nodeCount(), 120);
  EXPECT_EQ(t.planes(), 2);
  EXPECT_EQ(t.global().channels, 12);
  EXPECT_DOUBLE_EQ(t.global().readBandwidth, 22.3);
  std::array<std::int64_t, 2> at{};
  t.nodeCoordinates(t.nodeOf(t.coreAt(std::array<std::int64_t, 2>{4, 5})), at);
  EXPECT_EQ(at, (std::array<std::int64_t, 2>{6, 7}));
  Route route;
  t.readRoute(ChannelId(0), CoreId(0), route);
  EXPECT_EQ(t.linkName(route[0]), "drams 0->(0,1)");
}

TEST(Topology, EveryPresetResolves) {
  EXPECT_EQ(presetTopology("wormhole_4x8").coreCount(), 32);
  EXPECT_EQ(presetTopology("wormhole_4x8").nodeCount(), 64);
  EXPECT_EQ(presetTopology("wormhole_1x8").coreCount(), 8);
  EXPECT_EQ(presetTopology("npu_phoenix_4x4").coreCount(), 16);
  EXPECT_EQ(presetTopology("systolic_mesh_32x32").coreCount(), 1024);
  EXPECT_TRUE(presetTopology("systolic_mesh_32x32").hasGlobal());
  EXPECT_EQ(presetTopology("arria10_systolic_10x8").coreCount(), 80);
}

TEST(Topology, CoresThatShareAMemoryAreZeroHopsApart) {
  const Topology t = presetTopology("spyre_ring");
  EXPECT_EQ(t.coreCount(), 64);
  EXPECT_EQ(t.nodeCount(), 32);
  EXPECT_EQ(t.local().sharedBy, 2);
  EXPECT_EQ(t.local().bytes, 2097152);
  EXPECT_EQ(t.local().sharedDims, 2U);
  EXPECT_EQ(t.clock(), 0);
  const CoreId a = t.coreAt(std::array<std::int64_t, 2>{5, 0});
  const CoreId b = t.coreAt(std::array<std::int64_t, 2>{5, 1});
  Route route;
  t.route(0, t.nodeOf(a), t.nodeOf(b), route);
  EXPECT_TRUE(route.empty());
  const std::array<int, 2> both{0, 1};
  EXPECT_EQ(t.multicastTree(0, a, both).links.size(), 31u);
  EXPECT_EQ(t.multicastTree(0, a, both).depth, 31);
}

/// How a map is written decides how it is read, coordinate by coordinate or router by router.
TEST(Topology, MapsThatMeanTheSameMakeTheSameLinks) {
  const auto read = [](const std::string& right, const std::string& down) {
    std::string text = cores4x4("");
    const auto put = [&](const std::string& old, const std::string& map) {
      text.replace(text.find(old), old.size(), map);
    };
    put("((d0 + 1) mod 4, d1)", right);
    put("(d0, (d1 + 1) mod 4)", down);
    return topologyOf(text);
  };
  for (const char* step : {"1", "3"}) {
    const std::string on = std::string(" + ") + step + ") mod 4";
    const Topology plain = read("((d0" + on + ", d1)", "(d0, (d1" + on + ")");
    const Topology mixed =
        read("((d0 + d1 * 0" + on + ", d1 + d0 * 0)", "(d0 + d1 * 0, (d1 + d0 * 0" + on + ")");
    ASSERT_EQ(plain.links().size(), mixed.links().size()) << step;
    for (std::size_t l = 0; l < plain.links().size(); ++l) {
      EXPECT_EQ(plain.links()[l].from, mixed.links()[l].from);
      EXPECT_EQ(plain.links()[l].to, mixed.links()[l].to);
    }
  }
}

TEST(Topology, RowsWithADisabledCoreLeaveTheGridAndTheirRoutersStay) {
  const Topology t = topologyOf(cores4x4("disabled = [(*, 1)]"));
  ASSERT_EQ(t.dims()[1].size, 3);
  EXPECT_EQ(t.coreCount(), 12);
  EXPECT_EQ(t.enabledCores(), 12);
  EXPECT_EQ(t.nodeCount(), 16);
  Route route;
  t.route(0, t.nodeOf(CoreId(0)), t.nodeOf(CoreId(1)), route);
  EXPECT_EQ(route.size(), 2u) << "the disabled row is passed through";
}

TEST(Topology, ASingleDisabledCoreTakesItsCheaperLineOutOfTheGrid) {
  const Topology t = topologyOf(cores4x4("disabled = [(*, 1), (3, 2)]"));
  EXPECT_EQ(t.dims()[0].size, 3) << "a column of three cores, not a row of four";
  EXPECT_EQ(t.dims()[1].size, 3);
  EXPECT_EQ(t.coreCount(), 9);
  EXPECT_EQ(t.enabledCores(), 11) << "the two idle ones count for the utilization";
  EXPECT_EQ(t.nodeCount(), 16);
}

TEST(Topology, CoresOfDroppedLinesAreListedWhereTheyAre) {
  const Topology t = topologyOf(cores4x4("disabled = [(*, 1), (3, 2)]"));
  ASSERT_EQ(t.coresAside().size(), 16u - 9u);
  int disabled = 0;
  for (const Topology::CoreAside& aside : t.coresAside()) {
    std::vector<std::int64_t> at(2);
    t.nodeCoordinates(aside.node, at);
    EXPECT_EQ(at, aside.coordinates) << "one router per core";
    const bool isOff = at[1] == 1 || (at[0] == 3 && at[1] == 2);
    EXPECT_EQ(aside.disabled, isOff);
    disabled += aside.disabled ? 1 : 0;
  }
  EXPECT_EQ(disabled, 5);
  std::vector<std::int64_t> logical(2), described(2), node(2);
  for (std::int64_t core = 0; core < t.coreCount(); ++core) {
    const CoreId id(static_cast<std::int32_t>(core));
    t.coordinatesOf(id, logical);
    t.describedCoordinates(id, described);
    t.nodeCoordinates(t.nodeOf(id), node);
    EXPECT_EQ(described, node);
    EXPECT_EQ(described[1], logical[1] == 0 ? 0 : logical[1] + 1) << "row 1 is dropped";
  }
  EXPECT_TRUE(topologyOf(cores4x4("")).coresAside().empty());
}

TEST(Topology, ATriangleIsFoldedOntoAllItsCores) {
  const std::string triangle = "enabled = affine_set<(d0, d1) : (d0 >= d1)>";
  const Topology made = topologyOf(cores4x4(triangle));
  EXPECT_NE(topologyNotes(cores4x4(triangle))
                .find("mappings use 10 of 10 enabled cores, folded to (2, 5)"),
            std::string::npos);
  EXPECT_EQ(made.coreCount(), 10);
  EXPECT_EQ(made.coresAside().size(), 6u);
  std::vector<std::int64_t> described(2), node(2);
  for (std::int64_t core = 0; core < made.coreCount(); ++core) {
    const CoreId id(static_cast<std::int32_t>(core));
    made.describedCoordinates(id, described);
    made.nodeCoordinates(made.nodeOf(id), node);
    EXPECT_EQ(described, node);
    EXPECT_GE(described[0], described[1]);
  }
}

// A memory that whole lines share would be that of parts of folded ones.
TEST(Topology, CoresThatShareMemoriesAreNotFolded) {
  const Topology t = topologyOf(cores4x4("enabled = affine_set<(d0, d1) : (d0 >= d1)>",
                                         "%m = df.memory { scaleout = (%x), size = 1 KiB, "
                                         "bandwidth = 8 B/cycle }\n"));
  EXPECT_EQ(t.coreCount(), 6);
  EXPECT_EQ(t.enabledCores(), 10);
}

TEST(Topology, ModesFollowTheElementWidthInTheOrderOfTheDescription) {
  const Topology t = presetTopology("wormhole_n150");
  EXPECT_EQ(t.compute("", 16)->mode, "hifi4");
  EXPECT_EQ(t.compute("", 8.5)->mode, "hifi2");
  EXPECT_EQ(t.compute("", 4.5)->mode, "lofi") << "the fastest";
  EXPECT_DOUBLE_EQ(t.compute("lofi", 16)->matrixPeak, 4096);
  const auto unknown = t.compute("hifi5", 16);
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(base::render(unknown.diagnostics()).find("`hifi4`, `hifi2`, `hifi3`, `lofi`"),
            std::string::npos);
}

// A subblock of 2 x 4 tiles takes 2 + 8 tiles for 8 products, each in bytes / 64 + 2 cycles.
TEST(Topology, AMatrixUnitIsNoFasterThanItsOperandsEnter) {
  const Topology t = presetTopology("wormhole_n150");
  EXPECT_DOUBLE_EQ(t.compute("hifi2", 16)->matrixSustained, 65536 / (1.25 * (2048 / 64. + 2)));
  EXPECT_DOUBLE_EQ(t.compute("lofi", 8.5)->matrixSustained, 65536 / (1.25 * (1088 / 64. + 2)));
  EXPECT_DOUBLE_EQ(t.compute("hifi4", 16)->matrixSustained, 981) << "the products take longer";
  EXPECT_DOUBLE_EQ(t.compute("lofi", 4.5)->matrixSustained, 3486);
  EXPECT_DOUBLE_EQ(t.compute("lofi", 16)->matrixPeak, 4096) << "the peak is the peak";
}

TEST(Topology, NearestChannelsHaveTheFewestHopsAndServeInTurn) {
  const Topology t = presetTopology("wormhole_n150");
  std::vector<int> served(12, 0);
  Route route;
  for (std::int32_t core = 0; core < t.coreCount(); ++core) {
    for (const bool write : {false, true}) {
      const auto hops = [&](ChannelId channel) {
        write ? t.writeRoute(CoreId(core), channel, route)
              : t.readRoute(channel, CoreId(core), route);
        return route.size();
      };
      const ChannelId nearest = t.nearestChannel(CoreId(core), write);
      const std::size_t fewest = hops(nearest);
      for (std::int32_t c = 0; c < 12; ++c) EXPECT_GE(hops(ChannelId(c)), fewest);
      if (!write) ++served[nearest.index()];
    }
  }
  for (int pair = 0; pair < 6; ++pair) {
    const int together = served[2 * pair] + served[2 * pair + 1];
    EXPECT_LE(std::abs(served[2 * pair] - served[2 * pair + 1]), together / 4 + 1)
        << "two channels behind one controller";
  }
}

TEST(Topology, WithoutAGlobalMemoryThereIsNone) {
  EXPECT_FALSE(topologyOf(cores4x4("")).hasGlobal());
}

TEST(Topology, InterconnectsOfBothDirectionsServeOneEach) {
  const Topology t = topologyOf(cores4x4(
      "",
      "%k = df.spatial_dim 1\n%d = df.memory { scaleout = (%k), size = 1 MiB, bandwidth = 2 "
      "B/cycle }\n"
      "%in = df.interconnects %c, %d { map = affine_map<(d0, d1) -> (0)>, bandwidth = 3 B/cycle }\n"
      "%out = df.interconnects %d, %c { map = affine_map<(d0) -> (0, 0)>, bandwidth = 5 B/cycle "
      "}\n"));
  int reads = 0;
  int writes = 0;
  for (const Link& link : t.links()) {
    if (link.kind == Link::Kind::ReadPort) {
      ++reads;
      EXPECT_DOUBLE_EQ(link.bandwidth, 5);
    } else if (link.kind == Link::Kind::WritePort) {
      ++writes;
      EXPECT_DOUBLE_EQ(link.bandwidth, 3);
    }
  }
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(writes, 16);
}

/// An edit of a figure makes no links again, and the links have the new figure.
TEST(Topology, MachinesThatDifferInFiguresShareTheirLinks) {
  const auto described = [](const std::string& bandwidth, const std::string& map) {
    return "%x = df.spatial_dim 4\n%y = df.spatial_dim 4\n"
           "%c = df.core { scaleout = (%x, %y) }\n"
           "%l = df.memory { scaleout = (%x, %y), size = 1 KiB, bandwidth = 8 B/cycle }\n"
           "%h = df.interconnects %c, %c { map = affine_map<(d0, d1) -> (" +
           map + ", d1)>, bandwidth = " + bandwidth +
           " B/cycle }\n"
           "%v = df.interconnects %c, %c { map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, "
           "bandwidth = 4 B/cycle }\n"
           "%k = df.spatial_dim 2\n%d = df.memory { scaleout = (%k), size = 1 MiB, bandwidth = " +
           bandwidth +
           " B/cycle, kind = global }\n"
           "%in = df.interconnects %d, %c { map = affine_map<(d0) -> (d0, 0)>, bandwidth = 3 "
           "B/cycle }\n";
  };
  const Topology first = topologyOf(described("4", "(d0 + 1) mod 4"));
  const Topology edited = topologyLike(described("6", "(d0 + 1) mod 4"), first);
  const Topology alone = topologyOf(described("6", "(d0 + 1) mod 4"));
  EXPECT_EQ(edited.hopLayout(), first.hopLayout());
  EXPECT_NE(alone.hopLayout(), first.hopLayout());
  EXPECT_TRUE(edited.looksLike(first));
  ASSERT_EQ(edited.links().size(), alone.links().size());
  for (std::size_t i = 0; i < alone.links().size(); ++i) {
    const Link one = edited.links()[i], other = alone.links()[i];
    EXPECT_EQ(one.kind, other.kind);
    EXPECT_EQ(one.network, other.network);
    EXPECT_EQ(one.from, other.from);
    EXPECT_EQ(one.to, other.to);
    EXPECT_EQ(one.bandwidth, other.bandwidth);
    EXPECT_EQ(one.latency, other.latency);
  }
  EXPECT_EQ(first.links()[0].bandwidth, 4);
  EXPECT_EQ(edited.links()[0].bandwidth, 6);
  const Topology turned = topologyLike(described("4", "(d0 + 3) mod 4"), first);
  EXPECT_NE(turned.hopLayout(), first.hopLayout());
  EXPECT_FALSE(turned.looksLike(first));
}

TEST(LinkTable, PutsLinksTogetherAsTheyWereAdded) {
  const auto port = [](Link::Kind kind, std::int32_t channel, double bandwidth) {
    Link link;
    link.kind = kind;
    link.channel = ChannelId(channel);
    (kind == Link::Kind::ReadPort ? link.to : link.from) = NodeId(7);
    link.bandwidth = bandwidth;
    return link;
  };
  Link hop;
  hop.network = NetworkId(1);
  hop.from = NodeId(3);
  hop.to = NodeId(4);
  hop.bandwidth = 16;
  hop.latency = 2;
  const std::vector<Link> links{hop, port(Link::Kind::ReadPort, 2, 8),
                                port(Link::Kind::WritePort, 5, 8), port(Link::Kind::ReadPort, 6, 4),
                                hop};
  LinkTable table;
  for (const Link& link : links) table.push_back(link);
  std::size_t at = 0;
  for (const Link& link : table) {
    EXPECT_EQ(link.kind, links[at].kind);
    EXPECT_EQ(link.network, links[at].network);
    EXPECT_EQ(link.from, links[at].from);
    EXPECT_EQ(link.to, links[at].to);
    EXPECT_EQ(link.channel, links[at].channel);
    EXPECT_EQ(link.bandwidth, links[at].bandwidth);
    EXPECT_EQ(link.latency, links[at].latency);
    ++at;
  }
  EXPECT_EQ(at, links.size());
  EXPECT_EQ(table.groups().size(), 4u);
  EXPECT_EQ(table.groupOf(0), table.groupOf(4));
  EXPECT_NE(table.groupOf(1), table.groupOf(3)) << "another bandwidth";
}

TEST(Topology, AWaferResolvesWithinMemory) {
  const Topology t = presetTopology("cerebras_like");
  EXPECT_EQ(t.coreCount(), 753972);
  const std::array<int, 2> both{0, 1};
  EXPECT_EQ(t.multicastTree(0, CoreId(0), both).links.size(), 753971u);
}

}  // namespace
}  // namespace gridloom::hardware
