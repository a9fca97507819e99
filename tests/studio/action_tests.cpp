// SPDX-License-Identifier: Apache-2.0

// What counts as one action of the record that a script repeats.

#include <QDir>
#include <QFile>
#include <algorithm>

#include "models/action_record.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"

using namespace gridloom;
using namespace gridloom::widgets;

class ActionTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// Letters of a word are one action, and the rankings between them are no actions.
  void aTypedWordIsOneAction() {
    const StudioWindow studio;
    Session* session = studio.session();
    STUDIO_RESTS(studio);
    const auto& actions = session->actions().actions();
    const std::size_t before = actions.size();
    const QString text = session->project().kernelText;
    for (const char* end : {"//a", "//ab", "//abc", "//abcd"}) {
      session->setKernelText(text + QLatin1String(end));
      STUDIO_RESTS(studio);
    }
    // What is pasted, and the letters after it.
    const auto edits = std::count_if(actions.begin(), actions.end(), [](const Action& each) {
      return each.title == QLatin1String("edit of the kernel");
    });
    QVERIFY2(edits == 2, qPrintable(QString::number(edits)));
    QCOMPARE(actions.size(), before + 2);
    session->setKernelText(QStringLiteral("kernel"));
    QTRY_VERIFY_WITH_TIMEOUT(!session->staleReason().isEmpty(), StudioWindow::kPatience);
    QCOMPARE(actions.back().kind, Action::Kind::Edit);
    session->setProject(*exampleProject());
    QCOMPARE(actions.size(), std::size_t{1});

    ActionRecord record;
    record.start({});
    for (const bool continues : {false, true, true}) {
      record.edit({}, QStringLiteral("word"), continues);
      record.add({Action::Kind::Explore, {}, {}, {}, {}});
    }
    QCOMPARE(record.actions().size(), std::size_t{3});
    record.add({Action::Kind::Freeze, {}, {}, {}, {}});
    record.edit({}, QStringLiteral("word"), true);
    QCOMPARE(record.actions().size(), std::size_t{5});
  }

  /// A letter after an undo is an action of its own, which leaves the undo in the record.
  void anUndoEndsATypedWord() {
    const StudioWindow studio;
    Session* session = studio.session();
    STUDIO_RESTS(studio);
    const QString text = session->project().kernelText;
    for (const char* end : {"/", "//", "//a", "//a pasted"})
      session->setKernelText(text + QLatin1String(end));
    session->undo();
    session->setKernelText(text + QStringLiteral("//ab"));
    QStringList titles;
    for (const Action& each : session->actions().actions()) titles << each.title;
    const QString edit = QStringLiteral("edit of the kernel");
    QCOMPARE(titles.mid(titles.size() - 4),
             QStringList({edit, edit, QStringLiteral("undo ") + edit, edit}));
    session->undo();
    QCOMPARE(session->project().kernelText, text + QStringLiteral("//a"));
  }

  void theOldestActionsAreForgotten() {
    ActionRecord record;
    Project project = *exampleProject();
    record.start(project);
    for (int i = 1; i <= 2100; ++i) {
      project.top = i;
      record.edit(project, QStringLiteral("best\n%1").arg(i), false);
    }
    QCOMPARE(record.actions().size(), std::size_t{2000});
    QCOMPARE(record.forgotten(), 101);
    const QByteArray script = scriptOf(record, {project, {}, 0, {}});
    QVERIFY(script.contains("# The first 101 actions are left out"));
    QVERIFY(script.contains("# 102. best 101\n"));
  }

  /// Most letters: 32 Mi. A text that the next action shares does not go with the oldest one.
  void forgettingCountsSharedTextsOnce() {
    constexpr qsizetype kMi = 1 << 20;
    ActionRecord record;
    Project project;
    project.hardwareText = QString(20 * kMi, QLatin1Char('h'));
    record.start(project);
    for (const int size : {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8}) {
      project.kernelText = QString(size * kMi, QLatin1Char('k'));
      record.edit(project, {}, false);
    }
    QCOMPARE(record.actions().size(), std::size_t{5});
    QCOMPARE(record.forgotten(), 7);
  }
};

QObject* makeActionTests() { return new ActionTests; }

#include "action_tests.moc"
