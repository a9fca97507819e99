// SPDX-License-Identifier: Apache-2.0

// All labels, of widgets and painted, at every size of the window: none overlaps another or is
// clipped. Run at a scale of 100 % and of 200 %.

#include <QDockWidget>
#include <QPainter>

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "charts/scatter_plot.h"
#include "cut_off.h"
#include "label_recorder.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "timeline/timeline_canvas.h"
#include "window/figure_strip.h"
#include "window/heat_scale.h"
#include "window/main_window.h"
#include "window/state_legend.h"
#include "window/waterfall_view.h"

using namespace gridloom::widgets;

class LabelTests : public QObject {
  Q_OBJECT

 private:
  static bool paintsLabels(const QWidget* widget) {
    return qobject_cast<const MeshCanvas*>(widget) || qobject_cast<const TimelineCanvas*>(widget) ||
           qobject_cast<const ScatterPlot*>(widget) || qobject_cast<const WaterfallView*>(widget) ||
           qobject_cast<const FigureStrip*>(widget) || qobject_cast<const HeatScale*>(widget) ||
           qobject_cast<const StateLegend*>(widget);
  }
  /// What is wrong with the labels of all panels, each brought up in turn; `walked` counts labels.
  static QStringList wrong(const StudioWindow& studio, std::size_t& walked) {
    QStringList found;
    for (QDockWidget* dock : studio->findChildren<QDockWidget*>()) {
      dock->raise();
      QTest::qWait(20);
      found += cutOffWidgets(*studio);
      for (QWidget* widget : studio->findChildren<QWidget*>()) {
        if (!paintsLabels(widget) || !widget->isVisible() || widget->visibleRegion().isEmpty())
          continue;
        walked += paintedLabels(*widget).size();
        const bool scrolls = qobject_cast<const TimelineCanvas*>(widget) != nullptr;
        for (const QString& each : badLabels(*widget, scrolls))
          found << QStringLiteral("%1 %2: %3")
                       .arg(QString::fromLatin1(widget->metaObject()->className()),
                            widget->objectName(), each);
      }
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
    const QStringList found = badLabels(widget, false);
    QVERIFY2(found.size() == 3, qPrintable(found.join(QLatin1Char('\n'))));
    QCOMPARE(paintedLabels(widget).size(), std::size_t{5});
  }
};

QObject* makeLabelTests() { return new LabelTests; }

#include "label_tests.moc"
