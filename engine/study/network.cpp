// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "network/transfers.h"
#include "study/quantity.h"
#include "study/runs.h"

namespace gridloom::study {

namespace {

using network::TransferProcessor;
using network::TransferProgram;
using Step = network::TransferStep;

/// Random placements over which a figure for randomly placed tiles is the mean.
constexpr int kPlacements = 10;
/// Each tile moves this much: starting and ending then count for less than a percent.
constexpr std::int64_t kStreamBytes = 1 << 20;
constexpr std::int64_t kStreamTransfer = 8192;
constexpr double kWarmUp = 1000;  ///< cycles
constexpr double kMeasured = 4000;
constexpr double kMostTransfers = 1 << 20;

/// Numbers that a run needs, each from 0 to kMostTransfers.
class NumbersOf {
 public:
  explicit NumbersOf(const Settings& settings) : m_settings(settings) {}
  std::int64_t operator()(std::string_view name) {
    auto value = numberSetting(m_settings, name);
    if (value && *value >= 0 && *value <= kMostTransfers) return std::llround(*value);
    errors = value ? base::Diagnostics{base::plainError(
                         fmt::format("`{}` has to be from 0 to {}", name, kMostTransfers))}
                   : value.takeDiagnostics();
    return 0;
  }
  base::Diagnostics errors;

 private:
  const Settings& m_settings;
};

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

/// A processor that issues `count` equal transfers and waits for them.
TransferProcessor streaming(hardware::NodeId node, bool reads, std::int64_t plane,
                            hardware::NodeId peer, std::int32_t channel, std::int64_t bytes,
                            std::int64_t count) {
  Step step;
  step.kind = reads ? Step::Kind::Read : Step::Kind::Write;
  step.plane = static_cast<std::uint8_t>(plane);
  step.peer = peer.value();
  step.channel = channel;
  step.bytes = bytes;
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

base::Result<network::TransferResult> simulateFree(const TransferProgram& program,
                                                   const hardware::Topology& hw,
                                                   base::Progress& progress) {
  network::TransferOptions options;
  options.issue = network::IssueOrder::Free;
  return network::simulateTransfers(program, hw, options, progress);
}

/// Tensix tiles: every router of the plane but those of DRAM columns and Ethernet rows.
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

/// Well placed: in the row of the channel's router, where data leaves it without crossing other
/// columns of memory: readers behind it, writers before it, in the direction of their network.
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
  std::vector<hardware::NodeId> anywhere = coreTiles(hw);
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
    program.processors.push_back(streaming(node, stream.reads, stream.plane, routers[channel],
                                           static_cast<std::int32_t>(channel), kStreamTransfer,
                                           kStreamBytes / kStreamTransfer));
  }
  return program;
}

/// Every router sends packets of one flit at random moments.
class RandomTraffic {
 public:
  RandomTraffic(const hardware::Topology& hw, double rate, bool uniform)
      : m_hw(hw), m_rate(rate), m_uniform(uniform), m_random(7) {}

  TransferProgram make() {
    TransferProgram program;
    for (std::int64_t n = 0; n < m_hw.nodeCount(); ++n) {
      TransferProcessor& processor = program.processors.emplace_back();
      processor.name = fmt::format("node {}", n);
      processor.node = hardware::NodeId(static_cast<std::int32_t>(n));
      for (double at = gap(); at < kWarmUp + kMeasured; at += gap()) {
        Step step;
        step.kind = Step::Kind::Write;
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

RunResult simulatedOnly(const char* quantity, double value) {
  return {{{quantity, {kNone, value}}}, {}};
}

}  // namespace

base::Result<RunResult> runUnicast(Runner& runner, const Settings& settings) {
  auto machine = runner.hardware(settings);
  if (!machine) return machine.takeDiagnostics();
  const hardware::Topology& hw = (*machine)->topology;
  NumbersOf number(settings);
  const bool dram = setting(settings, "memory") == "DRAM";
  const std::int64_t count = number("transactions"), bytes = number("bytes");
  // A column is the axis that the tests share: the way there and back is then once around its ring.
  const hardware::NodeId peer =
      dram ? channelRouters(hw).front() : nodeAt(hw, number("same_axis") != 0 ? 1 : 4, 5);
  if (!number.errors.empty()) return number.errors;
  TransferProgram program;
  program.processors.push_back(streaming(nodeAt(hw, 1, 1), setting(settings, "direction") == "read",
                                         0, peer, dram ? 0 : -1, bytes, count));
  const auto result = simulateFree(program, hw, runner.progress());
  if (!result) return result.diagnostics();
  return simulatedOnly("cycles", result->end);
}

base::Result<RunResult> runStreams(Runner& runner, const Settings& settings) {
  auto machine = runner.hardware(settings);
  if (!machine) return machine.takeDiagnostics();
  const hardware::Topology& hw = (*machine)->topology;
  NumbersOf number(settings);
  const Stream stream{setting(settings, "direction") == "read", number("noc") % hw.planes(),
                      std::max<std::int64_t>(1, number("channels")), number("tiles"),
                      setting(settings, "placed") == "carefully"};
  if (!number.errors.empty()) return number.errors;
  std::mt19937 random(1);
  double sum = 0;
  const int placements = stream.careful ? 1 : kPlacements;
  for (int i = 0; i < placements; ++i) {
    const auto result = simulateFree(streamProgram(hw, stream, random), hw, runner.progress());
    if (!result) return result.diagnostics();
    if (result->end > 0) sum += static_cast<double>(result->bytes) / result->end;
  }
  return simulatedOnly("gbps", sum / placements * hw.clock() / 1e9);
}

base::Result<RunResult> runLoad(Runner& runner, const Settings& settings) {
  auto machine = runner.hardware(settings);
  if (!machine) return machine.takeDiagnostics();
  const std::string& traffic = setting(settings, "traffic");
  const auto rate = numberSetting(settings, "rate");
  if (!rate) return rate.diagnostics();
  if ((traffic != "uniform" && traffic != "neighbour") || !(*rate > 0 && *rate < 1)) {
    return base::plainError("expected uniform or neighbour traffic at a rate between 0 and 1");
  }
  network::TransferOptions options;
  options.issue = network::IssueOrder::Recorded;
  options.countFrom = kWarmUp;
  const TransferProgram program =
      RandomTraffic((*machine)->topology, *rate, traffic == "uniform").make();
  const auto result =
      network::simulateTransfers(program, (*machine)->topology, options, runner.progress());
  if (!result) return result.diagnostics();
  return simulatedOnly("latency", result->meanLatency);
}

}  // namespace gridloom::study
