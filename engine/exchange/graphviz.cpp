// SPDX-License-Identifier: Apache-2.0
#include "exchange/graphviz.h"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "exchange/quoted_text.h"

namespace gridloom::exchange {

namespace {

constexpr double kPitch = 90;  // points between neighbouring routers

class DotWriter {
 public:
  DotWriter(std::ostream& out, const hardware::Topology& hw, const simulate::Simulation* simulation)
      : m_out(out), m_hw(hw), m_simulation(simulation) {}

  void write() {
    m_out << "digraph " << quotedText(m_hw.name()) << " {\n"
          << "  node [shape=box, fontname=\"DejaVu Sans\", fontsize=9, width=0.6, height=0.4];\n"
          << "  edge [fontname=\"DejaVu Sans\", fontsize=7, arrowsize=0.5];\n";
    writeRouters();
    writeChannels();
    for (std::size_t l = 0; l < m_hw.links().size(); ++l) writeLink(l);
    m_out << "}\n";
  }

 private:
  void writeRouters() {
    const auto grid = m_hw.nodeGrid();
    const std::vector<std::string> cores = coresOfNodes();
    for (std::int64_t node = 0; node < m_hw.nodeCount(); ++node) {
      const auto [column, row] = placeOf(node, grid);
      const std::string& core = cores[static_cast<std::size_t>(node)];
      m_out << fmt::format("  n{} [label={}, pos=\"{},{}\"{}];\n", node,
                           quotedText(core.empty() ? "router" : core), column * kPitch,
                           0 - row * kPitch, core.empty() ? ", style=dashed" : "");
    }
  }

  std::vector<std::string> coresOfNodes() const {
    std::vector<std::string> names(static_cast<std::size_t>(m_hw.nodeCount()));
    std::vector<std::int64_t> at(m_hw.dims().size());
    for (std::int64_t c = 0; c < m_hw.coreCount(); ++c) {
      const hardware::CoreId core(static_cast<std::int32_t>(c));
      m_hw.coordinatesOf(core, at);
      std::string& name = names[m_hw.nodeOf(core).index()];
      name += fmt::format("{}({})", name.empty() ? "" : " ", fmt::join(at, ","));
    }
    return names;
  }

  /// Dimension 0 runs to the right, dimension 1 down; further dimensions repeat to the right.
  static std::pair<double, double> placeOf(std::int64_t node, std::span<const std::int64_t> grid) {
    std::vector<std::int64_t> at(grid.size());
    for (std::size_t d = grid.size(); d-- > 0;) {
      at[d] = node % grid[d];
      node /= grid[d];
    }
    double column = at.empty() ? 0 : static_cast<double>(at[0]);
    const double row = at.size() > 1 ? static_cast<double>(at[1]) : 0;
    for (std::size_t d = 2; d < at.size(); ++d) {
      column += static_cast<double>(at[d] * (grid[0] + 1));
    }
    return {column, row};
  }

  void writeChannels() {
    for (std::int64_t c = 0; c < m_hw.global().channels; ++c) {
      m_out << fmt::format("  c{} [label={}, shape=cylinder, pos=\"{},{}\"];\n", c,
                           quotedText(fmt::format("{} {}", m_hw.global().name, c)),
                           static_cast<double>(c) * kPitch, 2 * kPitch);
    }
  }

  void writeLink(std::size_t index) {
    const hardware::Link link = m_hw.links()[index];
    std::string look = fmt::format("label=\"{:g}\"", link.bandwidth);
    if (m_simulation != nullptr) {
      const network::ResourceUse& use = m_simulation->links[index];
      if (use.bytes <= 0) return;
      const double share = m_simulation->cycles > 0 ? use.busy / m_simulation->cycles : 0;
      look = fmt::format("label=\"{:.0f}%\", penwidth={:.2f}", share * 100, 0.5 + 4 * share);
    }
    const std::string from = link.kind == hardware::Link::Kind::ReadPort
                                 ? fmt::format("c{}", link.channel.value())
                                 : fmt::format("n{}", link.from.value());
    const std::string to = link.kind == hardware::Link::Kind::WritePort
                               ? fmt::format("c{}", link.channel.value())
                               : fmt::format("n{}", link.to.value());
    m_out << "  " << from << " -> " << to << " [" << look << "];\n";
  }

  std::ostream& m_out;
  const hardware::Topology& m_hw;
  const simulate::Simulation* m_simulation;
};

}  // namespace

void writeDot(std::ostream& out, const hardware::Topology& hw,
              const simulate::Simulation* simulation) {
  DotWriter(out, hw, simulation).write();
}

}  // namespace gridloom::exchange
