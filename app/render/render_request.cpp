// SPDX-License-Identifier: GPL-3.0-or-later
#include "render_request.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QPainter>
#include <utility>
#include <vector>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "charts/breakdown_chart.h"
#include "charts/figure_file.h"
#include "charts/scatter_figure.h"
#include "charts/waterfall_chart.h"
#include "models/project.h"
#include "models/quantity_text.h"
#include "report/sanity.h"
#include "service/fit.h"
#include "service/peak_run.h"
#include "service/result_records.h"
#include "service/workspace.h"
#include "texts/output_check.h"
#include "texts/presets.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"

namespace gridloom::render {

namespace {

using widgets::text;

/// Whole number of an option within limits, or its default.
int integer(const QCommandLineParser& parser, const QString& name, int least, int most,
            int otherwise, base::Diagnostics& errors) {
  if (!parser.isSet(name)) return otherwise;
  bool ok = false;
  const int value = parser.value(name).toInt(&ok);
  if (ok && value >= least && value <= most) return value;
  errors.push_back(base::plainError("--" + name.toStdString() + " wants a whole number from " +
                                    std::to_string(least) + " to " + std::to_string(most) +
                                    ", got `" + parser.value(name).toStdString() + "`"));
  return otherwise;
}

void readParameters(const QCommandLineParser& parser, Request& request, base::Diagnostics& errors) {
  for (const QString& each : parser.values(QStringLiteral("set"))) {
    const qsizetype equals = each.indexOf(QLatin1Char('='));
    bool ok = false;
    const qint64 value = each.mid(equals + 1).toLongLong(&ok);
    if (equals < 1 || !ok) {
      errors.push_back(base::plainError("--set wants NAME=NUMBER, got `" + each.toStdString() + "`",
                                        "for example --set M=1024"));
    } else {
      request.set.emplace_back(each.left(equals).toStdString(), value);
    }
  }
}

void readChart(const QCommandLineParser& parser, Request& request, base::Diagnostics& errors) {
  const QString chart = parser.value(QStringLiteral("chart"));
  if (chart == QLatin1String("mesh"))
    request.chart = Chart::Mesh;
  else if (chart == QLatin1String("scatter"))
    request.chart = Chart::Scatter;
  else if (chart == QLatin1String("breakdown"))
    request.chart = Chart::Breakdown;
  else if (chart == QLatin1String("waterfall"))
    request.chart = Chart::Waterfall;
  else
    errors.push_back(base::plainError("--chart wants mesh, scatter, breakdown or waterfall, got `" +
                                      chart.toStdString() + "`"));
  const QString theme = parser.value(QStringLiteral("theme"));
  if (theme != QLatin1String("light") && theme != QLatin1String("dark")) {
    errors.push_back(
        base::plainError("--theme wants light or dark, got `" + theme.toStdString() + "`"));
  }
  request.dark = theme == QLatin1String("dark");
  request.out = parser.value(QStringLiteral("out"));
  const QString ending = QFileInfo(request.out).suffix().toLower();
  if (ending != QLatin1String("svg") && ending != QLatin1String("png") &&
      ending != QLatin1String("pdf")) {
    errors.push_back(base::plainError("--out wants a file ending in .svg, .png or .pdf, got `" +
                                      request.out.toStdString() + "`"));
  }
}

/// The inputs of the exploration.
struct Inputs {
  service::HardwareRef hardware;
  service::KernelRef kernel;
  mapping::Constraints constraints;
};

base::Result<Inputs> inputsOf(const Request& request, base::Progress& progress) {
  auto hardwareText = texts::loadHardwareText(request.hardware);
  if (!hardwareText) return hardwareText.takeDiagnostics();
  auto kernelText = texts::loadKernelText(request.kernel);
  if (!kernelText) return kernelText.takeDiagnostics();
  auto hardware = service::openHardware(*hardwareText);
  if (!hardware) return hardware.takeDiagnostics();
  service::KernelOptions kernelOptions;
  kernelOptions.set = request.set;
  auto kernel = service::openKernel(*kernelText, kernelOptions);
  if (!kernel) return kernel.takeDiagnostics();
  if (!(*kernel)->nest) return Inputs{*hardware, *kernel, {}};
  service::Asked asked;
  asked.mode = request.mode;
  if (!request.directives.empty()) {
    auto directives = texts::loadDirectivesText(request.directives);
    if (!directives) return directives.takeDiagnostics();
    asked.directives = *std::move(directives);
  }
  auto fit = service::fit(*std::move(kernel), **hardware, asked, progress);
  if (!fit) return fit.takeDiagnostics();
  return Inputs{*hardware, fit->kernel, fit->constraints};
}

base::Result<service::ExplorationRef> explored(const Request& request, const Inputs& inputs,
                                               base::Progress& progress) {
  service::ExploreOptions options;
  options.top = std::max(request.top, request.rank);
  options.mode = request.mode;
  if (request.simulate) options.rerank = ranking::kQuickReranking;
  if (request.simulate && request.chart == Chart::Scatter) options.rerank.least = options.top;
  return service::explore(inputs.hardware, inputs.kernel, inputs.constraints, options, progress);
}

/// The simulation of the shown mapping.
base::Result<service::SimulationRunRef> simulated(const service::Exploration& exploration,
                                                  const ranking::Ranked& ranked,
                                                  base::Progress& progress) {
  service::SimulateOptions options;
  options.mode = exploration.mode;
  return service::simulateMapping(exploration.hardware, exploration.kernel,
                                  ranked.candidate.mapping, options, progress);
}

Outcome failed(base::ExitStatus status, base::Diagnostics errors) {
  return {status, std::move(errors)};
}

Outcome failed(base::Written written) {
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

}  // namespace

void addOptions(QCommandLineParser& parser) {
  const auto add = [&](const char* name, const char* what, const char* value,
                       const char* fallback = "") {
    parser.addOption({QString::fromLatin1(name), QString::fromUtf8(what),
                      QString::fromLatin1(value), QString::fromLatin1(fallback)});
  };
  add("hardware", "Hardware preset or .hw file.", "H");
  add("kernel", "Kernel preset or .rec file.", "K");
  add("set", "Parameter of the kernel; may be repeated.", "M=1024");
  add("directives", "Directives (.sched) that narrow the space.", "F");
  add("mode", "Numeric mode; the default follows the dtype.", "mode");
  add("chart", "mesh, scatter, breakdown or waterfall.", "chart", "mesh");
  add("out", "File to write: .svg, .png or .pdf.", "F");
  add("rank", "Mapping drawn by all but scatter.", "n", "1");
  add("top", "Mappings ranked, for the scatter.", "n", "12");
  add("theme", "light or dark.", "theme", "light");
  add("width", "Width in pixels of 1/96 inch.", "pixels", "1000");
  add("height", "Height in pixels; by default 860, and no more than a mesh needs.", "pixels");
  parser.addOption({QStringLiteral("no-simulate"), QStringLiteral("Draw the prediction alone.")});
}

base::Result<Request> requestOf(const QCommandLineParser& parser) {
  Request request;
  base::Diagnostics errors;
  for (const QString& extra : parser.positionalArguments()) {
    errors.push_back(base::plainError("`" + extra.toStdString() + "` belongs to no option",
                                      "gridloom-render --help shows an example"));
  }
  for (const char* needed : {"hardware", "kernel", "out"}) {
    if (!parser.value(QLatin1String(needed)).isEmpty()) continue;
    errors.push_back(base::plainError(std::string("--") + needed + " is missing",
                                      "gridloom-render --help shows an example"));
  }
  if (!errors.empty()) return errors;
  request.hardware = parser.value(QStringLiteral("hardware")).toStdString();
  request.kernel = parser.value(QStringLiteral("kernel")).toStdString();
  request.directives = parser.value(QStringLiteral("directives")).toStdString();
  request.mode = parser.value(QStringLiteral("mode")).toStdString();
  request.simulate = !parser.isSet(QStringLiteral("no-simulate"));
  request.rank = integer(parser, QStringLiteral("rank"), 1, widgets::kMostMappings, 1, errors);
  request.top = integer(parser, QStringLiteral("top"), 1, widgets::kMostMappings, 12, errors);
  request.size.setWidth(integer(parser, QStringLiteral("width"), 200, 8000, 1000, errors));
  request.size.setHeight(
      integer(parser, QStringLiteral("height"), 200, 8000, kUsualHeight, errors));
  request.fits = !parser.isSet(QStringLiteral("height"));
  readParameters(parser, request, errors);
  readChart(parser, request, errors);
  if (request.chart == Chart::Waterfall && !request.simulate) {
    errors.push_back(
        base::plainError("a waterfall is drawn from a simulation", "leave out --no-simulate"));
  }
  if (!errors.empty()) return errors;
  return request;
}

namespace {

Outcome drawScatter(const Request& request, const service::Exploration& exploration,
                    const widgets::Tokens& tokens) {
  const widgets::ScatterData data = scatterOf(exploration);
  return failed(
      widgets::writeFigure(request.out, request.size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintScatter(painter, area, data, tokens, {});
      }));
}

Outcome drawBreakdown(const Request& request, const ranking::Ranked& ranked,
                      const simulate::Simulation* simulation, const widgets::Tokens& tokens) {
  const auto bars = widgets::breakdownsOf(QStringLiteral("#%1").arg(request.rank),
                                          ranked.candidate.estimate, simulation);
  return failed(
      widgets::writeFigure(request.out, request.size, [&](QPainter& painter, const QRectF& area) {
        widgets::paintBreakdown(painter, area, bars, tokens);
      }));
}

Outcome drawMesh(const Request& request, const service::Exploration& exploration,
                 const ranking::Ranked& ranked, const simulate::Simulation* simulation,
                 const widgets::Tokens& tokens) {
  const widgets::MeshScene scene =
      widgets::sceneOf(*exploration.hardware, *exploration.kernel, ranked.candidate.mapping,
                       simulation, widgets::Heat::Computing);
  const QString title =
      QStringLiteral("%1 on %2, mapping %3")
          .arg(text(exploration.kernel->kernel.name), text(exploration.hardware->topology.name()))
          .arg(request.rank);
  const QSizeF size = request.fits
                          ? widgets::meshFigureSize(scene, request.size.width(), kUsualHeight)
                          : QSizeF(request.size);
  return failed(widgets::writeFigure(request.out, size, [&](QPainter& painter, const QRectF& area) {
    widgets::paintMeshFigure(painter, area, scene, tokens, title);
  }));
}

Outcome drawWaterfall(const Request& request, const service::SimulationRunRef& run,
                      const widgets::Tokens& tokens) {
  const report::WaterfallRecord waterfall = service::waterfallOf(run);
  if (auto insane = report::checkSanity(waterfall); !insane.empty()) {
    return failed(base::ExitStatus::Internal, std::move(insane));
  }
  const QString title =
      QStringLiteral("%1 on %2")
          .arg(text(run->kernel->kernel.name), text(run->hardware->topology.name()));
  const QSizeF size = request.fits
                          ? QSizeF(request.size.width(), widgets::waterfallFigureHeight(waterfall))
                          : QSizeF(request.size);
  return failed(widgets::writeFigure(request.out, size, [&](QPainter& painter, const QRectF& area) {
    widgets::paintWaterfallFigure(painter, area, waterfall, tokens, title);
  }));
}

Outcome draw(const Request& request, const service::Exploration& exploration,
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
    if (!result) {
      const bool internal = simulate::hasInternalError(result.diagnostics());
      return failed(internal ? Status::Internal : Status::No, result.takeDiagnostics());
    }
    run = *std::move(result);
    if (auto insane = service::checkSanity(*run); !insane.empty()) {
      return failed(Status::Internal, std::move(insane));
    }
  }
  if (progress.cancelled()) return {};
  const simulate::Simulation* simulation = run ? &run->simulated : nullptr;
  if (request.chart == Chart::Waterfall) return drawWaterfall(request, run, tokens);
  if (request.chart == Chart::Breakdown) return drawBreakdown(request, ranked, simulation, tokens);
  return drawMesh(request, exploration, ranked, simulation, tokens);
}

}  // namespace

Outcome render(const Request& request, base::Progress& progress) {
  const std::vector<texts::AskedFile> inputs{
      {"--hardware", texts::hardwareFile(request.hardware)},
      {"--kernel", texts::kernelFile(request.kernel)},
      {"--directives", texts::directivesFile(request.directives)}};
  const std::vector<texts::AskedFile> outputs{{"--out", request.out.toStdString()}};
  using Status = base::ExitStatus;
  if (auto errors = texts::checkOutputs(outputs, inputs); !errors.empty()) {
    return failed(Status::BadInput, std::move(errors));
  }
  auto opened = inputsOf(request, progress);
  if (!opened) return failed(Status::BadInput, opened.takeDiagnostics());
  if (!opened->kernel->nest) return failed(Status::No, opened->kernel->notMapped);
  auto answer = explored(request, *opened, progress);
  if (progress.cancelled()) return {};
  if (!answer) return failed(Status::BadInput, answer.takeDiagnostics());
  return draw(request, **answer, progress);
}

}  // namespace gridloom::render
