// SPDX-License-Identifier: Apache-2.0

// Every view of the studio as a picture, light and dark, against tests/studio/goldens.
// GRIDLOOM_UPDATE_GOLDEN=1 writes them anew. A view that differs leaves a triptych in the build
// tree: as expected, as found, and what differs.

#include <QDir>
#include <QDockWidget>
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "suites.h"
#include "timeline/timeline_canvas.h"
#include "window/charts_panel.h"
#include "window/mesh_panel.h"
#include "window/result_panels.h"
#include "window/timeline_panel.h"

using namespace gridloom::widgets;

namespace {

/// Colours that differ less are equal, and so many pixels may differ: letters are rasterised a
/// little differently by other versions of the font library.
constexpr int kColourStep = 40;
constexpr double kMostDiffering = 0.002;

bool updates() { return qEnvironmentVariableIntValue("GRIDLOOM_UPDATE_GOLDEN") == 1; }

bool differs(QRgb a, QRgb b) {
  return std::abs(qRed(a) - qRed(b)) > kColourStep ||
         std::abs(qGreen(a) - qGreen(b)) > kColourStep ||
         std::abs(qBlue(a) - qBlue(b)) > kColourStep;
}

/// What differs, in red on a faint picture of what is expected; `count` pixels.
QImage differenceOf(const QImage& expected, const QImage& found, qsizetype& count) {
  QImage out = expected.convertToFormat(QImage::Format_RGB32);
  for (int y = 0; y < out.height(); ++y) {
    for (int x = 0; x < out.width(); ++x) {
      const bool red = differs(expected.pixel(x, y), found.pixel(x, y));
      count += red ? 1 : 0;
      const int faint = 160 + qGray(expected.pixel(x, y)) * 95 / 255;
      out.setPixel(x, y, red ? qRgb(214, 40, 40) : qRgb(faint, faint, faint));
    }
  }
  return out;
}

QImage triptychOf(const QImage& expected, const QImage& found, const QImage& difference) {
  constexpr int kGap = 8;
  const int width = std::max(expected.width(), found.width()) + kGap;
  QImage out(2 * width + difference.width(), std::max(expected.height(), found.height()),
             QImage::Format_RGB32);
  out.fill(Qt::white);
  QPainter painter(&out);
  painter.drawImage(0, 0, expected);
  painter.drawImage(width, 0, found);
  painter.drawImage(2 * width, 0, difference);
  return out;
}

/// Opaque, so that PNG makes it small.
QImage stored(const QImage& image) { return image.convertToFormat(QImage::Format_RGB888); }

/// Empty where a view looks as it should.
QString compared(const QString& name, const QImage& grabbed) {
  const QImage found = stored(grabbed);
  const QString path = QDir(QStringLiteral(GRIDLOOM_GOLDEN_DIR)).filePath(name + ".png");
  if (updates())
    return found.save(path, "PNG", 0) ? QString() : QStringLiteral("cannot write ") + path;
  const QImage expected(path);
  if (expected.isNull()) return QStringLiteral("no golden ") + path;
  qsizetype count = 0;
  QImage difference(8, 8, QImage::Format_RGB32);
  if (expected.size() == found.size()) {
    difference = differenceOf(expected, found, count);
    const auto pixels = static_cast<double>(found.width()) * found.height();
    if (static_cast<double>(count) <= kMostDiffering * pixels) return {};
  }
  const QString where = QDir(QStringLiteral(GRIDLOOM_PICTURE_DIR)).filePath(name + "_differs.png");
  triptychOf(expected, found, difference).save(where);
  return QStringLiteral("%1: %2 pixels differ, see %3").arg(name).arg(count).arg(where);
}

}  // namespace

class GoldenTests : public QObject {
  Q_OBJECT

 private:
  static void showCycle(const StudioWindow& studio) {
    studio->findChild<QDockWidget*>(QStringLiteral("timelineDock"))->raise();
    QTRY_VERIFY_WITH_TIMEOUT(studio->replay()->recording(), StudioWindow::kPatience);
    studio->hub()->selectCore(9);
    QVERIFY(studio->replay()->followTransferOf({9, QStringLiteral("A")}, 38150));
    studio->hub()->selectCycle(38150);
    QTRY_VERIFY(studio->replay()->followed());
  }
  /// No picture depends on how long the search took.
  static void fixSearchTime(QWidget* space) {
    static const QRegularExpression time(QStringLiteral(" in [0-9.]+ [mµ]?s\\."));
    for (auto* label : space->findChildren<QLabel*>())
      label->setText(label->text().replace(time, QStringLiteral(" in 1.00 s.")));
  }
  static QStringList viewsOf(const StudioWindow& studio, const QString& theme) {
    QStringList wrong;
    const auto add = [&](const QString& name, QWidget* widget) {
      const QString message = compared(name + QLatin1Char('_') + theme, widget->grab().toImage());
      if (!message.isEmpty()) wrong << message;
    };
    for (QDockWidget* dock : studio->findChildren<QDockWidget*>()) {
      dock->raise();
      QTest::qWait(20);
      if (dock->widget() == studio->timelinePanel() &&
          !QTest::qWaitFor([&] { return studio->replay()->recording() != nullptr; },
                           StudioWindow::kPatience))
        wrong << QStringLiteral("the run is not recorded");
      if (dock->widget() == studio->spacePanel()) fixSearchTime(dock->widget());
      add(dock->objectName().remove(QStringLiteral("Dock")), dock->widget());
    }
    add(QStringLiteral("mesh"), studio->meshPanel());
    ChartsPanel* charts = studio->chartsPanel();
    studio->findChild<QDockWidget*>(QStringLiteral("chartsDock"))->raise();
    for (const auto chart : {ChartsPanel::Breakdowns, ChartsPanel::Roofline, ChartsPanel::Traffic,
                             ChartsPanel::Links, ChartsPanel::Cores}) {
      charts->setCurrent(chart);
      QTest::qWait(20);
      add(QStringLiteral("chart_") + charts->currentKey(), charts);
    }
    charts->setCurrent(ChartsPanel::Scatter);
    return wrong;
  }

 private Q_SLOTS:
  void everyViewLooksAsItShould_data() {
    QTest::addColumn<int>("scheme");
    QTest::newRow("light") << static_cast<int>(Scheme::Light);
    QTest::newRow("dark") << static_cast<int>(Scheme::Dark);
  }
  void everyViewLooksAsItShould() {
    QFETCH(int, scheme);
    if (!QFontDatabase::families().contains(QStringLiteral("DejaVu Sans")))
      QSKIP("the pictures are drawn with DejaVu Sans, which is not installed");
    const QString theme = QString::fromLatin1(QTest::currentDataTag());
    const StudioWindow studio(QSize(1280, 800));
    studio->setScheme(static_cast<Scheme>(scheme));
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->peak(), StudioWindow::kPatience);
    studio->setFocus();
    QStringList wrong = viewsOf(studio, theme);
    // Moments: a cycle of the run with a followed tile, and two runs side by side.
    showCycle(studio);
    const auto add = [&](const char* name, QWidget* widget) {
      QTest::qWait(20);
      const QString message =
          compared(QLatin1String(name) + QLatin1Char('_') + theme, widget->grab().toImage());
      if (!message.isEmpty()) wrong << message;
    };
    add("replay_mesh", studio->meshPanel());
    add("replay_timeline", studio->timelinePanel());
    studio->replay()->unfollow();
    studio->hub()->selectCycle(-1);
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(2);
    QTRY_VERIFY_WITH_TIMEOUT(studio->replay()->against() && studio->replay()->recording() &&
                                 studio.session()->difference(),
                             StudioWindow::kPatience);
    add("compare_mesh", studio->meshPanel());
    add("compare_timeline", studio->timelinePanel());
    studio->showSweep();
    chooseSweep(studio->sweepPanel(), 0, "cols", "4", "8", 3);
    chooseSweep(studio->sweepPanel(), 1, "rows", "4", "8", 2);
    studio->sweepPanel()->runButton()->click();
    SWEPT(studio->sweepPanel());
    add("sweep_map", studio->sweepPanel());
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
  }

  /// A view that has changed is seen, and where.
  void aDifferenceIsFound() {
    QImage expected(40, 20, QImage::Format_RGB32);
    expected.fill(Qt::white);
    QImage found = expected;
    found.setPixel(7, 3, qRgb(0, 0, 0));
    found.setPixel(8, 3, qRgb(250, 250, 250));
    qsizetype count = 0;
    const QImage difference = differenceOf(expected, found, count);
    QCOMPARE(count, 1);
    QCOMPARE(difference.pixelColor(7, 3), QColor(214, 40, 40));
    QCOMPARE(triptychOf(expected, found, difference).width(), 2 * 48 + 40);
    if (!updates()) QVERIFY(!compared(QStringLiteral("there_is_no_such_view"), expected).isEmpty());
  }
};

QObject* makeGoldenTests() { return new GoldenTests; }

#include "golden_tests.moc"
