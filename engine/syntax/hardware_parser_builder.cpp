// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/message_limit.h"
#include "kernel/tile_nest.h"
#include "syntax/hardware_parser_components.h"
#include "syntax/hardware_parser_memory.h"
#include "syntax/hardware_parser_op.h"
#include "syntax/language_words.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using hardware::Interconnect;
using hardware::Memory;

constexpr std::array<std::string_view, 2> kEnds = {"core", "memory"};
constexpr std::int64_t kMostVirtualChannels = 64;

void expectOperands(HardwareAttributeReader& reader, std::size_t most) {
  const HardwareOp& op = reader.op();
  if (op.operands.size() <= most) return;
  reader.error(op.operands[most].span, fmt::format("`df.{}` takes {} operand{}, got {}", op.op,
                                                   most == 0 ? "no" : std::to_string(most),
                                                   most == 1 ? "" : "s", op.operands.size()));
}

void checkFunctions(HardwareAttributeReader& reader, const hardware::Rates& rates) {
  std::vector<std::string_view> known{"default"};
  for (int fn = 0; fn < kernel::kVectorFns; ++fn) {
    known.push_back(kernel::nameOf(static_cast<kernel::VectorFn>(fn)));
  }
  for (const auto& [name, rate] : rates) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) continue;
    reader.error(rate.span, fmt::format("`throughput` names an unknown function `{}`", name),
                 spellingHint(name, known));
  }
}

/// The two ends of an interconnect or mux, in the order written.
std::pair<std::string, std::string> readEnds(HardwareAttributeReader& reader) {
  const HardwareOp& op = reader.op();
  expectOperands(reader, 2);
  if (op.operands.size() < 2) {
    reader.error(op.opSpan, fmt::format("`df.{}` wants two operands", op.op),
                 fmt::format("such as `df.{} %cores, %l1 {{ ... }}`", op.op));
    return {};
  }
  reader.reference(op.operands[0], kEnds);
  reader.reference(op.operands[1], kEnds);
  return {std::string(op.operands[0].text), std::string(op.operands[1].text)};
}

}  // namespace

hardware::HardwareSpec HardwareSpecBuilder::build() {
  m_spec.label = m_ops.label;
  m_spec.source = m_source;
  collectNames();
  readClock();
  for (const HardwareOp& op : m_ops.ops) addOp(op);
  requireMaps();
  return std::move(m_spec);
}

base::Diagnostic HardwareSpecBuilder::errorAt(base::Span span, std::string message,
                                              std::string hint) const {
  return base::errorAt(m_source, span, std::move(message), std::move(hint));
}

void HardwareSpecBuilder::collectNames() {
  std::map<std::string_view, std::size_t> counts;
  for (const HardwareOp& op : m_ops.ops) {
    const auto [at, fresh] = m_names.entries.try_emplace(
        op.name, HardwareNames::Entry{op.op, op.nameSpan, counts[op.op]});
    ++counts[op.op];
    if (fresh) continue;
    const base::LineColumn first = m_source->lineColumn(at->second.span.begin);
    base::report(m_out, errorAt(op.nameSpan, fmt::format("`%{}` is defined twice", op.name),
                                fmt::format("the first definition is in line {}", first.line)));
  }
}

/// Reads the clock first, as it converts figures per second to figures per cycle.
void HardwareSpecBuilder::readClock() {
  for (const HardwareOp& op : m_ops.ops) {
    if (op.op != "core") continue;
    base::Diagnostics alreadyReportedLater;
    HardwareAttributeReader reader(op, m_names, m_source, alreadyReportedLater);
    const auto clock = reader.figure("clock", Dimension::Frequency, Sign::Positive);
    if (clock) m_names.clock = clock->value;
  }
}

void HardwareSpecBuilder::addOp(const HardwareOp& op) {
  HardwareAttributeReader reader(op, m_names, m_source, m_out);
  const auto add = [&](OpKind kind, const auto& list, auto read) {
    reader.checkNames(attributesOf(op.op));
    m_spec.order.push_back({kind, list.size(), {}, {}});
    m_spans.push_back(op.span);
    (this->*read)(reader);
  };
  using B = HardwareSpecBuilder;
  if (op.op == "spatial_dim") {
    add(OpKind::Dim, m_spec.dims, &B::addDim);
  } else if (op.op == "mat") {
    add(OpKind::Matrix, m_spec.matrixUnits, &B::addMatrix);
  } else if (op.op == "vec") {
    add(OpKind::Vector, m_spec.vectorUnits, &B::addVector);
  } else if (op.op == "scalar") {
    add(OpKind::Scalar, m_spec.scalarUnits, &B::addScalar);
  } else if (op.op == "core") {
    add(OpKind::Core, m_spec.cores, &B::addCores);
  } else if (op.op == "memory") {
    add(OpKind::Memory, m_spec.memories, &B::addMemory);
  } else if (op.op == "interconnects") {
    add(OpKind::Interconnect, m_spec.interconnects, &B::addInterconnect);
  } else if (op.op == "mux") {
    add(OpKind::Mux, m_spec.muxes, &B::addMux);
  } else {
    reader.error(op.opSpan, fmt::format("unknown operation `df.{}`", op.op),
                 spellingHint(op.op, kHardwareOps));
  }
}

void HardwareSpecBuilder::addDim(HardwareAttributeReader& reader) {
  const HardwareOp& op = reader.op();
  expectOperands(reader, 1);
  const HardwareValue* size = op.operands.empty() ? reader.find("size") : &op.operands[0];
  if (size != nullptr && size->kind == HardwareValue::Kind::List && size->items.size() == 1) {
    size = &size->items[0];
  }
  std::int64_t extent = 1;
  if (size == nullptr) {
    reader.error(op.opSpan, fmt::format("`%{}` has no size", op.name),
                 fmt::format("write `%{} = df.spatial_dim 8`", op.name));
  } else {
    extent = reader.integer("size", *size, 1, kLargestDim).value_or(1);
  }
  m_spec.dims.push_back({std::string(op.name), extent, op.span});
}

void HardwareSpecBuilder::addMatrix(HardwareAttributeReader& reader) {
  expectOperands(reader, 0);
  hardware::MatrixUnit unit;
  unit.name = reader.op().name;
  unit.shape = reader.shape(3);
  unit.systolic = readSystolic(reader, unit.shape);
  unit.throughput = reader.rates("throughput", Dimension::FlopRate);
  unit.sustained = reader.rates("sustained", Dimension::FlopRate);
  unit.fullRateOutput = reader.figure("full_rate_output", Dimension::Elements, Sign::Positive);
  unit.issuePerOutput =
      reader.figure("issue_per_output", Dimension::CyclesPerElement, Sign::NotNegative);
  unit.issue = reader.figure("issue", Dimension::Cycles, Sign::NotNegative);
  unit.operandBandwidth = reader.figure("operand_bandwidth", Dimension::Bandwidth, Sign::Positive);
  unit.operandSetup = reader.figure("operand_setup", Dimension::Cycles, Sign::NotNegative);
  if (reader.find("subblock")) unit.subblock = reader.shape(2, "subblock");
  unit.span = reader.op().span;
  m_spec.matrixUnits.push_back(std::move(unit));
}

void HardwareSpecBuilder::addVector(HardwareAttributeReader& reader) {
  expectOperands(reader, 0);
  hardware::VectorUnit unit;
  unit.name = reader.op().name;
  unit.shape = reader.shape(1);
  unit.throughput = reader.rates("throughput", Dimension::ElementRate);
  checkFunctions(reader, unit.throughput);
  unit.issue = reader.figure("issue", Dimension::Cycles, Sign::NotNegative);
  unit.chained = reader.flag("chained");
  unit.span = reader.op().span;
  m_spec.vectorUnits.push_back(std::move(unit));
}

void HardwareSpecBuilder::addScalar(HardwareAttributeReader& reader) {
  expectOperands(reader, 0);
  m_spec.scalarUnits.push_back(
      {std::string(reader.op().name),
       reader.required("latency", Dimension::Cycles, Sign::Positive, "latency = 1 cycle"),
       reader.op().span});
}

void HardwareSpecBuilder::addCores(HardwareAttributeReader& reader) {
  expectOperands(reader, 0);
  hardware::CoreArray cores;
  cores.name = reader.op().name;
  cores.label = reader.op().label;
  if (!reader.find("scaleout")) reader.missing("scaleout", "scaleout = (%x, %y)");
  cores.scaleout = reader.dims("scaleout");
  cores.scalein = readScalein(reader);
  cores.disabled = readDisabled(reader);
  cores.enabled = reader.set("enabled");
  cores.grid = reader.dims("grid");
  cores.at = reader.map("at");
  cores.clock = reader.figure("clock", Dimension::Frequency, Sign::Positive);
  cores.launch = reader.figure("launch", Dimension::Cycles, Sign::NotNegative);
  cores.reload = reader.figure("reload", Dimension::Cycles, Sign::NotNegative);
  cores.readIssue = reader.figure("read_issue", Dimension::Cycles, Sign::NotNegative);
  cores.writeIssue = reader.figure("write_issue", Dimension::Cycles, Sign::NotNegative);
  cores.completion = reader.figure("completion", Dimension::Cycles, Sign::NotNegative);
  cores.answer = reader.figure("answer", Dimension::Bandwidth, Sign::Positive);
  cores.span = reader.op().span;
  m_spec.cores.push_back(std::move(cores));
}

void HardwareSpecBuilder::addMemory(HardwareAttributeReader& reader) {
  expectOperands(reader, 0);
  m_spec.memories.push_back(readMemory(reader));
}

void HardwareSpecBuilder::addInterconnect(HardwareAttributeReader& reader) {
  Interconnect link;
  link.name = reader.op().name;
  std::tie(link.source, link.destination) = readEnds(reader);
  link.map = reader.map("map").value_or(affine::AffineMap{});
  link.bandwidth = reader.figureOrZero("bandwidth", Dimension::Bandwidth);
  link.latency = reader.figure("latency", Dimension::Cycles, Sign::NotNegative);
  link.setup = reader.figure("setup", Dimension::Cycles, Sign::NotNegative);
  link.sync = reader.figure("sync", Dimension::Cycles, Sign::NotNegative);
  readMulticast(reader, link);
  link.packet = reader.figure("packet", Dimension::Bytes, Sign::Positive);
  link.header = reader.figure("header", Dimension::Bytes, Sign::NotNegative);
  link.endpoint = reader.figure("endpoint", Dimension::Cycles, Sign::NotNegative);
  link.contended = reader.figure("contended", Dimension::Bandwidth, Sign::Positive);
  if (const HardwareValue* channels = reader.find("virtual_channels")) {
    const auto number = static_cast<double>(
        reader.integer("virtual_channels", *channels, 1, kMostVirtualChannels).value_or(1));
    link.virtualChannels = hardware::Figure{number, {}, number, channels->span};
  }
  link.buffer = reader.figure("buffer", Dimension::Bytes, Sign::Positive);
  if (const HardwareValue* plane = reader.find("plane")) {
    link.plane = reader.integer("plane", *plane, 0, 15).value_or(0);
  }
  link.span = reader.op().span;
  m_spec.interconnects.push_back(std::move(link));
}

void HardwareSpecBuilder::addMux(HardwareAttributeReader& reader) {
  hardware::Mux mux;
  mux.name = reader.op().name;
  std::tie(mux.destination, mux.source) = readEnds(reader);
  if (!reader.find("map")) reader.missing("map", "map = affine_map<(d0, d1) -> (d0, d1)>");
  mux.map = reader.map("map").value_or(affine::AffineMap{});
  mux.bandwidth = reader.figure("bandwidth", Dimension::Bandwidth, Sign::Positive);
  mux.span = reader.op().span;
  m_spec.muxes.push_back(std::move(mux));
}

/// Only the ports of a memory placed with `at` need no map.
void HardwareSpecBuilder::requireMaps() {
  const auto isPlaced = [&](const std::string& name) {
    return std::any_of(m_spec.memories.begin(), m_spec.memories.end(),
                       [&](const Memory& m) { return m.name == name && !m.at.empty(); });
  };
  for (const HardwareOp& op : m_ops.ops) {
    if (op.op != "interconnects") continue;
    HardwareAttributeReader reader(op, m_names, m_source, m_out);
    if (reader.find("map") != nullptr) continue;
    const bool placed =
        std::any_of(op.operands.begin(), op.operands.end(), [&](const HardwareValue& operand) {
          return isPlaced(std::string(operand.text));
        });
    if (!placed) reader.missing("map", "map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>");
  }
}

}  // namespace gridloom::syntax
