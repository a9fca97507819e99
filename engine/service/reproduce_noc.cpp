// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "network/transfers.h"
#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

using network::TransferProcessor;
using network::TransferProgram;
using Step = network::TransferStep;

constexpr const char* kMachine = "wormhole_n150";
/// Random placements over which a figure for randomly placed tiles is the mean.
constexpr int kPlacements = 10;
/// Each tile moves this much: starting and ending then count for less than a percent.
constexpr std::int64_t kStreamBytes = 1 << 20;
constexpr std::int64_t kStreamTransfer = 8192;

hardware::NodeId nodeAt(const hardware::Topology& hw, std::int64_t x, std::int64_t y) {
  return hardware::NodeId(static_cast<std::int32_t>(x * hw.nodeGrid()[1] + y));
}

/// The router named first for each channel.
std::vector<hardware::NodeId> channelRouters(const hardware::Topology& hw) {
  std::vector<hardware::NodeId> routers(static_cast<std::size_t>(hw.global().channels));
  for (const hardware::Link& link : hw.links()) {
    if (link.kind != hardware::Link::Kind::ReadPort) continue;
    hardware::NodeId& router = routers[link.channel.index()];
    if (!router.valid()) router = link.to;
  }
  return routers;
}

Step transfer(bool reads, std::int64_t plane, hardware::NodeId peer, std::int32_t channel,
              std::int64_t bytes) {
  Step step;
  step.kind = reads ? Step::Kind::Read : Step::Kind::Write;
  step.plane = static_cast<std::uint8_t>(plane);
  step.peer = peer.value();
  step.channel = channel;
  step.bytes = bytes;
  return step;
}

TransferProcessor streaming(hardware::NodeId node, const Step& step, std::int64_t count) {
  TransferProcessor processor;
  processor.name = "core";
  processor.node = node;
  processor.steps.assign(static_cast<std::size_t>(count), step);
  Step wait;
  wait.kind = Step::Kind::Wait;
  wait.waitsFor = Step::Reads | Step::Writes;
  processor.steps.push_back(wait);
  return processor;
}

base::Result<network::TransferResult> run(const TransferProgram& program,
                                          const hardware::Topology& hw, base::Progress& progress) {
  network::TransferOptions options;
  options.issue = network::IssueOrder::Free;
  return network::simulateTransfers(program, hw, options, progress);
}

/// Tensix tiles: every router of the plane but those of DRAM columns and Ethernet rows.
std::vector<hardware::NodeId> tiles(const hardware::Topology& hw) {
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
      out.push_back(nodeAt(hw, static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)));
    }
  }
  return out;
}

struct Stream {
  bool reads = true;
  std::int64_t plane = 0;
  std::int64_t channels = 1;
  std::int64_t tiles = 1;
  bool careful = false;
};

/// Well placed: in the row of the channel's router, where data leaves it without crossing other columns of
/// memory: readers behind it, writers before it, in the direction of their network.
hardware::NodeId besideChannel(const hardware::Topology& hw, const Stream& stream,
                               hardware::NodeId router, std::int64_t nth) {
  std::array<std::int64_t, 2> at{};
  hw.nodeCoordinates(router, at);
  const bool rightward = (stream.plane == 0) == stream.reads;
  const std::int64_t columns = hw.nodeGrid()[0];
  const std::int64_t step = rightward ? nth + 1 : columns - nth - 1;
  return nodeAt(hw, (at[0] + step) % columns, at[1]);
}

TransferProgram streamProgram(const hardware::Topology& hw, const Stream& stream,
                              std::mt19937& random) {
  TransferProgram program;
  const std::vector<hardware::NodeId> routers = channelRouters(hw);
  std::vector<hardware::NodeId> anywhere = tiles(hw);
  // Not std::shuffle: its order is the library's own.
  for (std::size_t i = anywhere.size(); i > 1; --i) {
    std::swap(anywhere[i - 1], anywhere[random() % i]);
  }
  const std::size_t oneChannel = random() % routers.size();
  for (std::int64_t t = 0; t < stream.tiles; ++t) {
    const auto channel =
        stream.channels == 1 ? oneChannel : static_cast<std::size_t>(t % stream.channels);
    const hardware::NodeId node =
        stream.careful ? besideChannel(hw, stream, routers[channel], t / stream.channels)
                       : anywhere[static_cast<std::size_t>(t) % anywhere.size()];
    const Step step = transfer(stream.reads, stream.plane, routers[channel],
                               static_cast<std::int32_t>(channel), kStreamTransfer);
    program.processors.push_back(streaming(node, step, kStreamBytes / kStreamTransfer));
  }
  return program;
}

base::Result<double> bandwidth(const hardware::Topology& hw, const Stream& stream,
                               base::Progress& progress) {
  std::mt19937 random(1);
  double sum = 0;
  const int placements = stream.careful ? 1 : kPlacements;
  for (int i = 0; i < placements; ++i) {
    const auto result = run(streamProgram(hw, stream, random), hw, progress);
    if (!result) return result.diagnostics();
    if (result->end > 0) sum += static_cast<double>(result->bytes) / result->end;
  }
  return sum / placements;
}

}  // namespace

ReproducedTable nocLatency(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 6> columns{{{"direction", false},
                                                 {"memory", false},
                                                 {"transactions"},
                                                 {"same_axis"},
                                                 {"bytes"},
                                                 {"cycles"}}};
  auto file = FigureFile::openReference("wormhole_noc_latency", columns);
  if (!file) return file.takeDiagnostics();
  auto machine = runner.hardware(kMachine);
  if (!machine) return machine.takeDiagnostics();
  const hardware::Topology& hw = (*machine)->topology;

  report::Reproduction out;
  out.title = "Cycles of unicast transfers on Wormhole's NoC";
  out.source = "tt-metal, data-movement tests";
  out.remarks = {
      "one tile and one other endpoint; the cycles until the last of n transactions is "
      "complete",
      "with DRAM, one channel serves all of them: the tests' bandwidth is one channel's"};
  const hardware::NodeId core = nodeAt(hw, 1, 1);
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const bool reads = file->text(row, "direction") == "read";
    const bool dram = file->text(row, "memory") == "DRAM";
    const bool sameAxis = file->integer(row, "same_axis") != 0;
    const std::int64_t count = file->integer(row, "transactions");
    const std::int64_t bytes = file->integer(row, "bytes");
    // A column is the axis that the tests share: the way there and back is then once around its ring.
    hardware::NodeId peer = nodeAt(hw, sameAxis ? 1 : 4, 5);
    if (dram) peer = channelRouters(hw).front();
    TransferProgram program;
    program.processors.push_back(
        streaming(core, transfer(reads, 0, peer, dram ? 0 : -1, bytes), count));
    const auto result = run(program, hw, runner.progress());
    if (!result) return result.diagnostics();
    if (!result->complete) return out;
    out.figures.push_back({fmt::format("{} x {} B, {}{}", count, bytes, dram ? "DRAM" : "L1",
                                       sameAxis ? ", same axis" : ""),
                           fmt::format("cycles, {}", reads ? "read" : "write"),
                           file->number(row, "cycles"),
                           {},
                           result->end,
                           ""});
  }
  return out;
}

ReproducedTable nocDramBandwidth(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 6> columns{
      {{"direction", false}, {"channels"}, {"tiles"}, {"placed", false}, {"noc"}, {"gbps"}}};
  auto file = FigureFile::openReference("wormhole_dram_bandwidth", columns);
  if (!file) return file.takeDiagnostics();
  auto machine = runner.hardware(kMachine);
  if (!machine) return machine.takeDiagnostics();
  const hardware::Topology& hw = (*machine)->topology;

  report::Reproduction out;
  out.title = "Bandwidth between tiles and DRAM on Wormhole";
  out.source = "tt-isa-documentation, WormholeB0/DRAMTile";
  out.remarks = {
      fmt::format("randomly chosen: the mean of {} placements; the document does not say which its "
                  "were",
                  kPlacements),
      "carefully chosen: beside the channel's router, in its row"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    Stream stream;
    stream.reads = file->text(row, "direction") == "read";
    stream.plane = file->integer(row, "noc") % hw.planes();
    stream.channels = file->integer(row, "channels");
    stream.tiles = file->integer(row, "tiles");
    stream.careful = file->text(row, "placed") == "carefully";
    const auto achieved = bandwidth(hw, stream, runner.progress());
    if (!achieved) return achieved.diagnostics();
    if (runner.cancelled()) return out;
    const bool kind = stream.channels > 1 && !stream.careful;
    out.figures.push_back(
        {fmt::format("{} {} channels, {} tiles {} chosen, NoC {}", stream.reads ? "read" : "write",
                     stream.channels, stream.tiles, file->text(row, "placed"), stream.plane),
         fmt::format("GB/s, {}", kind ? "badly placed" : "well placed"),
         file->number(row, "gbps"),
         {},
         *achieved * hw.clock() / 1e9,
         ""});
  }
  return out;
}

}  // namespace gridloom::service
