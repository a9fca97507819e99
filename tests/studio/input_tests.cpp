// SPDX-License-Identifier: Apache-2.0

// Mistakes in the inputs, and work that is stopped.

#include <QAction>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTimer>
#include <QtTest>
#include <algorithm>

#include "bridge/session.h"
#include "charts/scatter_plot.h"
#include "editors/code_editor.h"
#include "models/explain_model.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "suites.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/number_box.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window_fixture.h"

using namespace gridloom;
using namespace gridloom::widgets;

class InputTests : public WindowFixture {
  Q_OBJECT

 private Q_SLOTS:
  void badTextIsFlaggedAtItsPlaceAndTheResultStays() {
    CodeEditor* editor = m_window->hardwareEditor();
    const auto before = m_window->session()->exploration();
    type(editor, QStringLiteral("df.spatial_dim"), QStringLiteral("df.spatial_dmi"));
    QTRY_VERIFY_WITH_TIMEOUT(!editor->waves().empty(), kPatience);
    const int place =
        static_cast<int>(editor->toPlainText().indexOf(QStringLiteral("df.spatial_dmi")));
    QVERIFY(std::any_of(
        editor->waves().begin(), editor->waves().end(), [&](const CodeEditor::Wave& wave) {
          return wave.begin <= place + 14 && wave.end >= place && !wave.message.isEmpty();
        }));
    QVERIFY(m_window->session()->stale());
    QCOMPARE(m_window->session()->exploration(), before);
    m_window->session()->undo();
    rest();
    QVERIFY(std::none_of(editor->waves().begin(), editor->waves().end(),
                         [](const auto& wave) { return wave.severity == base::Severity::Error; }));
    QCOMPARE(m_window->session()->exploration()->top[0].candidate.estimate.cycles,
             before->top[0].candidate.estimate.cycles);
  }

  void badKernelAndDirectivesAreFlagged() {
    CodeEditor* kernel = m_window->kernelPanel()->editor();
    type(kernel, QStringLiteral("A[i, k]"), QStringLiteral("Q[i, k]"));
    QTRY_VERIFY_WITH_TIMEOUT(!kernel->waves().empty(), kPatience);
    m_window->session()->undo();
    rest();
    CodeEditor* directives = m_window->directivesPanel()->editor();
    directives->replaceText(QStringLiteral("tile(i, 128)\nspace(zz->x)\n"));
    QTRY_VERIFY_WITH_TIMEOUT(!directives->waves().empty(), kPatience);
    QVERIFY(directives->waves().front().begin >= 13);
    directives->replaceText(QStringLiteral("tile(i, 128)\n"));
    rest();
    QVERIFY(directives->waves().empty());
    for (const auto& ranked : m_window->session()->exploration()->top)
      QCOMPARE(ranked.candidate.mapping.tileSize[0], 128);
  }

  void pinningLeavesOneMapping() {
    m_window->hub()->selectCandidate(1);
    const auto wanted = m_window->session()->exploration()->top[1].candidate.mapping;
    m_window->directivesPanel()->pinSelected();
    rest();
    QVERIFY(!m_window->session()->exploration()->top.empty());
    QVERIFY(m_window->session()->exploration()->top[0].candidate.mapping == wanted);
    m_window->directivesPanel()->clearAll();
    rest();
    QCOMPARE(m_window->session()->exploration()->top.size(), std::size_t{4});
  }

  void parametersChangeTheKernel() {
    NumberBox* box = m_window->kernelPanel()->parameter(QStringLiteral("M"));
    QVERIFY(box != nullptr);
    QCOMPARE(box->value(), 1024);
    const double before = m_window->session()->exploration()->top[0].candidate.estimate.flops;
    box->setValue(512);
    rest();
    QCOMPARE(m_window->session()->exploration()->top[0].candidate.estimate.flops, before / 2);
    QVERIFY(m_window->isWindowModified());
  }

  void aKernelThatFitsNowhereSaysWhy() {
    type(m_window->hardwareEditor(), QStringLiteral("1464 KiB"), QStringLiteral("256 B"));
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->stale(), kPatience);
    QVERIFY(m_window->session()->exploration()->top.empty());
    QCOMPARE(m_window->hub()->candidate(), -1);
    RejectionModel* model = m_window->spacePanel()->model();
    QVERIFY(model->rowCount() > 2);
    QVERIFY(model->data(model->index(2, RejectionModel::NearestMiss))
                .toString()
                .contains(QStringLiteral("too much")));
  }

  void cancelStopsAndKeepsTheWindowAlive() {
    m_window->session()->setTop(200);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->session()->busy(), kPatience);
    QElapsedTimer clock;
    clock.start();
    m_window->session()->cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy(), kPatience);
    qInfo("at rest %lld ms after the stop", static_cast<long long>(clock.elapsed()));
    QTest::qWait(100);
    QVERIFY(!m_window->session()->busy());
    m_window->session()->setTop(4);
    rest();
    QCOMPARE(m_window->session()->exploration()->top.size(), std::size_t{4});
  }

  void stopIsAnsweredAtOnce() {
    const auto actions = m_window->findChildren<QAction*>();
    const auto stop = std::ranges::find_if(
        actions, [](const QAction* each) { return each->text() == QStringLiteral("&Stop"); });
    QVERIFY(stop != actions.end());
    m_window->session()->setTop(300);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->session()->stopping() || (*stop)->isEnabled(), kPatience);
    (*stop)->trigger();
    QVERIFY(!(*stop)->isEnabled());
    if (m_window->session()->busy())
      QCOMPARE(m_window->session()->activity(), QStringLiteral("Stopping"));
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy(), kPatience);
    QVERIFY(!(*stop)->isEnabled());
    // The next edit may be stopped again.
    const QSignalSpy enabled(*stop, &QAction::enabledChanged);
    m_window->session()->setTop(4);
    rest();
    QVERIFY(!enabled.empty());
    QCOMPARE(enabled.front().front().toBool(), true);
    QVERIFY(!(*stop)->isEnabled());
    QCOMPARE(m_window->session()->exploration()->top.size(), std::size_t{4});
  }

  void typingIsNeverBlocked() {
    // A heartbeat on the thread of the window while the engine works.
    m_window->session()->setTop(60);
    QElapsedTimer clock;
    qint64 longest = 0;
    qint64 last = 0;
    clock.start();
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&] {
      const qint64 now = clock.elapsed();
      longest = std::max(longest, now - last);
      last = now;
    });
    beat.start(5);
    CodeEditor* editor = m_window->kernelPanel()->editor();
    for (int i = 0; i < 20; ++i) QTest::keyClicks(editor, QStringLiteral(" "));
    rest();
    qInfo("longest gap between heartbeats: %lld ms", static_cast<long long>(longest));
    QCOMPARE(m_window->session()->exploration()->top.size(), std::size_t{60});
  }
};

QObject* makeInputTests() { return new InputTests; }

#include "input_tests.moc"
