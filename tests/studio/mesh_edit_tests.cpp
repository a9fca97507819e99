// SPDX-License-Identifier: Apache-2.0

// Edits of the machine on the mesh itself: its size, its cores, its edges; rulers and overview.

#include <QMenu>
#include <QPushButton>
#include <QStatusBar>

#include "bridge/hardware_edits.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_hits.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/selection_hub.h"
#include "service/workspace.h"
#include "studio_window.h"
#include "suites.h"
#include "texts/presets.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "window/hardware_form.h"
#include "window/mesh_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

class MeshEditTests : public QObject {
  Q_OBJECT

 private:
  static QString textOf(const StudioWindow& studio) {
    return studio.session()->project().hardwareText;
  }
  static void drag(MeshCanvas* canvas, QPointF from, QPointF to) {
    QTest::mousePress(canvas, Qt::LeftButton, {}, from.toPoint());
    QTest::mouseMove(canvas, ((from + to) / 2).toPoint());
    QTest::mouseMove(canvas, to.toPoint());
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, to.toPoint());
  }
  /// The router, as column and row, of the port beside a channel.
  static QPoint routerOf(const MeshScene& scene, std::size_t channel) {
    const MemoryBlock& block = scene.memories[channel];
    return scene.positionOf(block.ports.at(scene.nearestPort(block)));
  }
  /// The entry of the mesh's menu at a point; null when there is none.
  static QAction* entryAt(const StudioWindow& studio, QPointF at, const QString& title) {
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    for (QMenu* old : studio->findChildren<QMenu*>(QStringLiteral("meshMenu"))) delete old;
    Q_EMIT canvas->customContextMenuRequested(at.toPoint());
    auto* menu = studio->findChild<QMenu*>(QStringLiteral("meshMenu"));
    for (QAction* each : menu->actions()) {
      if (each->text() == title) return each;
    }
    return nullptr;
  }

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

  /// A channel dragged to a router is `at` in the text, and there in the machine.
  void aChannelIsDragged() {
    const StudioWindow studio(QSize(1920, 1080));
    studio.chooseHardware("npu_phoenix_4x4");
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const QString before = textOf(studio);
    const auto drop = [&](std::size_t channel, QPoint cell) {
      drag(canvas, canvas->viewport().rectOf(canvas->scene().memories[channel].box).center(),
           canvas->viewport().centreOf(QPointF(cell)));
    };
    drop(2, {1, 3});
    QVERIFY(textOf(studio).contains(QStringLiteral("at = [(0, 0), (1, 0), (1, 3), (3, 0)]")));
    QCOMPARE(studio.session()->history().undoTitle(), QStringLiteral("ddr 2 at (1,3)"));
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->problems().empty());
    QCOMPARE(routerOf(canvas->scene(), 2), QPoint(1, 3));
    const QPoint first = routerOf(canvas->scene(), 0);
    drop(0, {3, 4});
    STUDIO_RESTS(studio);
    QCOMPARE(routerOf(canvas->scene(), 0), QPoint(3, 4));
    QVERIFY(first != QPoint(3, 4));
    QCOMPARE(routerOf(canvas->scene(), 2), QPoint(1, 3));
    studio.session()->undo();
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
    STUDIO_RESTS(studio);
    // A click selects it, and Escape drops a drag.
    const QPointF box = canvas->viewport().rectOf(canvas->scene().memories[1].box).center();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, box.toPoint());
    QCOMPARE(studio->hub()->resource(), QStringLiteral("ddr 1"));
    QTest::mousePress(canvas, Qt::LeftButton, {}, box.toPoint());
    QTest::mouseMove(canvas, (box - QPointF(100, 0)).toPoint());
    QTest::keyClick(canvas, Qt::Key_Escape);
    QTest::mouseRelease(canvas, Qt::LeftButton, {}, (box - QPointF(100, 0)).toPoint());
    QCOMPARE(textOf(studio), before);
  }

  /// A scene with fewer channels may arrive between the press and the drag.
  void aChannelGoesAwayWhileItIsPressed() {
    const StudioWindow studio(QSize(1920, 1080));
    studio.chooseHardware("npu_phoenix_4x4");
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const QString before = textOf(studio);
    const MeshScene whole = canvas->scene();
    MeshScene fewer = whole;
    fewer.memories.resize(1);
    const QPointF box = canvas->viewport().rectOf(whole.memories[3].box).center();
    const QPointF away = box - QPointF(100, 0);
    for (const bool drags : {false, true}) {
      QTest::mousePress(canvas, Qt::LeftButton, {}, box.toPoint());
      if (drags) QTest::mouseMove(canvas, ((box + away) / 2).toPoint());
      canvas->setScene(fewer);
      QTest::mouseMove(canvas, away.toPoint());
      canvas->grab();
      QTest::mouseRelease(canvas, Qt::LeftButton, {}, away.toPoint());
      canvas->setScene(whole);
      canvas->fit();
    }
    Q_EMIT canvas->portPlaced(99, 0, {0, 0});
    Q_EMIT canvas->portPlaced(0, 99, {0, 0});
    QCOMPARE(textOf(studio), before);
    // A slip of the mouse that ends at the same router writes nothing.
    const QPoint port = routerOf(whole, 3);
    drag(canvas, box, canvas->viewport().centreOf(QPointF(port)));
    QCOMPARE(textOf(studio), before);
  }

  /// Each port of a channel moves by itself, in one step; the others, and the other channels, keep
  /// their routers. Where a map gives every core a port, the first move writes them all.
  void portsAreDraggedByThemselves_data() {
    QTest::addColumn<QString>("hardware");
    for (const char* each : {"npu_strix_4x8", "wormhole_8x8", "blackhole_p150", "wormhole_1x8"})
      QTest::newRow(each) << QString::fromLatin1(each);
  }
  void portsAreDraggedByThemselves() {
    QFETCH(QString, hardware);
    const StudioWindow studio(QSize(1920, 1080));
    studio.chooseHardware(hardware.toLatin1().constData());
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const QString before = textOf(studio);
    const auto portsOf = [&] {
      std::vector<std::vector<int>> ports;
      for (const MemoryBlock& block : canvas->scene().memories) ports.push_back(block.ports);
      return ports;
    };
    auto expected = portsOf();
    QVERIFY(expected[0].size() > 1);
    const QPointF box = canvas->viewport().rectOf(canvas->scene().memories[0].box).center();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, box.toPoint());
    QCOMPARE(canvas->highlight().memory, 0);
    const std::size_t port = expected[0].size() - 1;
    const QPoint target(2, std::min(3, canvas->scene().rows - 1));
    const auto mark = [&](std::size_t of) {
      return portMark(canvas->scene(), canvas->viewport(), canvas->scene().memories[0].ports[of])
          .center();
    };
    QTest::mouseClick(canvas, Qt::LeftButton, {}, mark(port).toPoint());
    QCOMPARE(canvas->highlight().memory, 0);
    drag(canvas, mark(port), canvas->viewport().centreOf(QPointF(target)));
    QVERIFY(textOf(studio) != before);
    QVERIFY(studio.session()->history().undoTitle().startsWith(
        QStringLiteral("port %1 of ").arg(port)));
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->hardwareIsCurrent());
    expected[0][port] = target.y() * canvas->scene().columns + target.x();
    auto sorted = expected, now = portsOf();
    for (auto* all : {&sorted, &now})
      for (auto& each : *all) std::ranges::sort(each);
    QCOMPARE(now, sorted);
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
  }

  /// What cannot be said is refused with a word, and changes nothing.
  void aPlaceThatCannotBeSaidIsRefused() {
    const StudioWindow studio(QSize(1920, 1080));
    studio.chooseHardware("npu_phoenix_4x4");
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const auto refuses = [&](const char* word) {
      const QString before = textOf(studio);
      const QRectF box = canvas->viewport().rectOf(canvas->scene().memories[0].box);
      drag(canvas, box.center(), canvas->viewport().centreOf(QPointF(1, 0)));
      QCOMPARE(textOf(studio), before);
      const QString said = studio->statusBar()->currentMessage();
      QVERIFY2(said.contains(QLatin1String(word)), qPrintable(said));
    };
    // Fewer places than channels: the text has another form.
    std::vector<language::PortRouters> routers(3, {{0, 0}});
    QVERIFY(placePort(*studio.session(), 0, 0, routers).contains(QStringLiteral("another form")));
    // A router that is not there, as the language says it.
    routers.assign(4, {{0, 0}});
    routers[1] = {{40, 0}};
    QVERIFY(!placePort(*studio.session(), 1, 0, routers).isEmpty());
    QVERIFY(!textOf(studio).contains(QStringLiteral("(40, 0)")));
    studio.session()->setHardwareText(textOf(studio) + QStringLiteral("%x = df.nothing\n"));
    QTRY_VERIFY(!studio.session()->hardwareIsCurrent());
    refuses("mend the text");
  }

  /// Two cores at a router are two cells of the mesh; and one place sets reads and writes.
  void channelsOfTheseMachinesStay_data() {
    QTest::addColumn<QString>("cores");
    QTest::addColumn<QString>("channels");
    QTest::addColumn<QString>("reason");
    const QString single = QStringLiteral("scaleout = (%x, %y), scalein = (%v, [1])");
    const QString placed = QStringLiteral("at = [(0, 0), (1, 1)], ");
    QTest::newRow("placed") << single << placed << QString();
    QTest::newRow("two cores at a router")
        << QStringLiteral("scaleout = (%x, %y, %d), scalein = (%v, [1]), grid = (%x, %y), "
                          "at = affine_map<(d0, d1, d2) -> (d0, d1)>")
        << placed << QStringLiteral("several cores share a router");
    QTest::newRow("writes from every core") << single << QString() << QStringLiteral("its writes");
  }
  void channelsOfTheseMachinesStay() {
    QFETCH(QString, cores);
    QFETCH(QString, channels);
    QFETCH(QString, reason);
    QString hardware = QStringLiteral(
        "%v = df.vec { shape = [32], throughput = 32 elem/cycle }\n"
        "%x = df.spatial_dim 2\n%y = df.spatial_dim 2\n%d = df.spatial_dim 2\n"
        "%cores = df.core { @cores }\n"
        "%l1 = df.memory { scaleout = (%x, %y), size = 1 MiB, bandwidth = 64 B/cycle }\n"
        "%h = df.interconnects %l1, %l1 "
        "{ map = affine_map<(d0, d1) -> ((d0 + 1) mod 2, d1)>, bandwidth = 32 B/cycle }\n"
        "%w = df.interconnects %l1, %l1 "
        "{ map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 2)>, bandwidth = 32 B/cycle }\n"
        "%g = df.memory "
        "{ scaleout = (%d), size = 1 GiB, bandwidth = 16 B/cycle, @channelskind = global }\n");
    hardware.replace(QStringLiteral("@cores"), cores);
    hardware.replace(QStringLiteral("@channels"), channels);
    if (cores.contains(QStringLiteral("grid")))
      hardware.replace(QStringLiteral("scaleout = (%x, %y), size"),
                       QStringLiteral("scaleout = (%x, %y, %d), size"));
    if (channels.isEmpty())
      hardware += QStringLiteral(
          "%in = df.interconnects %g, %l1 { map = affine_map<(d0) -> (0, d0)> }\n"
          "%out = df.interconnects %l1, %g { map = affine_map<(d0, d1) -> (d1)> }\n");
    const StudioWindow studio(QSize(1280, 800));
    STUDIO_RESTS(studio);
    studio.session()->setHardwareText(hardware);
    QTRY_VERIFY(studio.session()->hardwareIsChecked() &&
                studio.session()->hardware()->topology.coreCount() <= 8);
    const QString said = whyNotPlaceable(*studio.session());
    QVERIFY2(reason.isEmpty() ? said.isEmpty() : said.contains(reason), qPrintable(said));
  }

  /// A ring checks, or is refused; also when a channel has been placed before.
  void presetsBecomeRingsOrStay() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    Session* session = studio.session();
    int rings = 0, refused = 0;
    for (const texts::Preset& preset : texts::listHardware()) {
      // The wafer is refused like the systolic mesh, and slow to explore.
      if (preset.name == "cerebras_like") continue;
      studio.chooseHardware(preset.name.c_str());
      QTRY_VERIFY_WITH_TIMEOUT(session->hardwareIsChecked(), StudioWindow::kPatience);
      if (!mayBeRing(*session) || isRing(*session)) continue;
      const std::string& memory = session->hardware()->topology.global().name;
      const auto channels =
          static_cast<std::size_t>(session->hardware()->topology.global().channels);
      for (const bool dragged : {false, true}) {
        if (dragged) {
          std::vector<language::PortRouters> ports;
          for (const MemoryBlock& block : studio->meshPanel()->canvas()->scene().memories)
            ports.emplace_back(block.ports.size(), std::vector<std::int64_t>{1, 1});
          placePort(*session, 0, 0, ports);
          QTRY_VERIFY_WITH_TIMEOUT(session->hardwareIsChecked(), StudioWindow::kPatience);
        }
        const QString before = textOf(studio);
        if (!makeRing(*session)) {
          QCOMPARE(textOf(studio), before);
          ++refused;
          continue;
        }
        const auto made =
            service::openHardware(base::makeSource("ring.hw", textOf(studio).toStdString()));
        QVERIFY2(made.ok(), qPrintable(QString::fromStdString(preset.name)));
        QCOMPARE((*made)->topology.global().channels, static_cast<std::int64_t>(channels));
        QCOMPARE((*made)->topology.global().name, memory);
        ++rings;
        session->undo();
        QTRY_VERIFY_WITH_TIMEOUT(session->hardwareIsChecked(), StudioWindow::kPatience);
      }
    }
    QVERIFY2(rings >= 4 && refused >= 1,
             qPrintable(QStringLiteral("%1 rings, %2 refused").arg(rings).arg(refused)));
  }

  /// What the menu adds is text that checks, with fields in the form, and undone in one step.
  void partsAreAdded_data() {
    QTest::addColumn<QString>("hardware");
    for (const char* each : {"wormhole_8x8", "npu_phoenix_4x4"})
      QTest::newRow(each) << QString::fromLatin1(each);
  }
  void partsAreAdded() {
    QFETCH(QString, hardware);
    const StudioWindow studio(QSize(1920, 1080));
    studio.chooseHardware(hardware.toLatin1().constData());
    STUDIO_RESTS(studio);
    const QString before = textOf(studio);
    const auto machine = [&]() -> const hardware::Topology& {
      return studio.session()->hardware()->topology;
    };
    const auto planes = machine().planes();
    const auto buffers = machine().sharedBuffers().size();
    const auto add = [&](const char* title) {
      entryAt(studio, {2, 2}, QString::fromLatin1(title))->trigger();
      QTRY_VERIFY(studio.session()->hardwareIsChecked() && !studio->meshPanel()->awaitsScene());
    };
    add("Add a network");
    QVERIFY(studio.session()->hardwareIsChecked());
    QCOMPARE(machine().planes(), planes + 1);
    QVERIFY(studio->hardwareForm()->isVisible());
    add("Add a shared buffer for all cores");
    QVERIFY(studio.session()->hardwareIsChecked());
    QCOMPARE(machine().sharedBuffers().size(), buffers + 1);
    QVERIFY(studio->hardwareForm()->field(QStringLiteral("chip_buffer"), QStringLiteral("size")));
    add("Add a shared buffer for each column");
    QVERIFY(studio.session()->hardwareIsChecked());
    QCOMPARE(machine().sharedBuffers().size(), buffers + 2);
    for (int n = 0; n < 3; ++n) studio.session()->undo();
    QCOMPARE(textOf(studio), before);
  }

  void aMeshBecomesARing() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    HardwareForm* form = studio->hardwareForm();
    const QString before = textOf(studio);
    QVERIFY(!form->ringButton()->isHidden() && !form->ringButton()->isChecked());
    form->ringButton()->click();
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->problems().empty());
    QVERIFY(form->ringButton()->isChecked() && !form->torusButton()->isChecked());
    const hardware::Topology& hw = studio.session()->hardware()->topology;
    QCOMPARE(hw.coreCount(), 64);
    QCOMPARE(hw.dims()[0].size, 64);
    QCOMPARE(studio->meshPanel()->canvas()->scene().rows, 1);
    QVERIFY(studio.session()->exploration() && studio.session()->exploration()->listed() > 0);
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
    // A core that is disabled has a place in the mesh only.
    setCoreDisabled(*studio.session(), {1, 1}, true);
    QVERIFY(!mayBeRing(*studio.session()));
    studio.chooseHardware("dojo_d1");
    STUDIO_RESTS(studio);
    QVERIFY(form->ringButton()->isHidden());
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

  void aTorusBecomesAMesh() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString before = textOf(studio);
    const HardwareForm* form = studio->hardwareForm();
    QVERIFY(form->torusButton()->isChecked() && !form->meshButton()->isChecked());
    form->meshButton()->click();
    QVERIFY(textOf(studio).contains(QStringLiteral("%noc_h_back")));
    QVERIFY(!textOf(studio).contains(QStringLiteral("mod cols")));
    QVERIFY(form->meshButton()->isChecked() && !form->torusButton()->isChecked());
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->problems().empty());
    const auto& topology = studio.session()->exploration()->hardware->topology;
    QVERIFY(!topology.wrapsAround(0, 0) && !topology.wrapsAround(0, 1));
    QAction* wrap = entryAt(studio, {2, 2}, QStringLiteral("Wrap the links around: a torus"));
    QVERIFY(wrap->isEnabled());
    QVERIFY(
        !entryAt(studio, {2, 2}, QStringLiteral("End the links at the edge: a mesh"))->isEnabled());
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
    QVERIFY(form->torusButton()->isChecked());
    // Without networks there is nothing to choose.
    studio.session()->setHardwareText(QStringLiteral("%x = df.spatial_dim 4\n"));
    QVERIFY(form->torusButton()->isHidden() || !form->torusButton()->isVisible());
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
