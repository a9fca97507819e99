// SPDX-License-Identifier: Apache-2.0

// Colours of the themes, and what they say on the mesh.

#include <QPainter>
#include <QtTest>
#include <array>
#include <cmath>
#include <functional>

#include "canvas/mesh_moment.h"
#include "canvas/mesh_scene.h"
#include "canvas/mesh_states.h"
#include "label_recorder.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "service/fit.h"
#include "service/workspace.h"
#include "suites.h"
#include "texts/presets.h"
#include "theme/apply_theme.h"
#include "theme/colour_ramp.h"
#include "theme/line_font.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"
#include "window/outcome_chip.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

constexpr std::array<const Tokens& (*)(), 4> kThemes = {lightTokens, darkTokens,
                                                        lightContrastTokens, darkContrastTokens};

double luminance(const QColor& colour) {
  const auto decode = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * decode(static_cast<double>(colour.redF())) +
         0.7152 * decode(static_cast<double>(colour.greenF())) +
         0.0722 * decode(static_cast<double>(colour.blueF()));
}

/// WCAG 2.1, 1.4.3.
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

RankedRow simulatedIn(double cycles) {
  RankedRow row;
  row.mapping = QStringLiteral("i/x j/y | block i128");
  row.predicted = cycles;
  row.simulated = cycles;
  return row;
}

/// Pixels with ink, and the columns from the first to the last.
struct Ink {
  int pixels = 0;
  int columns = 0;
};

Ink inkOf(const QImage& image) {
  Ink ink;
  int left = image.width(), right = -1;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (qGray(image.pixel(x, y)) > 200) continue;
      ++ink.pixels;
      left = std::min(left, x);
      right = std::max(right, x);
    }
  }
  ink.columns = std::max(0, right - left + 1);
  return ink;
}

QImage drawn(const std::function<void(QPainter&)>& draw) {
  QImage image(600, 40, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setPen(Qt::black);
  draw(painter);
  return image;
}

class LineWidget : public QWidget {
 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    LineFont(font()).paint(painter, QStringLiteral("j0 i1"), {5, 30});
  }
};

}  // namespace

class ThemeTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rampsChangeInLightnessAlone() {
    const auto check = [](bool dark, double apart, const auto& at) {
      double last = ColourRamp::lightness(at(0));
      for (int i = 1; i <= 255; ++i) {
        const double now = ColourRamp::lightness(at(i / 255.0));
        QVERIFY2(dark ? now >= last - 0.25 : now <= last + 0.25, qPrintable(QString::number(i)));
        last = now;
      }
      QVERIFY(std::abs(last - ColourRamp::lightness(at(0))) > apart);
      QCOMPARE(at(std::nan("")), at(0));
      QCOMPARE(at(7), at(1));
    };
    for (const bool dark : {false, true})
      check(dark, 35, [dark](double part) { return ColourRamp::of(dark).at(part); });
    for (const auto theme : kThemes)
      check(theme().dark, 30, [&](double part) { return linkColour(theme(), part).rgb(); });
  }

  /// With high contrast, the least used link is seen as well as the most used one.
  void linksAreSeenInHighContrast() {
    for (const auto theme : {lightContrastTokens, darkContrastTokens}) {
      for (const double part : {0.0, 0.3, 1.0}) {
        const double seen = contrast(linkColour(theme(), part), theme().panel);
        QVERIFY2(seen >= 4.5, qPrintable(QString::number(seen)));
      }
    }
  }

  /// In a legend, colours alone tell states apart.
  void statesHaveColoursOfTheirOwn() {
    for (const auto theme : kThemes) {
      const Tokens& tokens = theme();
      for (std::size_t a = 0; a < simulate::kStates; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const QColor x = stateColour(tokens, static_cast<simulate::State>(a));
          const QColor y = stateColour(tokens, static_cast<simulate::State>(b));
          const int apart = std::abs(x.red() - y.red()) + std::abs(x.green() - y.green()) +
                            std::abs(x.blue() - y.blue());
          QVERIFY2(apart >= 90, qPrintable(x.name() + QLatin1Char(' ') + y.name()));
        }
      }
    }
  }

  void textStandsOutFromItsPaper() {
    for (const auto theme : kThemes) {
      const Tokens& tokens = theme();
      for (const QColor& ink : {tokens.text, tokens.muted, tokens.faint, tokens.error,
                                tokens.warning, tokens.good, tokens.accent})
        QVERIFY2(contrast(ink, tokens.panel) >= 4.5, qPrintable(ink.name()));
      QVERIFY(contrast(tokens.text, tokens.selection) >= 7);
    }
  }

  /// Words of names, and marks that stand without a word, in the themes of high contrast.
  void highContrastIsHigh() {
    for (const auto theme : {lightContrastTokens, darkContrastTokens}) {
      const Tokens& tokens = theme();
      for (const QColor& ink : {tokens.text, tokens.muted, tokens.faint})
        QVERIFY2(contrast(ink, tokens.panel) >= 12, qPrintable(ink.name()));
      for (const QColor& ink :
           {tokens.error, tokens.warning, tokens.good, tokens.accent, tokens.keyword, tokens.type,
            tokens.number, tokens.string, tokens.comment, tokens.name})
        QVERIFY2(contrast(ink, tokens.panel) >= 7, qPrintable(ink.name()));
      for (const QColor& mark :
           {tokens.edge, tokens.compute, tokens.network, tokens.memory, tokens.sync,
            tokens.operand(0), tokens.operand(1), tokens.operand(2)})
        QVERIFY2(contrast(mark, tokens.panel) >= 4.5, qPrintable(mark.name()));
      for (const QColor& mark : {tokens.unitRate, tokens.issue, tokens.store, tokens.idle})
        QVERIFY2(contrast(mark, tokens.panel) >= 3, qPrintable(mark.name()));
    }
  }

  /// A widget finds the theme by its palette, also where the style sheet has changed some of it.
  void everySchemeIsFoundAgain() {
    for (const Scheme scheme : kSchemes) {
      QCOMPARE(schemeNamed(nameOf(scheme)), scheme);
      QPalette palette = paletteOf(tokensOf(scheme));
      QCOMPARE(&tokensFor(palette), &tokensOf(scheme));
      palette.setColor(QPalette::Window, tokensOf(scheme).panel);
      QCOMPARE(&tokensFor(palette), &tokensOf(scheme));
    }
  }

  /// The states of a run: of every core those that the simulation counts, none lost.
  void coresShowTheStatesOfTheRun() {
    const auto hardware = service::openHardware(*texts::loadHardwareText("wormhole_8x8"));
    const auto kernel = service::openKernel(*texts::loadKernelText("gemm"),
                                            {{{"M", 1024}, {"N", 1024}, {"K", 1024}}, "", ""});
    QVERIFY(hardware.ok() && kernel.ok());
    base::Progress progress;
    service::ExploreOptions options;
    options.top = 1;
    options.rerank = ranking::kQuickReranking;
    const auto found = service::explore(*hardware, *kernel, {}, options, progress);
    QVERIFY(found.ok() && (*found)->top.front().simulated);
    const simulate::Simulation& run = *(*found)->top.front().simulated;
    MeshScene scene =
        sceneOf(**hardware, **kernel, (*found)->top.front().candidate.mapping, &run, Heat::States);
    QVERIFY(showsStates(scene));
    QCOMPARE(scene.stateShares.size(), std::size_t{64});
    for (std::size_t core = 0; core < scene.stateShares.size(); ++core) {
      int sum = 0;
      for (std::size_t s = 0; s < simulate::kStates; ++s) {
        sum += scene.stateShares[core][s];
        QVERIFY(std::abs(scene.stateShares[core][s] / 255.0 -
                         run.coreStates[core][s] / run.cycles) < 0.003);
      }
      QVERIFY(std::abs(sum - 255) <= static_cast<int>(simulate::kStates));
    }
    double shares = 0;
    for (const float mean : scene.stateMeans) shares += static_cast<double>(mean);
    QVERIFY(std::abs(shares - 1) < 1e-5);
    QVERIFY(!stateKeys(scene).empty());
    QVERIFY2(scene.describe(0).contains(QStringLiteral("of the run: compute")),
             qPrintable(scene.describe(0)));
    // A core that waits longer than it computes says so.
    scene.stateShares[0] = {10, 0, 0, 200, 0, 0, 45};
    QCOMPARE(shownState(scene, 0), static_cast<std::uint8_t>(simulate::State::WaitDram));
    // What is selected in "Where the peak went" takes their place.
    scene.showLost(std::vector<float>(64, 0.5F));
    QVERIFY(!showsStates(scene));
    QCOMPARE(scene.heat, Heat::Lost);
    QCOMPARE(scene.heatMost, 0.5F);
    QCOMPARE(scene.heatAt(0), 1.0F);
    QVERIFY2(!scene.describe(0).isEmpty(), "a core says what it loses");
  }

  void linesAreDrawnAsQtDrawsThem_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("digits") << QStringLiteral("3,575,792");
    QTest::newRow("chip") << QStringLiteral("mcast x over k ×2");
    QTest::newRow("arrow") << QStringLiteral("i→x");
    QTest::newRow("another font") << QStringLiteral("core 漢");
    QTest::newRow("a mark") << QStringLiteral("e\u0301 i");
    QTest::newRow("beyond 16 bits") << QStringLiteral("\U0001F600 i");
    QTest::newRow("joined letters") << QStringLiteral("\u0633\u0644\u0627\u0645");
    QTest::newRow("nothing") << QString();
  }

  void linesAreDrawnAsQtDrawsThem() {
    QFETCH(QString, text);
    for (const int pixels : {9, 13, 26}) {
      QFont font = QGuiApplication::font();
      font.setPixelSize(pixels);
      const LineFont line(font);
      QVERIFY(std::abs(line.widthOf(text) - QFontMetricsF(font).horizontalAdvance(text)) <= 2);
      const Ink ours = inkOf(drawn([&](QPainter& p) { line.paint(p, text, {5, 30}); }));
      const Ink theirs = inkOf(drawn([&](QPainter& p) {
        p.setFont(font);
        p.drawText(QPointF(5, 30), text);
      }));
      QVERIFY2(std::abs(ours.columns - theirs.columns) <= 2, qPrintable(text));
      QVERIFY2(std::abs(ours.pixels - theirs.pixels) <= 2 + theirs.pixels / 10, qPrintable(text));
    }
  }

  void linesOffTheScreenAreText() {
    LineWidget widget;
    widget.resize(100, 40);
    const auto labels = paintedLabels(widget);
    QCOMPARE(labels.size(), 1U);
    QCOMPARE(labels.front().text, QStringLiteral("j0 i1"));
  }

  void theChipNamesTheFastest() {
    RankedModel model;
    SelectionHub hub;
    OutcomeChip chip(&model, &hub);
    QVERIFY(chip.words().isEmpty());
    model.setRows({simulatedIn(400), simulatedIn(300), simulatedIn(500)});
    hub.selectCandidate(0);
    QVERIFY2(chip.words().contains(QStringLiteral("prefers #2: 33.3% faster")),
             qPrintable(chip.words()));
    hub.selectCandidate(1);
    QVERIFY2(chip.words().contains(QStringLiteral("Fastest of 3")), qPrintable(chip.words()));
    hub.selectCandidate(-1);
    QVERIFY(chip.words().isEmpty());
  }
};

QObject* makeThemeTests() { return new ThemeTests; }

#include "theme_tests.moc"
