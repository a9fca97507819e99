// SPDX-License-Identifier: Apache-2.0

// The order of the rows of the ranked table.

#include <QtTest>
#include <limits>
#include <random>

#include "canvas/mesh_painter.h"
#include "charts/scatter_figure.h"
#include "models/explain_model.h"
#include "models/key_sort.h"
#include "models/ranked_model.h"
#include "studio_helpers.h"
#include "suites.h"
#include "theme/apply_theme.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"

using namespace gridloom;
using namespace gridloom::widgets;

class RowOrderTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// As a stable sort by comparison: numbers of all sizes, many equal ones, some that differ in
  /// their last digits alone.
  void keysAreSortedAsByComparison() {
    std::mt19937 random(3);
    const auto keyOf = [&](int kind) -> double {
      const auto number = static_cast<double>(random() % 1000);
      switch (kind) {
      case 0:
        return number - 500;
      case 1:
        return 1e6 + 1e-7 * number;
      case 2:
        return (number - 500) * 1e300;
      case 3:
        return number < 500 ? -0.0 : 0.0;
      default:
        return number < 20 ? std::numeric_limits<double>::infinity() : number * 1e-310;
      }
    };
    for (int round = 0; round < 100; ++round) {
      std::vector<double> keys(random() % 400);
      for (double& key : keys) key = keyOf(round % 6 < 5 ? round % 6 : int(random() % 5));
      for (const bool down : {false, true}) {
        std::vector<int> rows;
        for (int row = 0; row < static_cast<int>(keys.size()); ++row)
          if (random() % 8) rows.push_back(row);
        std::vector<int> wanted = rows;
        std::ranges::stable_sort(wanted, [&](int a, int b) {
          const double x = keys[std::size_t(a)], y = keys[std::size_t(b)];
          return down ? x > y : x < y;
        });
        sortByKey(rows, keys, down);
        QCOMPARE(rows, wanted);
      }
    }
  }

  /// Rows that change while a worker orders the others stand where they belong.
  void rowsThatChangeWhileOthersAreOrderedFindTheirPlace() {
    RankedModel model;
    std::vector<RankedRow> rows(50'000);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].mapping = QStringLiteral("i->x");
      rows[i].predicted = static_cast<double>((i * 7919) % 50'021);
      rows[i].simulated = std::numeric_limits<double>::quiet_NaN();
    }
    model.setRows(rows);
    model.sort(indexOf(RankedColumn::Simulated), Qt::DescendingOrder);
    model.setFilter(QStringLiteral("predicted<40k"));
    QVERIFY(model.ordering());
    for (const std::size_t at : {49'999U, 7U, 123U}) {
      rows[at].predicted = 1;
      rows[at].simulated = static_cast<double>(at);
      model.updateRow(static_cast<int>(at), rows[at]);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!model.ordering(), 60000);
    RankedModel fresh;
    fresh.setRows(rows);
    fresh.sort(indexOf(RankedColumn::Simulated), Qt::DescendingOrder);
    fresh.setFilter(QStringLiteral("predicted<40k"));
    QTRY_VERIFY_WITH_TIMEOUT(!fresh.ordering(), 60000);
    QCOMPARE(model.candidateAt(0), 49'999);
    QCOMPARE(model.shown(), fresh.shown());
  }

  /// Rows that change one by one stand as if all had been there from the beginning.
  void rowsThatArriveStandAsIfSortedAnew() {
    std::mt19937 random(11);
    const auto pick = [&](int from) { return static_cast<int>(random() % unsigned(from)); };
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const QString filters[] = {
        {}, QStringLiteral("simulated<60"), QStringLiteral("k1"), QStringLiteral("error>0% dram")};
    for (int round = 0; round < 60; ++round) {
      RankedModel model;
      std::vector<RankedRow> rows;
      for (int i = 0; i < 40; ++i)
        rows.push_back(rowOf(pick(50), pick(2) ? pick(90) : unknown,
                             pick(2) ? QStringLiteral("dram") : QStringLiteral("matrix")));
      model.setRows(rows);
      model.setFilter(filters[pick(4)]);
      const int column = pick(kRankedColumns);
      const Qt::SortOrder order = pick(2) ? Qt::AscendingOrder : Qt::DescendingOrder;
      model.sort(column, order);
      const std::vector<int> pins{pick(40), pick(40)};
      for (const int pin : pins) model.togglePin(pin);
      for (int change = 0; change < 30; ++change) {
        const int at = pick(40);
        RankedRow& row = rows[static_cast<std::size_t>(at)];
        row.simulated = pick(4) ? pick(90) : unknown;
        if (pick(3) == 0) row.bottleneck = QStringLiteral("noc%1").arg(pick(3));
        model.updateRow(at, row);
      }
      RankedModel fresh;
      fresh.setRows(rows);
      for (const int pin : pins) fresh.togglePin(pin);
      fresh.setFilter(model.filter().join(QLatin1Char(' ')));
      fresh.sort(column, order);
      QCOMPARE(model.shown(), fresh.shown());
      QCOMPARE(model.fastest(), fresh.fastest());
    }
  }
};

QObject* makeRowOrderTests() { return new RowOrderTests; }

#include "row_order_tests.moc"
