// SPDX-License-Identifier: Apache-2.0

// Charts for papers: every label is whole at the widths of a column and of a page.

#include <QRegularExpression>

#include "charts/chart_view.h"
#include "charts/figure_file.h"
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

}  // namespace

class PaperTests : public QObject {
  Q_OBJECT

 private:
  static constexpr ChartsPanel::Chart kCharts[] = {ChartsPanel::Breakdowns, ChartsPanel::Roofline,
                                                   ChartsPanel::Traffic, ChartsPanel::Links,
                                                   ChartsPanel::Cores};
  static QAction* actionNamed(const StudioWindow& studio, const char* title) {
    for (QAction* each : studio->findChildren<QAction*>()) {
      if (each->text().remove(QLatin1Char('&')) == QLatin1String(title)) return each;
    }
    return nullptr;
  }

 private Q_SLOTS:
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
    for (const auto& [title, pixels] : {std::pair("A column of a paper: 3.5 inches", "336"),
                                        std::pair("A page of a paper: 7 inches", "672")}) {
      QAction* width = actionNamed(studio, title);
      QVERIFY(width);
      width->trigger();
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
