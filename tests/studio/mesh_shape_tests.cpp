// SPDX-License-Identifier: Apache-2.0

// A mesh becomes a torus or a ring, and gets parts.

#include "bridge/hardware_edits.h"
#include "canvas/mesh_canvas.h"
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

class MeshShapeTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
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
};

QObject* makeMeshShapeTests() { return new MeshShapeTests; }

#include "mesh_shape_tests.moc"
