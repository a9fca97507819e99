// SPDX-License-Identifier: Apache-2.0

// The bar above the mesh, the tables behind "Losses", and what a narrow table leaves out.

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_scene.h"
#include "cut_off.h"
#include "label_recorder.h"
#include "models/ranked_model.h"
#include "models/report_table_model.h"
#include "models/selection_hub.h"
#include "service/workspace.h"
#include "studio_window.h"
#include "suites.h"
#include "texts/presets.h"
#include "window/fitted_table.h"
#include "window/heat_scale.h"
#include "window/mesh_panel.h"
#include "window/mesh_title.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/run_tables.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

QString factsOf(const char* preset) {
  return meshFacts((*service::openHardware(*texts::loadHardwareText(preset)))->topology);
}

QStringList firstColumn(const ReportTableModel& model) {
  QStringList cells;
  for (int row = 0; row < model.rowCount(); ++row) cells << model.index(row, 0).data().toString();
  return cells;
}

QStringList titles(const ReportTableModel& model) {
  QStringList all;
  for (int column = 0; column < model.columnCount(); ++column)
    all << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  return all;
}

}  // namespace

class DetailTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theBarAboveTheMeshSaysWhatMachineItIs() {
    QCOMPARE(factsOf("wormhole_8x8"),
             QStringLiteral("8 × 8, torus, 64 cores, 4 channels of drams"));
    QVERIFY(factsOf("dojo_d1").contains(QStringLiteral("mesh")));
    QVERIFY(factsOf("npu_strix_4x8").contains(QStringLiteral("8 shared buffers")));
    QVERIFY(factsOf("spyre_ring").contains(QStringLiteral("ring")));
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QCOMPARE(studio->meshPanel()->titleBar()->facts(), factsOf("wormhole_8x8"));
    const double pitch = studio->meshPanel()->canvas()->viewport().pitch;
    const auto buttons = studio->meshPanel()->titleBar()->findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), qsizetype{3});
    buttons[1]->click();
    QVERIFY(studio->meshPanel()->canvas()->viewport().pitch > pitch);
    buttons[2]->click();
    QCOMPARE(studio->meshPanel()->canvas()->viewport().pitch, pitch);
  }

  /// What is behind another tab waits until somebody looks.
  void aHiddenTableIsFilledWhenItIsShown() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    auto* tabs = studio->peakPanel()->findChild<QTabWidget*>();
    const auto* loops = tabs->findChild<FittedTable*>(QStringLiteral("What limits each loop"));
    QVERIFY(loops);
    QSignalSpy fills(loops->model(), &QAbstractItemModel::modelReset);
    studio->hub()->selectCandidate(1);
    studio->hub()->selectCandidate(0);
    QCOMPARE(fills.count(), 0);
    tabs->setCurrentIndex(2);
    QCOMPARE(fills.count(), 1);
    QVERIFY(loops->model()->rowCount() > 0);
    tabs->setCurrentIndex(0);
    tabs->setCurrentIndex(2);
    QCOMPARE(fills.count(), 1);
    studio->hub()->selectCandidate(1);
    QCOMPARE(fills.count(), 2);
  }

  /// On a laptop's window, the tables of a run are seen whole.
  void tablesOfARunFitTheirPanel() {
    const StudioWindow studio(QSize(1280, 800));
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(0), StudioWindow::kPatience);
    auto* tabs = studio->peakPanel()->findChild<QTabWidget*>();
    for (int tab = 1; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      QTest::qWait(20);
      for (const auto* table : tabs->currentWidget()->parentWidget()->findChildren<FittedTable*>())
        if (table->isVisible())
          QVERIFY2(table->horizontalHeader()->length() <= table->viewport()->width(),
                   qPrintable(QStringLiteral("%1: %2 of %3 pixels")
                                  .arg(table->accessibleName())
                                  .arg(table->horizontalHeader()->length())
                                  .arg(table->viewport()->width())));
    }
  }

  /// A column that is dragged wider than the table stays there while rows change.
  void aDraggedColumnStays() {
    QStandardItemModel model(3, 3);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column)
        model.setItem(row, column, new QStandardItem(QStringLiteral("12,345")));
    }
    FittedTable table(&model, 2, QStringLiteral("Numbers"));
    table.setImportance({0, 1, 2});
    table.resize(400, 200);
    table.show();
    table.horizontalHeader()->resizeSection(1, 900);
    for (int change = 0; change < 3; ++change) {
      model.item(0, 0)->setText(QString::number(change));
      QVERIFY(!table.isColumnHidden(1));
      QVERIFY(table.columnWidth(1) <= table.viewport()->width());
    }
    table.horizontalHeader()->resizeSection(1, 150);
    model.item(0, 0)->setText(QStringLiteral("7"));
    QCOMPARE(table.columnWidth(1), 150);
    QVERIFY(!table.isColumnHidden(2));
  }

  void tablesOfTheRunStandBehindTheLosses() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(0), StudioWindow::kPatience);
    const PeakPanel* peak = studio->peakPanel();
    QCOMPARE(peak->tabs()->count(), 4);
    const RunTables* tables = peak->tables();
    QCOMPARE(titles(*tables->operands()), (QStringList{"Tensor", "A", "B", "C"}));
    QCOMPARE(firstColumn(*tables->operands()).value(0), QStringLiteral("DRAM reads"));
    QCOMPARE(firstColumn(*tables->bytes()).value(0), QStringLiteral("dram read"));
    QVERIFY(titles(*tables->loops()).contains(QStringLiteral("k")));
    QVERIFY(tables->links()->rowCount() > 10);
    // A click selects the resource everywhere, a second one none.
    peak->tabs()->setCurrentIndex(3);
    auto* links = peak->tabs()->currentWidget()->findChild<QTableView*>();
    if (!links) links = qobject_cast<QTableView*>(peak->tabs()->currentWidget());
    QVERIFY(links);
    const QString busiest =
        tables->links()->index(0, 0).data(ReportTableModel::ExactRole).toString();
    Q_EMIT links->clicked(tables->links()->index(0, 0));
    QCOMPARE(studio->hub()->resource(), busiest);
    Q_EMIT links->clicked(tables->links()->index(0, 0));
    QVERIFY(studio->hub()->resource().isEmpty());
    // Without a mapping there is nothing to tell.
    studio->hub()->selectCandidate(-1);
    QCOMPARE(tables->loops()->rowCount(), 0);
    QCOMPARE(tables->links()->rowCount(), 0);
  }

  void rowsOfAComparisonHaveTheirLetter() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    const RankedModel* model = studio->rankedPanel()->model();
    const auto rank = [model](int candidate) {
      return model->index(model->viewRowOf(candidate), indexOf(RankedColumn::Rank))
          .data()
          .toString();
    };
    QCOMPARE(rank(0), QStringLiteral("1"));
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(1);
    QCOMPARE(rank(0), QStringLiteral("A 1"));
    QCOMPARE(rank(1), QStringLiteral("B 2"));
    studio->hub()->selectCandidate(0);
    QCOMPARE(rank(0), QStringLiteral("AB 1"));
    QCOMPARE(rank(1), QStringLiteral("2"));
    studio.session()->unfreeze();
    QCOMPARE(rank(0), QStringLiteral("1"));
  }

  /// In a narrow window columns go, the least important first, and nothing is cut off.
  void aNarrowTableDropsColumns() {
    const StudioWindow studio({1920, 1000});
    STUDIO_RESTS(studio);
    auto* table = qobject_cast<FittedTable*>(studio->rankedPanel()->view());
    QVERIFY(table);
    for (const int width : {1500, 900, 600, 400}) {
      table->resize(width, 200);
      QCoreApplication::processEvents();
      QVERIFY2(elidedTexts(*table).isEmpty(),
               qPrintable(elidedTexts(*table).join(QLatin1Char('\n'))));
      int shown = 0;
      for (int column = 0; column < kRankedColumns; ++column) shown += table->columnWidth(column);
      QVERIFY(shown <= table->viewport()->width());
      QVERIFY(!table->isColumnHidden(indexOf(RankedColumn::Simulated)));
    }
    QVERIFY(table->missing() > 0);
    QVERIFY(table->isColumnHidden(indexOf(RankedColumn::Order)));
    table->resize(3000, 200);
    QTRY_COMPARE(table->missing(), 0);
    QVERIFY(!table->isColumnHidden(indexOf(RankedColumn::Order)));
  }

  void theScaleOfLinksSaysWhatIsCompared() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    const auto* scale = studio->findChild<LinkScale*>();
    QVERIFY(scale);
    QVERIFY(!scale->words().contains(QStringLiteral("minus that in A")));
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY(scale->words().contains(QStringLiteral("minus that in A")));
  }

  void theScaleOfCoresSaysWhatItShows() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->peak(), StudioWindow::kPatience);
    auto* scale = studio->findChild<HeatScale*>();
    const auto shown = [scale] {
      QStringList words;
      for (const PaintedLabel& each : paintedLabels(*scale)) words << each.text;
      return words;
    };
    auto* heat = studio->findChild<QComboBox*>(QStringLiteral("heat"));
    for (int i = static_cast<int>(Heat::Computing); i <= static_cast<int>(Heat::Idle); ++i) {
      heat->setCurrentIndex(i);
      QTRY_VERIFY(scale->isVisible());
      const QString title = briefTitleOf(static_cast<Heat>(i));
      QVERIFY2(!title.isEmpty() && shown().contains(title),
               qPrintable(title + QLatin1Char(' ') + shown().join(QLatin1Char(' '))));
    }
    studio->hub()->selectLoss(QStringLiteral("issue"));
    QTRY_VERIFY(shown().contains(QStringLiteral("Lost")));
  }

  void theFilterSaysHowManyItLeaves() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto* count = studio->rankedPanel()->findChild<QLabel*>(QStringLiteral("filtered"));
    const int all = studio->rankedPanel()->model()->rowCount();
    QVERIFY(all > 2 && count->isHidden());
    studio->rankedPanel()->filter()->setText(QStringLiteral("#<=2"));
    QTRY_VERIFY(!count->isHidden());
    QCOMPARE(count->text(), QStringLiteral("2 of %1").arg(all));
    studio->rankedPanel()->filter()->clear();
    QTRY_VERIFY(count->isHidden());
  }
};

QObject* makeDetailTests() { return new DetailTests; }

#include "detail_tests.moc"
