// SPDX-License-Identifier: GPL-3.0-or-later

// Views as figures: in files and in the clipboard.

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
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

constexpr double kColumnWidth = 672;  // 7 inches

}  // namespace

std::optional<Figure> MainWindow::meshFigure() {
  // A machine without a mapping is a result of its own.
  const bool bare = !m_mesh->showsMapping() && m_session->hardwareIsCurrent();
  if (!bare && !mayExport({m_hub->candidate()})) return std::nullopt;
  const MeshScene& scene = m_mesh->canvas()->scene();
  return Figure{meshFigureSize(scene), [this, &scene](QPainter& painter, const QRectF& area) {
                  paintMeshFigure(painter, area, scene, tokensFor(palette()), m_mesh->title());
                }};
}

std::optional<Figure> MainWindow::chartFigure() {
  const bool scatter = m_charts->current() == ChartsPanel::Scatter;
  if (!mayExport(scatter ? m_charts->scatter()->ids() : m_charts->barCandidates()))
    return std::nullopt;
  return Figure{QSizeF(900, 560), [this, scatter](QPainter& painter, const QRectF& area) {
                  const Tokens& tokens = tokensFor(palette());
                  if (!scatter)
                    return paintBreakdown(painter, area, m_charts->breakdowns(), tokens);
                  ScatterLook look = m_charts->scatter()->look();
                  look.hovered = -1;
                  paintScatter(painter, area, m_charts->scatter()->data(), tokens, look);
                }};
}

std::optional<Figure> MainWindow::peakFigure() {
  if (!mayExport({m_hub->candidate()})) return std::nullopt;
  const report::WaterfallRecord* waterfall = m_peak->waterfall();
  if (!waterfall) {
    fail({base::plainError("nothing is written: this mapping is not simulated",
                           "wait for its simulation, or switch simulation on")});
    return std::nullopt;
  }
  return Figure{QSizeF(kColumnWidth, waterfallFigureHeight(*waterfall)),
                [this, waterfall](QPainter& painter, const QRectF& area) {
                  paintWaterfallFigure(painter, area, *waterfall, tokensFor(palette()),
                                       m_mesh->title());
                }};
}

std::optional<Figure> MainWindow::timelineFigure() {
  if (!mayExport({m_hub->candidate()})) return std::nullopt;
  const TimelineCanvas* canvas = m_timeline->canvas();
  if (canvas->scene().empty()) {
    fail({base::plainError("nothing is written: the run of this mapping is not recorded",
                           "open the timeline and wait for the recording")});
    return std::nullopt;
  }
  return Figure{QSizeF(kColumnWidth, timelineFigureHeight(canvas->scene(), canvas->view())),
                [this, canvas](QPainter& painter, const QRectF& area) {
                  paintTimelineFigure(painter, area, canvas->scene(), canvas->view(),
                                      tokensFor(palette()), m_mesh->title());
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
  const bool scatter = m_charts->current() == ChartsPanel::Scatter;
  return writeShown(chartFigure(), path, QLatin1String(scatter ? "scatter" : "breakdown"));
}

bool MainWindow::exportTimeline(const QString& path) {
  return writeShown(timelineFigure(), path, QStringLiteral("timeline"));
}

bool MainWindow::exportPeak(const QString& path) {
  return writeShown(peakFigure(), path, QStringLiteral("waterfall"));
}

/// Puts a figure into the clipboard as a file of that ending would hold it.
void MainWindow::copyFigure(const std::optional<Figure>& figure, const QString& ending) {
  if (!figure) return;
  const bool svg = ending == QLatin1String("svg");
  auto* copy = new QMimeData;
  const QByteArray bytes = figureBytes(ending, figure->size, figure->paint);
  copy->setData(svg ? QStringLiteral("image/svg+xml") : QStringLiteral("image/png"), bytes);
  if (svg) copy->setText(QString::fromUtf8(bytes));
  if (!svg) copy->setImageData(QImage::fromData(bytes, "PNG"));
  QGuiApplication::clipboard()->setMimeData(copy);
  statusBar()->showMessage(QStringLiteral("Copied as %1").arg(ending.toUpper()), 8000);
}

void MainWindow::buildCopyMenu(QMenu* edit) {
  QMenu* menu = edit->addMenu(QStringLiteral("Copy as p&icture"));
  struct View {
    const char* title;
    std::optional<Figure> (MainWindow::*figure)();
    QWidget* shown;
  };
  for (const View& view :
       {View{"Copy the mesh as %1", &MainWindow::meshFigure, m_mesh->canvas()},
        View{"Copy the chart as %1", &MainWindow::chartFigure, m_charts->scatter()},
        View{"Copy where the peak went as %1", &MainWindow::peakFigure, nullptr}}) {
    for (const char* ending : {"svg", "png"}) {
      const QString kind = QLatin1String(ending);
      QAction* made = action(menu, QString::fromLatin1(view.title).arg(kind.toUpper()), {});
      connect(made, &QAction::triggered, this,
              [this, kind, figure = view.figure] { copyFigure((this->*figure)(), kind); });
      if (view.shown) view.shown->addAction(made);
    }
  }
}

}  // namespace gridloom::widgets
