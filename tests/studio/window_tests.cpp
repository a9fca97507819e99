// SPDX-License-Identifier: Apache-2.0

// The window as a user meets it: pick, type, cancel, switch, save, every action.

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
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
#include "texts/presets.h"
#include "window/charts_panel.h"
#include "window/figure_strip.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/number_box.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/waterfall_view.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

constexpr int kPatience = 60000;  // milliseconds a slow machine may take

}  // namespace

class WindowTests : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;
  std::unique_ptr<MainWindow> m_window;

  void rest() {
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy() && !m_window->session()->stale(),
                             kPatience);
  }
  QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
  void type(CodeEditor* editor, const QString& needle, const QString& replacement) {
    QString changed = editor->toPlainText();
    QVERIFY(changed.contains(needle));
    editor->replaceText(changed.replace(needle, replacement));
  }

 private Q_SLOTS:
  void init() {
    QFile::remove(path("settings.ini"));
    for (const char* name : {"unsaved.gridloom", "unsaved-1.gridloom", "unsaved-7.gridloom"})
      QFile::remove(path(name));
    m_window = std::make_unique<MainWindow>(path("settings.ini"));
    m_window->resize(1400, 900);
    m_window->show();
    Project project = *exampleProject();
    project.top = 4;
    for (const char* size : {"M", "N", "K"}) project.parameters.emplace(QLatin1String(size), 1024);
    m_window->session()->setProject(std::move(project));
    rest();
  }
  void cleanup() { m_window.reset(); }

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

  void workLeftByACrashComesBack() {
    Project kept = m_window->session()->project();
    kept.top = 3;
    QVERIFY(saveProject(kept, path("unsaved-7.gridloom")).ok());
    m_window->openFirst();
    QVERIFY(m_window->session()->project() == kept);
    QVERIFY(m_window->isWindowModified());
    QVERIFY2(QFile::exists(path("unsaved.gridloom")), "it is now this studio's own");
    QVERIFY(!QFile::exists(path("unsaved-7.gridloom")));
  }

  void anotherStudiosWorkIsLeftAlone() {
    QVERIFY(saveProject(m_window->session()->project(), path("unsaved.gridloom")).ok());
    QVERIFY(saveProject(m_window->session()->project(), path("open.gridloom")).ok());
    MainWindow second(path("settings.ini"));
    QVERIFY(second.openProject(path("open.gridloom")));
    second.offerAbandoned();
    QVERIFY2(!second.findChild<QMessageBox*>(QStringLiteral("abandonedBox")),
             "the first studio still runs");
    QVERIFY(second.close());
    QVERIFY(QFile::exists(path("unsaved.gridloom")));
  }

  void aProjectGivenAtTheStartDoesNotCostTheWorkOfACrash() {
    Project kept = m_window->session()->project();
    QVERIFY(saveProject(kept, path("open.gridloom")).ok());
    kept.top = 3;
    QVERIFY(saveProject(kept, path("unsaved-7.gridloom")).ok());
    const auto answer = [this](MainWindow& window, QMessageBox::StandardButton button) {
      QVERIFY(window.openProject(path("open.gridloom")));
      window.offerAbandoned();
      auto* box = window.findChild<QMessageBox*>(QStringLiteral("abandonedBox"));
      QVERIFY(box);
      box->button(button)->click();
    };
    {
      MainWindow window(path("settings.ini"));
      answer(window, QMessageBox::Ignore);
      QCOMPARE(window.session()->project().top, 4);
      QVERIFY(window.close());
    }
    QVERIFY(QFile::exists(path("unsaved-7.gridloom")));
    MainWindow window(path("settings.ini"));
    answer(window, QMessageBox::Open);
    QCOMPARE(window.session()->project().top, 3);
    QVERIFY(window.isWindowModified());
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

  void themesSwitchWhileOpen() {
    for (const Scheme scheme : {Scheme::Dark, Scheme::Light, Scheme::System, Scheme::Dark}) {
      m_window->setScheme(scheme);
      QCoreApplication::processEvents();
      QVERIFY(!m_window->grab().isNull());
    }
    QVERIFY(m_window->palette().color(QPalette::Window).lightness() < 100);
    QCOMPARE(StudioSettings(path("settings.ini")).scheme(), Scheme::Dark);
    m_window->setScheme(Scheme::Light);
  }

  void projectsSaveOpenAndRefuse() {
    m_window->session()->setParameter(QStringLiteral("K"), 512);
    rest();
    const Project saved = m_window->session()->project();
    QVERIFY(m_window->saveProjectAs(path("a.gridloom")));
    QVERIFY(!m_window->isWindowModified());
    m_window->session()->setProject(*exampleProject());
    QVERIFY(m_window->openProject(path("a.gridloom")));
    QVERIFY(m_window->session()->project() == saved);
    rest();
    QFile bad(path("bad.gridloom"));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("{\"schema\": \"gridloom.project/1\", \"top\": \"many\"}");
    bad.close();
    QVERIFY(!m_window->openProject(path("bad.gridloom")));
    QVERIFY(m_window->lastMessage().contains(QStringLiteral("bad.gridloom:1:")));
    QVERIFY(m_window->session()->project() == saved);
    for (QMessageBox* box : m_window->findChildren<QMessageBox*>()) box->close();
  }

  void everythingExports() {
    for (const char* name : {"mesh.svg", "mesh.png", "mesh.pdf"})
      QVERIFY(m_window->exportMesh(path(name)));
    for (const char* name : {"chart.svg", "chart.png", "chart.pdf"})
      QVERIFY(m_window->exportChart(path(name)));
    QVERIFY(m_window->exportTable(path("table.csv")));
    QFile svg(path("mesh.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray bytes = svg.readAll();
    QVERIFY(bytes.contains("wormhole_8x8"));
    QVERIFY(!bytes.contains("href=\"http"));
    QFile table(path("table.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll().count('\n'), 5);
    QVERIFY(!m_window->exportMesh(path("no/such/folder/mesh.svg")));
    for (QMessageBox* box : m_window->findChildren<QMessageBox*>()) box->close();
  }

  void undoneEditsGiveBackTheProject() {
    CodeEditor* editor = m_window->kernelPanel()->editor();
    const QByteArray before = projectJson(m_window->session()->project());
    quint32 state = 7;
    for (int i = 0; i < 200; ++i) {
      state = state * 1664525U + 1013904223U;
      QTextCursor cursor = editor->textCursor();
      cursor.setPosition(
          static_cast<int>(state % static_cast<quint32>(editor->document()->characterCount())));
      if (state & 0x10000U)
        cursor.insertText(QString(QChar('!' + static_cast<int>(state >> 20) % 90)));
      else
        cursor.deletePreviousChar();
    }
    QVERIFY(projectJson(m_window->session()->project()) != before);
    while (m_window->session()->history().canUndo()) m_window->session()->undo();
    QCOMPARE(projectJson(m_window->session()->project()), before);
    rest();
  }

  void everyActionCanBeFired() {
    // Dialogs close as soon as they open.
    QTimer closer;
    connect(&closer, &QTimer::timeout, this, [] {
      if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
        dialog->reject();
    });
    closer.start(20);
    int fired = 0;
    const QList<QAction*> actions = m_window->findChildren<QAction*>();
    for (QAction* action : actions) {
      if (action->menu() || action->isSeparator() || action->text().isEmpty()) continue;
      if (action->text().contains(QStringLiteral("Quit"))) continue;
      action->trigger();
      QCoreApplication::processEvents();
      ++fired;
    }
    closer.stop();
    QVERIFY(fired > 25);
    m_window->resetLayout();
    m_window->setScheme(Scheme::Light);
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) QVERIFY(!dock->isHidden());
    QVERIFY(m_window->isVisible());
  }

  /// In a menu, a letter chooses one entry.
  void lettersOfAMenuChooseOneEntry() {
    for (const QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) {
      QStringList letters;
      for (const QAction* action : menu->actions()) {
        const qsizetype at = action->text().indexOf(QLatin1Char('&'));
        if (at >= 0) letters << action->text().mid(at + 1, 1).toLower();
      }
      QStringList each = letters;
      each.removeDuplicates();
      QVERIFY2(each.size() == letters.size(),
               qPrintable(menu->title() + QLatin1Char(' ') + letters.join(QLatin1Char(' '))));
    }
  }

  void everyControlHasANameForScreenReaders() {
    for (QWidget* widget : m_window->findChildren<QWidget*>()) {
      const bool control = qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                           qobject_cast<QAbstractItemView*>(widget) ||
                           qobject_cast<QSpinBox*>(widget) || qobject_cast<CodeEditor*>(widget) ||
                           qobject_cast<MeshCanvas*>(widget);
      // Parts of a combo or spin box speak through their owner.
      const bool inner = qobject_cast<QComboBox*>(widget->parentWidget()) ||
                         qobject_cast<QSpinBox*>(widget->parentWidget()) ||
                         widget->inherits("QComboBoxListView") || widget->inherits("QHeaderView");
      if (control && !inner)
        QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }
  }

  void randomEditsNeverBreakIt() {
    CodeEditor* editor = m_window->hardwareEditor();
    const QString good = editor->toPlainText();
    quint32 state = 99;
    for (int i = 0; i < 60; ++i) {
      state = state * 1664525U + 1013904223U;
      QString bad = good;
      const auto at = static_cast<qsizetype>(state % static_cast<quint32>(bad.size()));
      bad.replace(at, static_cast<qsizetype>(state >> 28),
                  QString(QChar('!' + static_cast<int>(state >> 18) % 90)));
      editor->replaceText(bad);
      if (i % 6 == 0) QTest::qWait(200);
    }
    editor->replaceText(good);
    rest();
    QCOMPARE(m_window->session()->exploration()->top.size(), std::size_t{4});
  }

  void manyPresetsOpen() {
    for (const char* name : {"wormhole_1x8", "wormhole_n150", "spyre_ring"}) {
      const auto loaded = texts::loadHardwareText(name);
      QVERIFY(loaded.ok());
      m_window->session()->setHardware(QString::fromLatin1(name), text((*loaded)->text()));
      QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy(), kPatience);
      QVERIFY(m_window->meshPanel()->canvas()->scene().coreCount() > 0);
      QVERIFY(!m_window->grab().isNull());
    }
  }
};

QObject* makeWindowTests() { return new WindowTests; }

#include "window_tests.moc"
