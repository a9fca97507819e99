// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_printer.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hardware/systolic.h"
#include "syntax/hardware_attribute_list.h"
#include "syntax/lexer.h"

namespace gridloom::syntax {

namespace {

using hardware::HardwareSpec;
using OpKind = HardwareSpec::OpRef::Kind;

class HardwarePrinter {
 public:
  explicit HardwarePrinter(const HardwareSpec& spec) : m_spec(spec) {}

  std::string run() {
    if (!m_spec.label.empty()) m_out += fmt::format("module {} {{\n", quotedString(m_spec.label));
    for (const HardwareSpec::OpRef& op : completeOrder()) {
      m_out += op.comment;
      m_out += opText(op.kind, op.index);
      if (!op.trailing.empty()) m_out += "  " + op.trailing;
      m_out += '\n';
    }
    m_out += m_spec.closingComment;
    if (!m_spec.label.empty()) m_out += "}\n";
    return std::move(m_out);
  }

 private:
  std::vector<HardwareSpec::OpRef> completeOrder() const {
    std::vector<HardwareSpec::OpRef> order;
    const std::pair<OpKind, std::size_t> counts[] = {
        {OpKind::Matrix, m_spec.matrixUnits.size()},
        {OpKind::Vector, m_spec.vectorUnits.size()},
        {OpKind::Scalar, m_spec.scalarUnits.size()},
        {OpKind::Dim, m_spec.dims.size()},
        {OpKind::Core, m_spec.cores.size()},
        {OpKind::Memory, m_spec.memories.size()},
        {OpKind::Mux, m_spec.muxes.size()},
        {OpKind::Interconnect, m_spec.interconnects.size()}};
    for (const auto& [kind, count] : counts) {
      std::vector<bool> listed(count);
      for (const HardwareSpec::OpRef& op : m_spec.order) {
        if (op.kind == kind && op.index < count) listed[op.index] = true;
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (!listed[i]) order.push_back({kind, i, {}, {}});
      }
    }
    order.insert(order.begin(), m_spec.order.begin(), m_spec.order.end());
    return order;
  }

  std::string opText(OpKind kind, std::size_t index) const {
    switch (kind) {
    case OpKind::Dim:
      return print(m_spec.dims[index]);
    case OpKind::Matrix:
      return print(m_spec.matrixUnits[index]);
    case OpKind::Vector:
      return print(m_spec.vectorUnits[index]);
    case OpKind::Scalar:
      return print(m_spec.scalarUnits[index]);
    case OpKind::Core:
      return print(m_spec.cores[index]);
    case OpKind::Memory:
      return print(m_spec.memories[index]);
    case OpKind::Interconnect:
      return print(m_spec.interconnects[index]);
    case OpKind::Mux:
      return print(m_spec.muxes[index]);
    }
    return {};
  }

  static std::string print(const hardware::SpatialDim& dim) {
    return fmt::format("%{} = df.spatial_dim {}", dim.name, dim.size);
  }

  std::string print(const hardware::MatrixUnit& unit) const {
    AttributeList list(m_spec);
    list.integers("shape", unit.shape);
    if (unit.systolic != hardware::Stationary::None) {
      list.text("systolic", std::string(hardware::nameOf(unit.systolic)));
    }
    list.rates("throughput", unit.throughput, Dimension::FlopRate);
    list.rates("sustained", unit.sustained, Dimension::FlopRate);
    list.figure("full_rate_output", unit.fullRateOutput, Dimension::Elements);
    list.figure("issue_per_output", unit.issuePerOutput, Dimension::CyclesPerElement);
    list.figure("issue", unit.issue, Dimension::Cycles);
    list.figure("operand_bandwidth", unit.operandBandwidth, Dimension::Bandwidth);
    list.figure("operand_setup", unit.operandSetup, Dimension::Cycles);
    if (unit.subblock != std::vector<std::int64_t>{1, 1}) list.integers("subblock", unit.subblock);
    return list.after(fmt::format("%{} = df.mat", unit.name));
  }

  std::string print(const hardware::VectorUnit& unit) const {
    AttributeList list(m_spec);
    list.integers("shape", unit.shape);
    list.rates("throughput", unit.throughput, Dimension::ElementRate);
    list.figure("issue", unit.issue, Dimension::Cycles);
    if (unit.chained) list.text("chained", "yes");
    return list.after(fmt::format("%{} = df.vec", unit.name));
  }

  std::string print(const hardware::ScalarUnit& unit) const {
    AttributeList list(m_spec);
    list.figure("latency", unit.latency, Dimension::Cycles);
    return list.after(fmt::format("%{} = df.scalar", unit.name));
  }

  std::string print(const hardware::CoreArray& cores) const {
    AttributeList list(m_spec);
    if (cores.scaleout.empty()) list.text("scaleout", "()");
    list.dims("scaleout", cores.scaleout);
    if (!cores.scalein.empty()) list.text("scalein", scaleinText(cores.scalein));
    if (!cores.disabled.empty()) list.text("disabled", disabledText(cores.disabled));
    if (cores.enabled) list.text("enabled", enabledText(*cores.enabled));
    list.dims("grid", cores.grid);
    if (cores.at) list.map("at", *cores.at);
    list.figure("clock", cores.clock, Dimension::Frequency);
    list.figure("launch", cores.launch, Dimension::Cycles);
    list.figure("reload", cores.reload, Dimension::Cycles);
    list.figure("read_issue", cores.readIssue, Dimension::Cycles);
    list.figure("write_issue", cores.writeIssue, Dimension::Cycles);
    list.figure("completion", cores.completion, Dimension::Cycles);
    list.figure("answer", cores.answer, Dimension::Bandwidth);
    const std::string label = cores.label.empty() ? "" : " " + quotedString(cores.label);
    return list.after(fmt::format("%{} = df.core{}", cores.name, label));
  }

  std::string print(const hardware::Memory& memory) const {
    AttributeList list(m_spec);
    list.dims("scaleout", memory.scaleout);
    list.figure("size", memory.size, Dimension::Bytes);
    list.figure("bandwidth", memory.bandwidth, Dimension::Bandwidth);
    list.figure("read_bandwidth", memory.readBandwidth, Dimension::Bandwidth);
    list.figure("write_bandwidth", memory.writeBandwidth, Dimension::Bandwidth);
    if (memory.duplex) list.text("duplex", "yes");
    list.figure("latency", memory.latency, Dimension::Cycles);
    list.figure("write_latency", memory.writeLatency, Dimension::Cycles);
    if (memory.banks) list.text("banks", fmt::format("{}", memory.banks->value));
    if (memory.dma.limited() || memory.dmaRate) list.text("dma", dmaText(memory));
    list.figure("setup", memory.setup, Dimension::Cycles);
    list.figure("interleave", memory.interleave, Dimension::Bytes);
    list.figure("random_access", memory.randomAccess, Dimension::Bytes);
    if (memory.stripes.parts > 1) {
      list.text("stripes", fmt::format("{{ parts = {}, size = {} B }}", memory.stripes.parts,
                                       memory.stripes.bytes));
    }
    if (!memory.at.empty()) list.text("at", positionsText(memory));
    if (memory.pagesOnly) list.text("layout", "page");
    if (memory.global) list.text("kind", "global");
    return list.after(fmt::format("%{} = df.memory", memory.name));
  }

  std::string print(const hardware::Interconnect& link) const {
    AttributeList list(m_spec);
    list.map("map", link.map);
    list.figure("bandwidth", link.bandwidth, Dimension::Bandwidth);
    list.figure("latency", link.latency, Dimension::Cycles);
    list.figure("setup", link.setup, Dimension::Cycles);
    list.figure("sync", link.sync, Dimension::Cycles);
    if (!link.multicast) list.text("multicast", "no");
    if (link.multicast) list.figure("multicast", link.multicastBandwidth, Dimension::Bandwidth);
    list.figure("packet", link.packet, Dimension::Bytes);
    list.figure("header", link.header, Dimension::Bytes);
    list.figure("endpoint", link.endpoint, Dimension::Cycles);
    list.figure("contended", link.contended, Dimension::Bandwidth);
    if (link.virtualChannels) {
      list.text("virtual_channels", fmt::format("{}", link.virtualChannels->value));
    }
    list.figure("buffer", link.buffer, Dimension::Bytes);
    if (link.plane != 0) list.text("plane", std::to_string(link.plane));
    return list.after(
        fmt::format("%{} = df.interconnects %{}, %{}", link.name, link.source, link.destination));
  }

  std::string print(const hardware::Mux& mux) const {
    AttributeList list(m_spec);
    list.map("map", mux.map);
    list.figure("bandwidth", mux.bandwidth, Dimension::Bandwidth);
    return list.after(fmt::format("%{} = df.mux %{}, %{}", mux.name, mux.destination, mux.source));
  }

  static std::string scaleinText(const std::vector<hardware::UnitCount>& units) {
    std::string names;
    std::vector<std::int64_t> counts;
    for (const hardware::UnitCount& unit : units) {
      names += "%" + unit.unit + ", ";
      counts.push_back(unit.count);
    }
    return fmt::format("({}[{}])", names, fmt::join(counts, ", "));
  }

  static std::string enabledText(const affine::AffineMap& atLeastZero) {
    std::vector<std::string> dims, constraints;
    for (std::int64_t d = 0; d < atLeastZero.numDims; ++d) dims.push_back(fmt::format("d{}", d));
    for (const affine::AffineExpr& result : atLeastZero.results)
      constraints.push_back(affine::toString(result) + " >= 0");
    return fmt::format("affine_set<({}) : ({})>", fmt::join(dims, ", "),
                       fmt::join(constraints, ", "));
  }

  static std::string disabledText(const std::vector<hardware::CorePattern>& patterns) {
    std::vector<std::string> texts;
    for (const hardware::CorePattern& pattern : patterns) {
      std::vector<std::string> coordinates;
      for (const auto& c : pattern.coordinates) coordinates.push_back(c ? std::to_string(*c) : "*");
      texts.push_back(fmt::format("({})", fmt::join(coordinates, ", ")));
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }

  static std::string dmaText(const hardware::Memory& memory) {
    const hardware::DmaChannels& dma = memory.dma;
    if (dma.in == dma.out && !memory.dmaRate) return fmt::format("{}", dma.in);
    std::vector<std::string> parts;
    if (dma.in > 0) parts.push_back(fmt::format("in = {}", dma.in));
    if (dma.out > 0) parts.push_back(fmt::format("out = {}", dma.out));
    if (memory.dmaRate) {
      parts.push_back("rate = " + AttributeList::figureText(*memory.dmaRate, Dimension::Bandwidth));
    }
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
  }

  static std::string positionsText(const hardware::Memory& memory) {
    std::vector<std::string> instances;
    for (const auto& positions : memory.at) {
      std::vector<std::string> texts;
      for (const auto& point : positions)
        texts.push_back(fmt::format("({})", fmt::join(point, ", ")));
      const bool single = texts.size() == 1;
      instances.push_back(single ? texts.front() : fmt::format("[{}]", fmt::join(texts, ", ")));
    }
    return fmt::format("[{}]", fmt::join(instances, ", "));
  }

  const HardwareSpec& m_spec;
  std::string m_out;
};

}  // namespace

std::string printHardware(const hardware::HardwareSpec& spec) {
  return HardwarePrinter(spec).run();
}

}  // namespace gridloom::syntax
