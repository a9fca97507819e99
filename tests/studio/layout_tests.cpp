// SPDX-License-Identifier: Apache-2.0

// Where panels go when the window becomes small and large again.

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QTextBlock>
#include <QTextLayout>

#include "cut_off.h"
#include "editors/code_editor.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "window/inputs_panel.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"

using namespace gridloom::widgets;

namespace {

constexpr QSize kLarge{1500, 940};
constexpr QSize kSmall{900, 600};

}  // namespace

class LayoutTests : public QObject {
  Q_OBJECT

 private:
  static QDockWidget* dockOf(const MainWindow& window, const char* name) {
    return window.findChild<QDockWidget*>(QLatin1String(name));
  }
  static bool shareTabs(const MainWindow& window, const char* one, const char* other) {
    return window.tabifiedDockWidgets(dockOf(window, one)).contains(dockOf(window, other));
  }
  static bool isSmall(const MainWindow& window) {
    return shareTabs(window, "rankedDock", "explainDock") &&
           shareTabs(window, "rankedDock", "peakDock") &&
           shareTabs(window, "rankedDock", "chartsDock") &&
           shareTabs(window, "kernelDock", "hardwareDock");
  }
  static bool isLarge(const MainWindow& window) {
    return window.dockWidgetArea(dockOf(window, "peakDock")) == Qt::RightDockWidgetArea &&
           shareTabs(window, "explainDock", "chartsDock") &&
           window.dockWidgetArea(dockOf(window, "chartsDock")) == Qt::RightDockWidgetArea &&
           !shareTabs(window, "peakDock", "chartsDock") &&
           !shareTabs(window, "kernelDock", "hardwareDock");
  }

 private Q_SLOTS:
  void panelsJoinAndPart() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    QVERIFY(isLarge(*studio));
    for (int i = 0; i < 3; ++i) {
      studio->resize(kSmall);
      QTRY_VERIFY(isSmall(*studio));
      studio->resize(kLarge);
      QTRY_VERIFY(isLarge(*studio));
    }
  }

  void theRightPanelsShareTabsOnANarrowScreen() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    studio->resize(1280, 800);
    QTRY_VERIFY(shareTabs(*studio, "peakDock", "chartsDock") &&
                shareTabs(*studio, "peakDock", "explainDock"));
    QCOMPARE(studio->dockWidgetArea(dockOf(*studio, "peakDock")), Qt::RightDockWidgetArea);
    QTRY_VERIFY(!dockOf(*studio, "peakDock")->visibleRegion().isEmpty());
    studio->resize(kLarge);
    QTRY_VERIFY(isLarge(*studio));
  }

  /// A window that is made smaller has the sides of one that was small at first.
  void sidesFollowTheWidth() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    studio->resize(1280, 800);
    QTRY_VERIFY2(dockOf(*studio, "kernelDock")->width() >= 356,
                 qPrintable(QString::number(dockOf(*studio, "kernelDock")->width())));
    QTRY_VERIFY(dockOf(*studio, "peakDock")->width() >= 300);
    QTRY_VERIFY2(studio->meshPanel()->width() >= 480,
                 qPrintable(QString::number(studio->meshPanel()->width())));
    studio->resize(kLarge);
    QTRY_VERIFY(dockOf(*studio, "kernelDock")->width() >= 370);
  }

  void textIsWideOnAWideScreen() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    QTRY_VERIFY(dockOf(*studio, "kernelDock")->width() >= 430);
    // Below the mesh and the timeline, there is room for some rows of the table.
    const QTableView* table = studio->rankedPanel()->view();
    QTRY_VERIFY2(table->viewport()->height() >= 4 * table->rowHeight(0),
                 qPrintable(QString::number(table->viewport()->height())));
  }

  void theEquationIsReadWhole_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("widest");
    // Without room for the line with the sizes, that one wraps.
    QTest::newRow("900x600") << kSmall << QStringLiteral("  C[i, j] =");
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size << QStringLiteral("kernel gemm(");
  }
  void theEquationIsReadWhole() {
    QFETCH(QSize, size);
    QFETCH(QString, widest);
    const StudioWindow studio(size);
    STUDIO_RESTS(studio);
    QTest::qWait(50);
    const CodeEditor* editor = studio->kernelPanel()->editor();
    QCOMPARE(editor->horizontalScrollBar()->maximum(), 0);
    const QTextBlock block = editor->document()->find(widest).block();
    QVERIFY(block.isValid());
    QCOMPARE(block.layout()->lineCount(), 1);
    const double right =
        editor->document()->documentMargin() + block.layout()->lineAt(0).naturalTextWidth();
    const QScrollBar* bar = editor->verticalScrollBar();
    const int spared = bar->isVisible() ? 0 : bar->sizeHint().width();
    QVERIFY2(right + spared <= editor->viewport()->width(), qPrintable(QString::number(right)));
  }

  void whatWrapsTakesTheHeightOfItsText() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    dockOf(*studio, "compareDock")->raise();
    QTest::qWait(50);
    for (const char* name : {"verdict", "kernelFacts"}) {
      const auto* label = studio->findChild<QLabel*>(QLatin1String(name));
      const QRect room = label->contentsRect();
      const int lines =
          label->fontMetrics()
              .boundingRect(QRect(0, 0, room.width(), 1 << 16), Qt::TextWordWrap, label->text())
              .height();
      QVERIFY2(room.height() <= lines + 2, name);
    }
  }

  void nothingIsCutOffOnTheWay() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    for (const QSize size :
         {QSize(1250, 690), QSize(1100, 900), kSmall, QSize(1366, 768), kLarge}) {
      studio->resize(size);
      QTest::qWait(50);
      QCOMPARE(studio->size(), size);
      const QStringList cut = cutOffWidgets(*studio);
      QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    }
  }

  void whatTheUserMovedStays() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    dockOf(*studio, "explainDock")->close();
    dockOf(*studio, "chartsDock")->setFloating(true);
    studio->addDockWidget(Qt::RightDockWidgetArea, dockOf(*studio, "hardwareDock"));
    studio->resize(kSmall);
    QTRY_VERIFY(shareTabs(*studio, "rankedDock", "problemsDock"));
    QTest::qWait(50);
    QVERIFY(dockOf(*studio, "explainDock")->isHidden());
    QVERIFY(dockOf(*studio, "chartsDock")->isFloating());
    QCOMPARE(studio->dockWidgetArea(dockOf(*studio, "hardwareDock")), Qt::RightDockWidgetArea);
    studio->resetLayout();
    QVERIFY(isSmall(*studio));
    QVERIFY(!dockOf(*studio, "explainDock")->isHidden());
    studio->resize(kLarge);
    QTRY_VERIFY(isLarge(*studio));
  }

  void theTabInFrontStaysInFrontWhereItGoes() {
    const StudioWindow studio(kSmall);
    STUDIO_RESTS(studio);
    QTRY_VERIFY(isSmall(*studio));
    dockOf(*studio, "compareDock")->raise();
    QTRY_VERIFY(!dockOf(*studio, "compareDock")->visibleRegion().isEmpty());
    studio->resize(1280, 800);
    QTRY_COMPARE(studio->dockWidgetArea(dockOf(*studio, "compareDock")), Qt::RightDockWidgetArea);
    QTRY_VERIFY(!dockOf(*studio, "compareDock")->visibleRegion().isEmpty());
    QTRY_VERIFY(!dockOf(*studio, "rankedDock")->visibleRegion().isEmpty());
  }

  /// Whatever the user has done with the panels that move.
  void anotherTabStaysInFrontOfTheTable() {
    const StudioWindow studio({1280, 800});
    STUDIO_RESTS(studio);
    const auto inFront = [&](const char* name) {
      return studio->rect().intersects(dockOf(*studio, name)->geometry());
    };
    dockOf(*studio, "problemsDock")->raise();
    dockOf(*studio, "measuredDock")->close();
    dockOf(*studio, "chartsDock")->setFloating(true);
    QTRY_VERIFY(inFront("problemsDock"));
    for (const QSize size : {kSmall, QSize(1280, 800), QSize(1920, 1080), QSize(1280, 800)}) {
      studio->resize(size);
      QTest::qWait(50);
      QVERIFY2(inFront("problemsDock"), qPrintable(QString::number(size.width())));
      QVERIFY(!inFront("rankedDock"));
      QVERIFY(dockOf(*studio, "measuredDock")->isHidden());
      QCOMPARE(inFront("peakDock"), size != kSmall);
      QCOMPARE(shareTabs(*studio, "rankedDock", "timelineDock"), size.width() < 1900);
    }
  }

  /// The timeline was in front of the table, and stands above it when there is room.
  void theTimelineLeavesTheTable() {
    const StudioWindow studio(kSmall);
    STUDIO_RESTS(studio);
    dockOf(*studio, "timelineDock")->raise();
    QTest::qWait(50);
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
      studio->resize(size);
      QTest::qWait(100);
    }
    const QRect timeline = dockOf(*studio, "timelineDock")->geometry();
    const QRect table = dockOf(*studio, "rankedDock")->geometry();
    QVERIFY(studio->rect().contains(timeline) && studio->rect().contains(table));
    QVERIFY(timeline.bottom() < table.top());
  }

  /// From the kernel through all that is seen, and back to it: no panel behind a tab, where nobody
  /// would see the focus.
  void tabGoesThroughWhatIsSeen() {
    const StudioWindow studio({1280, 800});
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->setFocus();
    QTest::keyClick(kernel, Qt::Key_Backtab, Qt::ShiftModifier);
    const QWidget* sizes = QApplication::focusWidget();
    QVERIFY2(sizes->accessibleName() == QLatin1String("Parameter K"),
             qPrintable(sizes->accessibleName()));
    kernel->setFocus();
    QStringList places;
    for (int i = 0; i < 200; ++i) {
      QWidget* focus = QApplication::focusWidget();
      if (i > 0 && focus == kernel) break;
      const QWidget* dock = focus;
      while (dock && !qobject_cast<const QDockWidget*>(dock)) dock = dock->parentWidget();
      if (dock)
        QVERIFY2(studio->rect().intersects(dock->geometry()), qPrintable(dock->objectName()));
      QString place = dock ? dock->objectName() : QString();
      if (studio->meshPanel()->isAncestorOf(focus)) place = QStringLiteral("mesh");
      if (!place.isEmpty() && !places.contains(place)) places << place;
      QTest::keyClick(focus, Qt::Key_Escape);
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(QApplication::focusWidget(), kernel);
    QCOMPARE(places, QStringList({"kernelDock", "hardwareDock", "mesh", "rankedDock", "peakDock"}));
  }

  void whatIsEditedStaysInFront() {
    const StudioWindow studio(kLarge);
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    for (const char* name : {"hardwareDock", "kernelDock"}) {
      if (auto* views = dockOf(*studio, name)->findChild<QTabWidget*>()) views->setCurrentIndex(1);
      QWidget* editor = dockOf(*studio, name)->findChild<CodeEditor*>();
      editor->setFocus();
      studio->resize(kSmall);
      QTRY_VERIFY(isSmall(*studio));
      QTest::qWait(50);
      QVERIFY2(studio->rect().intersects(dockOf(*studio, name)->geometry()), name);
      studio->resize(kLarge);
      QTRY_VERIFY(isLarge(*studio));
    }
  }

  void aSmallWindowIsSmallAgainAtTheNextStart() {
    const QTemporaryDir folder;
    const QString settings = folder.filePath(QStringLiteral("settings.ini"));
    {
      MainWindow window(settings);
      window.resize(kSmall);
      window.show();
      QTRY_VERIFY(isSmall(window));
      QVERIFY(window.close());
    }
    MainWindow window(settings);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(isSmall(window));
    window.resize(kLarge);
    QTRY_VERIFY(isLarge(window));
  }
};

QObject* makeLayoutTests() { return new LayoutTests; }

#include "layout_tests.moc"
