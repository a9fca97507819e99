// SPDX-License-Identifier: Apache-2.0

// What keys do in the texts and fields: paste, undo, numbers, shortcuts.

#include <QAction>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QEventLoop>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>
#include <QTimer>
#include <QUrl>

#include "editors/code_editor.h"
#include "editors/language_highlighter.h"
#include "models/examples.h"
#include "models/mapping_choices.h"
#include "models/project_history.h"
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

 private:
  static QList<CodeEditor*> editorsOf(const StudioWindow& studio) {
    return {studio->hardwareEditor(), studio->kernelPanel()->editor(),
            studio->directivesPanel()->editor()};
  }
  static void press(QWidget* field, const char* keys) {
    field->setFocus();
    QTest::keySequence(field, QKeySequence(QLatin1String(keys)));
  }

 private Q_SLOTS:
  /// An edit of another text does not open the hardware again: that of a wafer takes long.
  void theHardwareIsOpenedOnce() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto hardware = studio.session()->hardware();
    studio.session()->setParameter(QStringLiteral("K"), 512);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->exploration()->kernel == studio.session()->kernel());
    QVERIFY(studio.session()->hardware() == hardware);
    const QString text = studio.session()->project().hardwareText;
    studio.session()->setHardwareText(
        QString(text).replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 4")));
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->hardware()->topology.coreCount(), std::int64_t{32});
    // After errors it is that of the text again.
    studio.session()->setHardwareText(text + QStringLiteral("%nothing"));
    QTRY_VERIFY(!studio.session()->hardwareIsCurrent());
    studio.session()->setHardwareText(text);
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->hardware()->topology.coreCount(), std::int64_t{64});
  }

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

  /// The prediction of the next edit comes first: the simulation of a wafer waits for a pause.
  void aWaferIsSimulatedAfterAPause() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto wafer = std::ranges::find(examples(), false, &Example::isQuick);
    studio.session()->setProject(*projectOf(*wafer));
    QEventLoop shown;
    connect(studio.session(), &Session::explorationChanged, &shown, [&] {
      if (studio.session()->exploration() && !studio.session()->stale()) shown.quit();
    });
    QTimer::singleShot(StudioWindow::kPatience, &shown, &QEventLoop::quit);
    shown.exec();
    QVERIFY(!studio.session()->stale() && !studio.session()->runOf(0));
    QVERIFY(studio.session()->busy());
    QVERIFY(studio.session()->activity().startsWith(QStringLiteral("Simulating")));
    QTest::qWait(400);
    QVERIFY2(studio.session()->busy(), "the simulation has begun");
    studio.session()->cancel();
    QVERIFY(!studio.session()->busy());
    QTest::qWait(400);
    QVERIFY2(!studio.session()->busy(), "a stop holds");
  }

  /// The mappings that were shown, for the new inputs, before others are found; not greyed, but
  /// marked.
  void anEditIsAnsweredByTheShownMappingsFirst() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const Session* session = studio.session();
    const service::ExplorationRef before = session->exploration();
    const auto strip = studio->findChild<FigureStrip*>();
    struct Shown {
      service::ExplorationRef exploration;
      bool provisional, enabled;
      QString note;
    };
    std::vector<Shown> shown;
    connect(session, &Session::explorationChanged, this, [&] {
      shown.push_back(
          {session->exploration(), session->provisional(), strip->isEnabled(), strip->note(1)});
    });
    studio.session()->setParameter(QStringLiteral("K"), 2048);
    STUDIO_RESTS(studio);
    QCOMPARE(shown.size(), std::size_t{2});
    QVERIFY(shown[0].provisional && shown[0].enabled && !shown[1].provisional);
    QCOMPARE(shown[0].note, QStringLiteral("best so far"));
    QVERIFY(shown[0].exploration->kernel != before->kernel);
    const mapping::Mapping known = service::mappingAt(*shown[0].exploration, 0);
    QVERIFY(std::ranges::any_of(
        before->top, [&](const ranking::Ranked& each) { return each.candidate.mapping == known; }));
  }

  void aCommentSearchesAndSimulatesNothing() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const service::ExplorationRef before = studio.session()->exploration();
    const service::SimulationRunRef run = studio.session()->runOf(1);
    QVERIFY(run);
    QSignalSpy explored(studio.session(), &Session::explorationChanged);
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(QStringLiteral("// another comment\n\n") + kernel->toPlainText());
    QVERIFY(studio.session()->stale());
    STUDIO_RESTS(studio);
    CodeEditor* hardware = studio->hardwareEditor();
    hardware->replaceText(hardware->toPlainText() + QStringLiteral("\n\n// the end\n"));
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration(), before);
    QCOMPARE(studio.session()->runOf(1), run);
    QCOMPARE(explored.count(), 0);
  }

  void theResultOfAnEarlierTextComesBackWithIt() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const service::ExplorationRef before = studio.session()->exploration();
    CodeEditor* kernel = studio->kernelPanel()->editor();
    const QString text = kernel->toPlainText();
    kernel->replaceText(text + QStringLiteral(" %"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->problems().empty(), StudioWindow::kPatience);
    QCOMPARE(studio.session()->exploration(), before);
    QVERIFY(studio.session()->stale());
    kernel->replaceText(text);
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration(), before);
    studio.session()->setParameter(QStringLiteral("M"), 512);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->exploration() != before);
    studio.session()->undo();
    STUDIO_RESTS(studio);
    QCOMPARE(studio.session()->exploration(), before);
    QVERIFY(studio.session()->runOf(0));
  }

  void aKernelInMlirIsRead() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    const service::ExplorationRef before = studio.session()->exploration();
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(
        QStringLiteral("func.func @product(%A: memref<32x64xf32>, %B: memref<64x16xf32>, %C: "
                       "memref<32x16xf32>) {\n"
                       "  linalg.matmul ins(%A, %B : memref<32x64xf32>, memref<64x16xf32>)\n"
                       "      outs(%C : memref<32x16xf32>)\n  return\n}\n"));
    STUDIO_RESTS(studio);
    const auto now = studio.session()->exploration();
    QVERIFY(now && now != before);
    QVERIFY(now->kernel->kernel.name == "product");
    // What is not imported is said at its place.
    kernel->replaceText(QStringLiteral("func.func @f(%x: vector<4xf32>) {\n  return\n}\n"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->problems().empty(), StudioWindow::kPatience);
  }

  void aKernelWithoutAMappingShowsItsLoops() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(
        QStringLiteral("kernel unmapped(P = 64) {\n  tensor A[P]: f32\n  tensor B[P]: f32\n"
                       "  B[i] = sum(j) A[j] where 2 * j <= i\n}\n"));
    const auto* facts = studio->kernelPanel()->facts();
    QTRY_VERIFY_WITH_TIMEOUT(
        facts->text().contains(QStringLiteral("<b>i</b></td><td align='right'")),
        StudioWindow::kPatience);
    QVERIFY2(facts->text().contains(QStringLiteral("must move")), qPrintable(facts->text()));
    QVERIFY2(facts->text().contains(QStringLiteral("Bound by")), qPrintable(facts->text()));
  }

  void loadingIsNoEdit() {
    const StudioWindow studio;
    studio->openFirst();
    STUDIO_RESTS(studio);
    const QString kernel = studio->kernelPanel()->editor()->toPlainText();
    QVERIFY(kernel.contains(QStringLiteral("gemm")));
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    for (CodeEditor* editor : editorsOf(studio)) press(editor, "Ctrl+Z");
    QCOMPARE(studio->kernelPanel()->editor()->toPlainText(), kernel);
    QCOMPARE(studio.session()->project().kernelText, kernel);
    QVERIFY(!studio->hardwareEditor()->toPlainText().isEmpty());
    QVERIFY(!studio->isWindowModified());
  }

  void lineEndsOfAFileAreNoEdit() {
    const StudioWindow studio;
    Project foreign = studio.session()->project();
    foreign.kernelText.replace(QLatin1Char('\n'), QLatin1String("\r\n"));
    QVERIFY(saveProject(foreign, studio.path("foreign.gridloom")).ok());
    QVERIFY(studio->openProject(studio.path("foreign.gridloom")));
    STUDIO_RESTS(studio);
    QVERIFY(!studio->isWindowModified());
    QVERIFY(!studio.session()->history().canUndo());
  }

  void presetsAndParametersAreUndoneLikeText() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->moveCursor(QTextCursor::Start);
    std::vector<Project> states{studio.session()->project()};
    const auto edited = [&] { states.push_back(studio.session()->project()); };
    kernel->setFocus();
    QTest::keyClicks(kernel, QStringLiteral("//"));
    edited();
    studio->kernelPanel()->parameter(QStringLiteral("M"))->setValue(512);
    edited();
    studio.chooseHardware("wormhole_1x8");
    edited();
    studio->topBox()->setValue(3);
    edited();
    studio.chooseKernel("softmax");
    edited();
    studio->directivesPanel()->editor()->replaceText(QStringLiteral("tile(i, 32)\n"));
    edited();
    for (std::size_t i = states.size() - 1; i > 0; --i) {
      QVERIFY2(!(states[i] == states[i - 1]), "every edit counts");
      press(kernel, "Ctrl+Z");
      QVERIFY2(studio.session()->project() == states[i - 1], qPrintable(QString::number(i)));
    }
    QVERIFY(!studio.session()->history().canUndo());
    for (std::size_t i = 1; i < states.size(); ++i) {
      press(kernel, "Ctrl+Shift+Z");
      QVERIFY2(studio.session()->project() == states[i], qPrintable(QString::number(i)));
    }
    while (studio.session()->history().canUndo()) studio.session()->undo();
    STUDIO_RESTS(studio);
    QCOMPARE(kernel->toPlainText(), states.front().kernelText);
    QCOMPARE(studio->topBox()->value(), 4);
    QCOMPARE(studio->kernelPanel()->parameter(QStringLiteral("M"))->value(), 1024);
  }

  void undoneEditsLeaveTheProjectUnmodified() {
    const StudioWindow studio;
    studio->openFirst();
    studio.session()->setTop(5);
    QVERIFY(studio->isWindowModified());
    studio.session()->undo();
    QVERIFY(!studio->isWindowModified());
  }

  void lettersOfAWordAreOneStep() {
    Project project;
    ProjectHistory history;
    history.start(project);
    for (const QChar letter : QStringLiteral("ab cd")) {
      project.kernelText += letter;
      history.record(project, ProjectHistory::Part::KernelText, QStringLiteral("typing"));
    }
    project.kernelText.chop(1);
    history.record(project, ProjectHistory::Part::KernelText, QStringLiteral("typing"));
    project.kernelText.chop(1);
    history.record(project, ProjectHistory::Part::KernelText, QStringLiteral("typing"));
    QCOMPARE(history.undo().kernelText, QStringLiteral("ab cd"));
    QCOMPARE(history.undo().kernelText, QStringLiteral("ab "));
    QCOMPARE(history.redo().kernelText, QStringLiteral("ab cd"));
    QCOMPARE(history.undo().kernelText, QStringLiteral("ab "));
    QCOMPARE(history.undo().kernelText, QString());
    QVERIFY(!history.canUndo());
  }

  void undoShowsWhereTheTextChanged() {
    CodeEditor editor(Language::Kernel);
    const QString before = QStringLiteral("line\n").repeated(50);
    editor.replaceText(before);
    QCOMPARE(editor.textCursor().position(), 0);
    QString after = before;
    after.insert(200, QStringLiteral("new"));
    editor.replaceText(after);
    QCOMPARE(editor.toPlainText(), after);
    QCOMPARE(editor.textCursor().position(), 203);
  }

  void aFieldTakesBackItsTypingFirst() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    NumberBox* box = studio->kernelPanel()->parameter(QStringLiteral("M"));
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("512"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(studio.session()->project().parameters.at(QStringLiteral("M")), 512);
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("77"));
    press(box, "Ctrl+Z");
    QCOMPARE(box->text(), QStringLiteral("512"));
    QCOMPARE(studio.session()->project().parameters.at(QStringLiteral("M")), 512);
    press(box, "Ctrl+Z");
    QCOMPARE(studio.session()->project().parameters.at(QStringLiteral("M")), 1024);
    QTRY_COMPARE_WITH_TIMEOUT(box->value(), 1024, StudioWindow::kPatience);
  }

  void aNumberOutOfRangeSaysWhatItBecame() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setSimulate(false);
    NumberBox* box = studio->topBox();
    QSignalSpy corrected(box, &NumberBox::corrected);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("2000000"));
    QCOMPARE(box->text(), QStringLiteral("2000000"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(box->value(), 1000000);
    QCOMPARE(studio.session()->project().top, 1000000);
    QVERIFY(corrected.count() > 0);
    QVERIFY(
        studio->statusBar()->currentMessage().contains(QStringLiteral("2000000 became 1000000")));
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("0"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(box->value(), 1);
  }

  void shortcutsOfTheMenuWorkInTextFields() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    QLineEdit* filter = studio->rankedPanel()->filter();
    filter->setText(QStringLiteral("i->x"));
    filter->setCursorPosition(0);
    const QList<QWidget*> fields{filter, studio->kernelPanel()->editor(), studio->topBox()};
    int pressed = 0;
    for (QAction* action : studio->findChildren<QAction*>()) {
      if (action->shortcut().isEmpty() || !action->isEnabled()) continue;
      if (action->text().contains(QStringLiteral("do"))) continue;  // undo and redo: tested above
      QObject::disconnect(action, &QAction::triggered, nullptr, nullptr);
      for (QWidget* field : fields) {
        QSignalSpy triggered(action, &QAction::triggered);
        field->setFocus();
        QTest::keySequence(field, action->shortcut());
        QVERIFY2(triggered.count() == 1,
                 qPrintable(action->text() + QLatin1Char(' ') + field->accessibleName()));
        ++pressed;
      }
    }
    QVERIFY(pressed > 30);
    QCOMPARE(filter->text(), QStringLiteral("i->x"));
    QCOMPARE(filter->cursorPosition(), 0);
  }
};

QObject* makeEditingTests() { return new EditingTests; }

#include "editing_tests.moc"
