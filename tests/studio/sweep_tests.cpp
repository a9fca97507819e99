// SPDX-License-Identifier: Apache-2.0

// A number of the machine or the kernel over a range: its values, what is found, what is shown.

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "charts/sweep_chart.h"
#include "label_recorder.h"
#include "models/examples.h"
#include "models/hardware_text.h"
#include "models/report_table_model.h"
#include "studio_helpers.h"
#include "suites.h"
#include "texts/presets.h"
#include "window/fitted_table.h"

namespace {

/// Where the chart shows a point: found by asking it.
QPoint placeOf(const SweepPanel* panel, int point) {
  const SweepView* view = panel->chart();
  for (int y = 0; y < view->height(); y += 3) {
    for (int x = 0; x < view->width(); x += 3) {
      if (view->pointAt(QPointF(x, y)) == point) return {x, y};
    }
  }
  return {-1, -1};
}

class SweepPage : public QWidget {
 public:
  SweepPage(SweepChart chart, int width) : m_chart(std::move(chart)) {
    resize(width, static_cast<int>(sweepFigureHeight(font(), width, m_chart)));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintSweepChart(painter, rect(), m_chart, lightTokens());
  }

 private:
  SweepChart m_chart;
};

}  // namespace

class SweepTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void valuesOfARangeHoldItsEndsAndThePresentOne() {
    SweepParameter parameter;
    parameter.whole = true;
    parameter.now = 8;
    QCOMPARE(sweep::sweepValues(parameter, 4, 16, 5), (std::vector<double>{4, 6, 8, 11, 16}));
    QCOMPARE(sweep::sweepValues(parameter, 7, 9, 12), (std::vector<double>{7, 8, 9}));
    QCOMPARE(sweep::sweepValues(parameter, 8, 8, 3), (std::vector<double>{8}));
    parameter.whole = false;
    parameter.now = 30;
    QCOMPARE(sweep::sweepValues(parameter, 10, 19, 4), (std::vector<double>{10, 13, 16, 19}));
    QCOMPARE(sweep::sweepValues(parameter, 10, 40, 3), (std::vector<double>{10, 30, 40}));
    // The ends stay as they were typed, and near the present one, too.
    parameter.now = 37.5;
    QCOMPARE(sweep::sweepValues(parameter, 30, 40, 2), (std::vector<double>{30, 37.5, 40}));
    QCOMPARE(sweep::sweepValues(parameter, 30, 38, 3), (std::vector<double>{30, 37.5, 38}));
    QCOMPARE(sweep::sweepValues(parameter, 123.456, 1464.5, 2),
             (std::vector<double>{123.456, 1464.5}));
  }

  /// Of four presets: a value is written where it stands, and no other number changes.
  void everyNumberOfEveryMachineIsWritten() {
    for (const char* name : {"wormhole_8x8", "npu_strix_4x8", "cerebras_like", "spyre_ring"}) {
      Project project = *exampleProject();
      project.hardwareText = text((*texts::loadHardwareText(name))->text());
      const auto all = sweepParameters(project, {{"M", 4096}});
      const auto at = [&](const SweepParameter& parameter, double value) {
        return projectAt(project, {{parameter, {value}}}, {{value}, false, false, {}});
      };
      QVERIFY(all.size() > 8 && all.front().ofKernel);
      for (const SweepParameter& each : all) {
        QCOMPARE(sweepParameters(at(each, each.now), {}).size(), all.size() - 1);
        const Project other = at(each, 2 * each.now);
        if (each.ofKernel) {
          QCOMPARE(other.parameters.at(text(each.component)), 8192);
          continue;
        }
        const auto changed = sweepParameters(other, {{"M", 4096}});
        QCOMPARE(changed.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
          const bool isIt = all[i].name == each.name;
          QVERIFY2(changed[i].now == (isIt ? 2 * all[i].now : all[i].now),
                   (name + (' ' + each.name)).c_str());
        }
      }
    }
  }

  /// Each point is what the studio finds when it is opened, as one step of the history.
  void aPointIsOpenedAsOneStep() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio->showSweep();
    SweepPanel* panel = studio->sweepPanel();
    const Project before = studio.session()->project();
    chooseSweep(panel, 0, "cols", "4", "8", 3);
    QCOMPARE(panel->runButton()->text(), QStringLiteral("Run 3 points"));
    QTest::mouseClick(panel->runButton(), Qt::LeftButton);
    QVERIFY(panel->sweep()->running());
    SWEPT(panel);
    QCOMPARE(panel->sweep()->done(), 3);
    const auto& points = panel->sweep()->points();
    QVERIFY(points[0].found.cycles() > points[2].found.cycles() && points[2].isNow);
    QCOMPARE(points[2].found.cycles(), studio.session()->exploration()->top.front().cycles());
    // A click selects a row, and a double click opens the point.
    QTRY_VERIFY(placeOf(panel, 0).x() > 0);
    QTest::mouseClick(panel->chart(), Qt::LeftButton, {}, placeOf(panel, 0));
    QCOMPARE(panel->table()->currentIndex().row(), 0);
    QVERIFY(panel->openButton()->isEnabled());
    QTest::mouseDClick(panel->chart(), Qt::LeftButton, {}, placeOf(panel, 0));
    QVERIFY(studio.session()->project().hardwareText.contains(QStringLiteral("param cols = 4")));
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration()->top.front().cycles(), points[0].found.cycles());
    QVERIFY(!panel->chart()->isStale());
    studio.session()->undo();
    QCOMPARE(studio.session()->project(), before);
    STUDIO_RESTS(studio);
    studio.session()->setParameter(QStringLiteral("K"), 512);
    QVERIFY(panel->chart()->isStale());
    // What was edited since the sweep stays when a point is opened.
    STUDIO_RESTS(studio);
    panel->table()->selectRow(0);
    panel->openButton()->click();
    QCOMPARE(studio.session()->project().parameters.at(QStringLiteral("K")), 512);
    QVERIFY(studio.session()->project().hardwareText.contains(QStringLiteral("param cols = 4")));
  }

  /// A clock is a whole number by chance, and columns are counted.
  void ratesHaveValuesBetweenWholeOnes() {
    Project project = *exampleProject();
    for (const SweepParameter& each : sweepParameters(project, {})) {
      if (each.unit.find('/') != std::string::npos || each.unit.ends_with("Hz"))
        QVERIFY2(!each.whole, each.name.c_str());
      if (each.name == "cols") QVERIFY(each.whole);
    }
  }

  /// A text that is being typed has errors, and neither number nor range is lost.
  void unfinishedTextKeepsWhatIsChosen() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "l1: size", "512", "2048", 3);
    const QString before = textOf(studio);
    studio.session()->setHardwareText(QString(before).replace(QStringLiteral("%l1 = df.memory {"),
                                                              QStringLiteral("%l1 = df.memory ")));
    QTRY_VERIFY(!studio.session()->hardwareIsCurrent());
    studio.session()->setHardwareText(before);
    STUDIO_RESTS(studio);
    QCOMPARE(panel->field(0)->parameter()->currentText(), QStringLiteral("l1: size"));
    QCOMPARE(panel->field(0)->from()->text(), QStringLiteral("512"));
  }

  /// What cannot be run is said where it is typed.
  void aRangeIsCheckedWhileItIsTyped() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "cols", "4", "8", 3);
    QVERIFY(panel->runButton()->isEnabled());
    panel->field(0)->to()->clear();
    QVERIFY(!panel->runButton()->isEnabled());
    QCOMPARE(panel->field(0)->words()->text(),
             QStringLiteral("The last value is a number above 0"));
    panel->field(0)->to()->setText(QStringLiteral("8"));
    chooseSweep(panel, 1, "cols", "4", "8", 3);
    QVERIFY(!panel->runButton()->isEnabled() && !panel->runButton()->toolTip().isEmpty());
    // Many values show the first and the last.
    chooseSweep(panel, 1, "K", "1000", "100000", 24);
    const QString words = panel->field(1)->words()->text();
    QVERIFY2(words.startsWith(QStringLiteral("1,000 ")) &&
                 words.endsWith(QStringLiteral("100,000")),
             qPrintable(words));
  }

  /// A selected row stays selected while points are added below it.
  void aGrowingTableKeepsItsSelection() {
    report::Table table{{{"a", "a"}}, {{report::textCell("1")}, {report::textCell("-2.5%")}}};
    ReportTableModel model;
    model.show(table);
    QTableView view;
    view.setModel(&model);
    view.selectRow(1);
    table.rows.push_back({report::textCell("3")});
    table.rows[0][0].shown = "x->y";
    model.show(table);
    QCOMPARE(view.currentIndex().row(), 1);
    QCOMPARE(model.rowCount(), 3);
    // It has the signs of the window; files keep theirs.
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("x→y"));
    QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("−2.5%"));
    QCOMPARE(model.index(1, 0).data(ReportTableModel::ExactRole).toString(),
             QStringLiteral("-2.5%"));
    table.rows.pop_back();
    model.show(table);
    QCOMPARE(model.rowCount(), 2);
  }

  /// An edit is answered before the sweep goes on, which then ends as without it.
  void anEditPausesTheSweep() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "K", "3000", "6000", 12);
    panel->runButton()->click();
    studio.session()->setParameter(QStringLiteral("M"), 4000);
    QTRY_VERIFY_WITH_TIMEOUT(panel->sweep()->paused(), StudioWindow::kPatience);
    QVERIFY(panel->sweep()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->stale(), StudioWindow::kPatience);
    SWEPT(panel);
    QCOMPARE(panel->sweep()->done(), static_cast<int>(panel->sweep()->points().size()));
  }

  void aPointThatIsKnownIsNotComputedAgain() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "M", "512", "1024", 2);
    panel->runButton()->click();
    SWEPT(panel);
    QCOMPARE(panel->sweep()->computed(), 2);
    studio.session()->setHardwareText(textOf(studio) + QStringLiteral("\n// a comment\n"));
    STUDIO_RESTS(studio);
    chooseSweep(panel, 0, "M", "256", "1024", 3);
    panel->runButton()->click();
    SWEPT(panel);
    QCOMPARE(panel->sweep()->done(), 3);
    QCOMPARE(panel->sweep()->computed(), 1);
  }

  /// What cannot be mapped is a row with its reason; a sweep that is stopped keeps its first points.
  void failuresAreRowsAndAStopKeepsThePoints() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "l1: size", "1", "1464", 2);
    panel->runButton()->click();
    SWEPT(panel);
    const auto& points = panel->sweep()->points();
    QVERIFY(points[0].found.cycles() == 0 && !points[0].found.failure.empty());
    QVERIFY(points[1].found.cycles() > 0);
    QVERIFY(panel->csv().contains(points[0].found.failure.c_str()));
    chooseSweep(panel, 0, "K", "3000", "6000", 24);
    chooseSweep(panel, 1, "cols", "4", "12", 9);
    panel->runButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(panel->sweep()->done() > 1, StudioWindow::kPatience);
    panel->stopButton()->click();
    SWEPT(panel);
    QVERIFY(panel->sweep()->done() < static_cast<int>(points.size()) && points.size() > 100);
    QCOMPARE(panel->table()->model()->rowCount(), panel->sweep()->done());
  }

  /// A project that is opened has no kernel until it is read.
  void aProjectThatIsOpenedIsReadBeforeItIsSwept() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "cols", "4", "8", 2);
    QVERIFY(panel->runButton()->isEnabled());
    studio.session()->setProject(studio.session()->project());
    QVERIFY(!studio.session()->kernel());
    QVERIFY(!panel->runButton()->isEnabled());
    Q_EMIT panel->runButton()->clicked();
    QVERIFY(!panel->sweep()->running());
    STUDIO_RESTS(studio);
    QVERIFY(panel->runButton()->isEnabled());
  }

  /// One kind of cycles for all points: where one was not simulated, all are as predicted.
  void aChartHasCyclesOfOneKind() {
    SweepRecord record;
    record.simulated = true;
    SweepParameter parameter;
    parameter.title = "K";
    record.axes = {{parameter, {1, 2}}};
    record.points = report::sweepPoints(record.axes);
    for (SweepPoint& point : record.points) {
      point.known = true;
      point.found.predicted = 100;
      point.found.simulated = 120;
    }
    QCOMPARE(sweepChart(record, lightTokens()).measure, QStringLiteral("Simulated cycles"));
    record.points[1].found.simulated = 0;
    const SweepChart chart = sweepChart(record, lightTokens());
    QCOMPARE(chart.measure, QStringLiteral("Predicted cycles"));
    QCOMPARE(chart.points[0].cycles, 100);
  }

  void aSweepIsExported() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(!studio->exportSweep(studio.path("none.svg")) &&
            studio->lastMessage().contains(QStringLiteral("there is no sweep yet")));
    SweepPanel* panel = studio->sweepPanel();
    chooseSweep(panel, 0, "cols", "4", "8", 3);
    chooseSweep(panel, 1, "rows", "4", "8", 2);
    panel->runButton()->click();
    SWEPT(panel);
    QVERIFY(studio->exportSweep(studio.path("sweep.csv")));
    QVERIFY(studio->exportSweep(studio.path("sweep.svg")));
    QFile csv(studio.path("sweep.csv")), svg(studio.path("sweep.svg"));
    QVERIFY(csv.open(QIODevice::ReadOnly) && svg.open(QIODevice::ReadOnly));
    const auto lines = csv.readAll().split('\n');
    QVERIFY2(lines[0].startsWith("cols,rows,cores,predicted_cycles,simulated_cycles,"), lines[0]);
    QVERIFY2(lines[1].startsWith("4,4,16,"), lines[1]);
    QCOMPARE(lines.size(), 8);
    QVERIFY(svg.readAll().contains("Best mapping against cols and rows"));
    // Labels, at the widths of papers.
    for (const bool isMap : {true, false}) {
      SweepRecord record = panel->sweep()->record();
      if (!isMap) {
        record.axes.pop_back();
        for (int last = 5; last > 0; last -= 2) record.points.erase(record.points.begin() + last);
        // A value without a mapping has a mark, and the mark is explained.
        record.points.front().found = {};
        QVERIFY(
            std::ranges::any_of(sweepChart(record, lightTokens()).keys, [](const ChartKey& key) {
              return key.shape == ChartKey::Shape::Struck;
            }));
      }
      // The mark of the present values is explained, too.
      const auto keys = sweepChart(record, lightTokens()).keys;
      const bool hasNow = std::ranges::any_of(record.points, [](const SweepPoint& point) {
        return point.isNow && point.found.cycles() > 0;
      });
      QCOMPARE(keys.back().words == QStringLiteral("Present"), hasNow);
      for (const int width : {336, 672}) {
        SweepPage page(sweepChart(record, lightTokens()), width);
        QVERIFY(paintedLabels(page).size() > 6);
        const QStringList bad = badLabels(page, Scrolls::Nowhere) + cutLabels(page);
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
      }
    }
  }
};

QObject* makeSweepTests() { return new SweepTests; }

#include "sweep_tests.moc"
