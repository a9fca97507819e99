// SPDX-License-Identifier: Apache-2.0

// Values and models without a window.

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <set>

#include "bridge/job.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "charts/chart_parts.h"
#include "models/explain_model.h"
#include "models/mapping_chips.h"
#include "models/problem_model.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "suites.h"
#include "texts/presets.h"
#include "theme/apply_theme.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"
#include "window/command_palette.h"

using namespace gridloom;
using namespace gridloom::widgets;

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
      const QSizeF page = meshFigureSize(scene, {}, kPageWidth);
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
                                  QStringLiteral("A multicast y over i ×2, B direct, C ×2"), 0);
    QCOMPARE(operands.size(), std::size_t{3});
    QCOMPARE(operands[0].lead, QStringLiteral("A"));
    QCOMPARE(operands[0].text, QStringLiteral("mcast y over i ×2"));
    QVERIFY(operands[0].meaning.contains(QStringLiteral("multicast")) &&
            operands[0].meaning.contains(QStringLiteral("hoisted out of loop i")) &&
            operands[0].meaning.contains(QStringLiteral("Double buffer")));
    QCOMPARE(operands[2].operand, 2);
    QCOMPARE(operands[2].text, QStringLiteral("store ×2"));
    QVERIFY(operands[2].meaning.startsWith(QStringLiteral("Every core stores")));
    const auto held = chipsOf(RankedColumn::Operands,
                              QStringLiteral("C ×2 on vector, D in l2 by tile, E gather x ×2, "
                                             "t on vector"),
                              0);
    QCOMPARE(held[0].text, QStringLiteral("store ×2 on vector"));
    QVERIFY(held[0].meaning.startsWith(QStringLiteral("Every core stores")));
    QVERIFY(held[1].meaning.startsWith(QStringLiteral("Every core stores")));
    QVERIFY(!held[2].meaning.contains(QStringLiteral("Every core stores")));
    QCOMPARE(held[3].text, QStringLiteral("on vector"));
    const auto stored = chipsOf(RankedColumn::Operands, QStringLiteral("C on vector, t on vector"),
                                0, {QStringLiteral("C")});
    QCOMPARE(stored[0].text, QStringLiteral("store on vector"));
    QVERIFY(stored[0].meaning.startsWith(QStringLiteral("Every core stores")));
    QCOMPARE(stored[1].text, QStringLiteral("on vector"));
    QVERIFY(chipsOf(RankedColumn::Order, QStringLiteral("i j"), 0).empty());
  }

  void namesOfNetworksKeepTheirLetters() {
    QCOMPARE(causeTitle(QStringLiteral("noc_v")), QStringLiteral("noc_v"));
    QCOMPARE(causeTitle(QStringLiteral("turnaround")), QStringLiteral("Turnaround"));
    QCOMPARE(causeTitle(QString()), QString());
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

  void aMappingIsWrittenAsItsChipsAre() {
    QCOMPARE(shownText("i->x j->y | i128 k1024 | for i j | A multicast x ×2, C (×2)"),
             QStringLiteral("i→x j→y | i128 k1024 | for i j | A multicast x ×2, C (×2)"));
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

  void paletteFindsByLetters() {
    QVERIFY(CommandPalette::matches(QStringLiteral("Reset layout"), QStringLiteral("rlay")));
    QVERIFY(CommandPalette::matches(QStringLiteral("Reset layout"), {}));
    QVERIFY(!CommandPalette::matches(QStringLiteral("Reset layout"), QStringLiteral("yal")));
  }
};

QObject* makeModelTests() { return new ModelTests; }

#include "model_tests.moc"
