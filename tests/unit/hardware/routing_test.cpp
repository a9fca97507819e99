// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <tuple>

#include "hardware_text.h"

namespace gridloom::hardware {
namespace {

std::string machine(int width, int height, const std::string& networks) {
  return "%x = df.spatial_dim " + std::to_string(width) + "\n%y = df.spatial_dim " +
         std::to_string(height) +
         "\n%c = df.core { scaleout = (%x, %y) }\n"
         "%l = df.memory { scaleout = (%x, %y), size = 1 KiB, bandwidth = 1 B/cycle }\n" +
         networks;
}

std::string network(const std::string& name, const std::string& results, int plane = 0) {
  return "%" + name + " = df.interconnects %c, %c { map = affine_map<(d0, d1) -> (" + results +
         ")>, bandwidth = 4 B/cycle, plane = " + std::to_string(plane) + " }\n";
}

std::string mesh(int w, int h) {
  return machine(w, h,
                 network("e", "d0 + 1, d1") + network("w", "d0 - 1, d1") +
                     network("s", "d0, d1 + 1") + network("n", "d0, d1 - 1"));
}

std::string torus(int w, int h, bool bothWays) {
  const std::string x = " mod " + std::to_string(w);
  const std::string y = " mod " + std::to_string(h);
  std::string networks = network("e", "(d0 + 1)" + x + ", d1") + network("s", "d0, (d1 + 1)" + y);
  const int plane = bothWays ? 0 : 1;
  networks += network("w", "(d0 - 1)" + x + ", d1", plane);
  networks += network("n", "d0, (d1 - 1)" + y, plane);
  return machine(w, h, networks);
}

/// Hops over the links of one plane by breadth-first search, independent of dimensions.
std::vector<std::int64_t> hopsFrom(const Topology& t, std::int64_t plane, NodeId from) {
  std::vector<std::int64_t> hops(static_cast<std::size_t>(t.nodeCount()), -1);
  std::deque<NodeId> queue{from};
  hops[from.index()] = 0;
  while (!queue.empty()) {
    const NodeId node = queue.front();
    queue.pop_front();
    for (const Link& link : t.links()) {
      if (link.kind != Link::Kind::Hop || link.from != node) continue;
      if (t.networks()[link.network.index()].plane != plane || hops[link.to.index()] >= 0) continue;
      hops[link.to.index()] = hops[node.index()] + 1;
      queue.push_back(link.to);
    }
  }
  return hops;
}

void expectShortestConnectedRoutes(const Topology& t) {
  Route route;
  for (std::int64_t plane = 0; plane < t.planes(); ++plane) {
    for (std::int32_t a = 0; a < t.nodeCount(); ++a) {
      const auto hops = hopsFrom(t, plane, NodeId(a));
      for (std::int32_t b = 0; b < t.nodeCount(); ++b) {
        t.route(plane, NodeId(a), NodeId(b), route);
        ASSERT_EQ(static_cast<std::int64_t>(route.size()), hops[static_cast<std::size_t>(b)])
            << a << " to " << b << " on plane " << plane;
        NodeId at(a);
        for (const LinkId link : route) {
          ASSERT_EQ(t.links()[link.index()].from, at);
          at = t.links()[link.index()].to;
        }
        ASSERT_EQ(at, NodeId(b));
      }
    }
  }
}

TEST(Routing, IsShortestOnMeshesAndTori) {
  for (const auto& [w, h] :
       {std::array{4, 3}, std::array{1, 5}, std::array{2, 2}, std::array{5, 4}}) {
    SCOPED_TRACE(std::to_string(w) + "x" + std::to_string(h));
    expectShortestConnectedRoutes(topologyOf(mesh(w, h)));
    expectShortestConnectedRoutes(topologyOf(torus(w, h, false)));
    expectShortestConnectedRoutes(topologyOf(torus(w, h, true)));
  }
}

TEST(Routing, LinksAreFoundByTheirNames) {
  for (const Topology& t : {topologyOf(torus(4, 3, false)), topologyOf(torus(2, 2, true))}) {
    for (std::size_t l = 0; l < t.links().size(); ++l) {
      const auto found = t.linkNamed(t.linkName(LinkId::of(l)));
      ASSERT_TRUE(found) << t.linkName(LinkId::of(l));
      EXPECT_EQ(t.linkName(*found), t.linkName(LinkId::of(l)));
    }
    for (const char* name : {"", "e", "e (0,0)", "e (0,0)->(3,2)", "e (9,0)->(0,0)", "(", "e (0->",
                             "none (0,0)->(1,0)", "drams 99->(0,0)", "e (0,0,0)->(1,0)"})
      EXPECT_FALSE(t.linkNamed(name)) << name;
  }
}

TEST(Routing, TakesDimensionZeroFirstOnEvenPlanesAndLastOnOddOnes) {
  const Topology t = topologyOf(torus(4, 4, false));
  Route route;
  t.route(0, NodeId(0), NodeId(5), route);
  EXPECT_EQ(t.linkName(route[0]), "e (0,0)->(1,0)");
  t.route(1, NodeId(5), NodeId(0), route);
  EXPECT_EQ(t.linkName(route[0]), "n (1,1)->(1,0)");
  t.route(3, NodeId(5), NodeId(0), route);
  EXPECT_EQ(t.linkName(route[0]), "n (1,1)->(1,0)") << "planes wrap around their number";
}

TEST(Routing, MulticastTreeIsATreeThatReachesEveryCoreOnce) {
  for (const std::string& text : {mesh(4, 3), torus(4, 5, false), torus(5, 3, true)}) {
    const Topology t = topologyOf(text);
    for (const std::vector<int>& order : {std::vector{0}, {1}, {0, 1}, {1, 0}}) {
      for (std::int32_t root = 0; root < t.coreCount(); ++root) {
        const Topology::Tree tree = t.multicastTree(0, CoreId(root), order);
        std::int64_t members = 1;
        for (const int d : order) members *= t.dims()[static_cast<std::size_t>(d)].size;
        ASSERT_EQ(static_cast<std::int64_t>(tree.links.size()), members - 1);
        std::set<NodeId> reached{t.nodeOf(CoreId(root))};
        for (const LinkId link : tree.links) {
          ASSERT_TRUE(reached.insert(t.links()[link.index()].to).second);
        }
        ASSERT_LE(tree.depth, members - 1);
      }
    }
  }
}

TEST(Routing, PortsAreTheFirstOfTheNearestOnes) {
  for (const char* name : {"wormhole_8x8", "wormhole_n150", "npu_strix_4x8", "spyre_ring"}) {
    const Topology t = presetTopology(name);
    Route route;
    const auto hops = [&](std::int64_t plane, NodeId from, NodeId to) {
      t.route(plane, from, to, route);
      return route.size();
    };
    for (std::int32_t c = 0; c < t.global().channels; ++c) {
      for (std::int32_t n = 0; n < t.nodeCount(); ++n) {
        LinkId read, write;
        std::size_t reads = 0, writes = 0;
        for (const LinkId port : t.readPorts(ChannelId(c))) {
          const std::size_t way = hops(t.readPlane(), t.links()[port.index()].to, NodeId(n));
          if (!read.valid() || way < reads) std::tie(read, reads) = std::pair(port, way);
        }
        for (const LinkId port : t.writePorts(ChannelId(c))) {
          const std::size_t way = hops(t.writePlane(), NodeId(n), t.links()[port.index()].from);
          if (!write.valid() || way < writes) std::tie(write, writes) = std::pair(port, way);
        }
        ASSERT_EQ(t.readPort(ChannelId(c), NodeId(n)), read) << name << " " << c << " " << n;
        ASSERT_EQ(t.writePort(NodeId(n), ChannelId(c)), write) << name << " " << c << " " << n;
      }
    }
  }
}

TEST(Routing, ReadsEnterAtTheNearestPort) {
  const Topology t = presetTopology("wormhole_8x8");
  Route route;
  t.readRoute(ChannelId(0), CoreId(0), route);
  ASSERT_EQ(route.size(), 1u);
  EXPECT_EQ(t.linkName(route[0]), "drams 0->(0,0)");
  t.readRoute(ChannelId(3), CoreId(0), route);
  ASSERT_EQ(route.size(), 3u);
  EXPECT_EQ(t.linkName(route[0]), "drams 3->(7,7)");
  t.writeRoute(CoreId(0), ChannelId(1), route);
  EXPECT_EQ(t.linkName(route.back()), "(4,0)->drams 1");
}

}  // namespace
}  // namespace gridloom::hardware
