// SPDX-License-Identifier: Apache-2.0

// What the views show while results are missing, old or still coming, and what becomes files.

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <limits>

#include "bridge/export_check.h"
#include "canvas/mesh_canvas.h"
#include "charts/scatter_plot.h"
#include "cut_off.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/report_table_model.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"
#include "window/compare_panel.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/mesh_panel.h"
#include "window/nothing_fits.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/share_delegate.h"
#include "window/waterfall_view.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

RankedRow rowOf(double predicted, double simulated) {
  RankedRow row;
  row.mapping = QStringLiteral("mapping of %1").arg(predicted);
  row.predicted = predicted;
  row.simulated = simulated;
  row.tflops = 1e3 / (simulated > 0 ? simulated : predicted);
  row.bottleneck = QStringLiteral("dram");
  return row;
}

/// Whether the rows stand as the header says: what is not known at the end.
bool isSorted(const RankedModel& model, int column, Qt::SortOrder order) {
  double last = kUnknown;
  for (int row = 0; row < model.rowCount(); ++row) {
    const double value = model.data(model.index(row, column), RankedModel::SortRole).toDouble();
    const bool wrong = order == Qt::AscendingOrder ? value < last : value > last;
    if (row > 0 && (wrong || (std::isnan(last) && !std::isnan(value)))) return false;
    last = value;
  }
  return true;
}

}  // namespace

class ResultTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBrushedRectangleSelectsRows() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    ScatterPlot* plot = studio->chartsPanel()->scatter();
    QTRY_COMPARE_WITH_TIMEOUT(plot->data().points.size(), std::size_t{4}, StudioWindow::kPatience);
    SelectionHub* hub = studio->hub();
    QTableView* table = studio->rankedPanel()->view();
    const QRect all = plot->rect().adjusted(2, 2, -2, -2);
    QTest::mousePress(plot, Qt::LeftButton, {}, all.topLeft());
    QTest::mouseMove(plot, all.center());
    QTest::mouseMove(plot, all.bottomRight());
    QTest::mouseRelease(plot, Qt::LeftButton, {}, all.bottomRight());
    QCOMPARE(hub->brush(), (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(table->selectionModel()->selectedRows().size(), 4);
    // A point of the brush is looked at, and the brush stays.
    const int picked = plot->idAt(plot->positionOf(3).toPoint());
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->positionOf(3).toPoint());
    QCOMPARE(hub->candidate(), picked);
    QCOMPARE(table->selectionModel()->selectedRows().size(), 4);
    studio->rankedPanel()->model()->setFilter(QStringLiteral("nothing has this"));
    studio->rankedPanel()->filter()->setText(QStringLiteral("#<3"));
    QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
    studio->rankedPanel()->filter()->clear();
    QTest::keyClick(plot, Qt::Key_Escape);
    QVERIFY(hub->brush().empty());
    QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
    // Rows brush points, too.
    table->selectRow(1);
    table->selectionModel()->select(table->model()->index(2, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(plot->look().brushed, (std::vector<int>{1, 2}));
    QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
    table->selectRow(0);
    QVERIFY(plot->look().brushed.empty());
    QCOMPARE(hub->candidate(), 0);
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(hub->candidate(), 1);
  }

  void lockedAxesStay() {
    ScatterPlot plot(QStringLiteral("plot"));
    plot.resize(400, 300);
    plot.lockAction()->setChecked(true);
    ScatterData data;
    data.points = {{10, 12, 0}, {20, 19, 1}};
    plot.setData(data);
    const QPointF first = plot.positionOf(0);
    data.points.push_back({900, 800, 2});
    plot.setData(data);
    QCOMPARE(plot.positionOf(0), first);
    QCOMPARE(plot.idAt(plot.positionOf(2)), 2);  // on the edge
    plot.lockAction()->setChecked(false);
    QVERIFY(plot.positionOf(0) != first);
  }

  void rowsStandAsTheHeaderSaysWhileSimulationsArrive() {
    for (const int column : {indexOf(RankedColumn::Simulated), indexOf(RankedColumn::Error),
                             indexOf(RankedColumn::Rate), indexOf(RankedColumn::Rank)}) {
      for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        RankedModel model;
        std::vector<RankedRow> rows;
        for (int i = 0; i < 20; ++i) rows.push_back(rowOf(100 + i, kUnknown));
        model.setRows(rows);
        model.sort(column, order);
        const QPersistentModelIndex marked = model.index(model.viewRowOf(7), 0);
        for (int i = 0; i < 20; ++i) {
          model.updateRow(i, rowOf(100 + i, 100 + (i * 7919) % 31));
          QVERIFY2(isSorted(model, column, order), qPrintable(QString::number(i)));
        }
        QCOMPARE(model.candidateAt(marked.row()), 7);
      }
    }
  }

  void nothingInATableIsElided() {
    const StudioWindow studio({900, 600});
    STUDIO_RESTS(studio);
    studio.session()->setSimulate(false);
    studio.session()->setTop(1000);
    STUDIO_RESTS(studio);
    RankedModel* model = studio->rankedPanel()->model();
    QVERIFY2(model->rowCount() > 100, "ranks of three digits");
    model->updateRow(99, rowOf(123456789012.0, 123456789013.0));
    for (const QTableView* table : studio->findChildren<QTableView*>()) {
      const QStringList elided = elidedTexts(*table);
      QVERIFY2(elided.isEmpty(), qPrintable(elided.join(QLatin1Char('\n'))));
    }
  }

  void whereNothingFitsTheReasonIsSaid() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    RankedPanel* ranked = studio->rankedPanel();
    QVERIFY(!ranked->findChild<NothingFits*>()->isVisible());
    studio.session()->setDirectives(QStringLiteral("tile(i, 1024)\ntile(j, 1024)\n"));
    STUDIO_RESTS(studio);
    studio->findChild<QDockWidget*>(QStringLiteral("rankedDock"))->raise();
    auto* nothing = ranked->findChild<NothingFits*>();
    QTRY_VERIFY(nothing->isVisible() && !ranked->view()->isVisible());
    QString words;
    for (const QLabel* label : nothing->findChildren<QLabel*>()) words += label->text();
    QVERIFY2(words.contains(QStringLiteral("does not fit local memory; the nearest needs")),
             qPrintable(words));
    QTest::mouseClick(nothing->findChild<QPushButton*>(), Qt::LeftButton);
    const auto* unit = studio->peakPanel()->findChild<QLabel*>(QStringLiteral("peakUnit"));
    QCOMPARE(unit->text(), QStringLiteral("No mapping fits"));
    const auto* noneToChange = studio->explainPanel()->findChild<NothingFits*>();
    QVERIFY(!noneToChange->isHidden());
    // A search that did not run to its end says nothing about the mappings that it left out.
    service::Exploration cut = *studio.session()->exploration();
    QVERIFY(nothingFits(std::make_shared<const service::Exploration>(cut)));
    cut.space.stopped = search::Stop::WorkLimit;
    QVERIFY(!nothingFits(std::make_shared<const service::Exploration>(cut)));
    cut.space.stopped = search::Stop::None;
    cut.interrupted = true;
    QVERIFY(!nothingFits(std::make_shared<const service::Exploration>(cut)) && !nothingFits({}));
    // What is behind another tab has no region.
    QTRY_VERIFY(!studio->spacePanel()->visibleRegion().isEmpty() &&
                ranked->visibleRegion().isEmpty());
    studio.session()->setDirectives({});
    STUDIO_RESTS(studio);
    studio->findChild<QDockWidget*>(QStringLiteral("rankedDock"))->raise();
    QTRY_VERIFY(ranked->view()->isVisible() && !nothing->isVisible());
  }

  void theNearestInfeasibleMappingIsOpened() {
    const StudioWindow studio;
    for (const char* name : {"M", "N", "K"})
      studio.session()->setParameter(QLatin1String(name), 4096);
    STUDIO_RESTS(studio);
    const SpacePanel* panel = studio->spacePanel();
    QVERIFY(panel->model()->directivesOf(0).isEmpty());
    QVERIFY(panel->openButton()->isEnabled());
    const search::Rejection nearest = studio.session()->exploration()->space.rejected.front();
    QCOMPARE(nearest.reason, std::string("capacity"));
    panel->openButton()->click();
    QCOMPARE(studio.session()->project().directives, text(nearest.directives));
    STUDIO_IDLE(studio);
    // Only that mapping is left, and it does not fit, by as much as was said.
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->exploration()->top.empty(), StudioWindow::kPatience);
    const search::SpaceCount& space = studio.session()->exploration()->space;
    QCOMPARE(space.size, 1);
    QCOMPARE(space.rejected.front().needed, nearest.needed);
    QCOMPARE(space.rejected.front().example, nearest.example);
    studio.session()->undo();
    STUDIO_RESTS(studio);
    QVERIFY(!studio.session()->exploration()->top.empty());
  }

  void aLongRankingIsThereAtLast() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setSimulate(false);
    studio.session()->setTop(6000);
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration()->top.size(), std::size_t{6000});
    const RankedModel* model = studio->rankedPanel()->model();
    QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 6000, StudioWindow::kPatience);
    QCOMPARE(studio->rankedPanel()->view()->currentIndex().row(), 0);
    QCOMPARE(model->rows().row(5999).mapping,
             text(studio.session()->exploration()->top[5999].line));
    studio.session()->setTop(3);
    STUDIO_RESTS(studio);
    QCOMPARE(model->rowCount(), 3);
  }

  void columnsAreChosenAndKept() {
    const QTemporaryDir folder;
    const QString settings = folder.filePath(QStringLiteral("settings.ini"));
    {
      const MainWindow window(settings);
      for (QAction* each : window.rankedPanel()->columns()->actions()) {
        if (each->data() == keyOf(RankedColumn::Error)) each->trigger();
      }
      QVERIFY(window.rankedPanel()->view()->isColumnHidden(indexOf(RankedColumn::Error)));
    }
    const MainWindow window(settings);
    const QTableView* table = window.rankedPanel()->view();
    QVERIFY(table->isColumnHidden(indexOf(RankedColumn::Error)));
    QVERIFY(!table->isColumnHidden(indexOf(RankedColumn::Simulated)));
    QCOMPARE(window.rankedPanel()->hiddenColumns(), QStringList{keyOf(RankedColumn::Error)});
    window.rankedPanel()->setHiddenColumns({QStringLiteral("unknown")});
    QVERIFY(window.rankedPanel()->hiddenColumns().isEmpty());
  }

  void barsStayClearOfNumbers() {
    const QFontMetrics metrics(QApplication::font());
    for (int width = 0; width < 400; ++width) {
      const QRect cell(5, 0, width, 24);
      const QRectF track = ShareDelegate::trackOf(cell, metrics);
      if (track.isNull()) continue;
      QVERIFY(track.left() >= cell.left());
      QVERIFY(track.right() <= cell.right() - ShareDelegate::numberWidth(metrics));
    }
    QVERIFY(!ShareDelegate::trackOf({0, 0, 200, 24}, metrics).isNull());
  }

  /// Figures that cannot be right say so where they stand, at every size of the window.
  void figuresThatCannotBeAreMarked() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const auto* doubt = studio->findChild<QLabel*>(QStringLiteral("doubt"));
    QTest::qWait(50);
    QVERIFY(doubt->isHidden());
    service::SimulationRun run = *studio.session()->runOf(0);
    run.simulated.utilization = 20.8;
    const ranking::Ranked& ranked = studio.session()->exploration()->top[0];
    studio->meshPanel()->showDoubts(doubtsOf(ranked, &run));
    QVERIFY(doubt->isVisible());
    QVERIFY(doubt->toolTip().contains(QStringLiteral("cannot be right: simulated util")));
    for (const QSize size : {QSize(900, 600), QSize(1280, 800)}) {
      studio->resize(size);
      QTest::qWait(50);
      const QStringList cut = cutOffWidgets(*studio);
      QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    }
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY(doubt->isHidden());
  }
};

QObject* makeResultTests() { return new ResultTests; }

#include "result_tests.moc"
