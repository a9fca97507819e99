// SPDX-License-Identifier: Apache-2.0

// Charts for papers: every label is whole at the widths of a column and of a page.

#include <QDockWidget>
#include <QRegularExpression>
#include <algorithm>

#include "charts/chart_view.h"
#include "charts/figure_file.h"
#include "charts/use_chart.h"
#include "label_recorder.h"
#include "studio_helpers.h"
#include "suites.h"
#include "window/charts_panel.h"

using namespace studio_helpers;

namespace {

/// Paints a chart at a size, to see its labels.
class ChartPage : public QWidget {
 public:
  ChartPage(SizedChart chart, int width) : m_chart(std::move(chart)) {
    resize(width, static_cast<int>(std::ceil(m_chart.height(font(), width))));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    m_chart.paint(painter, rect(), lightTokens());
  }

 private:
  SizedChart m_chart;
};

/// How often a widget is painted from now on.
class PaintCount : public QObject {
 public:
  explicit PaintCount(QWidget* widget) { widget->installEventFilter(this); }
  int paints() const { return m_paints; }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++m_paints;
    return false;
  }

 private:
  int m_paints = 0;
};

}  // namespace

class PaperTests : public QObject {
  Q_OBJECT

 private:
  static constexpr ChartsPanel::Chart kCharts[] = {ChartsPanel::Breakdowns, ChartsPanel::Roofline,
                                                   ChartsPanel::Traffic, ChartsPanel::Links,
                                                   ChartsPanel::Cores};

 private Q_SLOTS:
  /// The bin that begins with a share has it; the last one holds whatever is busier.
  void sharesAtTheEdgeOfABinAreInIt() {
    UseChart chart;
    for (int percent = 0; percent <= 100; percent += 5)
      chart.members.push_back(static_cast<float>(percent / 100.0));
    const UseBins bins = useBinsOf(chart);
    QCOMPARE(bins.width, 5.0);
    QCOMPARE(bins.counts.size(), 20U);
    for (std::size_t bin = 0; bin < 19; ++bin) QCOMPARE(bins.counts[bin], 1U);
    QCOMPARE(bins.counts.back(), 2U);
    chart.members = {0.0F, 0.019F};
    const UseBins fine = useBinsOf(chart);
    QCOMPARE(fine.width, 0.1);
    QCOMPARE(fine.counts.back(), 1U);
  }

  void labelsAreWholeAtTheWidthsOfPapers() {
    for (const char* kernel : {"gemm", "softmax"}) {
      StudioWindow studio;
      studio.chooseKernel(kernel);
      STUDIO_RESTS(studio);
      STUDIO_IDLE(studio);
      for (const auto chart : kCharts) {
        studio->chartsPanel()->setCurrent(chart);
        const auto& shown = studio->chartsPanel()->chart();
        QVERIFY(shown);
        for (const int width : {336, 672}) {
          ChartPage page(*shown, width);
          QVERIFY2(paintedLabels(page).size() > 5, qPrintable(studio->chartsPanel()->currentKey()));
          const QStringList bad = badLabels(page, Scrolls::Nowhere) + cutLabels(page);
          QVERIFY2(bad.isEmpty(), qPrintable(studio->chartsPanel()->currentKey() + " of " + kernel +
                                             ": " + bad.join(QLatin1Char('\n'))));
        }
      }
    }
  }

  void filesHaveTheChosenWidthAndOurWordsAlone() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const auto widthOf = [&](const QString& path) {
      QFile file(path);
      if (!file.open(QIODevice::ReadOnly)) return QString();
      const QString svg = QString::fromUtf8(file.readAll());
      if (svg.contains(QStringLiteral("Qt SVG")) || svg.contains(QStringLiteral("Generated")) ||
          !svg.contains(QStringLiteral("sans-serif")))
        return QStringLiteral("words of the generator");
      static const QRegularExpression box(QStringLiteral("viewBox=\"0 0 ([0-9.]+) "));
      return box.match(svg).captured(1);
    };
    const QString path = studio.path("figure.svg");
    // Without a choice, all are as wide as a page.
    for (const auto& [title, pixels] :
         {std::pair("", "672"), std::pair("A column of a paper: 3.5 inches", "336"),
          std::pair("A page of a paper: 7 inches", "672"),
          std::pair("A slide: 13.3 inches", "1280")}) {
      if (*title != '\0') studio.trigger(title);
      QVERIFY(studio->exportMesh(path));
      QCOMPARE(widthOf(path), QLatin1String(pixels));
      QVERIFY(studio->exportPeak(path));
      QCOMPARE(widthOf(path), QLatin1String(pixels));
      for (const auto chart : kCharts) {
        studio->chartsPanel()->setCurrent(chart);
        QVERIFY(studio->exportChart(path));
        QCOMPARE(widthOf(path), QLatin1String(pixels));
      }
    }
  }

  /// Many places are labelled as few are, and none is left out.
  void aChartOfALargeMachineIsWhole() {
    UseChart chart;
    chart.head = {QStringLiteral("Links"), QStringLiteral("of 200 x 200 cores")};
    chart.what = QStringLiteral("links");
    chart.columns = chart.rows = 200;
    for (int i = 0; i < 200 * 200; ++i) {
      chart.places.push_back(static_cast<float>(i % 1000) / 1000);
      chart.members.push_back(chart.places.back());
    }
    for (const int width : {336, 672, 1280}) {
      ChartPage page(sized(chart), width);
      const QStringList bad = badLabels(page, Scrolls::Nowhere) + cutLabels(page);
      QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
      const QImage image = page.grab().toImage();
      const QRgb paper = lightTokens().panel.rgb();
      for (int y = 100; y < 150; ++y) {
        for (int x = 80; x < 150; ++x) QVERIFY2(image.pixel(x, y) != paper, "a gap");
      }
    }
    // The bins of small shares are small, and each is named by both ends.
    for (float& share : chart.members) share /= 200;
    ChartPage page(sized(chart), 336);
    const auto labels = paintedLabels(page);
    QVERIFY(std::ranges::any_of(
        labels, [](const auto& label) { return label.text == QStringLiteral("0.1–0.2%"); }));
  }

  /// A run that a chart does not show changes nothing in it.
  void aChartIsMadeOfTheRunItShows() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    studio->findChild<QDockWidget*>(QStringLiteral("chartsDock"))->raise();
    studio->chartsPanel()->setCurrent(ChartsPanel::Links);
    QVERIFY(studio->chartsPanel()->chart());
    ChartView* view = nullptr;
    for (auto* each : studio->chartsPanel()->findChildren<ChartView*>())
      if (each->isVisible()) view = each;
    QVERIFY(view);
    QTest::qWait(50);
    PaintCount count(view);
    Q_EMIT studio.session()->runChanged(1);
    QTest::qWait(50);
    QCOMPARE(count.paints(), 0);
    Q_EMIT studio.session()->runChanged(0);
    QTRY_VERIFY(count.paints() > 0);
  }

  void aChartOfARunWaitsForItsSimulation() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setSimulate(false);
    studio.session()->explore();
    STUDIO_RESTS(studio);
    studio->chartsPanel()->setCurrent(ChartsPanel::Traffic);
    QVERIFY(!studio->exportChart(studio.path("none.svg")));
    QVERIFY(studio->lastMessage().contains(QStringLiteral("not simulated")));
  }
};

QObject* makePaperTests() { return new PaperTests; }

#include "paper_tests.moc"
