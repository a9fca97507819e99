// SPDX-License-Identifier: Apache-2.0

// Edits of the machine on the mesh itself: its size, its cores, its edges; rulers and overview.

#include "bridge/hardware_edits.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_hits.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/selection_hub.h"
#include "service/workspace.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "texts/presets.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "window/hardware_form.h"
#include "window/mesh_panel.h"
#include <QStatusBar>

using namespace gridloom;
using namespace gridloom::widgets;

class MeshEditTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theEdgeIsDragged() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const QString before = textOf(studio);
    const double pitch = canvas->viewport().across();
    const QPointF right = canvas->handle(MeshAxis::Columns).center();
    QVERIFY(canvas->rect().contains(right.toPoint()));
    drag(canvas, right, right - QPointF(2 * pitch, 0));
    QVERIFY(textOf(studio).contains(QStringLiteral("param cols = 6")));
    QCOMPARE(studio.session()->history().undoTitle(), QStringLiteral("cols = 6"));
    STUDIO_RESTS(studio);
    QCOMPARE(canvas->scene().columns, 6);
    QVERIFY(studio.session()->exploration()->hardware->topology.coreCount() == 48);
    const QPointF lower = canvas->handle(MeshAxis::Rows).center();
    drag(canvas, lower, lower + QPointF(0, canvas->viewport().pitch));
    QVERIFY(textOf(studio).contains(QStringLiteral("param rows = 9")));
    STUDIO_RESTS(studio);
    studio.session()->undo();
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
    STUDIO_RESTS(studio);
    // A drag beyond the first column leaves one; the drag back changes nothing.
    const QPointF again = canvas->handle(MeshAxis::Columns).center();
    drag(canvas, again, again + QPointF(0.3 * pitch, 0));
    QCOMPARE(textOf(studio), before);
    drag(canvas, again, again - QPointF(40 * pitch, 0));
    QVERIFY(textOf(studio).contains(QStringLiteral("param cols = 1")));
    // Escape drops a drag.
    studio.session()->undo();
    STUDIO_RESTS(studio);
    QTest::mousePress(canvas, Qt::LeftButton, {}, again.toPoint());
    QTest::mouseMove(canvas, (again + QPointF(3 * pitch, 0)).toPoint());
    QTest::keyClick(canvas, Qt::Key_Escape);
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, (again + QPointF(3 * pitch, 0)).toPoint());
    QCOMPARE(textOf(studio), before);
  }

  /// Of cores below 6 pixels an image is kept: after any change of scene, zoom or theme a canvas
  /// shows what a new one shows.
  void smallCoresAreShownAsTheyAre() {
    const auto source = texts::loadHardwareText("systolic_mesh_32x32");
    QVERIFY(bool(source));
    const auto opened = service::openHardware(*source);
    QVERIFY(bool(opened));
    MeshScene scene = sceneOf((*opened)->topology);
    scene.heat = Heat::Work;
    const auto heated = [&](std::size_t hot) {
      scene.heatOfCore.assign(scene.active.size(), 0.2F);
      scene.heatOfCore[hot] = 1;
      return scene;
    };
    const auto show = [](MeshCanvas& canvas) {
      canvas.resize(240, 120);
      canvas.fit();
      return canvas.grab().toImage();
    };
    const auto fresh = [&](std::size_t hot, const QPalette& colours) {
      MeshCanvas canvas;
      canvas.setPalette(colours);
      canvas.setScene(heated(hot));
      return show(canvas);
    };
    MeshCanvas canvas;
    const QPalette light = paletteOf(lightTokens()), dark = paletteOf(darkTokens());
    canvas.setPalette(light);
    canvas.setScene(heated(5));
    QVERIFY(show(canvas) == fresh(5, light));
    QVERIFY(canvas.viewport().pitch < kImagePitch);
    canvas.setScene(heated(70));
    QVERIFY(show(canvas) == fresh(70, light));
    QVERIFY(show(canvas) != fresh(5, light));
    canvas.setPalette(dark);
    QVERIFY(show(canvas) == fresh(70, dark));
    canvas.zoomOut();
    canvas.zoomIn();
    QVERIFY(show(canvas) == fresh(70, dark));
  }

  void onlySizesOfParametersHaveHandles() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const MeshCanvas* canvas = studio->meshPanel()->canvas();
    QVERIFY(!canvas->handle(MeshAxis::Rows).isEmpty());
    // Routers without cores: the rows of the drawing are not those of the cores.
    studio.chooseHardware("wormhole_n150");
    STUDIO_RESTS(studio);
    QVERIFY(canvas->handle(MeshAxis::Columns).isEmpty());
    studio.chooseHardware("dojo_d1");
    STUDIO_RESTS(studio);
    QVERIFY(!meshSize(*studio.session(), 0));
    QVERIFY(canvas->handle(MeshAxis::Columns).isEmpty());
    studio.session()->setHardwareText(QStringLiteral("nothing"));
    QTRY_VERIFY(!studio.session()->hardwareIsCurrent());
    resizeMesh(*studio.session(), 0, 4);
    QCOMPARE(textOf(studio), QStringLiteral("nothing"));
  }

  /// Large meshes are drawn when they are ready, after the inputs have changed.
  void aLargeMeshHasHandles() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const MeshCanvas* canvas = studio->meshPanel()->canvas();
    resizeMesh(*studio.session(), 0, 72);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->hardwareIsChecked(), StudioWindow::kPatience);
    resizeMesh(*studio.session(), 1, 64);
    QTRY_COMPARE_WITH_TIMEOUT(canvas->scene().columns, 72, StudioWindow::kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(canvas->scene().rows, 64, StudioWindow::kPatience);
    QTRY_VERIFY(!canvas->handle(MeshAxis::Columns).isEmpty());
    QVERIFY(!canvas->handle(MeshAxis::Rows).isEmpty());
  }

  /// An edit after which the mesh looks the same draws nothing: on a wafer, that takes as long as
  /// the search which waits for it.
  void aLargeMeshIsNotDrawnTwice() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setSimulate(false);
    resizeMesh(*studio.session(), 0, 72);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->hardwareIsChecked(), StudioWindow::kPatience);
    resizeMesh(*studio.session(), 1, 64);
    STUDIO_RESTS(studio);
    const MeshPanel* panel = studio->meshPanel();
    QTRY_COMPARE_WITH_TIMEOUT(panel->canvas()->scene().coreCount(), 72 * 64,
                              StudioWindow::kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!panel->awaitsScene(), StudioWindow::kPatience);
    QSignalSpy drawn(panel, &MeshPanel::sceneChanged);
    QSignalSpy checked(studio.session(), &Session::inputsChanged);
    studio.session()->setKernelText(QStringLiteral("// a comment\n") +
                                    studio.session()->project().kernelText);
    // What the comment asks for is asked for once its check is adopted.
    QTRY_VERIFY_WITH_TIMEOUT(!checked.empty() && !studio.session()->stale(),
                             StudioWindow::kPatience);
    QVERIFY(!panel->awaitsScene());
    QVERIFY(drawn.empty());
    studio.session()->setParameter(QStringLiteral("K"), 512);
    QTRY_VERIFY_WITH_TIMEOUT(!drawn.empty(), StudioWindow::kPatience);
  }

  /// Until a large mesh is drawn, its cores on the screen are those of the machine before.
  void noCoreIsDisabledBeforeItIsDrawn() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio->hub()->selectCore(9);
    bool pressed = false;
    QString text;
    connect(studio.session(), &Session::inputsChanged, this, [&] {
      if (!studio.session()->hardwareIsChecked() || !studio->meshPanel()->awaitsScene()) return;
      text = textOf(studio);
      studio->hub()->selectCore(9);
      QTest::keyClick(studio->meshPanel()->canvas(), Qt::Key_Delete);
      pressed = true;
    });
    studio.session()->setHardwareText(
        textOf(studio)
            .replace(QStringLiteral("cols = 8"), QStringLiteral("cols = 72"))
            .replace(QStringLiteral("rows = 8"), QStringLiteral("rows = 64")));
    QTRY_VERIFY_WITH_TIMEOUT(pressed, StudioWindow::kPatience);
    QCOMPARE(textOf(studio), text);
    disconnect(studio.session(), nullptr, this, nullptr);
    studio.session()->undo();
  }

  /// The cores on the mesh are those of the last text that was right.
  void noCoreIsDisabledInAWrongText() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    studio->hub()->selectCore(9);
    const QString wrong = textOf(studio) + QStringLiteral("%x = df.nothing\n");
    studio.session()->setHardwareText(wrong);
    QTest::keyClick(canvas, Qt::Key_Delete);  // not checked yet
    QCOMPARE(textOf(studio), wrong);
    QTRY_VERIFY(!studio.session()->hardwareIsCurrent() && !studio.session()->problems().empty());
    QTest::keyClick(canvas, Qt::Key_Delete);
    QCOMPARE(textOf(studio), wrong);
    QCOMPARE(studio->hub()->core(), 9);
  }

  void coresAreDisabledWhereTheyAre() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const auto centreOf = [&](int column, int row) {
      return canvas->viewport().centreOf(QPointF(column, row));
    };
    const QString before = textOf(studio);
    const QString disable = QStringLiteral("Disable core (3,2)");
    QVERIFY(!entryAt(studio, {2, 2}, disable));
    entryAt(studio, centreOf(3, 2), disable)->trigger();
    QVERIFY(textOf(studio).contains(QStringLiteral("disabled = [(3, 2)]")));
    STUDIO_RESTS(studio);
    // Its line is not used: the cores beside it keep the names of their places.
    QCOMPARE(canvas->scene().columns, 8);
    QCOMPARE(canvas->scene().coreCount(), 56);
    QCOMPARE(canvas->coreAt(centreOf(3, 5)), -1);
    QVERIFY(canvas->asideAt(centreOf(3, 2))->disabled);
    QVERIFY(!canvas->asideAt(centreOf(3, 5))->disabled);
    QVERIFY(!canvas->asideAt(centreOf(4, 5)));
    const int neighbour = canvas->coreAt(centreOf(4, 5));
    QVERIFY(canvas->scene().describe(neighbour).startsWith(QStringLiteral("Core (4, 5)")));
    QVERIFY(canvas->scene()
                .describe(*canvas->asideAt(centreOf(3, 5)))
                .contains(QStringLiteral("idle")));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, centreOf(4, 5).toPoint());
    QCOMPARE(studio->hub()->core(), neighbour);
    QTest::keyClick(canvas, Qt::Key_Delete);
    QVERIFY(textOf(studio).contains(QStringLiteral("disabled = [(3, 2), (4, 5)]")));
    STUDIO_RESTS(studio);
    entryAt(studio, centreOf(3, 2), QStringLiteral("Enable core (3,2)"))->trigger();
    QVERIFY(textOf(studio).contains(QStringLiteral("disabled = [(4, 5)]")));
    STUDIO_RESTS(studio);
    entryAt(studio, centreOf(4, 5), QStringLiteral("Enable core (4,5)"))->trigger();
    QCOMPARE(textOf(studio), before);
  }

  /// A disabled core has a cross, an idle one beside it none.
  void aDisabledCoreIsCrossedOut() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    setCoreDisabled(*studio.session(), {3, 2}, true);
    STUDIO_RESTS(studio);
    QTRY_VERIFY(canvas->asideAt(canvas->viewport().centreOf(QPointF(3, 2))));
    const QImage shown = canvas->grab().toImage();
    const QColor paper = tokensFor(canvas->palette()).panel;
    const auto inked = [&](double column, double row) {
      const QPointF at = canvas->viewport().centreOf(QPointF(column, row));
      int pixels = 0;
      for (int x = -5; x <= 5; ++x) {
        for (int y = -5; y <= 5; ++y)
          pixels += shown.pixelColor(at.toPoint() + QPoint(x, y)) != paper ? 1 : 0;
      }
      return pixels;
    };
    QVERIFY2(inked(3, 2) >= 16, qPrintable(QString::number(inked(3, 2))));
    QCOMPARE(inked(3, 5), 0);
  }

  void theOverviewMovesTheMesh() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    QVERIFY(canvas->overview().isEmpty());
    for (int i = 0; i < 8; ++i) canvas->zoomIn();
    const QRectF overview = canvas->overview();
    QVERIFY(canvas->rect().contains(overview.toRect()));
    const QString before = textOf(studio);
    const int selected = studio->hub()->core();
    drag(canvas, overview.center(), overview.topLeft() + QPointF(12, 12));
    QCOMPARE(studio->hub()->core(), selected);
    QCOMPARE(textOf(studio), before);
    const QPointF middle = canvas->viewport().cellAt(QRectF(canvas->rect()).center());
    QVERIFY2(middle.x() < 2 && middle.y() < 2,
             qPrintable(QStringLiteral("%1, %2").arg(middle.x()).arg(middle.y())));
    canvas->fit();
    QVERIFY(canvas->overview().isEmpty());
    // The fitted mesh stays clear of the rulers.
    const QRectF mesh = canvas->viewport().rectOf(canvas->scene().bounds());
    QVERIFY(mesh.left() >= kRuler && mesh.top() >= kRuler);
  }
};

QObject* makeMeshEditTests() { return new MeshEditTests; }

#include "mesh_edit_tests.moc"
