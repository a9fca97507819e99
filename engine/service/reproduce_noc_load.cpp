// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "network/transfers.h"
#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

using Step = network::TransferStep;

constexpr const char* kMesh = "booksim_8x8";
constexpr double kWarmUp = 1000;  ///< cycles
constexpr double kMeasured = 4000;

/// Every router sends packets of one flit at random moments.
class TrafficMaker {
 public:
  TrafficMaker(const hardware::Topology& hw, double rate, bool uniform)
      : m_hw(hw), m_rate(rate), m_uniform(uniform), m_random(7) {}

  network::TransferProgram make() {
    network::TransferProgram program;
    for (std::int64_t n = 0; n < m_hw.nodeCount(); ++n) {
      network::TransferProcessor& processor = program.processors.emplace_back();
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

}  // namespace

ReproducedTable nocLoadLatency(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 3> columns{{{"traffic", false}, {"rate"}, {"latency"}}};
  auto file = FigureFile::openReference("mesh_load_latency", columns);
  if (!file) return file.takeDiagnostics();
  auto machine = runner.hardware(kMesh);
  if (!machine) return machine.takeDiagnostics();
  const hardware::Topology& hw = (*machine)->topology;

  report::Reproduction out;
  out.title = "Latency under load, 8 x 8 mesh";
  out.source = "BookSim2";
  out.remarks = {
      fmt::format("packets of one flit at random moments, one seed; latencies of {} cycles "
                  "after the first {}, with the queue of the source",
                  kMeasured, kWarmUp)};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    const std::string& traffic = file->text(row, "traffic");
    const double rate = file->number(row, "rate");
    if ((traffic != "uniform" && traffic != "neighbour") || !(rate > 0 && rate < 1)) {
      return file->errorIn(row, "expected uniform or neighbour traffic at a rate between 0 and 1");
    }
    network::TransferOptions options;
    options.issue = network::IssueOrder::Recorded;
    options.countFrom = kWarmUp;
    const auto program = TrafficMaker(hw, rate, traffic == "uniform").make();
    const auto result = network::simulateTransfers(program, hw, options, runner.progress());
    if (!result) return result.diagnostics();
    if (!result->complete) return out;
    out.figures.push_back({fmt::format("{} {}", traffic, rate),
                           "cycles",
                           file->number(row, "latency"),
                           {},
                           result->meanLatency,
                           ""});
  }
  return out;
}

}  // namespace gridloom::service
