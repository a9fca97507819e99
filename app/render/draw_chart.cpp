// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw_chart.h"

#include <QPainter>
#include <utility>

#include "bridge/run_recorder.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "charts/breakdown_chart.h"
#include "charts/figure_file.h"
#include "charts/scatter_figure.h"
#include "charts/waterfall_chart.h"
#include "models/quantity_text.h"
#include "report/sanity.h"
#include "service/peak_run.h"
#include "service/result_records.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"
#include "window/charts_panel.h"

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

QString titleOf(const service::SimulationRun& run) {
  return QStringLiteral("%1 on %2")
      .arg(text(run.kernel->kernel.name), text(run.hardware->topology.name()));
}

Outcome drawScatter(const Request& request, const service::Exploration& exploration,
                    const widgets::Tokens& tokens) {
  const widgets::ScatterData data = scatterOf(exploration);
  return outcomeOf(
      widgets::writeFigure(request.out, request.size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintScatter(painter, area, data, tokens, {});
      }));
}

Outcome drawBreakdown(const Request& request, const ranking::Ranked& ranked,
                      const simulate::Simulation* simulation, const widgets::Tokens& tokens) {
  const auto bars = widgets::breakdownsOf(QStringLiteral("#%1").arg(request.rank),
                                          ranked.candidate.estimate, simulation);
  return outcomeOf(
      widgets::writeFigure(request.out, request.size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintBreakdown(painter, area, bars, tokens);
      }));
}

Outcome drawMesh(const Request& request, const service::Exploration& exploration,
                 const ranking::Ranked& ranked, const simulate::Simulation* simulation,
                 const widgets::Tokens& tokens) {
  const widgets::MeshScene scene =
      widgets::sceneOf(*exploration.hardware, *exploration.kernel, ranked.candidate.mapping,
                       simulation, widgets::Heat::States);
  const QString title =
      QStringLiteral("%1 on %2, mapping %3")
          .arg(text(exploration.kernel->kernel.name), text(exploration.hardware->topology.name()))
          .arg(request.rank);
  const QSizeF size = request.fits
                          ? widgets::meshFigureSize(scene, request.size.width(), kUsualHeight)
                          : QSizeF(request.size);
  return outcomeOf(
      widgets::writeFigure(request.out, size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintMeshFigure(painter, area, scene, tokens, title);
      }));
}

Outcome drawWaterfall(const Request& request, const service::SimulationRunRef& run,
                      const widgets::Tokens& tokens) {
  const report::WaterfallRecord waterfall = service::waterfallOf(run);
  if (auto insane = report::checkSanity(waterfall); !insane.empty()) {
    return failed(base::ExitStatus::Internal, std::move(insane));
  }
  const QSizeF size = request.fits
                          ? QSizeF(request.size.width(), widgets::waterfallFigureHeight(waterfall))
                          : QSizeF(request.size);
  return outcomeOf(
      widgets::writeFigure(request.out, size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintWaterfallFigure(painter, area, waterfall, tokens, titleOf(*run));
      }));
}

Outcome failedRun(base::Diagnostics errors) {
  const bool internal = simulate::hasInternalError(errors);
  return failed(internal ? base::ExitStatus::Internal : base::ExitStatus::No, std::move(errors));
}

Outcome drawTimeline(const Request& request, const service::SimulationRunRef& run,
                     const widgets::Tokens& tokens, base::Progress& progress) {
  auto recording = widgets::recordingOf(run, progress);
  if (progress.cancelled()) return {};
  if (!recording) return failedRun(recording.takeDiagnostics());
  const widgets::TimelineScene scene = widgets::timelineOf(*recording, {});
  const widgets::TimelineView view{0, scene.range()};
  const QSizeF size = request.fits
                          ? QSizeF(request.size.width(), widgets::timelineFigureHeight(scene, view))
                          : QSizeF(request.size);
  return outcomeOf(
      widgets::writeFigure(request.out, size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintTimelineFigure(painter, area, scene, view, tokens, titleOf(*run));
      }));
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
  const simulate::Simulation* simulation = run ? &run->simulated : nullptr;
  if (request.chart == Chart::Waterfall) return drawWaterfall(request, run, tokens);
  if (request.chart == Chart::Timeline) return drawTimeline(request, run, tokens, progress);
  if (request.chart == Chart::Breakdown) return drawBreakdown(request, ranked, simulation, tokens);
  return drawMesh(request, exploration, ranked, simulation, tokens);
}

}  // namespace gridloom::render
