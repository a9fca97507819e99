// SPDX-License-Identifier: Apache-2.0

// All labels, of widgets and painted, at every size of the window: none overlaps another or is
// clipped. Run at a scale of 100 % and of 200 %.

#include <QAbstractItemView>
#include <QDockWidget>
#include <QPainter>
#include <QTabWidget>
#include <QTableWidget>

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "charts/chart_view.h"
#include "charts/scatter_plot.h"
#include "cut_off.h"
#include "label_recorder.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "timeline/timeline_canvas.h"
#include "window/charts_panel.h"
#include "window/figure_strip.h"
#include "window/heat_scale.h"
#include "window/line_label.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/state_legend.h"
#include "window/waterfall_view.h"
#include "window/welcome_cards.h"
#include "window/welcome_page.h"

using namespace gridloom::widgets;

class LabelTests : public QObject {
  Q_OBJECT

 private:
  static bool paintsLabels(const QWidget* widget) {
    return qobject_cast<const MeshCanvas*>(widget) || qobject_cast<const TimelineCanvas*>(widget) ||
           qobject_cast<const ScatterPlot*>(widget) || qobject_cast<const WaterfallView*>(widget) ||
           qobject_cast<const FigureStrip*>(widget) || qobject_cast<const HeatScale*>(widget) ||
           qobject_cast<const StateLegend*>(widget) || qobject_cast<const RecentRow*>(widget);
  }
  /// Whether all labels must be whole: cells and titles of tables, lists, bars of a chart, cards.
  /// The names of recent projects are as long as their owners like; their tooltips are whole.
  static bool showsAll(const QWidget* widget) {
    return qobject_cast<const QAbstractItemView*>(widget) ||
           qobject_cast<const ChartView*>(widget) || qobject_cast<const ExampleCard*>(widget);
  }
  static Scrolls scrollsOf(const QWidget* widget) {
    if (qobject_cast<const QAbstractItemView*>(widget)) return Scrolls::BothWays;
    return qobject_cast<const TimelineCanvas*>(widget) ? Scrolls::Vertically : Scrolls::Nowhere;
  }

  /// What is wrong with the labels that are visible; `walked` counts them.
  static QStringList wrongNow(const QWidget& window, std::size_t& walked) {
    QStringList found = cutOffWidgets(window);
    for (QWidget* widget : window.findChildren<QWidget*>()) {
      const bool whole = showsAll(widget);
      if (!(whole || paintsLabels(widget)) || !widget->isVisible() ||
          widget->visibleRegion().isEmpty())
        continue;
      const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
      QWidget& painted = area ? *area->viewport() : *widget;
      walked += paintedLabels(painted).size();
      QStringList bad = badLabels(painted, scrollsOf(widget));
      if (whole) bad += cutLabels(painted);
      for (const QString& each : bad)
        found << QStringLiteral("%1 %2 %3: %4")
                     .arg(QString::fromLatin1(widget->metaObject()->className()),
                          widget->objectName(), widget->accessibleName(), each);
    }
    return found;
  }

  /// All panels, and all tabs in them, are brought up in turn.
  static QStringList wrong(const StudioWindow& studio, std::size_t& walked) {
    QStringList found;
    for (QDockWidget* dock : studio->findChildren<QDockWidget*>()) {
      dock->raise();
      QTest::qWait(20);
      found += wrongNow(*studio, walked);
      for (QTabWidget* tabs : dock->findChildren<QTabWidget*>()) {
        const int before = tabs->currentIndex();
        for (int tab = 0; tab < tabs->count(); ++tab) {
          if (tab == before) continue;
          tabs->setCurrentIndex(tab);
          QTest::qWait(20);
          found += wrongNow(*studio, walked);
        }
        tabs->setCurrentIndex(before);
      }
    }
    ChartsPanel* charts = studio->chartsPanel();
    studio->findChild<QDockWidget*>(QStringLiteral("chartsDock"))->raise();
    for (int chart = ChartsPanel::Cores; chart >= ChartsPanel::Scatter; --chart) {
      charts->setCurrent(static_cast<ChartsPanel::Chart>(chart));
      QTest::qWait(20);
      found += wrongNow(*studio, walked);
    }
    found.removeDuplicates();
    return found;
  }

 private Q_SLOTS:
  void noneOverlapsOrIsClipped_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(900, 600), QSize(1280, 800), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void noneOverlapsOrIsClipped() {
    QFETCH(QSize, size);
    const StudioWindow studio(size);
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    QTest::qWait(100);
    QCOMPARE(studio->size(), size);
    std::size_t walked = 0;
    QStringList found = wrong(studio, walked);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    // A cycle of a run, with a core and its transfers.
    studio->findChild<QDockWidget*>(QStringLiteral("timelineDock"))->raise();
    QTRY_VERIFY_WITH_TIMEOUT(studio->replay()->recording(), StudioWindow::kPatience);
    studio->hub()->selectCore(9);
    studio->hub()->selectCycle(std::floor(0.31 * studio->replay()->recording()->cycles()));
    found = wrong(studio, walked);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    // Two runs, of which A is frozen.
    studio->hub()->selectCycle(-1);
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(2);
    QTRY_VERIFY_WITH_TIMEOUT(studio->replay()->against() && studio.session()->difference(),
                             StudioWindow::kPatience);
    found = wrong(studio, walked);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    qInfo("%zu labels", walked);
    QVERIFY2(walked > 400, "labels are seen");
  }

  /// On a laptop's window every core says its first tiles and every channel its name, with digits
  /// that can be read.
  void coresAndChannelsOfAMeshHaveNames_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void coresAndChannelsOfAMeshHaveNames() {
    QFETCH(QSize, size);
    const StudioWindow studio(size);
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    int cores = 0, channels = 0;
    for (const PaintedLabel& label : paintedLabels(*canvas)) {
      const bool core =
          label.text.contains(QLatin1Char('i')) && label.text.contains(QLatin1Char('j'));
      const bool channel = label.text.startsWith(QLatin1Char('D'));
      // Digits of a font of 9 pixels.
      if (core || channel) QVERIFY2(label.box.height() >= 6.5, qPrintable(label.text));
      cores += core;
      channels += channel;
    }
    QCOMPARE(cores, canvas->scene().coreCount());
    QCOMPARE(channels, static_cast<int>(canvas->scene().memories.size()));
  }

  /// The page of examples, with pictures and figures, and with recent projects; and the gallery.
  void theWelcomePageFits_data() { noneOverlapsOrIsClipped_data(); }
  void theWelcomePageFits() {
    QFETCH(QSize, size);
    StudioWindow studio(size);
    STUDIO_RESTS(studio);
    for (const char* name : {"a.gridloom", "a project with a rather long name of its own.gridloom"})
      QVERIFY(studio->saveProjectAs(studio.path(name)));
    studio->showWelcome();
    QTRY_VERIFY(studio->welcomePage() && studio->welcomePage()->isVisible());
    std::size_t walked = 0;
    const WelcomePage* page = studio->welcomePage();
    QStringList found = wrongNow(*page, walked);
    for (const ExampleCard* card : page->cards()) {
      QVERIFY(card->isVisible());
      QTRY_VERIFY_WITH_TIMEOUT(card->hasLook(), StudioWindow::kPatience);
    }
    found += wrongNow(*page, walked);
    found.removeDuplicates();
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    qInfo("%zu labels", walked);
    QVERIFY(walked > 20);
  }

  /// The walk finds what it looks for.
  void whatIsWrongIsFound() {
    class Wrong : public QWidget {
     public:
      using QWidget::QWidget;

     protected:
      void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.drawText(QPointF(10, 30), QStringLiteral("one over"));
        painter.drawText(QPointF(30, 32), QStringLiteral("the other"));
        painter.drawText(QRectF(10, 60, 20, 20), Qt::AlignLeft, QStringLiteral("cut by its box"));
        painter.drawText(QPointF(170, 100), QStringLiteral("beyond the edge"));
        painter.drawText(QPointF(10, 130), QStringLiteral("right"));
      }
    };
    Wrong widget;
    widget.resize(200, 140);
    const QStringList found = badLabels(widget, Scrolls::Nowhere);
    QVERIFY2(found.size() == 3, qPrintable(found.join(QLatin1Char('\n'))));
    QCOMPARE(paintedLabels(widget).size(), std::size_t{5});
    // What the edge cuts may be scrolled into view; what its own box cuts may not.
    QCOMPARE(badLabels(widget, Scrolls::BothWays).size(), 2);
    QTableWidget table(1, 1);
    table.resize(300, 100);
    table.setItem(0, 0, new QTableWidgetItem(QStringLiteral("longer than its column")));
    table.setColumnWidth(0, 40);
    table.show();
    QVERIFY(!cutLabels(*table.viewport()).isEmpty());
    table.resizeColumnToContents(0);
    QCOMPARE(cutLabels(*table.viewport()), QStringList());
  }

  /// A line that is shown whole has its last letter whole, too.
  void aLineThatJustFitsIsWhole() {
    const auto inkOf = [](LineLabel& line, int width) {
      line.resize(width, 24);
      const QImage image = line.grab().toImage();
      const QRgb paper = image.pixel(image.width() - 1, 0);
      std::vector<int> columns(static_cast<std::size_t>(image.width()));
      for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y)
          columns[static_cast<std::size_t>(x)] += image.pixel(x, y) != paper;
      }
      while (!columns.empty() && columns.back() == 0) columns.pop_back();
      return columns;
    };
    LineLabel line;
    line.setLine(QStringLiteral("All covered: the ranking is exact"));
    const auto whole = inkOf(line, 600);
    int shown = 0;
    for (int width = 150; width < 400; ++width) {
      const auto ink = inkOf(line, width);
      if (line.text() != line.line()) continue;
      ++shown;
      QCOMPARE(ink, whole);
    }
    QVERIFY(shown > 5);
  }
};

QObject* makeLabelTests() { return new LabelTests; }

#include "label_tests.moc"
