// SPDX-License-Identifier: Apache-2.0

// Undo of texts, presets and numbers, and the shortcuts in fields.

#include <QAction>
#include <QSignalSpy>
#include <QStatusBar>

#include "editors/code_editor.h"
#include "editors/language_highlighter.h"
#include "models/project_history.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/number_box.h"
#include "window/ranked_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

class UndoTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
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

QObject* makeUndoTests() { return new UndoTests; }

#include "undo_tests.moc"
