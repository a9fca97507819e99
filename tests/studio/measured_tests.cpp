// SPDX-License-Identifier: Apache-2.0

// Measurements of the user's own beside prediction and simulation.

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "bridge/measurements.h"
#include "charts/scatter_plot.h"
#include "editors/code_editor.h"
#include "models/measured_problem.h"
#include "models/measured_scatter.h"
#include "studio_window.h"
#include "suites.h"
#include "window/line_label.h"
#include "window/measured_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

const char* const kRows =
    "hardware,kernel,M,N,K,dtype,directives,us,tflops\n"
    "wormhole_8x8,gemm,512,512,512,,,30,\n"
    "wormhole_8x8,gemm,1024,1024,512,bf16,,80,24\n"
    "wormhole_4x8,gemm,1024,1024,1024,,\"tile(k, 128); space(i->x)\",200,11\n";

QString written(const StudioWindow& studio, const char* name, const QByteArray& words) {
  QFile file(studio.path(name));
  if (file.open(QIODevice::WriteOnly)) file.write(words);
  return file.fileName();
}

}  // namespace

#define MEASURED(studio, file)                                                                     \
  {                                                                                                \
    QSignalSpy ends((studio)->measurements(), &Measurements::changed);                             \
    (studio)->openMeasurements(file);                                                              \
    QTRY_VERIFY_WITH_TIMEOUT(ends.count() == 1, StudioWindow::kPatience);                          \
  }

class MeasuredTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void pointsAndRowsSelectEachOther() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    MEASURED(studio, written(studio, "mine.csv", kRows));
    MeasuredPanel* panel = studio->measuredPanel();
    QVERIFY(panel->isVisible());
    QCOMPARE(panel->quantities()->count(), 2);
    panel->quantities()->setCurrentText(QStringLiteral("us"));
    QTableView* rows = panel->rows();
    ScatterPlot* plot = panel->scatter();
    const auto* summary = panel->findChild<LineLabel*>(QStringLiteral("measuredSummary"));
    QVERIFY2(summary->text().startsWith(QStringLiteral("Simulated error")),
             qPrintable(summary->line() + summary->text()));
    QVERIFY(summary->isVisible() && summary->height() >= summary->fontMetrics().height());
    QCOMPARE(rows->model()->rowCount(), 3);
    QCOMPARE(plot->data().points.size(), std::size_t{6});
    for (const auto& point : plot->data().points) QVERIFY(point.x > 0 && point.y > 0);
    QCOMPARE(rows->model()->index(1, 1).data().toString(), QStringLiteral("K=512 M=1024 N=1024"));
    rows->selectRow(2);
    QCOMPARE(plot->look().selected, 2);
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->positionOf(0).toPoint());
    QCOMPARE(rows->currentIndex().row(), 0);
    QCOMPARE(plot->look().selected, 0);
    const QRect all = plot->rect().adjusted(2, 2, -2, -2);
    QTest::mousePress(plot, Qt::LeftButton, {}, all.topLeft());
    QTest::mouseMove(plot, all.center());
    QTest::mouseMove(plot, all.bottomRight());
    QTest::mouseRelease(plot, Qt::LeftButton, {}, all.bottomRight());
    QCOMPARE(rows->selectionModel()->selectedRows().size(), 3);
    QCOMPARE(plot->look().brushed.size(), std::size_t{3});
    QTest::keyClick(plot, Qt::Key_Escape);
    QCOMPARE(rows->selectionModel()->selectedRows().size(), 1);
    QVERIFY(plot->look().brushed.empty());
    // A cell without a figure is a row without a point.
    panel->quantities()->setCurrentText(QStringLiteral("tflops"));
    QCOMPARE(rows->model()->rowCount(), 3);
    QCOMPARE(plot->data().points.size(), std::size_t{4});
  }

  void aRowOpensAsAProblem() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    const Project before = studio.session()->project();
    MEASURED(studio, written(studio, "mine.csv", kRows));
    MeasuredPanel* panel = studio->measuredPanel();
    panel->rows()->selectRow(2);
    panel->openButton()->click();
    const Project& now = studio.session()->project();
    QCOMPARE(now.hardwareName, QStringLiteral("wormhole_4x8"));
    QCOMPARE(now.parameters.at(QStringLiteral("K")), 1024);
    QCOMPARE(now.directives, QStringLiteral("tile(k, 128)\nspace(i->x)"));
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->problems().empty());
    QVERIFY(!studio.session()->exploration()->top.empty());
    studio.session()->undo();
    QVERIFY(studio.session()->project() == before);
    QTest::keyClick(panel->rows(), Qt::Key_Up);
    QTest::keyClick(panel->rows(), Qt::Key_Return);
    QVERIFY(studio.session()->project().kernelText.contains(QStringLiteral("A[M, K]: bf16")));
    QTest::mouseDClick(panel->scatter(), Qt::LeftButton, {},
                       panel->scatter()->positionOf(0).toPoint());
    QCOMPARE(studio.session()->project().parameters.at(QStringLiteral("M")), 512);
    STUDIO_RESTS(studio);
  }

  void theFiguresAreExportedAndCopied() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(!studio->exportMeasured(studio.path("none.svg")));
    QVERIFY(!QFile::exists(studio.path("none.svg")));
    MEASURED(studio, written(studio, "mine.csv", kRows));
    QVERIFY(studio->exportMeasured(studio.path("measured.svg")));
    QFile file(studio.path("measured.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    for (const char* words : {"mine.csv", "Simulated error", "Measured"})
      QVERIFY2(svg.contains(words), words);
    QGuiApplication::clipboard()->clear();
    studio.trigger("Copy the measured figures as SVG");
    QCOMPARE(QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")), svg);
  }

  void faultsStandAtTheirPlaces() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    MeasuredPanel* panel = studio->measuredPanel();
    const auto shown = [&](int column) {
      return panel->problems()->model()->index(0, column).data().toString();
    };
    MEASURED(studio, written(studio, "narrow.csv", "hardware,kernel,M,us\nwormhole_8x8,gemm,5\n"));
    QVERIFY(panel->problems()->isVisible());
    QVERIFY2(shown(1).endsWith(QStringLiteral("narrow.csv:2:1")), qPrintable(shown(1)));
    QVERIFY(!panel->text()->waves().empty());
    QCOMPARE(panel->text()->textCursor().blockNumber(), 1);
    QTest::keyClick(panel->text(), Qt::Key_Tab);
    QVERIFY(!panel->text()->toPlainText().contains(QStringLiteral("  ")));
    MEASURED(studio,
             written(studio, "nowhere.csv",
                     "hardware,kernel,M,us\nwormhole_8x8,gemm,512,5\nno_such,gemm,512,5\n"));
    QVERIFY2(shown(0).contains(QStringLiteral("no_such")), qPrintable(shown(0)));
    QVERIFY(panel->problems()->model()->rowCount() >= 2);
    QVERIFY(std::ranges::any_of(studio->measurements()->problems(), [](const auto& each) {
      return each.source && each.source->lineColumn(each.span.begin).line == 3;
    }));
    MEASURED(studio, studio.path("not there.csv"));
    QVERIFY(!shown(0).isEmpty());
    MEASURED(studio, written(studio, "mine.csv", kRows));
    QVERIFY(panel->rows()->isVisible());
  }

  void aStoppedRunLeavesTheLastResult() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    MEASURED(studio, written(studio, "mine.csv", kRows));
    QByteArray many = "hardware,kernel,M,N,K,us\n";
    for (int i = 1; i <= 400; ++i)
      many += "wormhole_8x8,gemm," + QByteArray::number(32 * i) + ",512,512,9\n";
    studio->openMeasurements(written(studio, "many.csv", many));
    QVERIFY(studio->measurements()->running());
    QTRY_VERIFY_WITH_TIMEOUT(studio->measurements()->shareDone() > 0, StudioWindow::kPatience);
    QVERIFY(studio->measurements()->activity().endsWith(QStringLiteral("of 400")));
    for (auto* button : studio->measuredPanel()->findChildren<QPushButton*>()) {
      if (button->text() == QStringLiteral("Stop")) button->click();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!studio->measurements()->running(), StudioWindow::kPatience);
    QVERIFY(studio->measurements()->path().endsWith(QStringLiteral("mine.csv")));
    QCOMPARE(studio->measuredPanel()->rows()->model()->rowCount(), 3);
  }

  void errorsAreThoseOfTheStudy() {
    std::vector<report::ReproducedFigure> figures;
    for (const double measured : {10.0, 20.0, 40.0, 80.0})
      figures.push_back({"row", "us", measured, measured * 2, measured * 1.25, ""});
    const ScatterData data = measuredScatter(figures);
    QCOMPARE(measuredSummary(figures),
             QStringLiteral("Simulated error %1, τ 1.00  ·  predicted error %2, τ 1.00")
                 .arg(percentText(0.25), percentText(1)));
    QVERIFY(data.logarithmic);
    figures.resize(2);
    QVERIFY(!measuredSummary(figures).contains(QStringLiteral("τ")));
    QVERIFY(measuredScatter({}).points.empty());
  }

  void aRowThatIsNoProblemSaysWhy() {
    const Project now = *exampleProject();
    const auto messageOf = [&](const RowSettings& row) {
      const auto problem = problemOf(row, now);
      return problem ? std::string() : problem.diagnostics().front().message;
    };
    const RowSettings good{{"hardware", "wormhole_8x8"}, {"kernel", "gemm"}, {"sizes", "M=64 "}};
    QCOMPARE(messageOf(good), std::string());
    const auto with = [&](const char* name, const char* value) {
      RowSettings row = good;
      row[name] = value;
      return messageOf(row);
    };
    QVERIFY(with("hardware", "no_such").find("no_such") != std::string::npos);
    QVERIFY(with("sizes", "M=many") != "");
    QVERIFY(with("dtype", "f12").find("f12") != std::string::npos);
    QVERIFY(with("vary", "x=4").find("x=4") != std::string::npos);
    QVERIFY(with("directives", "no_such") != "");
    QCOMPARE(with("directives", "tt_2d"), std::string());
  }
};

QObject* makeMeasuredTests() { return new MeasuredTests; }

#include "measured_tests.moc"
