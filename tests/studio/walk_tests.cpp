// SPDX-License-Identifier: Apache-2.0

// A whole session with pointer and keys alone: open, edit the machine, find the bottleneck, mend it,
// compare, export. Then some thousand random clicks, drags, keys and edits; GRIDLOOM_CLICKS says
// how many.

#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QDrag>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMimeData>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <random>

#include "canvas/mesh_canvas.h"
#include "editors/code_editor.h"
#include "hand.h"
#include "models/ranked_model.h"
#include "models/report_table_model.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "window/compare_panel.h"
#include "window/hardware_form.h"
#include "window/inputs_panel.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/waterfall_view.h"
#include "window/welcome_cards.h"
#include "window/welcome_page.h"

using namespace gridloom;
using namespace gridloom::widgets;

class WalkTests : public QObject {
  Q_OBJECT

 private:
  static QString textOf(const StudioWindow& studio) {
    return studio.session()->project().hardwareText;
  }
  /// The row of the largest step from the peak, without peak and result.
  static std::size_t largestLoss(const PeakPanel& panel) {
    const auto& losses = panel.waterfall()->losses;
    const auto largest =
        std::ranges::max_element(losses, {}, [](const auto& loss) { return loss.share; });
    const auto& rows = panel.view()->rows();
    const auto row = std::ranges::find(rows, text(largest->key), &WaterfallRow::key);
    return static_cast<std::size_t>(row - rows.begin());
  }

 private Q_SLOTS:
  void fromTheFirstLookToAFigure() {
    const StudioWindow studio(QSize(1920, 1080));
    const Hand hand(*studio);
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));

    // Open: an example from the first page.
    studio->showWelcome();
    QVERIFY(hand.click(studio->welcomePage()->cards().front()));
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    QVERIFY(studio->welcomePage()->isHidden());
    QCOMPARE(studio.session()->project().kernelName, QStringLiteral("gemm"));
    const QString before = textOf(studio);
    const double first = studio.session()->runOf(0)->simulated.cycles;

    // Edit the machine: a channel on the mesh, and its bandwidth in the form.
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const QRectF memory = canvas->viewport().rectOf(canvas->scene().memories[2].box);
    QVERIFY(hand.click(canvas, memory.center().toPoint()));
    QLineEdit* bandwidth =
        studio->hardwareForm()->field(QStringLiteral("drams"), QStringLiteral("bandwidth"));
    QVERIFY(hand.click(bandwidth));
    bandwidth->selectAll();
    hand.type("6");
    hand.key(Qt::Key_Return);
    QVERIFY(textOf(studio).contains(QStringLiteral("bandwidth = 6 B/cycle")));
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const double slow = studio.session()->runOf(0)->simulated.cycles;
    QVERIFY(slow > 1.5 * first);

    // Find the bottleneck: the longest step from the peak, and where it is on the mesh.
    PeakPanel* peak = studio->peakPanel();
    QTRY_VERIFY_WITH_TIMEOUT(peak->waterfall() != nullptr, StudioWindow::kPatience);
    const std::size_t loss = largestLoss(*peak);
    const QString key = peak->view()->rows().at(loss).key;
    QVERIFY2(key.contains(QStringLiteral("dram")), qPrintable(key));
    QVERIFY(hand.raise("peakDock"));
    peak->view()->repaint();
    QVERIFY(hand.click(peak->view(), peak->view()->rowBox(loss).center().toPoint()));
    QCOMPARE(studio->hub()->loss(), key);
    QCOMPARE(studio->meshPanel()->heat(), Heat::Lost);
    hand.key(Qt::Key_Escape);

    // Mend it: freeze A, and take the edit back.
    hand.key(Qt::Key_B, Qt::ControlModifier);
    QVERIFY(studio.session()->frozen().run);
    hand.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(textOf(studio), before);
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);

    // Compare: everything shows B against A.
    const auto& difference = studio.session()->difference();
    QTRY_VERIFY_WITH_TIMEOUT(difference && difference->cycles() < 0, StudioWindow::kPatience);
    QVERIFY(std::abs(difference->cycles() - (first - slow)) < 1);
    QVERIFY(studio->comparePanel()->resources()->rowCount() > 0);
    QVERIFY(hand.raise("rankedDock"));
    QTableView* table = studio->rankedPanel()->view();
    const QModelIndex second = table->model()->index(1, indexOf(RankedColumn::Predicted));
    QVERIFY(hand.click(table->viewport(), table->visualRect(second).center()));
    QCOMPARE(studio->hub()->candidate(), 1);
    hand.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!studio.session()->frozen().run);

    // Export: a figure in the clipboard.
    QGuiApplication::clipboard()->clear();
    hand.command("copy the mesh as svg");
    const QMimeData* copy = QGuiApplication::clipboard()->mimeData();
    QVERIFY(copy && copy->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    QCOMPARE(studio.session()->project(), *exampleProject());
  }

  void randomHandsDoNotBreakIt() {
    bool given = false;
    int count = qEnvironmentVariableIntValue("GRIDLOOM_CLICKS", &given);
    if (!given) count = 2000;
    StudioWindow studio(QSize(1400, 900));
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    for (QAction* each : studio->findChildren<QAction*>()) {
      if (each->text().contains(QStringLiteral("Quit"))) each->setEnabled(false);
    }
    // Dialogs and menus close soon after they open. A drag of text would wait for a real pointer.
    QTimer closer;
    connect(&closer, &QTimer::timeout, this, [] {
      if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
        dialog->reject();
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      QDrag::cancel();
    });
    closer.start(15);
    std::mt19937 random(2026);
    QElapsedTimer clock;
    qint64 longest = 0;
    int longestStep = 0;
    for (int step = 0; step < count; ++step) {
      clock.start();
      act(*studio, random);
      QCoreApplication::processEvents();
      if (clock.elapsed() > longest) {
        longest = clock.elapsed();
        longestStep = step;
      }
      QVERIFY(studio->isVisible());
    }
    qInfo("the longest of %d steps took %lld ms (step %d)", count, longest, longestStep);
    closer.stop();
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();

    // All is as new with a new project.
    studio->resetLayout();
    Project project = *exampleProject();
    project.top = 4;
    studio.session()->unfreeze();
    studio.session()->setProject(project);
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    QCOMPARE(studio.session()->exploration()->top.size(), std::size_t{4});
    QVERIFY(studio.session()->runOf(0));
    QCOMPARE(studio->meshPanel()->canvas()->scene().coreCount(), 64);
  }

 private:
  /// One thing that a hand does, anywhere in the window.
  static void act(MainWindow& window, std::mt19937& random) {
    const auto pick = [&](int from) { return static_cast<int>(random() % unsigned(from)); };
    const QPoint at(pick(window.width()), pick(window.height()));
    QWidget* hit = window.childAt(at);
    if (!hit) return;
    const QPoint local = hit->mapFrom(&window, at);
    switch (pick(14)) {
    case 12:
    case 13:
      return edit(window, random);
    case 0:
      QTest::mouseClick(hit, Qt::RightButton, {}, local);
      return;
    case 1: {
      const QPoint to = local + QPoint(pick(200) - 100, pick(200) - 100);
      QTest::mousePress(hit, Qt::LeftButton, {}, local);
      QTest::mouseMove(hit, (local + to) / 2);
      QTest::mouseMove(hit, to);
      QTest::mouseRelease(hit, Qt::LeftButton, {}, to);
      return;
    }
    case 2: {
      QWheelEvent wheel(local, hit->mapToGlobal(local), {}, {0, pick(2) ? 120 : -120}, Qt::NoButton,
                        Qt::NoModifier, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(hit, &wheel);
      return;
    }
    case 3:
    case 4:
      return press(random);
    case 5:
      QTest::mouseDClick(hit, Qt::LeftButton, {}, local);
      return;
    default:
      QTest::mouseClick(hit, Qt::LeftButton, pick(5) ? Qt::NoModifier : Qt::ControlModifier, local);
    }
  }

  /// Letters in a text that is seen, at any place of it; most of them leave it wrong, and some are
  /// taken back.
  static void edit(MainWindow& window, std::mt19937& random) {
    const auto pick = [&](int from) { return static_cast<int>(random() % unsigned(from)); };
    const QList<CodeEditor*> editors{window.kernelPanel()->editor(), window.hardwareEditor(),
                                     window.directivesPanel()->editor()};
    CodeEditor* editor = editors[pick(3)];
    if (editor->visibleRegion().isEmpty()) return;
    editor->setFocus();
    QTextCursor cursor = editor->textCursor();
    cursor.setPosition(pick(editor->document()->characterCount()));
    editor->setTextCursor(cursor);
    static constexpr char kLetters[] = "0123456789 ,()[]{}=*+-/\nijkABC%.x";
    for (int i = 1 + pick(4); i > 0; --i) {
      const char letter = kLetters[pick(sizeof kLetters - 1)];
      if (pick(4) == 0)
        QTest::keyClick(editor, Qt::Key_Backspace);
      else if (letter == '\n')
        QTest::keyClick(editor, Qt::Key_Return);
      else
        QTest::keyClick(editor, letter);
    }
    for (int i = pick(5); i > 0; --i) QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
  }

  static void press(std::mt19937& random) {
    const auto pick = [&](int from) { return static_cast<int>(random() % unsigned(from)); };
    QWidget* focus = QApplication::focusWidget();
    if (!focus) return;
    static constexpr Qt::Key kKeys[] = {
        Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up,    Qt::Key_Down, Qt::Key_Tab,  Qt::Key_Return,
        Qt::Key_Home, Qt::Key_Escape, Qt::Key_Space, Qt::Key_End,  Qt::Key_Plus, Qt::Key_Delete};
    static constexpr Qt::Key kShortcuts[] = {Qt::Key_Z, Qt::Key_B, Qt::Key_T, Qt::Key_K,
                                             Qt::Key_L, Qt::Key_0, Qt::Key_D, Qt::Key_F,
                                             Qt::Key_V, Qt::Key_A, Qt::Key_P, Qt::Key_Period};
    switch (pick(3)) {
    case 0:
      QTest::keyClick(focus, kKeys[pick(12)]);
      return;
    case 1:
      QTest::keyClick(focus, kShortcuts[pick(12)],
                      pick(4) ? Qt::ControlModifier : Qt::ControlModifier | Qt::ShiftModifier);
      return;
    default:
      QTest::keyClick(focus, static_cast<char>(' ' + pick(95)));
    }
  }
};

QObject* makeWalkTests() { return new WalkTests; }

#include "walk_tests.moc"
