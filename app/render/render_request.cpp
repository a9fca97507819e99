// SPDX-License-Identifier: GPL-3.0-or-later
#include "render_request.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <utility>
#include <vector>

#include "draw_chart.h"
#include "models/project.h"
#include "models/quantity_text.h"
#include "service/fit.h"
#include "service/workspace.h"
#include "texts/output_check.h"
#include "texts/presets.h"

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
  else if (chart == QLatin1String("timeline"))
    request.chart = Chart::Timeline;
  else
    errors.push_back(
        base::plainError("--chart wants mesh, scatter, breakdown, waterfall or timeline, got `" +
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
  add("chart", "mesh, scatter, breakdown, waterfall or timeline.", "chart", "mesh");
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
  const bool ofRun = request.chart == Chart::Waterfall || request.chart == Chart::Timeline;
  if (ofRun && !request.simulate) {
    errors.push_back(base::plainError("a waterfall or timeline is drawn from a simulation",
                                      "leave out --no-simulate"));
  }
  if (!errors.empty()) return errors;
  return request;
}

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
  return drawChart(request, **answer, progress);
}

}  // namespace gridloom::render
