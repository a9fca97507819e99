// SPDX-License-Identifier: GPL-3.0-or-later

// What is shown, as files in the clipboard.

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>

#include "canvas/mesh_canvas.h"
#include "charts/figure_file.h"
#include "charts/scatter_plot.h"
#include "models/quantity_text.h"
#include "models/ranked_csv.h"
#include "models/ranked_model.h"
#include "timeline/timeline_canvas.h"
#include "window/charts_panel.h"
#include "window/main_window.h"
#include "window/measured_panel.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window/sweep_panel.h"
#include "window/timeline_panel.h"

namespace gridloom::widgets {

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

/// Puts the rows of a table into the clipboard. `what`: of which there are how many.
void MainWindow::copyRows(const QByteArray& csv, const QString& what) {
  auto* copy = new QMimeData;
  copy->setData(QStringLiteral("text/csv"), csv);
  copy->setText(QString::fromUtf8(csv));
  QGuiApplication::clipboard()->setMimeData(copy);
  statusBar()->showMessage(QStringLiteral("Copied as CSV: ") + what, 8000);
}

void MainWindow::copyRanked() {
  const RankedModel* model = m_ranked->model();
  if (!mayExport(model->shown())) return;
  if (model->shown().size() > kMostRowsAtOnce) {
    const std::string most = countText(static_cast<double>(kMostRowsAtOnce)).toStdString();
    return fail({base::plainError("nothing is copied: the table has more than " + most + " rows",
                                  "filter it, or write it to a file with *File > Export table*")});
  }
  copyRows(model->csv(), model->extentText());
}

void MainWindow::copySweep() {
  if (!sweepFigure()) return;
  copyRows(m_sweep->csv(), QStringLiteral("%1 points").arg(m_sweep->sweep()->done()));
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
        View{"Copy where the peak went as %1", &MainWindow::peakFigure, nullptr},
        View{"Copy the timeline as %1", &MainWindow::timelineFigure, nullptr},
        View{"Copy the measured figures as %1", &MainWindow::measuredFigure, m_measured->scatter()},
        View{"Copy the sweep as %1", &MainWindow::sweepFigure, nullptr}}) {
    for (const char* ending : {"svg", "png"}) {
      const QString kind = QLatin1String(ending);
      QAction* made = action(menu, QString::fromLatin1(view.title).arg(kind.toUpper()), {});
      connect(made, &QAction::triggered, this,
              [this, kind, figure = view.figure] { copyFigure((this->*figure)(), kind); });
      if (view.shown) view.shown->addAction(made);
    }
  }
  connect(action(edit, QStringLiteral("&Copy the ranked mappings as CSV"), {}), &QAction::triggered,
          this, &MainWindow::copyRanked);
  connect(action(edit, QStringLiteral("Copy the s&weep as CSV"), {}), &QAction::triggered, this,
          &MainWindow::copySweep);
}

}  // namespace gridloom::widgets
