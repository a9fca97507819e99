// SPDX-License-Identifier: GPL-3.0-or-later
#include "render_request.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <algorithm>
#include <utility>
#include <vector>

#include "charts/chart_parts.h"
#include "draw_chart.h"
#include "models/project.h"
#include "models/quantity_text.h"
#include "service/chart_options.h"
#include "service/fit.h"
#include "service/workspace.h"
#include "sweep/explorer.h"
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

/// "light or dark", "mesh, scatter, ... or cores".
QString either(const QStringList& words) {
  return words.sliced(0, words.size() - 1).join(QStringLiteral(", ")) + QStringLiteral(" or ") +
         words.last();
}

QStringList choicesOf(const service::ChartOption& option) {
  return text(option.choices).split(QLatin1Char(' '));
}

constexpr auto kCharts =
    std::to_array<std::pair<std::string_view, Chart>>({{"mesh", Chart::Mesh},
                                                       {"scatter", Chart::Scatter},
                                                       {"breakdown", Chart::Breakdown},
                                                       {"waterfall", Chart::Waterfall},
                                                       {"timeline", Chart::Timeline},
                                                       {"roofline", Chart::Roofline},
                                                       {"traffic", Chart::Traffic},
                                                       {"links", Chart::Links},
                                                       {"cores", Chart::Cores}});
constexpr bool chartsAreInOrderOfNames() {
  std::string_view names = service::kChartNames;
  for (const auto& [name, chart] : kCharts) {
    if (!names.starts_with(name)) return false;
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return names.empty();
}
static_assert(chartsAreInOrderOfNames());

/// The number of the choice of an option.
int choice(const QCommandLineParser& parser, const QString& name, base::Diagnostics& errors) {
  const auto* const option =
      std::ranges::find(service::kChartOptions, ("--" + name).toStdString(),
                        [](const auto& each) { return std::string(each.names); });
  const QStringList choices = choicesOf(*option);
  const auto chosen = static_cast<int>(choices.indexOf(parser.value(name)));
  if (chosen < 0) {
    errors.push_back(base::plainError(QStringLiteral("--%1 wants %2, got `%3`")
                                          .arg(name, either(choices), parser.value(name))
                                          .toStdString()));
  }
  return chosen;
}

/// "336", "3.5in", "89mm" as pixels of 1/96 inch.
std::optional<double> pixelsOf(QString words) {
  double unit = 1;
  for (const auto& [name, pixels] : {std::pair("in", 96.0), std::pair("mm", 96 / 25.4)}) {
    if (!words.endsWith(QLatin1String(name))) continue;
    words.chop(2);
    unit = pixels;
  }
  bool ok = false;
  const double pixels = words.toDouble(&ok) * unit;
  if (!ok || !(pixels >= 200) || pixels > 8000) return std::nullopt;
  return pixels;
}

std::optional<double> length(const QCommandLineParser& parser, const QString& name,
                             base::Diagnostics& errors) {
  if (!parser.isSet(name)) return std::nullopt;
  const auto pixels = pixelsOf(parser.value(name));
  if (!pixels) {
    errors.push_back(base::plainError("--" + name.toStdString() +
                                          " wants a length of 200 to 8000 pixels, got `" +
                                          parser.value(name).toStdString() + "`",
                                      "for example 336, or 3.5in, or 89mm"));
  }
  return pixels;
}

void readChart(const QCommandLineParser& parser, Request& request, base::Diagnostics& errors) {
  const int chart = choice(parser, QStringLiteral("chart"), errors);
  request.chart = kCharts[static_cast<std::size_t>(std::max(chart, 0))].second;
  request.dark = choice(parser, QStringLiteral("theme"), errors) == 1;
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
  const bool all = request.chart == Chart::Scatter || request.chart == Chart::Roofline;
  if (request.simulate && all) options.rerank.least = options.top;
  return service::explore(inputs.hardware, inputs.kernel, inputs.constraints, options, progress);
}

/// Its names without dashes, the long one first.
QStringList namesOf(const service::ChartOption& option) {
  QStringList names = QString::fromLatin1(option.names).split(QLatin1Char(','));
  for (QString& name : names) name.remove(0, name.lastIndexOf(QLatin1Char('-'), 1) + 1);
  return names;
}

bool isOfRun(Chart chart) {
  return chart != Chart::Mesh && chart != Chart::Scatter && chart != Chart::Breakdown;
}

}  // namespace

void addOptions(QCommandLineParser& parser) {
  for (const service::ChartOption& option : service::kChartOptions) {
    QString help = QString::fromLatin1(option.help);
    if (!option.choices.empty()) help += QStringLiteral(": ") + either(choicesOf(option));
    parser.addOption({namesOf(option), help + QLatin1Char('.'), QString::fromLatin1(option.value),
                      QString::fromLatin1(option.otherwise)});
  }
}

namespace {

/// The file of a sweep has its inputs, and what was found.
void refuseBesideSweep(const QCommandLineParser& parser, base::Diagnostics& errors) {
  const QStringList taken{QStringLiteral("sweep"), QStringLiteral("out"), QStringLiteral("theme"),
                          QStringLiteral("width"), QStringLiteral("height")};
  for (const service::ChartOption& option : service::kChartOptions) {
    const QString name = namesOf(option).front();
    if (taken.contains(name) || !parser.isSet(name)) continue;
    errors.push_back(base::plainError("--" + name.toStdString() + " has no effect beside --sweep",
                                      "the chart of a sweep takes --out, --theme, --width and "
                                      "--height"));
  }
}

}  // namespace

base::Result<Request> requestOf(const QCommandLineParser& parser) {
  Request request;
  base::Diagnostics errors;
  for (const QString& extra : parser.positionalArguments()) {
    errors.push_back(base::plainError("`" + extra.toStdString() + "` belongs to no option",
                                      "gridloom-render --help shows an example"));
  }
  request.sweep = parser.value(QStringLiteral("sweep")).toStdString();
  if (!request.sweep.empty()) refuseBesideSweep(parser, errors);
  for (const char* needed : {"hardware", "kernel", "out"}) {
    const bool isInSweep = !request.sweep.empty() && needed != std::string_view("out");
    if (isInSweep || !parser.value(QLatin1String(needed)).isEmpty()) continue;
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
  request.width = length(parser, QStringLiteral("width"), errors).value_or(widgets::kPageWidth);
  request.height = length(parser, QStringLiteral("height"), errors);
  readParameters(parser, request, errors);
  readChart(parser, request, errors);
  if (isOfRun(request.chart) && !request.simulate) {
    errors.push_back(
        base::plainError("this chart is drawn from a simulation", "leave out --no-simulate"));
  }
  if (!errors.empty()) return errors;
  return request;
}

namespace {

Outcome renderSweep(const Request& request) {
  auto text = texts::loadText(request.sweep);
  if (!text) return failed(base::ExitStatus::BadInput, text.takeDiagnostics());
  auto sweep = sweep::openSweep(*std::move(text));
  if (!sweep) return failed(base::ExitStatus::BadInput, sweep.takeDiagnostics());
  return drawSweep(request, *sweep);
}

}  // namespace

Outcome render(const Request& request, base::Progress& progress) {
  std::vector<texts::AskedFile> inputs{{"--hardware", texts::hardwareFile(request.hardware)},
                                       {"--kernel", texts::kernelFile(request.kernel)},
                                       {"--directives", texts::directivesFile(request.directives)}};
  if (!request.sweep.empty()) inputs = {{"--sweep", request.sweep}};
  const std::vector<texts::AskedFile> outputs{{"--out", request.out.toStdString()}};
  using Status = base::ExitStatus;
  if (auto errors = texts::checkOutputs(outputs, inputs); !errors.empty()) {
    return failed(Status::BadInput, std::move(errors));
  }
  if (!request.sweep.empty()) return renderSweep(request);
  auto opened = inputsOf(request, progress);
  if (!opened) return failed(Status::BadInput, opened.takeDiagnostics());
  if (!opened->kernel->nest) return failed(Status::No, opened->kernel->notMapped);
  auto answer = explored(request, *opened, progress);
  if (progress.cancelled()) return {};
  if (!answer) return failed(Status::BadInput, answer.takeDiagnostics());
  return drawChart(request, **answer, progress);
}

}  // namespace gridloom::render
