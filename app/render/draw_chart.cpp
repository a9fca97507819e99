// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw_chart.h"

#include <QPainter>
#include <utility>

#include "bridge/run_recorder.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "charts/breakdown_chart.h"
#include "charts/chart_parts.h"
#include "charts/figure_file.h"
#include "charts/run_charts.h"
#include "charts/scatter_figure.h"
#include "charts/waterfall_chart.h"
#include "models/quantity_text.h"
#include "report/sanity.h"
#include "service/peak_run.h"
#include "service/result_records.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"

namespace gridloom::render {

using widgets::text;

Outcome failed(base::ExitStatus status, base::Diagnostics errors) {
  return {status, std::move(errors)};
}

namespace {

/// The simulation of the shown mapping.
base::Result<service::SimulationRunRef> simulated(const service::Exploration& exploration,
                                                  const ranking::Ranked& ranked,
                                                  base::Progress& progress) {
  service::SimulateOptions options;
  options.mode = exploration.mode;
  return service::simulateMapping(exploration.hardware, exploration.kernel,
                                  ranked.candidate.mapping, options, progress);
}

Outcome outcomeOf(base::Written written) {
  if (written.ok()) return {};
  return {written.machineFault ? base::ExitStatus::Machine : base::ExitStatus::BadInput,
          std::move(written.errors)};
}

widgets::ScatterData scatterOf(const service::Exploration& exploration) {
  widgets::ScatterData data;
  data.bound = exploration.roofline.cycles;
  data.expected = exploration.top.size();
  for (std::size_t i = 0; i < exploration.top.size(); ++i) {
    const ranking::Ranked& ranked = exploration.top[i];
    if (!ranked.simulated) continue;
    data.points.push_back(
        {ranked.candidate.estimate.cycles, ranked.simulated->cycles, static_cast<int>(i)});
  }
  return data;
}

/// What is drawn: the ranking, the mapping of the request's rank, and its run where there is one.
struct Shown {
  const service::Exploration& exploration;
  const ranking::Ranked& ranked;
  service::SimulationRunRef run;
  const simulate::Simulation* simulation() const { return run ? &run->simulated : nullptr; }
  QString facts() const {
    return widgets::factsOf(*exploration.hardware, *exploration.kernel, exploration.mode);
  }
};

/// Writes what `paint` paints, as high as the request says, else as `height` does.
Outcome write(const Request& request, double height, const widgets::PaintFigure& paint) {
  return outcomeOf(
      widgets::writeFigure(request.out, {request.width, request.height.value_or(height)}, paint));
}

Outcome drawSized(const Request& request, const widgets::SizedChart& chart,
                  const widgets::Tokens& tokens) {
  return write(request, chart.height(QFont(), request.width),
               [&](QPainter& painter, const QRectF& area) { chart.paint(painter, area, tokens); });
}

Outcome drawScatter(const Request& request, const service::Exploration& exploration,
                    const widgets::Tokens& tokens) {
  const widgets::ScatterData data = scatterOf(exploration);
  const QString facts =
      widgets::factsOf(*exploration.hardware, *exploration.kernel, exploration.mode);
  return write(request, widgets::scatterFigureHeight(request.width),
               [&](QPainter& painter, const QRectF& area) {
                 widgets::paintScatterFigure(painter, area, data, tokens, {}, facts);
               });
}

Outcome drawBreakdown(const Request& request, const Shown& shown, const widgets::Tokens& tokens) {
  const auto bars = widgets::breakdownsOf(QStringLiteral("#%1").arg(request.rank),
                                          shown.ranked.candidate.estimate, shown.simulation());
  const widgets::ChartHead head{
      QStringLiteral("Where the cycles of mapping %1 go").arg(request.rank), shown.facts()};
  return drawSized(request, widgets::sized(widgets::breakdownChart(bars, head, tokens)), tokens);
}

/// All simulated mappings, of which that of the rank is named.
Outcome drawRoofline(const Request& request, const Shown& shown, const widgets::Tokens& tokens) {
  const service::Exploration& all = shown.exploration;
  if (!all.hardware->topology.hasGlobal()) {
    return failed(base::ExitStatus::No,
                  {base::plainError("this machine has no global memory to draw a roofline of")});
  }
  const QString name = QStringLiteral("#%1").arg(request.rank);
  std::vector<widgets::RooflineRun> runs{{shown.simulation(), name}};
  for (const ranking::Ranked& each : all.top) {
    if (each.simulated && &each - all.top.data() != request.rank - 1)
      runs.push_back({&*each.simulated, {}});
  }
  return drawSized(request,
                   widgets::sized(widgets::rooflineOf(*all.hardware, *all.kernel, all.mode, runs)),
                   tokens);
}

Outcome drawMesh(const Request& request, const Shown& shown, const widgets::Tokens& tokens) {
  const service::Exploration& all = shown.exploration;
  const widgets::MeshScene scene =
      widgets::sceneOf(*all.hardware, *all.kernel, shown.ranked.candidate.mapping,
                       shown.simulation(), widgets::Heat::States);
  const widgets::ChartHead head{
      QStringLiteral("%1 on %2, mapping %3")
          .arg(text(all.kernel->kernel.name), text(all.hardware->topology.name()))
          .arg(request.rank),
      shown.facts()};
  return write(request, widgets::meshFigureSize(scene, head, request.width).height(),
               [&](QPainter& painter, const QRectF& area) {
                 widgets::paintMeshFigure(painter, area, scene, tokens, head);
               });
}

Outcome drawWaterfall(const Request& request, const Shown& shown, const widgets::Tokens& tokens) {
  const report::WaterfallRecord waterfall = service::waterfallOf(shown.run);
  if (auto insane = report::checkSanity(waterfall); !insane.empty()) {
    return failed(base::ExitStatus::Internal, std::move(insane));
  }
  const QString facts = shown.facts() + QStringLiteral("; simulated");
  return write(request, widgets::waterfallFigureHeight(waterfall, facts, request.width),
               [&](QPainter& painter, const QRectF& area) {
                 widgets::paintWaterfallFigure(painter, area, waterfall, tokens, facts);
               });
}

Outcome failedRun(base::Diagnostics errors) {
  const bool internal = simulate::hasInternalError(errors);
  return failed(internal ? base::ExitStatus::Internal : base::ExitStatus::No, std::move(errors));
}

Outcome drawTimeline(const Request& request, const Shown& shown, const widgets::Tokens& tokens,
                     base::Progress& progress) {
  auto recording = widgets::recordingOf(shown.run, progress);
  if (progress.cancelled()) return {};
  if (!recording) return failedRun(recording.takeDiagnostics());
  const widgets::TimelineScene scene = widgets::timelineOf(*recording, {});
  const widgets::TimelineView view{0, scene.range()};
  const widgets::ChartHead head{QStringLiteral("Timeline of mapping %1").arg(request.rank),
                                shown.facts() + QStringLiteral("; simulated")};
  return write(request, widgets::timelineFigureHeight(scene, view, head, request.width),
               [&](QPainter& painter, const QRectF& area) {
                 widgets::paintTimelineFigure(painter, area, scene, view, tokens, head);
               });
}

Outcome drawShown(const Request& request, const Shown& shown, const widgets::Tokens& tokens,
                  base::Progress& progress) {
  switch (request.chart) {
  case Chart::Mesh:
    return drawMesh(request, shown, tokens);
  case Chart::Scatter:
    return drawScatter(request, shown.exploration, tokens);
  case Chart::Breakdown:
    return drawBreakdown(request, shown, tokens);
  case Chart::Waterfall:
    return drawWaterfall(request, shown, tokens);
  case Chart::Timeline:
    return drawTimeline(request, shown, tokens, progress);
  case Chart::Roofline:
    return drawRoofline(request, shown, tokens);
  case Chart::Traffic:
    return drawSized(request, widgets::sized(widgets::trafficOf(*shown.run, tokens)), tokens);
  case Chart::Links:
    return drawSized(request, widgets::sized(widgets::linkUseOf(*shown.run)), tokens);
  case Chart::Cores:
    break;
  }
  return drawSized(request, widgets::sized(widgets::coreUseOf(*shown.run)), tokens);
}

}  // namespace

Outcome drawChart(const Request& request, const service::Exploration& exploration,
                  base::Progress& progress) {
  using Status = base::ExitStatus;
  if (auto insane = service::checkSanity(exploration); !insane.empty()) {
    return failed(Status::Internal, std::move(insane));
  }
  if (exploration.top.empty()) {
    return failed(Status::No, {base::plainError("no mapping is feasible",
                                                "`gridloom explore` says why none fits")});
  }
  const auto at = static_cast<std::size_t>(request.rank - 1);
  if (at >= exploration.listed()) {
    return failed(
        Status::BadInput,
        {base::plainError("there is no mapping of rank " + std::to_string(request.rank) + ": " +
                              std::to_string(exploration.listed()) + " were ranked",
                          "choose a smaller --rank")});
  }
  const widgets::Tokens& tokens = request.dark ? widgets::darkTokens() : widgets::lightTokens();
  if (request.chart == Chart::Scatter) return drawScatter(request, exploration, tokens);
  const ranking::Ranked ranked = service::rankedAt(exploration, at);
  service::SimulationRunRef run;
  if (request.simulate) {
    auto result = simulated(exploration, ranked, progress);
    if (!result) return failedRun(result.takeDiagnostics());
    run = *std::move(result);
    if (auto insane = service::checkSanity(*run); !insane.empty()) {
      return failed(Status::Internal, std::move(insane));
    }
  }
  if (progress.cancelled()) return {};
  return drawShown(request, {exploration, ranked, run}, tokens, progress);
}

Outcome drawSweep(const Request& request, const report::SweepRecord& sweep) {
  const widgets::Tokens& tokens = request.dark ? widgets::darkTokens() : widgets::lightTokens();
  const widgets::SweepChart chart = widgets::sweepChart(sweep, tokens);
  return write(request, widgets::sweepFigureHeight(QFont(), request.width, chart),
               [&](QPainter& painter, const QRectF& area) {
                 widgets::paintSweepChart(painter, area, chart, tokens);
               });
}

}  // namespace gridloom::render
