// SPDX-License-Identifier: Apache-2.0

// A comparison of two runs in every view.

#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_difference.h"
#include "charts/scatter_plot.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/report_table_model.h"
#include "models/selection_hub.h"
#include "report/run_difference.h"
#include "studio_window.h"
#include "suites.h"
#include "window/compare_panel.h"
#include "window/figure_strip.h"
#include "window/fitted_table.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/waterfall_view.h"

using namespace gridloom;
using namespace gridloom::widgets;

class ComparisonTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// The empty panel says what to do, and does it.
  void theEmptyPanelFreezes() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    auto* panel = studio->findChild<ComparePanel*>();
    for (QDockWidget* dock : studio->findChildren<QDockWidget*>())
      if (dock->widget() == panel) dock->raise();
    QVERIFY(panel->findChild<QTabWidget*>()->isHidden());
    for (QPushButton* button : panel->findChildren<QPushButton*>())
      if (button->text().startsWith(QStringLiteral("Freeze as A"))) button->click();
    QVERIFY(studio.session()->frozen().run);
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY(panel->findChild<QTabWidget*>()->isVisible());
  }

  /// Of 4 x 8 cores and 8 x 4, a core of one has no place in the other.
  void otherRowsAndColumnsAreNotDrawnAsOne() {
    const StudioWindow studio;
    Session* session = studio.session();
    STUDIO_RESTS(studio);
    const QString machine = session->project().hardwareText;
    const auto with = [&](const char* name, const char* value) {
      return QString(machine).replace(
          QStringLiteral("param %1 = 8").arg(QLatin1String(name)),
          QStringLiteral("param %1 = %2").arg(QLatin1String(name), QLatin1String(value)));
    };
    service::SimulationRunRef runs[2];
    for (const int i : {0, 1}) {
      session->setHardwareText(with(i == 0 ? "cols" : "rows", "4"));
      STUDIO_RESTS(studio);
      QTRY_VERIFY_WITH_TIMEOUT(session->runOf(0), StudioWindow::kPatience);
      runs[i] = session->runOf(0);
    }
    QCOMPARE(runs[0]->hardware->topology.coreCount(), runs[1]->hardware->topology.coreCount());
    QVERIFY(canDraw(*runs[0], *runs[0]));
    QVERIFY(!canDraw(*runs[0], *runs[1]));
  }

  void aSelfComparisonIsEmpty() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    studio->hub()->selectCandidate(0);
    studio.session()->freeze(0);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->difference(), StudioWindow::kPatience);
    QVERIFY(studio.session()->difference()->empty());
    QCOMPARE(studio->comparePanel()->choices()->rowCount(), 0);
    QCOMPARE(studio->comparePanel()->resources()->rowCount(), 0);
    for (const WaterfallRow& row : studio->peakPanel()->view()->rows()) QCOMPARE(row.change, 0.0);
    const MeshScene& scene = studio->meshPanel()->canvas()->scene();
    QVERIFY(scene.compares);
    for (const float moved : scene.heatOfCore) QCOMPARE(moved, 0.0F);
    for (const LinkUse& link : scene.links) QCOMPARE(link.change, 0.0F);
    studio.session()->unfreeze();
    QVERIFY(!studio.session()->difference());
    QVERIFY(!studio->meshPanel()->canvas()->scene().compares);
  }

  void everyViewShowsBAgainstA() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    studio->hub()->selectCandidate(0);
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(2);
    const auto& difference = studio.session()->difference();
    QTRY_VERIFY_WITH_TIMEOUT(difference && !difference->empty(), StudioWindow::kPatience);
    double sum = 0;
    for (const auto& term : difference->terms) sum += term.change();
    QVERIFY(std::abs(sum - difference->cycles()) < 1e-3 * difference->a.waterfall.cycles);
    QVERIFY(studio->comparePanel()->choices()->rowCount() > 0);
    // A and B stand beside each other in the narrow panel.
    studio->findChild<QDockWidget*>(QStringLiteral("compareDock"))->raise();
    QTRY_VERIFY(studio->comparePanel()->isVisible());
    for (const FittedTable* each : studio->comparePanel()->findChildren<FittedTable*>()) {
      if (each->model() == studio->comparePanel()->choices())
        QTRY_VERIFY(each->horizontalHeader()->length() <= each->viewport()->width());
    }
    QVERIFY(studio->meshPanel()->figures()->change(1).startsWith(QLatin1String("A ")));
    const RankedModel* table = studio->rankedPanel()->model();
    QCOMPARE(table->headerData(indexOf(RankedColumn::Error), Qt::Horizontal).toString(),
             QStringLiteral("\u0394 to A"));
    const int row = table->viewRowOf(0);
    QCOMPARE(table->data(table->index(row, indexOf(RankedColumn::Error))).toString(),
             signedPercentText(0));
    QVERIFY(studio->peakPanel()->view()->rows().front().compares);
    // The comparison outlives an edit of the machine.
    const service::ExplorationRef before = studio.session()->exploration();
    studio.session()->setParameter(QStringLiteral("K"), 2048);
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->exploration() != before);
    QVERIFY(studio.session()->frozen().run);
  }

  /// On a machine of another size, cores have states, and no outputs that moved.
  void coresOfAnotherMeshAreNotCompared() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    studio.session()->freeze(0);
    QTRY_VERIFY(studio.session()->difference());
    QCOMPARE(studio->meshPanel()->heat(), Heat::Moved);
    const QString before = studio.session()->project().hardwareText;
    studio.session()->setHardwareText(
        QString(before).replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 4")));
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->difference(), StudioWindow::kPatience);
    QCOMPARE(studio->meshPanel()->heat(), Heat::States);
    QVERIFY(studio->comparePanel()
                ->findChild<QLabel*>(QStringLiteral("verdict"))
                ->text()
                .contains(QStringLiteral("B −")));
    studio.session()->setHardwareText(before);
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio->meshPanel()->heat() == Heat::Moved, StudioWindow::kPatience);
  }

  /// Columns that wrap share the width until one is dragged: it keeps its width, also when the
  /// table is resized, and the others share what remains.
  void wrappedColumnsKeepTheWidthTheyAreDraggedTo() {
    QStandardItemModel model(2, 3);
    for (int column = 0; column < 3; ++column)
      model.setItem(0, column, new QStandardItem(QStringLiteral("for i and then for k")));
    FittedTable table(&model, 2, QStringLiteral("Choices"));
    table.setWrapped();
    table.resize(600, 200);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    QHeaderView* header = table.horizontalHeader();
    const int before = header->sectionSize(1);
    const QPoint edge(header->sectionViewportPosition(1) + before - 1, header->height() / 2);
    QTest::mousePress(header->viewport(), Qt::LeftButton, {}, edge);
    QTest::mouseMove(header->viewport(), edge - QPoint(20, 0));
    QTest::mouseMove(header->viewport(), edge - QPoint(40, 0));
    QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, edge - QPoint(40, 0));
    QCOMPARE(header->sectionSize(1), before - 40);
    QCOMPARE(header->length(), table.viewport()->width());
    table.resize(700, 200);
    QTRY_COMPARE(header->length(), table.viewport()->width());
    QCOMPARE(header->sectionSize(1), before - 40);
  }

  /// Of a comparison, a choice that stands in one line takes the height of one.
  void rowsThatDoNotWrapAreOneLineHigh() {
    const StudioWindow studio(QSize(900, 600));
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->difference(), StudioWindow::kPatience);
    FittedTable* table = nullptr;
    for (FittedTable* each : studio->comparePanel()->findChildren<FittedTable*>()) {
      if (each->accessibleName() == QLatin1String("Choices that differ")) table = each;
    }
    QVERIFY(table);
    QCOMPARE(table->model()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("Choice"));
    studio->findChild<QDockWidget*>(QStringLiteral("compareDock"))->raise();
    QTRY_VERIFY(table->viewport()->width() > 800 && !table->visibleRegion().isEmpty());
    QTest::qWait(50);
    QVERIFY(table->model()->rowCount() > 1);
    for (int row = 0; row < table->model()->rowCount(); ++row)
      QVERIFY2(table->rowHeight(row) < 2 * table->fontMetrics().height(),
               qPrintable(table->model()->index(row, 0).data().toString()));
  }
};

QObject* makeComparisonTests() { return new ComparisonTests; }

#include "comparison_tests.moc"
