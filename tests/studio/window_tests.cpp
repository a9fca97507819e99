// SPDX-License-Identifier: Apache-2.0

// The window as a user meets it: pick, type, cancel, switch, save, every action.

#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/scatter_plot.h"
#include "editors/code_editor.h"
#include "models/explain_model.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "suites.h"
#include "window/charts_panel.h"
#include "window/figure_strip.h"
#include "window/hardware_form.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/waterfall_view.h"
#include "window_fixture.h"

using namespace gridloom;
using namespace gridloom::widgets;

class WindowTests : public WindowFixture {
  Q_OBJECT

 private Q_SLOTS:
  void opensOnTheExampleWithEveryViewFilled() {
    Session* session = m_window->session();
    QCOMPARE(session->exploration()->top.size(), std::size_t{4});
    QCOMPARE(m_window->rankedPanel()->model()->rowCount(), 4);
    QCOMPARE(m_window->hub()->candidate(), 0);
    QCOMPARE(m_window->meshPanel()->canvas()->scene().coreCount(), 64);
    QCOMPARE(m_window->meshPanel()->canvas()->scene().flows.size(), std::size_t{3});
    QCOMPARE(m_window->chartsPanel()->scatter()->data().points.size(), std::size_t{4});
    QVERIFY(m_window->spacePanel()->model()->rowCount() >= 2);
    QCOMPARE(m_window->meshPanel()->figures()->value(1),
             cyclesText(session->exploration()->top[0].candidate.estimate.cycles));
    QVERIFY(session->problems().empty() || m_window->problemPanel() != nullptr);
  }

  void explanationSumsAndFollowsTheSelection() {
    ExplainModel* model = m_window->explainPanel()->model();
    const auto sums = [&] {
      for (const auto& row : model->rows()) {
        if (row.kind == ExplainModel::Kind::Total && std::abs(row.share - 1) > 1e-3) return false;
      }
      return true;
    };
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session()->explainedCandidate(), 0, kPatience);
    QVERIFY(std::any_of(model->rows().begin(), model->rows().end(),
                        [](const auto& row) { return row.kind == ExplainModel::Kind::Twice; }));
    QVERIFY(sums());
    m_window->hub()->selectCandidate(2);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session()->explainedCandidate(), 2, kPatience);
    QVERIFY(sums());
  }

  void everyViewSelectsAndFollows() {
    SelectionHub* hub = m_window->hub();
    QTableView* table = m_window->rankedPanel()->view();
    table->selectRow(1);
    QCOMPARE(hub->candidate(), 1);
    hub->selectCandidate(3);
    QCOMPARE(table->currentIndex().row(), 3);
    ScatterPlot* scatter = m_window->chartsPanel()->scatter();
    const int near = scatter->idAt(scatter->positionOf(2));
    QVERIFY(near >= 0);
    QTest::mouseClick(scatter, Qt::LeftButton, {}, scatter->positionOf(2).toPoint());
    QCOMPARE(hub->candidate(), scatter->idAt(QPointF(scatter->positionOf(2).toPoint())));
  }

  void aStepFromThePeakShowsWhoMakesIt() {
    SelectionHub* hub = m_window->hub();
    hub->selectCandidate(0);
    PeakPanel* panel = m_window->peakPanel();
    QTRY_VERIFY_WITH_TIMEOUT(panel->waterfall() != nullptr, kPatience);
    QVERIFY(std::abs(panel->waterfall()->sum() - 1) < 1e-3);
    WaterfallView* view = panel->view();
    QVERIFY(view->rows().size() > 4);
    QCOMPARE(view->rows().front().share, QStringLiteral("100.0%"));
    std::size_t issue = 0;
    while (view->rows().at(issue).key != QLatin1String("issue")) ++issue;
    view->repaint();
    QTest::mouseClick(view, Qt::LeftButton, {}, view->rowBox(issue).center().toPoint());
    QCOMPARE(hub->loss(), QStringLiteral("issue"));
    MeshPanel* mesh = m_window->meshPanel();
    QCOMPARE(mesh->heat(), Heat::Lost);
    const MeshScene& scene = mesh->canvas()->scene();
    QCOMPARE(scene.heatOfCore.size(), std::size_t{64});
    const report::LossRecord& loss = panel->waterfall()->losses[1];
    QVERIFY(std::abs(static_cast<double>(scene.heatMost) - loss.share) < 1e-4);
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(hub->loss(), QStringLiteral("unit_rate"));
    QTest::keyClick(view, Qt::Key_Escape);
    QCOMPARE(hub->loss(), QString());
    QCOMPARE(mesh->heat(), Heat::States);
  }

  void aCauseOfAStepIsMarkedEverywhere() {
    SelectionHub* hub = m_window->hub();
    hub->selectLoss(QStringLiteral("issue"));
    const auto button = [&](const QString& words) -> QPushButton* {
      for (QPushButton* each : m_window->peakPanel()->findChildren<QPushButton*>()) {
        if (each->text().startsWith(words) && each->isVisible()) return each;
      }
      return nullptr;
    };
    QTRY_VERIFY(button(QStringLiteral("Loop k")) != nullptr);
    button(QStringLiteral("Loop k"))->click();
    QCOMPARE(hub->loop(), QStringLiteral("k"));
    QVERIFY(m_window->kernelPanel()->editor()->extraSelections().size() >= 4);
    button(QStringLiteral("Loop k"))->click();
    QCOMPARE(hub->loop(), QString());
    hub->selectLoss(QStringLiteral("fill_link"));
    QTRY_VERIFY(button(QStringLiteral("noc_")) != nullptr);
    button(QStringLiteral("noc_"))->click();
    QVERIFY(m_window->meshPanel()->canvas()->highlight().link >= 0);
    hub->selectLoss(QStringLiteral("fill_dram"));
    QTRY_VERIFY(button(QStringLiteral("drams ")) != nullptr);
    button(QStringLiteral("drams "))->click();
    QVERIFY(m_window->meshPanel()->canvas()->highlight().memory >= 0);
    QCOMPARE(m_window->meshPanel()->canvas()->highlight().link, -1);
    hub->selectResource({});
    hub->selectLoss({});
  }

  /// Every step leads to the core that loses most to it, and those of a unit to its numbers.
  void everyStepHasSomethingToClick() {
    SelectionHub* hub = m_window->hub();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->peakPanel()->waterfall(), kPatience);
    const auto buttons = [&](const QString& words) {
      QList<QPushButton*> found;
      for (QPushButton* each : m_window->peakPanel()->findChildren<QPushButton*>())
        if (each->isVisible() && each->text().startsWith(words)) found << each;
      return found;
    };
    for (const WaterfallRow& row : m_window->peakPanel()->view()->rows()) {
      if (row.isEnd) continue;
      hub->selectLoss(row.key);
      // Those of the step before are gone only then.
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QTRY_COMPARE(buttons(QStringLiteral("Core (")).size(), 1);
      buttons(QStringLiteral("Core (")).front()->click();
      QVERIFY2(hub->core() >= 0, qPrintable(row.key));
      const std::vector<float>& lost = m_window->meshPanel()->canvas()->scene().heatOfCore;
      QCOMPARE(lost[static_cast<std::size_t>(hub->core())], *std::ranges::max_element(lost));
      buttons(QStringLiteral("Core (")).front()->click();
      QCOMPARE(hub->core(), -1);
    }
    hub->selectLoss(QStringLiteral("unit_rate"));
    QTRY_COMPARE(buttons(QStringLiteral("Matrix unit")).size(), 1);
    buttons(QStringLiteral("Matrix unit")).front()->click();
    QCOMPARE(hub->resource(), QStringLiteral("FPU"));
    const auto* form = m_window->findChild<HardwareForm*>();
    QVERIFY(form->isVisible());
    QVERIFY(std::ranges::any_of(form->findChildren<QLabel*>(), [](const QLabel* label) {
      return label->text().startsWith(QStringLiteral("Matrix unit <span")) &&
             label->text().contains(QStringLiteral(">FPU<"));
    }));
    hub->selectResource({});
    hub->selectLoss({});
  }

  void meshPicksTheCoreUnderThePointer() {
    MeshCanvas* canvas = m_window->meshPanel()->canvas();
    for (const int core : {0, 7, 63}) {
      m_window->hub()->selectCore(-1);
      const QPointF centre = canvas->centreOfCore(core);
      QCOMPARE(canvas->coreAt(centre), core);
      QTest::mouseClick(canvas, Qt::LeftButton, {}, centre.toPoint());
      QCOMPARE(m_window->hub()->core(), core);
    }
    QCOMPARE(canvas->coreAt({-500, -500}), -1);
    canvas->zoomIn();
    canvas->zoomIn();
    QCOMPARE(canvas->coreAt(canvas->centreOfCore(20)), 20);
    m_window->hub()->selectCore(9);
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->scene().positionOf(
                 canvas->scene().cellOfCore[static_cast<std::size_t>(m_window->hub()->core())]),
             canvas->scene().positionOf(canvas->scene().cellOfCore[9]) + QPoint(1, 0));
    QTest::keyClick(canvas, Qt::Key_Escape);
    QCOMPARE(m_window->hub()->core(), -1);
    QVERIFY(canvas->scene().describe(0).contains(QStringLiteral("Core (0, 0)")));
  }

  void flowsShowTheMovementOfTheMapping() {
    const auto& exploration = *m_window->session()->exploration();
    for (int candidate = 0; candidate < static_cast<int>(exploration.top.size()); ++candidate) {
      m_window->hub()->selectCandidate(candidate);
      const auto& mapping = exploration.top[static_cast<std::size_t>(candidate)].candidate.mapping;
      const MeshScene& scene = m_window->meshPanel()->canvas()->scene();
      for (std::size_t i = 0; i < mapping.inputs.size(); ++i) {
        const auto& move = mapping.inputs[i];
        const Flow& flow = scene.flows[i];
        for (std::size_t core = 0; core < scene.active.size(); ++core) {
          bool root = scene.active[core] != 0;
          for (std::size_t d = 0; d < 2; ++d) {
            const bool shared =
                move.kind != mapping::MovementKind::Direct && (move.along >> d & 1U) != 0;
            if (shared && scene.coordinates[core * 2 + d] != 0) root = false;
          }
          QCOMPARE(flow.touches[core] != 0, root);
        }
        // One line per group that shares a load.
        if (move.kind == mapping::MovementKind::Direct) QVERIFY(flow.lines.empty());
        if (move.along == 1U || move.along == 2U) {
          QCOMPARE(static_cast<std::ptrdiff_t>(flow.lines.size()),
                   std::count(flow.touches.begin(), flow.touches.end(), 1));
        }
      }
    }
  }

  void aLargeMeshPansAtEveryLevelOfDetail() {
    QString hardware = m_window->hardwareEditor()->toPlainText();
    hardware.replace(QStringLiteral("param cols = 8"), QStringLiteral("param cols = 256"));
    hardware.replace(QStringLiteral("param rows = 8"), QStringLiteral("param rows = 256"));
    const auto opened = service::openHardware(base::makeSource("large.hw", hardware.toStdString()));
    QVERIFY2(opened.ok(), base::render(opened.diagnostics()).c_str());
    MeshCanvas canvas;
    canvas.resize(1000, 800);
    canvas.setScene(sceneOf((*opened)->topology));
    QCOMPARE(canvas.scene().coreCount(), 65536);
    for (const double pitch : {0.6, 3.0, 12.0, 40.0}) {
      canvas.fit();
      while (canvas.viewport().pitch < pitch) canvas.zoomIn();
      while (canvas.viewport().pitch > 1.3 * pitch) canvas.zoomOut();
      QImage image(canvas.size(), QImage::Format_RGB32);
      QElapsedTimer clock;
      clock.start();
      for (int i = 0; i < 5; ++i) canvas.render(&image);
      qInfo("256x256 at %.1f pixels per cell: %.1f ms", canvas.viewport().pitch,
            static_cast<double>(clock.nsecsElapsed()) * 1e-6 / 5);
    }
  }

  void meshZoomsFromImageToText() {
    MeshCanvas* canvas = m_window->meshPanel()->canvas();
    canvas->fit();
    const double pitch = canvas->viewport().pitch;
    for (int i = 0; i < 12; ++i) canvas->zoomOut();
    QVERIFY(canvas->viewport().pitch < pitch);
    QVERIFY(!canvas->grab().isNull());
    for (int i = 0; i < 40; ++i) canvas->zoomIn();
    QVERIFY(!canvas->grab().isNull());
    canvas->fit();
    QCOMPARE(canvas->viewport().pitch, pitch);
  }
};

QObject* makeWindowTests() { return new WindowTests; }

#include "window_tests.moc"
