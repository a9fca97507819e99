// SPDX-License-Identifier: Apache-2.0

// What keys do in the texts: paste, wrap, leave, drop.

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QFile>
#include <QMimeData>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>
#include <QUrl>

#include "editors/code_editor.h"
#include "models/mapping_choices.h"
#include "models/project_history.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "window/choice_menu.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/number_box.h"
#include "window/ranked_panel.h"
#include "window/welcome_page.h"

using namespace gridloom;
using namespace gridloom::widgets;

class EditingTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // A file of MLIR that is dropped becomes the kernel; values that it needs are fields, and what
  // its parser says is a problem.
  void aDroppedFileOfMlirBecomesTheKernel() {
    if (GRIDLOOM_READS_MLIR == 0) QSKIP("built without MLIR");
    StudioWindow studio;
    STUDIO_RESTS(studio);
    QTemporaryDir folder;
    const auto drop = [&](const QString& name, const QByteArray& text) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
      file.close();
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(file.fileName())});
      QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&*studio, &enter);
      QVERIFY(enter.isAccepted());
      QDropEvent dropped({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&*studio, &dropped);
    };
    studio->showWelcome();
    drop(QStringLiteral("rows.mlir"),
         "func.func @rows(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {\n"
         "  %y = arith.addf %x, %x : tensor<?x64xf32>\n  return %y : tensor<?x64xf32>\n}\n");
    STUDIO_RESTS(studio);
    QVERIFY(studio->welcomePage()->isHidden());
    NumberBox* const rows = studio->kernelPanel()->parameter(QStringLiteral("x_0"));
    QVERIFY(rows);
    QCOMPARE(rows->value(), 128);
    QCOMPARE(studio->session()->problems().size(), 1U);  // the value is assumed
    rows->setValue(256);
    STUDIO_RESTS(studio);
    QVERIFY(studio->session()->problems().empty());
    QCOMPARE(studio->session()->kernel()->kernel.tensors.front().shape.front(), 256);
    drop(QStringLiteral("deep.mlir"), "module {" + QByteArray(4000, '('));
    QTRY_VERIFY_WITH_TIMEOUT(!studio->session()->problems().empty(), StudioWindow::kPatience);
  }

  void aMenuKeepsAndExcludesChoices() {
    StudioWindow studio;
    STUDIO_RESTS(studio);
    CodeEditor* editor = studio->directivesPanel()->editor();
    const auto choose = [&](const char* part, const QString& title) {
      studio->rankedPanel()->showChoices();
      auto* menu = studio->rankedPanel()->findChild<ChoiceMenu*>(QStringLiteral("choices"));
      QList<QAction*> actions = menu->actions();
      for (QAction* each : menu->actions()) {
        if (each->menu() && each->text() == QLatin1String(part)) actions = each->menu()->actions();
      }
      QString chosen;
      for (QAction* each : actions) {
        if (!chosen.isEmpty() || !each->text().startsWith(title)) continue;
        chosen = each->text().section(QStringLiteral(":  "), 1);
        each->trigger();
      }
      delete menu;
      return chosen;
    };
    const QString tile = choose("Tiles", QStringLiteral("Keep this"));
    QVERIFY2(tile.startsWith(QStringLiteral("tile(")), qPrintable(tile));
    QCOMPARE(editor->toPlainText(), tile + QLatin1Char('\n'));
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->problems().empty());
    const QString space = choose("Space", QStringLiteral("Not this"));
    QCOMPARE(editor->toPlainText(), QStringLiteral("%1\nnot %2\n").arg(tile, space));
    QCOMPARE(editor->textCursor().block().text(), QStringLiteral("not ") + space);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->problems().empty());
    const auto& top = studio.session()->exploration()->top;
    for (int i = 0; i < static_cast<int>(top.size()); ++i) {
      for (const MappingChoice& each : choicesOf(*studio.session()->exploration(), i))
        QVERIFY(each.directive != space);
    }
    studio.session()->undo();
    QCOMPARE(editor->toPlainText(), tile + QLatin1Char('\n'));
    studio.session()->undo();
    QCOMPARE(editor->toPlainText(), QString());
    STUDIO_RESTS(studio);
    choose("", QStringLiteral("&Keep this mapping"));
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration()->top.size(), std::size_t{1});
    QVERIFY(studio.session()->problems().empty());
    studio.session()->undo();
    QCOMPARE(editor->toPlainText(), QString());
    STUDIO_RESTS(studio);
  }

  /// The menu of a row is that of its own mapping.
  void aRightClickOpensTheMenuOfItsRow() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    RankedPanel* panel = studio->rankedPanel();
    QWidget* viewport = panel->view()->viewport();
    const int last = panel->model()->rowCount() - 1;
    QVERIFY(last > 0);
    for (const int row : {last, 0}) {
      const QPoint at = panel->view()->visualRect(panel->model()->index(row, 1)).center();
      QTest::mouseClick(viewport, Qt::RightButton, {}, at);
      QContextMenuEvent asked(QContextMenuEvent::Mouse, at, viewport->mapToGlobal(at));
      QCoreApplication::sendEvent(viewport, &asked);
      auto* menu = panel->findChild<ChoiceMenu*>(QStringLiteral("choices"));
      QVERIFY(menu && menu->isVisible());
      const int candidate = panel->model()->candidateAt(row);
      QCOMPARE(studio->hub()->candidate(), candidate);
      QStringList offered, wanted;
      for (const QAction* each : menu->actions()) {
        if (!each->menu()) continue;
        for (const QAction* choice : each->menu()->actions())
          if (choice->text().startsWith(QStringLiteral("Not this")))
            offered << choice->text().section(QStringLiteral(":  "), 1);
      }
      for (const MappingChoice& each : choicesOf(*studio.session()->exploration(), candidate))
        wanted << each.directive;
      QVERIFY(!offered.isEmpty());
      for (const QString& each : offered) QVERIFY2(wanted.contains(each), qPrintable(each));
      delete menu;
    }
  }

  void keptChoicesReplaceWhatContradictsThem() {
    const QString old =
        QStringLiteral("tile(k, 64)\nspace(i->x)\nnot multicast(A, y)\nstream(A, x)\ndouble(A)\n");
    QCOMPARE(withKept(old, {QStringLiteral("multicast(A, y)"), QStringLiteral("tile(k, 128)")}),
             QStringLiteral("space(i->x)\ndouble(A)\nmulticast(A, y)\ntile(k, 128)\n"));
    QCOMPARE(withKept(old, {QStringLiteral("space(j->x)")}),
             QStringLiteral("tile(k, 64)\nnot multicast(A, y)\nstream(A, x)\ndouble(A)\n"
                            "space(j->x)\n"));
    QCOMPARE(withKept(old, {QStringLiteral("double(A)")}), old);
    QCOMPARE(withKept(QStringLiteral("# mine"), {QStringLiteral("single(B)")}),
             QStringLiteral("# mine\nsingle(B)\n"));
    QCOMPARE(withExcluded(old, QStringLiteral("double(A)")),
             QStringLiteral("tile(k, 64)\nspace(i->x)\nnot multicast(A, y)\nstream(A, x)\n"
                            "not double(A)\n"));
    const QString twice = withExcluded(withExcluded(old, QStringLiteral("order(i, j)")),
                                       QStringLiteral("order(i, j)"));
    QCOMPARE(twice.count(QStringLiteral("order")), 1);
  }

  void pastingAnEmptyClipboardDoesNothing() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    // What an X server without any selection hands out: there, and without a format.
    QGuiApplication::clipboard()->setMimeData(new QMimeData);
    for (CodeEditor* editor : editorsOf(studio)) {
      const QString before = editor->toPlainText();
      editor->paste();
      QVERIFY(!editor->canPaste());
      QCOMPARE(editor->toPlainText(), before);
    }
    for (QLineEdit* line : studio->findChildren<QLineEdit*>()) {
      const QString before = line->text();
      line->paste();
      QCOMPARE(line->text(), before);
    }
    QGuiApplication::clipboard()->setText(QStringLiteral("// one\r\n// two\n"));
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->moveCursor(QTextCursor::Start);
    kernel->paste();
    QVERIFY(kernel->toPlainText().startsWith(QStringLiteral("// one\n// two\n")));
  }

  /// Nobody is caught in a text without a mouse: Shift+Tab leaves it, and Tab after Escape.
  void keysLeaveAText() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    CodeEditor* kernel = studio->kernelPanel()->editor();
    const QString before = kernel->toPlainText();
    kernel->setFocus();
    QTest::keyClick(kernel, Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(!kernel->hasFocus());
    kernel->setFocus();
    QTest::keyClick(kernel, Qt::Key_Escape);
    QTest::keyClick(kernel, Qt::Key_Tab);
    QVERIFY(!kernel->hasFocus());
    QCOMPARE(kernel->toPlainText(), before);
    kernel->setFocus();
    QTest::keyClick(kernel, Qt::Key_Tab);
    QVERIFY(kernel->hasFocus());
    QVERIFY(kernel->toPlainText() != before);
  }

  void aLongLineWrapsAndNothingScrollsSideways() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->setFocus();
    kernel->moveCursor(QTextCursor::Start);
    QTest::keyClicks(kernel, QStringLiteral("// ") + QString(200, QLatin1Char('x')));
    QCOMPARE(kernel->horizontalScrollBar()->maximum(), 0);
    QVERIFY(kernel->document()->firstBlock().layout()->lineCount() > 1);
  }
};

QObject* makeEditingTests() { return new EditingTests; }

#include "editing_tests.moc"
