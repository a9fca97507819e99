// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/run_charts.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <utility>

#include "models/quantity_text.h"
#include "report/recording.h"
#include "service/result_records.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

/// Routers beside each other; dimensions beyond two are side by side.
class RouterPlane {
 public:
  explicit RouterPlane(const hardware::Topology& hw) : m_hw(hw) {
    const auto grid = hw.nodeGrid();
    columns = grid.empty() ? 1 : static_cast<int>(grid[0]);
    rows = grid.size() > 1 ? static_cast<int>(grid[1]) : 1;
    for (std::size_t d = 2; d < grid.size(); ++d) columns *= static_cast<int>(grid[d]);
  }
  std::size_t placeOf(hardware::NodeId node) const {
    const auto grid = m_hw.nodeGrid();
    std::int64_t column = 0;
    for (std::size_t d = grid.size(); d-- > 2;)
      column = column * grid[d] + m_hw.nodeCoordinate(node, d);
    if (!grid.empty()) column = column * grid[0] + m_hw.nodeCoordinate(node, 0);
    const std::int64_t row = grid.size() > 1 ? m_hw.nodeCoordinate(node, 1) : 0;
    return static_cast<std::size_t>(row * columns + column);
  }
  int columns = 1, rows = 1;

 private:
  const hardware::Topology& m_hw;
};

QString simulatedFacts(const service::SimulationRun& run) {
  return factsOf(*run.hardware, *run.kernel, run.mode) + QStringLiteral("; simulated");
}

UseChart useOf(const service::SimulationRun& run, const char* title, const char* what) {
  const RouterPlane plane(run.hardware->topology);
  UseChart chart;
  chart.head = {QString::fromLatin1(title), simulatedFacts(run)};
  chart.what = QString::fromLatin1(what);
  chart.columns = plane.columns;
  chart.rows = plane.rows;
  chart.places.assign(
      static_cast<std::size_t>(plane.columns) * static_cast<std::size_t>(plane.rows), -1);
  return chart;
}

void addUse(UseChart& chart, std::size_t place, double share) {
  const auto rounded = static_cast<float>(share);
  chart.places[place] = std::max(chart.places[place], rounded);
  chart.members.push_back(rounded);
}

QString dtypeOf(const report::KernelRecord& kernel) {
  for (const report::TensorRecord& tensor : kernel.tensors) {
    if (tensor.role == "input") return text(tensor.dtype);
  }
  return {};
}

}  // namespace

QString factsOf(const service::Hardware& hardware, const service::Kernel& kernel,
                const std::string& mode) {
  const report::KernelRecord record = report::recordOf(kernel.kernel);
  QStringList facts{text(record.name)};
  for (const report::NamedSize& size : record.parameters)
    facts << QStringLiteral("%1 %2").arg(text(size.name)).arg(size.size);
  if (const QString dtype = dtypeOf(record); !dtype.isEmpty()) facts << dtype;
  QString machine = QStringLiteral("on ") + text(hardware.topology.name());
  if (const double clock = hardware.topology.clock(); clock > 0)
    machine += QStringLiteral(" at %1 GHz").arg(clock / 1e9, 0, 'g', 4);
  if (!mode.empty()) machine += QStringLiteral(", ") + text(mode);
  return facts.join(QStringLiteral(", ")) + QLatin1Char(' ') + machine;
}

RooflineChart rooflineOf(const service::Hardware& hardware, const service::Kernel& kernel,
                         const std::string& mode, const std::vector<RooflineRun>& runs) {
  const service::Roof roof = service::roofOf(hardware, kernel, mode);
  const double clock = hardware.topology.clock();
  const double unit = clock > 0 ? clock / 1e12 : 1;
  RooflineChart chart;
  chart.head = {QStringLiteral("Roofline of the simulated mappings"),
                factsOf(hardware, kernel, roof.mode)};
  chart.unit = QLatin1String(clock > 0 ? "TFLOP/s" : "flop/cycle");
  chart.peak = roof.peak * unit;
  chart.peakName = QStringLiteral("peak %1").arg(tickText(chart.peak));
  if (!roof.mode.empty() && roof.sustained > 0)
    chart.peakName += QStringLiteral(" (%1)").arg(text(roof.mode));
  chart.sustained = roof.sustained * unit;
  chart.slope = roof.bandwidth * unit;
  chart.slopeName = QStringLiteral("%1: %2 B/cycle")
                        .arg(text(hardware.topology.global().name), tickText(roof.bandwidth));
  for (const RooflineRun& each : runs) {
    const simulate::Simulation& run = *each.simulated;
    const double bytes = run.traffic.dramRead + run.traffic.dramWrite;
    if (bytes <= 0 || run.cycles <= 0 || run.flops <= 0) continue;
    const double computes = run.states[static_cast<std::size_t>(simulate::State::Compute)];
    chart.points.push_back(
        {run.flops / bytes, run.flops / run.cycles * unit, computes < 0.5 * run.cycles, each.name});
  }
  return chart;
}

BarChart trafficOf(const service::SimulationRun& run, const Tokens& tokens) {
  using hardware::Traffic;
  constexpr std::array<std::pair<const char*, double Traffic::*>, 5> kPlaces{
      {{"DRAM read", &Traffic::dramRead},
       {"DRAM write", &Traffic::dramWrite},
       {"Network, bytes × hops", &Traffic::network},
       {"Local write", &Traffic::localWrite},
       {"Local read", &Traffic::localRead}}};
  BarChart chart;
  chart.head = {QStringLiteral("Traffic of memories and network"),
                factsOf(*run.hardware, *run.kernel, run.mode) +
                    QStringLiteral("; bars by tensor as predicted, totals as simulated")};
  const std::vector<double>& shared = run.simulated.sharedTraffic;
  double most = shared.empty() ? 0 : std::ranges::max(shared);
  for (const auto& [name, bytes] : kPlaces) most = std::max(most, run.predicted.traffic.*bytes);
  const bool large = most >= 1.5e9;
  const double unit = large ? 1024.0 * 1024 * 1024 : most >= 4e6 ? 1024.0 * 1024 : 1024.0;
  chart.axis = QLatin1String(large ? "GiB" : most >= 4e6 ? "MiB" : "KiB");
  for (const auto& [name, bytes] : kPlaces) {
    BarChart::Bar bar{QString::fromUtf8(name), {}, bytesText(run.simulated.traffic.*bytes)};
    for (std::size_t i = 0; i < run.predicted.operands.size(); ++i)
      bar.parts.push_back(
          {tokens.operand(static_cast<int>(i)), run.predicted.operands[i].*bytes / unit});
    chart.bars.push_back(std::move(bar));
  }
  // Between the network and the cores; the model does not count them by tensor.
  for (std::size_t level = 0; level < shared.size(); ++level) {
    const QString name = text(run.hardware->topology.sharedBuffer(level).name);
    chart.bars.insert(chart.bars.end() - 2, {name + QStringLiteral(", in and out"),
                                             {{tokens.faint, shared[level] / unit}},
                                             bytesText(shared[level])});
  }
  const report::MappingRecord mapping = service::mappingRecord(run);
  const auto key = [&](const std::string& tensor, const QString& how) {
    const auto colour = tokens.operand(static_cast<int>(chart.keys.size()));
    chart.keys.push_back({colour, text(tensor) + QStringLiteral(", ") + how});
  };
  for (const report::InputRecord& each : mapping.inputs)
    key(each.tensor, text(each.kind).replace(QLatin1Char('_'), QLatin1Char(' ')));
  for (const report::OutputRecord& each : mapping.outputs)
    key(each.tensor, each.gather.empty() ? QStringLiteral("stored")
                                         : QStringLiteral("gathered along ") + text(each.gather));
  for (const report::AllReduceRecord& each : mapping.allReduces)
    key(each.tensor, QStringLiteral("all-reduced"));
  if (!shared.empty())
    chart.keys.push_back({tokens.faint, QStringLiteral("all tensors, simulated")});
  return chart;
}

UseChart linkUseOf(const service::SimulationRun& run) {
  const hardware::Topology& hw = run.hardware->topology;
  UseChart chart =
      useOf(run, "Busy share of the links: the busiest that leaves each router", "links");
  const RouterPlane plane(hw);
  for (std::size_t link = 0; link < run.simulated.links.size(); ++link) {
    const hardware::Link each = hw.links()[link];
    if (each.kind != hardware::Link::Kind::Hop) continue;
    addUse(chart, plane.placeOf(each.from), run.simulated.links[link].busy / run.simulated.cycles);
  }
  return chart;
}

UseChart coreUseOf(const service::SimulationRun& run) {
  const hardware::Topology& hw = run.hardware->topology;
  UseChart chart = useOf(run, "Share of the run in which each core computes", "cores");
  const RouterPlane plane(hw);
  for (std::size_t core = 0; core < run.simulated.coreStates.size(); ++core) {
    const double computes =
        run.simulated.coreStates[core][static_cast<std::size_t>(simulate::State::Compute)];
    addUse(chart, plane.placeOf(hw.nodeOf(hardware::CoreId::of(core))),
           computes / run.simulated.cycles);
  }
  return chart;
}

namespace {

template <class Chart, class Height, class Paint>
SizedChart sizedBy(Chart chart, Height height, Paint paint) {
  const auto shared = std::make_shared<const Chart>(std::move(chart));
  return {[=](const QFont& font, double width) { return height(font, width, *shared); },
          [=](QPainter& painter, const QRectF& area, const Tokens& tokens) {
            paint(painter, area, *shared, tokens);
          }};
}

}  // namespace

SizedChart sized(BarChart chart) {
  return sizedBy(std::move(chart), barChartHeight, paintBarChart);
}
SizedChart sized(RooflineChart chart) {
  return sizedBy(std::move(chart), rooflineHeight, paintRoofline);
}
SizedChart sized(UseChart chart) {
  return sizedBy(std::move(chart), useChartHeight, paintUseChart);
}
SizedChart sized(SweepChart chart) {
  return sizedBy(std::move(chart), sweepChartHeight, paintSweepChart);
}

}  // namespace gridloom::widgets
