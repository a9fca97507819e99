// SPDX-License-Identifier: Apache-2.0

// Memory channels and their ports, dragged on the mesh.

#include "bridge/hardware_edits.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_hits.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "window/hardware_form.h"
#include "window/mesh_panel.h"
#include <QStatusBar>

using namespace gridloom;
using namespace gridloom::widgets;

class MeshChannelTests : public QObject {
  Q_OBJECT

 private:
  /// The router, as column and row, of the port beside a channel.
  static QPoint routerOf(const MeshScene& scene, std::size_t channel) {
    const MemoryBlock& block = scene.memories[channel];
    return scene.positionOf(block.ports.at(scene.nearestPort(block)));
  }

 private Q_SLOTS:
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
};

QObject* makeMeshChannelTests() { return new MeshChannelTests; }

#include "mesh_channel_tests.moc"
