// SPDX-License-Identifier: Apache-2.0

// Results of earlier inputs.

#include <QLabel>
#include <QTableView>
#include <algorithm>

#include "canvas/mesh_canvas.h"
#include "editors/code_editor.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/report_table_model.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/tokens.h"
#include "charts/chart_view.h"
#include "window/charts_panel.h"
#include "window/compare_panel.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/stale_notice.h"

using namespace gridloom;
using namespace gridloom::widgets;

class StaleTests : public QObject {
  Q_OBJECT

 private:
  /// Letters of a widget in the ink of what is true now.
  static bool hasFullInk(QWidget* widget) {
    const QImage image = widget->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QRgb ink = tokensFor(widget->palette()).text.rgb();
    for (int y = 0; y < image.height(); ++y) {
      const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
      if (std::find(line, line + image.width(), ink) != line + image.width()) return true;
    }
    return false;
  }
  static QString noticeOf(QWidget* panel) {
    const auto* notice = panel->findChild<StaleNotice*>();
    return notice && !notice->isHidden() ? notice->line() : QString();
  }

 private Q_SLOTS:
  void aMachineThatCannotBeSearchedLeavesNothingThatLooksNew() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->explainedCandidate() == 0, StudioWindow::kPatience);
    QVERIFY(studio->meshPanel()->figures()->isEnabled());
    const QList<QWidget*> views{studio->rankedPanel()->view()->viewport(),
                                studio->explainPanel()->findChild<QTableView*>()->viewport()};
    for (QWidget* view : views) QVERIFY(hasFullInk(view));
    studio.chooseHardware("systolic_mesh_32x32");
    STUDIO_IDLE(studio);
    QVERIFY(studio.session()->stale());
    const QString reason = studio.session()->staleReason();
    QVERIFY2(reason.contains(QStringLiteral("KiB")), qPrintable(reason));
    // The machine is drawn, and the figures of another one are gone.
    const MeshCanvas* canvas = studio->meshPanel()->canvas();
    QCOMPARE(canvas->scene().hardware, QStringLiteral("systolic_mesh_32x32"));
    QVERIFY(canvas->scene().flows.empty());
    QVERIFY(!canvas->isStale());
    for (std::size_t i = 0; i < 5; ++i)
      QCOMPARE(studio->meshPanel()->figures()->value(i), QStringLiteral("–"));
    // The rest is grey, and says why.
    QVERIFY(!studio->rankedPanel()->view()->isEnabled());
    for (QWidget* view : views) QVERIFY(!hasFullInk(view));
    for (QWidget* panel : {static_cast<QWidget*>(studio->rankedPanel()),
                           static_cast<QWidget*>(studio->explainPanel()),
                           static_cast<QWidget*>(studio->spacePanel()),
                           static_cast<QWidget*>(studio->chartsPanel())}) {
      QVERIFY2(noticeOf(panel).contains(reason), panel->metaObject()->className());
    }
    QVERIFY(studio->chartsPanel()->findChild<ChartView*>()->isStale());
    studio.session()->undo();
    STUDIO_RESTS(studio);
    QVERIFY(noticeOf(studio->rankedPanel()).isEmpty());
    QVERIFY(studio->meshPanel()->figures()->isEnabled());
    QVERIFY(!studio->chartsPanel()->findChild<ChartView*>()->isStale());
  }

  void aMistakeGreysTheFiguresAndKeepsThem() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString predicted = studio->meshPanel()->figures()->value(1);
    CodeEditor* kernel = studio->kernelPanel()->editor();
    kernel->replaceText(
        kernel->toPlainText().replace(QStringLiteral("A[i"), QStringLiteral("Q[i")));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.session()->staleReason().isEmpty(), StudioWindow::kPatience);
    QVERIFY(!studio->meshPanel()->figures()->isEnabled());
    QVERIFY(studio->meshPanel()->canvas()->isStale());
    QCOMPARE(studio->meshPanel()->figures()->value(1), predicted);
    for (const QLabel* label : studio->peakPanel()->findChildren<QLabel*>())
      QVERIFY(!label->text().contains(QStringLiteral("sums to")) || !label->isEnabled());
  }

  void hardwareIsDrawnBeforeItsSearch() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QString drawn;
    connect(studio.session(), &Session::inputsChanged, this,
            [&] { drawn = studio->meshPanel()->canvas()->scene().hardware; });
    studio.chooseHardware("wormhole_1x8");
    QTRY_VERIFY_WITH_TIMEOUT(!drawn.isEmpty(), StudioWindow::kPatience);
    QCOMPARE(drawn, QStringLiteral("wormhole_1x8"));
    STUDIO_RESTS(studio);
  }

  void hardwareIsDrawnBesideAKernelWithMistakes() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setKernelText(QStringLiteral("kernel nothing"));
    studio.chooseHardware("wormhole_1x8");
    STUDIO_IDLE(studio);
    const MeshCanvas* canvas = studio->meshPanel()->canvas();
    QTRY_COMPARE_WITH_TIMEOUT(canvas->scene().coreCount(), 8, StudioWindow::kPatience);
    QVERIFY(!canvas->isStale());
    // Of a text with mistakes the last machine stays, in grey.
    studio.session()->setHardwareText(QStringLiteral("nothing"));
    QTRY_VERIFY_WITH_TIMEOUT(canvas->isStale(), StudioWindow::kPatience);
    QCOMPARE(canvas->scene().coreCount(), 8);
  }

  void anotherProjectStartsWithoutResults() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    Project broken = studio.session()->project();
    broken.hardwareText = QStringLiteral("nothing");
    studio.session()->setProject(broken);
    QVERIFY(!studio.session()->exploration());
    STUDIO_IDLE(studio);
    QVERIFY(studio->meshPanel()->canvas()->scene().empty());
    QCOMPARE(studio->rankedPanel()->model()->rowCount(), 0);
    QVERIFY(!studio.session()->problems().empty());
  }
};

QObject* makeStaleTests() { return new StaleTests; }

#include "stale_tests.moc"
