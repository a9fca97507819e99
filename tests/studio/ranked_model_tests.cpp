// SPDX-License-Identifier: Apache-2.0

// The model of the ranked table.

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <limits>

#include "canvas/mesh_painter.h"
#include "charts/scatter_figure.h"
#include "models/explain_model.h"
#include "models/problem_model.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "suites.h"
#include "theme/colour_ramp.h"

using namespace gridloom;
using namespace gridloom::widgets;

class RankedModelTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rankedSortsAndKeepsUnknownLast() {
    RankedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(threeRows());
    model.sort(indexOf(RankedColumn::Simulated), Qt::AscendingOrder);
    QCOMPARE(model.candidateAt(0), 2);
    QCOMPARE(model.candidateAt(2), 1);
    model.sort(indexOf(RankedColumn::Simulated), Qt::DescendingOrder);
    QCOMPARE(model.candidateAt(0), 0);
    QCOMPARE(model.candidateAt(2), 1);
    QCOMPARE(model.data(model.index(2, indexOf(RankedColumn::Simulated))).toString(),
             QStringLiteral("–"));
  }

  void rankedFilterAndSelectionSurviveSorting() {
    RankedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(threeRows());
    const QPersistentModelIndex held(model.index(0, 0));
    model.sort(indexOf(RankedColumn::Predicted), Qt::DescendingOrder);
    QCOMPARE(held.row(), 2);
    model.setFilter(QStringLiteral("DRAM k30"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.candidateAt(0), 2);
    QCOMPARE(model.viewRowOf(1), -1);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 3);
  }

  void rankedMarksTheFastestOfThoseSimulated() {
    RankedModel model;
    const auto isBold = [&](int candidate) {
      const QModelIndex at = model.index(model.viewRowOf(candidate), indexOf(RankedColumn::Rank));
      return model.data(at, Qt::FontRole).value<QFont>().bold();
    };
    std::vector<RankedRow> rows = threeRows();
    rows[2].simulated = rows[1].simulated;
    model.setRows(rows);
    QCOMPARE(model.fastest(), -1);
    model.updateRow(2, rowOf(30, 11, QStringLiteral("dram")));
    QCOMPARE(model.fastest(), 2);
    QVERIFY(isBold(2) && !isBold(0));
    model.updateRow(1, rowOf(20, 5, QStringLiteral("dram")));
    QVERIFY(isBold(1) && !isBold(2));
    model.setRows(std::vector<RankedRow>());
    QCOMPARE(model.fastest(), -1);
  }

  void rankedUpdatesOneRow() {
    RankedModel model;
    model.setRows(threeRows());
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.updateRow(1, rowOf(20, 25, QStringLiteral("noc")));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.data(model.index(1, indexOf(RankedColumn::Error))).toString(),
             QStringLiteral("−20.0%"));
    model.updateRow(99, rowOf(1, 1, {}));
    QCOMPARE(changed.count(), 1);
  }

  void rankedSortsManyRows() {
    RankedModel model;
    std::vector<RankedRow> rows(200000);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].predicted = std::fmod(static_cast<double>(i) * 7919.0, 1e6);
    model.setRows(std::move(rows));
    model.sort(indexOf(RankedColumn::Predicted), Qt::AscendingOrder);
    QTRY_VERIFY_WITH_TIMEOUT(!model.ordering(), 60000);
    double last = -1;
    for (int i = 0; i < model.rowCount(); i += 97) {
      const double value =
          model.data(model.index(i, indexOf(RankedColumn::Predicted)), RankedModel::SortRole)
              .toDouble();
      QVERIFY(value >= last);
      last = value;
    }
  }

  void manySelectedRowsSurviveSorting() {
    RankedModel model;
    std::vector<RankedRow> rows(100'000);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].predicted = static_cast<double>((i * 7919) % 100'003);
    model.setRows(rows);
    std::vector<QPersistentModelIndex> held;
    for (int row = 0; row < model.rowCount(); row += 2) held.emplace_back(model.index(row, 1));
    model.sort(indexOf(RankedColumn::Predicted), Qt::DescendingOrder);
    QTRY_VERIFY_WITH_TIMEOUT(!model.ordering(), 60000);
    for (std::size_t i = 0; i < held.size(); ++i) {
      QCOMPARE(model.candidateAt(held[i].row()), static_cast<int>(2 * i));
      QCOMPARE(held[i].column(), 1);
    }
    // A row that the filter hides from now on is no longer held.
    model.setFilter(QStringLiteral("predicted<1G"));
    QTRY_VERIFY_WITH_TIMEOUT(!model.ordering(), 60000);
    const QPersistentModelIndex hidden(model.index(model.viewRowOf(5), 0));
    const QPersistentModelIndex shown(model.index(model.viewRowOf(6), 0));
    model.updateRow(5, rowOf(2e9, 0, {}));
    QVERIFY(!hidden.isValid());
    QCOMPARE(model.candidateAt(shown.row()), 6);
  }

  void wordsAreLookedUpInTextsThatArrive() {
    RankedModel model;
    model.setRows(threeRows());
    model.setFilter(QStringLiteral("noc"));
    QCOMPARE(model.rowCount(), 0);
    model.updateRow(1, rowOf(20, 5, QStringLiteral("noc")));
    QCOMPARE(model.shown(), std::vector<int>{1});
    // Other rows have other texts.
    model.setRows({rowOf(1, 1, QStringLiteral("noc")), rowOf(2, 2, QStringLiteral("dram"))});
    QCOMPARE(model.shown(), std::vector<int>{0});
    model.setRows(threeRows());
    QCOMPARE(model.rowCount(), 0);
  }

  void rangesFilterAndPinnedRowsStayOnTop() {
    RankedModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<RankedRow> rows(6);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].mapping = QStringLiteral("i%1").arg(i);
      rows[i].predicted = 1e6 * static_cast<double>(i + 1);
      rows[i].simulated =
          i < 4 ? 2e6 * static_cast<double>(i + 1) : std::numeric_limits<double>::quiet_NaN();
      rows[i].localBytes = 1024.0 * static_cast<double>(i);
    }
    model.setRows(rows);
    model.setFilter(QStringLiteral("simulated<5M"));
    QCOMPARE(model.shown(), (std::vector<int>{0, 1}));
    model.setFilter(QStringLiteral("memory>=2KiB predicted<=5M"));
    QCOMPARE(model.shown(), (std::vector<int>{2, 3, 4}));
    model.setFilter(QStringLiteral("error<-40% i3"));
    QCOMPARE(model.shown(), std::vector<int>{});  // `-` is in no number: a word that nothing has
    model.setFilter(QStringLiteral("#=4"));
    QCOMPARE(model.shown(), std::vector<int>{3});
    model.togglePin(5);
    QCOMPARE(model.shown(), (std::vector<int>{5, 3}));
    model.setFilter({});
    model.sort(indexOf(RankedColumn::Predicted), Qt::DescendingOrder);
    model.togglePin(0);
    QCOMPARE(model.shown(), (std::vector<int>{5, 0, 4, 3, 2, 1}));
    model.togglePin(5);
    QCOMPARE(model.shown(), (std::vector<int>{0, 5, 4, 3, 2, 1}));
  }

  void aMillionRowsFilterAndSort() {
    RankedModel model;
    std::vector<RankedRow> rows(1'000'000);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].mapping = QStringLiteral("i->x");
      rows[i].predicted = static_cast<double>((i * 7919) % 1'000'003);
    }
    model.setRows(rows);
    model.sort(indexOf(RankedColumn::Predicted), Qt::DescendingOrder);
    QVERIFY(model.ordering());
    QCOMPARE(model.candidateAt(0), 0);  // the old order stays until the new one is there
    QTRY_VERIFY_WITH_TIMEOUT(!model.ordering(), 60000);
    QCOMPARE(model.rowCount(), 1'000'000);
    QCOMPARE(model.rows().number(static_cast<std::size_t>(model.candidateAt(0)),
                                 RankedColumn::Predicted),
             1'000'002.0);
    // A later request takes the place of one that is under way.
    model.setFilter(QStringLiteral("predicted<5k"));
    model.setFilter(QStringLiteral("predicted<1k"));
    QCOMPARE(model.rowCount(), 1'000'000);
    QTRY_VERIFY_WITH_TIMEOUT(!model.ordering(), 60000);
    QVERIFY(model.rowCount() > 900 && model.rowCount() <= 1000);
  }
};

QObject* makeRankedModelTests() { return new RankedModelTests; }

#include "ranked_model_tests.moc"
