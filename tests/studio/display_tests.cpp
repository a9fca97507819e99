// SPDX-License-Identifier: Apache-2.0

// The window on a real X server with a window manager, at the size that GRIDLOOM_WINDOW says, such
// as 900x600, else maximised; pictures of it, named by GRIDLOOM_PICTURE, go to the build tree.

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QMimeData>
#include <QScreen>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include "bridge/measurements.h"
#include "bridge/replay.h"
#include "bridge/session.h"
#include "cut_off.h"
#include "editors/code_editor.h"
#include "models/explain_model.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "suites.h"
#include "timeline/timeline_canvas.h"
#include "window/command_palette.h"
#include "window/hardware_form.h"
#include "window/help_window.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/timeline_panel.h"
#include "window/tour.h"
#include "window/welcome_page.h"

using namespace gridloom::widgets;

namespace {

constexpr int kDisplayPatience = 60000;  // milliseconds a slow machine may take

}  // namespace

class DisplayTests : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;
  std::unique_ptr<MainWindow> m_window;

  static QSize wantedSize() {
    const QStringList sides = qEnvironmentVariable("GRIDLOOM_WINDOW").split(QLatin1Char('x'));
    return sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
  }

  /// The whole screen, as a user sees it.
  bool pictureTaken(const QString& name) const {
    const QPixmap screen = m_window->screen()->grabWindow(0);
    const QString file =
        QStringLiteral("display_%1_%2.png").arg(qEnvironmentVariable("GRIDLOOM_PICTURE"), name);
    return !screen.isNull() &&
           screen.save(QDir(QStringLiteral(GRIDLOOM_PICTURE_DIR)).filePath(file));
  }
  void settle() const {
    QTest::qWait(60);
    QCoreApplication::processEvents();
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QGuiApplication::platformName() != QLatin1String("xcb"))
      QSKIP("this needs an X server with a window manager (tests/studio/on_display.sh)");
    m_window = std::make_unique<MainWindow>(m_folder.filePath(QStringLiteral("settings.ini")));
    m_window->setScheme(Scheme::Light);
    if (wantedSize().isEmpty()) {
      m_window->showMaximized();
    } else {
      m_window->resize(wantedSize());
      m_window->show();
    }
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->openFirst();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->session()->explainedCandidate() == 0, kDisplayPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy(), kDisplayPatience);
    settle();
  }
  void cleanupTestCase() { m_window.reset(); }

  void theWindowHasItsSizeAndFits() {
    if (!wantedSize().isEmpty()) QCOMPARE(m_window->size(), wantedSize());
    // A frame of odd pixels is rounded up where two of them make one.
    const QRect screen = m_window->screen()->geometry().adjusted(-1, -1, 1, 1);
    const QRect frame = m_window->frameGeometry();
    QVERIFY2(screen.contains(frame), qPrintable(QStringLiteral("%1,%2 to %3,%4")
                                                    .arg(frame.left())
                                                    .arg(frame.top())
                                                    .arg(frame.right())
                                                    .arg(frame.bottom())));
    const QSize least = m_window->minimumSizeHint();
    QVERIFY2(least.width() <= m_window->width() && least.height() <= m_window->height(),
             qPrintable(QStringLiteral("needs %1x%2").arg(least.width()).arg(least.height())));
  }

  void theFirstPanelsAreInFront() {
    for (const char* name : {"kernelDock", "peakDock", "rankedDock"}) {
      const auto* dock = m_window->findChild<QDockWidget*>(QLatin1String(name));
      const bool joined =
          m_window
              ->tabifiedDockWidgets(m_window->findChild<QDockWidget*>(QStringLiteral("rankedDock")))
              .contains(const_cast<QDockWidget*>(dock));
      QVERIFY2(joined || m_window->rect().intersects(dock->geometry()), name);
    }
  }

  /// The part of a widget that lies within all widgets around it. Widgets that hide the background
  /// of their parents count as seen.
  static QRect seenOf(const QWidget* widget) {
    QRect seen = widget->isVisible() ? widget->rect() : QRect();
    for (const QWidget* each = widget; !each->isWindow(); each = each->parentWidget()) {
      const QPoint at = widget->mapTo(each->parentWidget(), QPoint());
      seen &= each->parentWidget()->rect().translated(-at);
    }
    return seen;
  }

  void nothingIsCutOff_data() {
    QTest::addColumn<QString>("tab");
    QTest::newRow("as opened") << QString();
    for (const QDockWidget* dock : m_window->findChildren<QDockWidget*>())
      QTest::addRow("%s", qPrintable(dock->objectName())) << dock->objectName();
  }
  void nothingIsCutOff() {
    QFETCH(QString, tab);
    if (auto* dock = m_window->findChild<QDockWidget*>(tab)) {
      dock->raise();
      settle();
      QVERIFY2(seenOf(dock->widget()) == dock->widget()->rect(),
               "every panel can be brought up whole");
    }
    // One look at each panel; the theme changes colours, and the window as a whole shows both.
    for (const Scheme scheme : {Scheme::Light, Scheme::Dark}) {
      const bool dark = scheme == Scheme::Dark;
      if (dark && !tab.isEmpty()) break;
      m_window->setScheme(scheme);
      settle();
      const QStringList cut = cutOffWidgets(*m_window);
      QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
      QVERIFY(pictureTaken(!tab.isEmpty() ? tab
                           : dark         ? QStringLiteral("dark")
                                          : QStringLiteral("light")));
    }
    if (tab.isEmpty()) m_window->setScheme(Scheme::Light);
    m_window->findChild<QDockWidget*>(QStringLiteral("rankedDock"))->raise();
    settle();
  }

  void theWelcomePageAndTheTourAreWhole() {
    m_window->showWelcome();
    QTest::qWait(1500);
    const QStringList cut = cutOffWidgets(*m_window->welcomePage()->widget());
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    QVERIFY(pictureTaken(QStringLiteral("welcome")));
    m_window->setScheme(Scheme::Dark);
    settle();
    QVERIFY(pictureTaken(QStringLiteral("welcome_dark")));
    m_window->setScheme(Scheme::Light);
    m_window->startTour();
    while (m_window->tour()) {
      settle();
      const int step = m_window->tour()->step();
      const QStringList hidden = cutOffWidgets(*m_window->tour());
      QVERIFY2(hidden.isEmpty(), qPrintable(hidden.join(QLatin1Char('\n'))));
      QVERIFY(pictureTaken(QStringLiteral("tour%1").arg(step + 1)));
      QTest::keyClick(m_window->tour(), Qt::Key_Return);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    m_window->showHelp(QStringLiteral("hardware.md"));
    QVERIFY(QTest::qWaitForWindowExposed(m_window->helpWindow()));
    settle();
    QVERIFY(pictureTaken(QStringLiteral("help")));
    m_window->helpWindow()->close();
    m_window->findChild<QTabWidget*>()->setCurrentIndex(0);
    for (const char* name : {"kernelDock", "peakDock", "rankedDock"})
      m_window->findChild<QDockWidget*>(QLatin1String(name))->raise();
    settle();
  }

  void measurementsStandBesideOurs() {
    QFile file(m_folder.filePath(QStringLiteral("mine.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("hardware,kernel,M,N,K,us\n");
    for (int i = 1; i <= 12; ++i) {
      const int size = 128 * i;
      const double measured = 9 + 1e-7 * size * size * size / (1.1 + 0.1 * (i % 3));
      file.write(QStringLiteral("wormhole_8x8,gemm,%1,%1,%1,%2\n")
                     .arg(size)
                     .arg(measured, 0, 'f', 1)
                     .toUtf8());
    }
    file.close();
    m_window->openMeasurements(file.fileName());
    settle();
    QVERIFY(pictureTaken(QStringLiteral("measuring")));
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->measurements()->running(), kDisplayPatience);
    settle();
    const QStringList cut = cutOffWidgets(*m_window);
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    QVERIFY(pictureTaken(QStringLiteral("measured")));
    file.open(QIODevice::WriteOnly | QIODevice::Append);
    file.write("wormhole_8x8,gemm,128,128\n");
    file.close();
    m_window->openMeasurements(file.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->measurements()->running(), kDisplayPatience);
    settle();
    QVERIFY(cutOffWidgets(*m_window).isEmpty());
    QVERIFY(pictureTaken(QStringLiteral("measured_wrong")));
    m_window->findChild<QDockWidget*>(QStringLiteral("rankedDock"))->raise();
    settle();
  }

  void theRunIsReplayed() {
    m_window->findChild<QDockWidget*>(QStringLiteral("timelineDock"))->raise();
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->replay()->recording() != nullptr, 60000);
    m_window->timelinePanel()->canvas()->showRange(0, 320000);
    m_window->replay()->goTo(38150);
    m_window->hub()->selectCore(19);
    settle();
    const QStringList cut = cutOffWidgets(*m_window);
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    QVERIFY(pictureTaken(QStringLiteral("replay")));
    m_window->hub()->selectCore(-1);
    m_window->hub()->selectCycle(-1);
    m_window->findChild<QDockWidget*>(QStringLiteral("rankedDock"))->raise();
    settle();
  }

  void theFormIsWhole() {
    auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("hardwareDock"));
    auto* tabs = dock->findChild<QTabWidget*>();
    dock->raise();
    tabs->setCurrentWidget(m_window->hardwareForm());
    m_window->hub()->selectCore(19);
    settle();
    const QStringList cut = cutOffWidgets(*m_window);
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    QVERIFY(pictureTaken(QStringLiteral("form")));
    m_window->hub()->selectCore(-1);
    settle();
    QVERIFY(pictureTaken(QStringLiteral("form_all")));
    tabs->setCurrentIndex(0);
    m_window->findChild<QDockWidget*>(QStringLiteral("kernelDock"))->raise();
    settle();
  }

  void noTextOfATableIsElided() {
    for (const QTableView* table : m_window->findChildren<QTableView*>()) {
      const QStringList elided = elidedTexts(*table);
      QVERIFY2(elided.isEmpty(),
               qPrintable(table->accessibleName() + elided.join(QLatin1Char('\n'))));
    }
    // The numbers of a mapping are there without scrolling; only its description is longer.
    const QTableView* ranked = m_window->rankedPanel()->view();
    QVERIFY(ranked->columnViewportPosition(indexOf(RankedColumn::Space)) <
            ranked->viewport()->width());
    m_window->findChild<QDockWidget*>(QStringLiteral("explainDock"))->raise();
    settle();
    const QTableView* explain = m_window->explainPanel()->findChild<QTableView*>();
    int columns = 0;
    for (int i = 0; i < ExplainModel::Columns; ++i) columns += explain->columnWidth(i);
    QVERIFY2(columns <= explain->viewport()->width(),
             qPrintable(QStringLiteral("%1 of %2 pixels")
                            .arg(columns)
                            .arg(explain->viewport()->width())));
  }

  void theClipboardOfAnXServerMayBeEmpty() {
    const QList<CodeEditor*> editors{m_window->hardwareEditor(), m_window->kernelPanel()->editor(),
                                     m_window->directivesPanel()->editor()};
    for (CodeEditor* editor : editors) {
      const QString before = editor->toPlainText();
      QTest::keySequence(editor, QKeySequence(QKeySequence::Paste));
      QCOMPARE(editor->toPlainText(), before);
    }
  }

  void dialogsFit() {
    ShortcutSheet sheet(m_window->findChildren<QAction*>(), m_window.get());
    sheet.show();
    QVERIFY(QTest::qWaitForWindowExposed(&sheet));
    settle();
    QVERIFY(sheet.frameGeometry().height() <= sheet.screen()->geometry().height());
    CommandPalette palette(m_window->findChildren<QAction*>(), m_window.get());
    QVERIFY(palette.height() <= palette.screen()->geometry().height());
  }
};

QObject* makeDisplayTests() { return new DisplayTests; }

#include "display_tests.moc"
