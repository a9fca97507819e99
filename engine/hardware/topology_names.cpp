// SPDX-License-Identifier: Apache-2.0

// Names of routers and links, and what has a name.

#include <charconv>

#include "hardware/topology.h"

namespace gridloom::hardware {

std::string Topology::nodeName(NodeId node) const {
  std::string name = "(";
  for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) {
    if (d != 0) name += ',';
    name += std::to_string(nodeCoordinate(node, d));
  }
  return name + ")";
}

std::string Topology::linkName(LinkId id) const {
  const Link link = m_links[id.index()];
  const std::string channel = m_global.name + " " + std::to_string(link.channel.value());
  switch (link.kind) {
  case Link::Kind::Hop:
    break;
  case Link::Kind::ReadPort:
    return channel + "->" + nodeName(link.to);
  case Link::Kind::WritePort:
    return nodeName(link.from) + "->" + channel;
  }
  return m_networks[link.network.index()].name + " " + nodeName(link.from) + "->" +
         nodeName(link.to);
}

// The coordinates lie between parentheses, with commas.
std::optional<NodeId> Topology::nodeNamed(std::string_view name) const {
  std::int64_t node = 0;
  for (std::size_t d = 0; d < m_nodeGrid.size(); ++d) {
    if (name.empty() || name.front() != (d == 0 ? '(' : ',')) return std::nullopt;
    std::int64_t coordinate = -1;
    const auto [end, error] =
        std::from_chars(name.data() + 1, name.data() + name.size(), coordinate);
    if (error != std::errc() || coordinate < 0 || coordinate >= m_nodeGrid[d]) return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    node += coordinate * m_nodeStride[d];
  }
  if (name != ")") return std::nullopt;
  return NodeId::of(static_cast<std::size_t>(node));
}

std::optional<LinkId> Topology::linkNamed(std::string_view name) const {
  const auto is = [&](LinkId link) { return link.valid() && linkName(link) == name; };
  const std::string_view source = name.substr(0, name.find("->"));
  const std::size_t point = source.rfind('(');
  const auto from =
      point == std::string_view::npos ? std::nullopt : nodeNamed(source.substr(point));
  if (from) {
    for (const auto& table : m_hops->hops) {
      if (!table.empty() && is(table[from->index()])) return table[from->index()];
    }
  }
  for (const auto* ports : {&m_readPorts, &m_writePorts}) {
    for (const std::vector<LinkId>& ofChannel : *ports) {
      for (const LinkId link : ofChannel) {
        if (is(link)) return link;
      }
    }
  }
  return std::nullopt;
}

}  // namespace gridloom::hardware
