// SPDX-License-Identifier: Apache-2.0
#include "hardware/scaled_hardware.h"

#include <algorithm>
#include <functional>

namespace gridloom::hardware {

namespace {

/// Scales the figures of one resource and counts those that the description has.
class Scaler {
 public:
  explicit Scaler(double factor) : m_factor(factor) {}
  void operator()(Figure& figure) {
    if (figure.value <= 0) return;
    figure.value *= m_factor;
    figure.written *= m_factor;
    ++m_count;
  }
  void operator()(std::optional<Figure>& figure) {
    if (figure) (*this)(*figure);
  }
  void operator()(Rates& figures) {
    for (auto& [name, figure] : figures) (*this)(figure);
  }
  bool any() const { return m_count > 0; }

 private:
  double m_factor;
  int m_count = 0;
};

void scaleMemory(HardwareSpec& spec, const std::string& name, Scaler& scale) {
  for (Memory& memory : spec.memories) {
    if (memory.name != name) continue;
    scale(memory.bandwidth);
    scale(memory.readBandwidth);
    scale(memory.writeBandwidth);
  }
}

/// Sets the packet size explicitly where it defaults from the bandwidth, so that it does not scale
/// with it.
void fixPacket(Interconnect& link, const Topology& topology) {
  if (link.packet) return;
  for (const Network& network : topology.networks()) {
    if (network.name != link.name) continue;
    const auto bytes = static_cast<double>(network.packet);
    link.packet = Figure{bytes, "", bytes, {}};
  }
}

/// Interconnects between cores are networks; the others are ports to the global memory.
bool isNetwork(const Interconnect& link, const Topology& topology) {
  return std::ranges::any_of(topology.networks(),
                             [&](const Network& network) { return network.name == link.name; });
}

struct Resource {
  const char* name;
  double factor;
  std::function<void(HardwareSpec&, const Topology&, Scaler&)> scale;
};

void scaleDram(HardwareSpec& spec, const Topology& topology, Scaler& scale) {
  scaleMemory(spec, topology.global().name, scale);
}

void scaleLocal(HardwareSpec& spec, const Topology& topology, Scaler& scale) {
  scaleMemory(spec, topology.local().name, scale);
}

void scaleSharedBuffer(HardwareSpec& spec, const Topology& topology, Scaler& scale) {
  for (const SharedBuffer& buffer : topology.sharedBuffers()) scaleMemory(spec, buffer.name, scale);
}

void scalePorts(HardwareSpec& spec, const Topology& topology, Scaler& scale) {
  for (Interconnect& link : spec.interconnects) {
    if (!isNetwork(link, topology)) scale(link.bandwidth);
  }
  for (Mux& mux : spec.muxes) scale(mux.bandwidth);
}

void scaleNetwork(HardwareSpec& spec, const Topology& topology, Scaler& scale) {
  for (Interconnect& link : spec.interconnects) {
    if (!isNetwork(link, topology)) continue;
    fixPacket(link, topology);
    scale(link.bandwidth);
    scale(link.multicastBandwidth);
    scale(link.contended);
  }
}

void scaleHops(HardwareSpec& spec, const Topology& topology, Scaler& scale) {
  for (Interconnect& link : spec.interconnects) {
    if (isNetwork(link, topology)) scale(link.latency);
  }
}

void scaleSetup(HardwareSpec& spec, const Topology&, Scaler& scale) {
  for (Interconnect& link : spec.interconnects) {
    scale(link.setup);
    scale(link.sync);
  }
  for (Memory& memory : spec.memories) scale(memory.setup);
}

void scaleMatrix(HardwareSpec& spec, const Topology&, Scaler& scale) {
  for (MatrixUnit& unit : spec.matrixUnits) {
    scale(unit.throughput);
    scale(unit.sustained);
    scale(unit.operandBandwidth);
  }
}

void scaleMatrixIssue(HardwareSpec& spec, const Topology&, Scaler& scale) {
  for (MatrixUnit& unit : spec.matrixUnits) {
    scale(unit.issuePerOutput);
    scale(unit.issue);
    scale(unit.operandSetup);
  }
}

void scaleVector(HardwareSpec& spec, const Topology&, Scaler& scale) {
  for (VectorUnit& unit : spec.vectorUnits) scale(unit.throughput);
}

}  // namespace

std::vector<ScaledHardware> twiceOfEach(const HardwareSpec& spec, const Topology& topology) {
  const std::vector<Resource> resources{
      {"twice the dram bandwidth", 2, scaleDram},
      {"twice the memory port bandwidth", 2, scalePorts},
      {"twice the network bandwidth", 2, scaleNetwork},
      {"half the hop latency", 0.5, scaleHops},
      {"half the transfer setup and sync", 0.5, scaleSetup},
      {"twice the local memory bandwidth", 2, scaleLocal},
      {"twice the shared buffer bandwidth", 2, scaleSharedBuffer},
      {"twice the matrix rate", 2, scaleMatrix},
      {"half the matrix issue cost", 0.5, scaleMatrixIssue},
      {"twice the vector rate", 2, scaleVector},
  };
  std::vector<ScaledHardware> out;
  for (const Resource& resource : resources) {
    ScaledHardware scaled{resource.name, spec};
    Scaler scale(resource.factor);
    resource.scale(scaled.spec, topology, scale);
    if (scale.any()) out.push_back(std::move(scaled));
  }
  return out;
}

}  // namespace gridloom::hardware
