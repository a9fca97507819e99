// SPDX-License-Identifier: GPL-3.0-or-later

// Views as figures.

#include <QActionGroup>
#include <QFileInfo>
#include <QMenu>
#include <QStatusBar>

#include "bridge/export_check.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/chart_parts.h"
#include "charts/figure_file.h"
#include "charts/scatter_plot.h"
#include "charts/waterfall_chart.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_painter.h"
#include "window/charts_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/timeline_panel.h"

namespace gridloom::widgets {

namespace {

/// In pixels of 1/96 inch.
struct Width {
  const char* title;
  double pixels;
};
constexpr Width kWidths[] = {{"A column of a paper: 3.5 inches", 336},
                             {"A page of a paper: 7 inches", kPageWidth},
                             {"A slide: 13.3 inches", 1280}};

/// Kernel, sizes, machine and mode of what is shown.
QString factsOfShown(const Session& session) {
  const auto& exploration = session.exploration();
  if (!exploration) return {};
  return factsOf(*exploration->hardware, *exploration->kernel, exploration->mode);
}

base::Diagnostics unsimulated() {
  return nothingExported("this mapping is not simulated",
                         "wait for its simulation, or switch simulation on");
}

}  // namespace

std::optional<Figure> MainWindow::meshFigure() {
  // A machine without a mapping is a result of its own.
  const bool bare = !m_mesh->showsMapping() && m_session->hardwareIsCurrent();
  if (!bare && !mayExport({m_hub->candidate()})) return std::nullopt;
  const MeshScene& scene = m_mesh->canvas()->scene();
  const ChartHead head{m_mesh->title(),
                       m_mesh->showsMapping() ? factsOfShown(*m_session) : QString()};
  return Figure{meshFigureSize(scene, head, m_figureWidth),
                [this, &scene, head](QPainter& painter, const QRectF& area) {
                  paintMeshFigure(painter, area, scene, tokensFor(palette()), head);
                }};
}

std::optional<Figure> MainWindow::chartFigure() {
  if (!mayExport(m_charts->candidates())) return std::nullopt;
  const double width = m_figureWidth;
  if (m_charts->current() == ChartsPanel::Scatter) {
    return Figure{QSizeF(width, scatterFigureHeight(width)),
                  [this](QPainter& painter, const QRectF& area) {
                    ScatterLook look = m_charts->scatter()->look();
                    look.hovered = -1;
                    paintScatterFigure(painter, area, m_charts->scatter()->data(),
                                       tokensFor(palette()), look, factsOfShown(*m_session));
                  }};
  }
  const std::optional<SizedChart> chart = m_charts->chart();
  if (!chart) {
    fail(unsimulated());
    return std::nullopt;
  }
  return Figure{QSizeF(width, chart->height(QFont(), width)),
                [this, chart](QPainter& painter, const QRectF& area) {
                  chart->paint(painter, area, tokensFor(palette()));
                }};
}

std::optional<Figure> MainWindow::peakFigure() {
  if (!mayExport({m_hub->candidate()})) return std::nullopt;
  const report::WaterfallRecord* waterfall = m_peak->waterfall();
  if (!waterfall) {
    fail(unsimulated());
    return std::nullopt;
  }
  const QString facts = factsOfShown(*m_session) + QStringLiteral("; simulated");
  const double width = m_figureWidth;
  return Figure{QSizeF(width, waterfallFigureHeight(*waterfall, facts, width)),
                [this, waterfall, facts](QPainter& painter, const QRectF& area) {
                  paintWaterfallFigure(painter, area, *waterfall, tokensFor(palette()), facts);
                }};
}

std::optional<Figure> MainWindow::timelineFigure() {
  if (!mayExport({m_hub->candidate()})) return std::nullopt;
  const TimelineCanvas* canvas = m_timeline->canvas();
  if (canvas->scene().empty()) {
    fail(nothingExported("the run of this mapping is not recorded",
                         "open the timeline and wait for the recording"));
    return std::nullopt;
  }
  const ChartHead head{QStringLiteral("Timeline of ") + m_mesh->title(), factsOfShown(*m_session)};
  const double width = m_figureWidth;
  return Figure{QSizeF(width, timelineFigureHeight(canvas->scene(), canvas->view(), head, width)),
                [this, canvas, head](QPainter& painter, const QRectF& area) {
                  paintTimelineFigure(painter, area, canvas->scene(), canvas->view(),
                                      tokensFor(palette()), head);
                }};
}

bool MainWindow::writeShown(const std::optional<Figure>& figure, const QString& path,
                            const QString& chart) {
  if (!figure) return false;
  return recordExport(writeFigure(path, figure->size, figure->paint), QFileInfo(path).fileName(),
                      exportAction(Action::Kind::Figure, path, chart));
}

bool MainWindow::exportMesh(const QString& path) {
  const bool bare = !m_mesh->showsMapping();
  return writeShown(meshFigure(), path, bare ? QString() : QStringLiteral("mesh"));
}

bool MainWindow::exportChart(const QString& path) {
  return writeShown(chartFigure(), path, m_charts->currentKey());
}

bool MainWindow::exportTimeline(const QString& path) {
  return writeShown(timelineFigure(), path, QStringLiteral("timeline"));
}

bool MainWindow::exportPeak(const QString& path) {
  return writeShown(peakFigure(), path, QStringLiteral("waterfall"));
}

/// How wide files and copies of figures are.
void MainWindow::addFigureWidths(QMenu* file) {
  QMenu* menu = file->addMenu(QStringLiteral("Width of fi&gures"));
  auto* group = new QActionGroup(menu);
  m_figureWidth = m_settings.figureWidth();
  for (const Width& each : kWidths) {
    QAction* choice = action(menu, QString::fromLatin1(each.title), {});
    choice->setCheckable(true);
    choice->setChecked(each.pixels == m_figureWidth);
    group->addAction(choice);
    connect(choice, &QAction::triggered, this, [this, pixels = each.pixels] {
      m_figureWidth = pixels;
      m_settings.setFigureWidth(pixels);
    });
  }
}

}  // namespace gridloom::widgets
