// SPDX-License-Identifier: Apache-2.0

// Values and models without a window.

#include <QAbstractItemModelTester>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <thread>

#include "bridge/job.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "charts/figure_file.h"
#include "charts/scatter_figure.h"
#include "models/explain_model.h"
#include "models/key_sort.h"
#include "models/mapping_chips.h"
#include "models/problem_model.h"
#include "models/project.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "suites.h"
#include "texts/presets.h"
#include "theme/apply_theme.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"
#include "window/command_palette.h"
#include "window/studio_settings.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

RankedRow rowOf(double predicted, double simulated, const QString& bottleneck) {
  RankedRow row;
  row.mapping = QStringLiteral("i/x j/y | block i128, k%1").arg(predicted);
  row.predicted = predicted;
  row.simulated = simulated;
  row.tflops = 1e3 / predicted;
  row.utilization = 1 / predicted;
  row.bottleneck = bottleneck;
  return row;
}

std::vector<RankedRow> threeRows() {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  return {rowOf(10, 12, QStringLiteral("dram")), rowOf(20, unknown, QStringLiteral("matrix")),
          rowOf(30, 11, QStringLiteral("dram"))};
}

Project someProject() {
  Project project;
  project.hardwareName = QStringLiteral("mesh");
  project.hardwareText = QStringLiteral("%x = df.spatial_dim 8 // größer\n");
  project.kernelName = QStringLiteral("gemm");
  project.kernelText = QStringLiteral("kernel gemm(M = 4) {\n}\n");
  project.parameters = {{QStringLiteral("M"), 4096}};
  project.directives = QStringLiteral("tile(i, 128)");
  project.mode = QStringLiteral("hifi4");
  project.top = 7;
  project.simulate = false;
  return project;
}

}  // namespace

class ModelTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void coresThatShareARouterHaveCellsOfTheirOwn() {
    for (const char* name : {"spyre_ring", "wormhole_n150", "npu_strix_4x8"}) {
      const auto opened = service::openHardware(*texts::loadHardwareText(name));
      QVERIFY(opened.ok());
      const MeshScene scene = sceneOf((*opened)->topology);
      base::Progress stopped;
      stopped.cancel();
      QVERIFY(sceneOf((*opened)->topology, &stopped).links.empty());
      std::set<int> cells(scene.cellOfCore.begin(), scene.cellOfCore.end());
      QCOMPARE(cells.size(), scene.cellOfCore.size());
      for (int core = 0; core < scene.coreCount(); ++core) {
        QCOMPARE(scene.coreOfCell[static_cast<std::size_t>(
                     scene.cellOfCore[static_cast<std::size_t>(core)])],
                 core);
      }
      const QSizeF page = meshFigureSize(scene);
      QVERIFY(page.height() > 100 && page.height() <= 860);
    }
  }

  void coresThatMeetAreJoinedByLines() {
    const auto hardware = service::openHardware(*texts::loadHardwareText("wormhole_4x8"));
    const auto kernel =
        service::openKernel(*texts::loadKernelText("softmax"), {{{"M", 32}, {"N", 65536}}, "", ""});
    QVERIFY(hardware.ok() && kernel.ok());
    base::Progress progress;
    const auto constraints = service::openDirectives(
        base::makeSource("d.sched", "space(j->x) space(->y)"), **kernel, **hardware);
    QVERIFY(constraints.ok());
    const auto found = service::explore(*hardware, *kernel, *constraints, {1, 1, ""}, progress);
    QVERIFY(found.ok() && !(*found)->top.empty());
    const MeshScene scene =
        sceneOf(**hardware, **kernel, (*found)->top.front().candidate.mapping, nullptr, Heat::Work);
    QStringList splitAllReduce;
    for (const Flow& flow : scene.flows) {
      if (!flow.isAllReduce) continue;
      splitAllReduce << flow.operand;
      QCOMPARE(flow.lines.size(), std::size_t{1});
      QVERIFY(!scene.describe(1).contains(flow.operand + QStringLiteral(": writes")));
    }
    QCOMPARE(splitAllReduce, QStringList({QStringLiteral("m"), QStringLiteral("l")}));
  }

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

  void csvQuotesAndLeavesUnknownEmpty() {
    RankedModel model;
    model.setRows(threeRows());
    const QList<QByteArray> lines = model.csv().split('\n');
    QVERIFY(lines[0].startsWith("rank,predicted_cycles,simulated_cycles"));
    QVERIFY(lines[2].startsWith("2,20,,,"));
    QVERIFY(lines[1].contains("\"i/x j/y | block i128, k10\""));
  }

  void rejectionsAddUpAndNameTheMiss() {
    RejectionModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    search::SpaceCount space;
    space.size = 1000;
    space.feasible = 600;
    space.evaluated = 500;
    space.pruned = 100;
    space.rejected.push_back(
        {"capacity", 400, 2.0 * 1024 * 1024, 1024.0 * 1024, "bytes", "i128 j128"});
    model.setSpace(space);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.data(model.index(2, RejectionModel::Share)).toString(), QStringLiteral("40.0%"));
    QCOMPARE(model.data(model.index(2, RejectionModel::NearestMiss)).toString(),
             QStringLiteral("needs 2 MiB, has 1 MiB: 1 MiB too much"));
  }

  void loopsThatAreNotTiledAreSaid() {
    search::SpaceCount space;
    QVERIFY(coverText(space).startsWith(QStringLiteral("Stopped early")));
    space.stopped = search::Stop::None;
    space.margin = 0.05;
    QVERIFY(coverText(space).startsWith(QStringLiteral("All covered: no mapping")));
    space.whole = {"i", "j"};
    QVERIFY(coverText(space).contains(QStringLiteral("too large: i, j. The rest is covered: no")));
    QVERIFY(coverText(space).contains(percentText(0.05)));
    space.margin = 0;
    QVERIFY(coverText(space).endsWith(QStringLiteral("covered: the ranking is exact for it,")));
    space.whole.clear();
    space.exact = true;
    QCOMPARE(coverText(space), QStringLiteral("All covered: the ranking is exact,"));
  }

  void problemsPutErrorsFirst() {
    ProblemModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto source = base::makeSource("a.hw", "one\ntwo\n");
    model.setProblems({{Subject::Hardware, base::noteAt(source, {0, 3}, "a note")},
                       {Subject::Hardware, base::errorAt(source, {4, 7}, "an error", "mend it")}});
    QCOMPARE(model.errorCount(), 1);
    QCOMPARE(model.data(model.index(0, ProblemModel::Message)).toString(),
             QStringLiteral("an error"));
    QCOMPARE(model.data(model.index(0, ProblemModel::Place)).toString(),
             QStringLiteral("a.hw:2:1"));
    QCOMPARE(model.data(model.index(0, ProblemModel::Hint)).toString(), QStringLiteral("mend it"));
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

  void aMappingIsShownAsChips() {
    const std::vector<MappingChip> space =
        chipsOf(RankedColumn::Space, QStringLiteral("i->x j->y,z"), 3);
    QCOMPARE(space.size(), std::size_t{3});
    QCOMPARE(space[1].text, QStringLiteral("j→y,z"));
    QVERIFY(space[1].meaning.contains(QStringLiteral("along y and z")));
    QVERIFY(space[2].quiet && space[2].text == QStringLiteral("×4"));
    QCOMPARE(chipsOf(RankedColumn::Space, QStringLiteral("one core"), 0).size(), std::size_t{1});
    const auto tiles = chipsOf(RankedColumn::Tiles, QStringLiteral("i128 k21024"), 0);
    QCOMPARE(tiles[0].text, QStringLiteral("i128"));
    QVERIFY(tiles[0].meaning.startsWith(QStringLiteral("A tile has 128 elements of loop i")));
    const auto operands = chipsOf(RankedColumn::Operands,
                                  QStringLiteral("A multicast y over i x2, B direct, C x2"), 0);
    QCOMPARE(operands.size(), std::size_t{3});
    QCOMPARE(operands[0].lead, QStringLiteral("A"));
    QCOMPARE(operands[0].text, QStringLiteral("mcast y over i ×2"));
    QVERIFY(operands[0].meaning.contains(QStringLiteral("multicast")) &&
            operands[0].meaning.contains(QStringLiteral("hoisted out of loop i")) &&
            operands[0].meaning.contains(QStringLiteral("Double buffer")));
    QCOMPARE(operands[2].operand, 2);
    QCOMPARE(operands[2].text, QStringLiteral("store ×2"));
    QVERIFY(operands[2].meaning.startsWith(QStringLiteral("Every core stores")));
    QVERIFY(chipsOf(RankedColumn::Order, QStringLiteral("i j"), 0).empty());
  }

  void everyMovementOfTheSpaceIsExplained() {
    base::Progress progress;
    for (const char* name : {"wormhole_4x8", "npu_strix_4x8"}) {
      const auto hardware = service::openHardware(*texts::loadHardwareText(name));
      const auto kernel =
          service::openKernel(*texts::loadKernelText("gemm"), {{{"M", 512}, {"N", 512}}, "", ""});
      QVERIFY(hardware.ok() && kernel.ok());
      service::ExploreOptions options;
      options.top = 3000;
      const auto found = service::explore(*hardware, *kernel, {}, options, progress);
      QVERIFY(found.ok() && !(*found)->top.empty());
      for (const ranking::Ranked& ranked : (*found)->top) {
        const QString cell = text(ranked.line).section(QStringLiteral(" | "), 3);
        for (const MappingChip& chip : chipsOf(RankedColumn::Operands, cell, 0))
          QVERIFY2(!chip.meaning.isEmpty(), qPrintable(cell));
      }
    }
  }

  void explanationSumsToTheWhole() {
    ExplainModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    cost::Estimate estimate;
    estimate.cycles = 100;
    estimate.terms = {{"matrix", 61.5}, {"dram", 30}, {"launch", 8.5}, {"vector", 0}};
    model.show(&estimate, nullptr);
    double share = 0;
    int parts = 0;
    for (const auto& row : model.rows()) {
      if (row.kind != ExplainModel::Kind::Part) continue;
      share += row.share;
      ++parts;
    }
    QCOMPARE(parts, 3);
    QVERIFY(std::abs(share - 1) < 1e-3);
    QCOMPARE(model.rows().back().label, QStringLiteral("Sum"));
    model.show(nullptr, nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void hubSpeaksOncePerChange() {
    SelectionHub hub;
    QSignalSpy candidates(&hub, &SelectionHub::candidateChanged);
    QSignalSpy operands(&hub, &SelectionHub::operandChanged);
    hub.selectCandidate(3);
    hub.selectCandidate(3);
    hub.selectOperand(QStringLiteral("A"));
    QCOMPARE(candidates.count(), 1);
    hub.clear();
    QCOMPARE(candidates.count(), 2);
    QCOMPARE(operands.count(), 2);
    QCOMPARE(hub.candidate(), -1);
  }

  void projectRoundTrip() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("p.gridloom"));
    QVERIFY(saveProject(someProject(), path).ok());
    const auto loaded = loadProject(path);
    QVERIFY(loaded.ok());
    QVERIFY(*loaded == someProject());
    QCOMPARE(projectJson(*loaded), projectJson(someProject()));
  }

  void badProjectsAreRefusedWithTheirPlace_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("not a project file");
    QTest::newRow("cut off") << QByteArray("{\"schema\": \"gridloom.proj")
                             << QStringLiteral("not a project file");
    QTest::newRow("an array") << QByteArray("[]") << QStringLiteral("not an object");
    QTest::newRow("another schema")
        << QByteArray("{\"schema\": \"x\"}") << QStringLiteral("gridloom.project/1");
    QTest::newRow("wrong kind") << QByteArray(
                                       "{\"schema\": \"gridloom.project/1\",\n \"kernel\": 3}")
                                << QStringLiteral(":2:2: error: `kernel` in a project is a string");
    QTest::newRow("out of range") << QByteArray(
                                         "{\"schema\": \"gridloom.project/1\", \"top\": 1e9}")
                                  << QStringLiteral("from 1 to 1000000");
    QTest::newRow("parameter")
        << QByteArray("{\"schema\": \"gridloom.project/1\", \"parameters\": {\"M\": 1.5}}")
        << QStringLiteral("`M` in a project is a whole number");
    QTest::newRow("binary") << QByteArray("\x00\xff\xfe{}", 5)
                            << QStringLiteral("not a project file");
  }

  void badProjectsAreRefusedWithTheirPlace() {
    QFETCH(QByteArray, json);
    QFETCH(QString, part);
    const auto project = projectFromJson(QStringLiteral("p.gridloom"), json);
    QVERIFY(!project.ok());
    const QString message = text(base::render(project.diagnostics()));
    QVERIFY2(message.contains(part), qPrintable(message));
  }

  void missingProjectAndFolderAreMessages() {
    QTemporaryDir folder;
    QVERIFY(!loadProject(folder.filePath(QStringLiteral("none.gridloom"))).ok());
    QVERIFY(!loadProject(folder.path()).ok());
    QVERIFY(
        !saveProject(someProject(), folder.filePath(QStringLiteral("no/such/folder/p.gridloom")))
             .ok());
  }

  void settingsThatMakeNoSenseAreDefaults() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromHex("0001") +
               "[[[\ntheme=\"purple\nversion=seven\nrecent=@Invalid(");
    file.close();
    StudioSettings settings(path);
    QCOMPARE(settings.scheme(), Scheme::System);
    QVERIFY(settings.recentProjects().isEmpty());
    settings.setScheme(Scheme::Dark);
    settings.addRecentProject(QStringLiteral("/a.gridloom"));
    settings.addRecentProject(QStringLiteral("/b.gridloom"));
    settings.addRecentProject(QStringLiteral("/a.gridloom"));
    QCOMPARE(settings.recentProjects(),
             QStringList({QStringLiteral("/a.gridloom"), QStringLiteral("/b.gridloom")}));
    QCOMPARE(StudioSettings(path).scheme(), Scheme::Dark);
  }

  void numbersReadAsPeopleWriteThem() {
    QCOMPARE(cyclesText(1234567.4), QStringLiteral("1,234,567"));
    QCOMPARE(cyclesText(std::nan("")), QStringLiteral("–"));
    QCOMPARE(bytesText(1536), QStringLiteral("1.50 KiB"));
    QCOMPARE(secondsText(0.0029), QStringLiteral("2.90 ms"));
    QCOMPARE(lostText(QStringLiteral("16.5")), QStringLiteral("−16.5"));
    QCOMPARE(lostText(QStringLiteral("0.00")), QStringLiteral("≈ 0"));
    QCOMPARE(signedPercentText(-0.031), QStringLiteral("−3.1%"));
    QCOMPARE(signedPercentText(-0.0001), percentText(0));
    QCOMPARE(rateText(0), QStringLiteral("–"));
    QCOMPARE(causeTitle(QStringLiteral("wait-dram")), QStringLiteral("Waiting for DRAM"));
  }

  void agreementCountsInversions() {
    ScatterData data;
    data.points = {{10, 10, 0}, {20, 40, 1}, {30, 30, 2}};
    const Agreement agreement = agreementOf(data);
    QCOMPARE(agreement.inversions, 1);
    QVERIFY(std::abs(agreement.kendall - 1.0 / 3) < 1e-12);
    QVERIFY(std::abs(agreement.meanError - 0.5 / 3) < 1e-12);
    QCOMPARE(agreementOf({}).inversions, 0);
  }

  void noPointOfAScatterDisappears() {
    ScatterData data;
    for (int i = 0; i < 5000; ++i) data.points.push_back({1.0 + i % 71, 1.0 + i / 71, i});
    data.points.push_back({1000, 500, 5000});  // beyond the locked axes
    ScatterLook look;
    look.axes = ScatterRange{0, 80};
    QImage image(700, 500, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintScatterGround(painter, QRectF(image.rect()), data, lightTokens(), look);
    painter.end();
    const ScatterFrame frame = frameOf(data, QRectF(image.rect()), look);
    const QRgb ink = lightTokens().compute.rgb();
    for (const auto& point : data.points) {
      const QPointF at = frame.held(point);
      QVERIFY2(image.pixel(at.toPoint()) == ink || image.pixel(int(at.x()), int(at.y())) == ink,
               qPrintable(QString::number(point.id)));
    }
    QVERIFY(frame.plot.adjusted(-1, -1, 1, 1).contains(frame.held(data.points.back())));
    QVERIFY(!frame.holds(data.points.back()));
  }

  void axesOfAScatterHoldEveryPoint() {
    for (const bool logarithmic : {false, true}) {
      ScatterData data;
      data.points = {{3, 50000, 0}, {20, 7, 1}, {900, 1000, 2}};
      data.logarithmic = logarithmic;
      const QRectF area(0, 0, 400, 300);
      const ScatterFrame frame = frameOf(data, area, {});
      for (const auto& point : data.points) {
        QVERIFY(frame.holds(point));
        QVERIFY(frame.plot.contains(frame.at(point.x, point.y)));
        QCOMPARE(frame.held(point), frame.at(point.x, point.y));
      }
    }
  }

  void figuresAreTheSameEveryTimeAndNeverHalf() {
    QTemporaryDir folder;
    const auto paint = [](QPainter& painter, const QRectF& area) {
      painter.fillRect(area, Qt::darkCyan);
    };
    for (const char* ending : {"svg", "png", "pdf"}) {
      QByteArray bytes[2];
      for (int i = 0; i < 2; ++i) {
        const QString path =
            folder.filePath(QStringLiteral("f%1.%2").arg(i).arg(QLatin1String(ending)));
        QVERIFY(writeFigure(path, QSizeF(40, 30), paint).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        bytes[i] = file.readAll();
      }
      QVERIFY(!bytes[0].isEmpty());
      QVERIFY2(bytes[0] == bytes[1], ending);
    }
    QVERIFY(!writeFigure(folder.filePath(QStringLiteral("f.bmp")), QSizeF(4, 4), paint).ok());
    QVERIFY(!writeFigure(folder.filePath(QStringLiteral("no/f.svg")), QSizeF(4, 4), paint).ok());
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("f.bmp"))));
  }

  void paletteFindsByLetters() {
    QVERIFY(CommandPalette::matches(QStringLiteral("Reset layout"), QStringLiteral("rlay")));
    QVERIFY(CommandPalette::matches(QStringLiteral("Reset layout"), {}));
    QVERIFY(!CommandPalette::matches(QStringLiteral("Reset layout"), QStringLiteral("yal")));
  }

  void jobDeliversTheNewestOnly() {
    Job job;
    std::vector<int> delivered;
    for (int i = 0; i < 5; ++i) {
      job.start<int>(
          [i](base::Progress& progress) -> Job::Answer<int> {
            for (int wait = 0; wait < 50 && !progress.cancelled(); ++wait)
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return std::make_shared<const int>(i);
          },
          [&](Job::Answer<int> answer) {
            if (answer) delivered.push_back(**answer);
          });
    }
    QTRY_VERIFY(!job.running());
    QCOMPARE(delivered, std::vector<int>{4});
  }

  void jobCancelKeepsThePartialResult() {
    Job job;
    int steps = -1;
    job.start<int>(
        [](base::Progress& progress) -> Job::Answer<int> {
          progress.setTotal(1000000);
          int done = 0;
          for (; !progress.cancelled() && done < 1000000; ++done) {
            progress.add(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          return std::make_shared<const int>(done);
        },
        [&](Job::Answer<int> answer) {
          if (answer) steps = **answer;
        });
    QTRY_VERIFY(job.done() > 0);
    QCOMPARE(job.total(), 1000000);
    job.cancel();
    QTRY_VERIFY(steps > 0);
    QVERIFY(steps < 1000000);
  }

  void jobTurnsThrowsIntoMessages() {
    Job job;
    QString message;
    const auto deliver = [&](Job::Answer<int> answer) {
      message = text(answer.diagnostics().front().message);
    };
    job.start<int>([](base::Progress&) -> Job::Answer<int> { throw std::bad_alloc(); }, deliver);
    QTRY_VERIFY(message.contains(QStringLiteral("memory")));
    job.start<int>([](base::Progress&) -> Job::Answer<int> { throw std::runtime_error("oops"); },
                   deliver);
    QTRY_VERIFY(message.contains(QStringLiteral("oops")));
  }

  void jobMayBeDestroyedWhileItWorks() {
    std::atomic<bool> ended{false};
    bool delivered = false;
    {
      Job job;
      job.start<int>(
          [&](base::Progress& progress) -> Job::Answer<int> {
            while (!progress.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ended = true;
            return std::make_shared<const int>(1);
          },
          [&](Job::Answer<int>) { delivered = true; });
    }
    QVERIFY(ended);
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }
};

QObject* makeModelTests() { return new ModelTests; }

#include "model_tests.moc"
