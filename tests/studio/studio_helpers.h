// SPDX-License-Identifier: Apache-2.0
#pragma once

// What several files of these tests share: one header, since helpers of the same name clash where
// files are compiled together.

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QtTest>
#include <limits>

#include "bridge/replay.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_painter.h"
#include "editors/code_editor.h"
#include "language/language.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "studio_window.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "window/hardware_form.h"
#include "window/inputs_panel.h"
#include "window/mesh_panel.h"
#include "window/number_box.h"
#include "window/sweep_field.h"
#include "window/sweep_panel.h"
#include "window/timeline_panel.h"

namespace studio_helpers {

using namespace gridloom;
using namespace gridloom::widgets;

inline QList<CodeEditor*> editorsOf(const StudioWindow& studio) {
  return {studio->hardwareEditor(), studio->kernelPanel()->editor(),
          studio->directivesPanel()->editor()};
}

inline void press(QWidget* field, const char* keys) {
  field->setFocus();
  QTest::keySequence(field, QKeySequence(QLatin1String(keys)));
}

inline QString textOf(const StudioWindow& studio) {
  return studio.session()->project().hardwareText;
}

/// Every field shows what stands in the text, and the editor has that text.
inline bool agrees(const StudioWindow& studio) {
  const QString words = textOf(studio);
  if (studio->hardwareEditor()->toPlainText() != words) return false;
  for (const auto& field : gridloom::language::hardwareFields(hardwareSource(words))) {
    const QString component = text(field.component), attribute = text(field.attribute);
    const QLineEdit* line = studio->hardwareForm()->field(component, attribute);
    if (line && line->text() != partOf(words, field.value)) return false;
    const NumberBox* box = field.op == "param" ? studio->hardwareForm()->box(component) : nullptr;
    if (box && box->value() != static_cast<int>(field.number)) return false;
  }
  return true;
}

inline void drag(MeshCanvas* canvas, QPointF from, QPointF to) {
  QTest::mousePress(canvas, Qt::LeftButton, {}, from.toPoint());
  QTest::mouseMove(canvas, ((from + to) / 2).toPoint());
  QTest::mouseMove(canvas, to.toPoint());
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, to.toPoint());
}

/// The entry of the mesh's menu at a point; null when there is none.
inline QAction* entryAt(const StudioWindow& studio, QPointF at, const QString& title) {
  MeshCanvas* canvas = studio->meshPanel()->canvas();
  for (QMenu* old : studio->findChildren<QMenu*>(QStringLiteral("meshMenu"))) delete old;
  Q_EMIT canvas->customContextMenuRequested(at.toPoint());
  auto* menu = studio->findChild<QMenu*>(QStringLiteral("meshMenu"));
  for (QAction* each : menu->actions()) {
    if (each->text() == title) return each;
  }
  return nullptr;
}

inline RankedRow rowOf(double predicted, double simulated, const QString& bottleneck) {
  RankedRow row;
  row.mapping = QStringLiteral("i/x j/y | block i128, k%1").arg(predicted);
  row.predicted = predicted;
  row.simulated = simulated;
  row.tflops = 1e3 / predicted;
  row.utilization = 1 / predicted;
  row.bottleneck = bottleneck;
  return row;
}

inline std::vector<RankedRow> threeRows() {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  return {rowOf(10, 12, QStringLiteral("dram")), rowOf(20, unknown, QStringLiteral("matrix")),
          rowOf(30, 11, QStringLiteral("dram"))};
}

inline void showTimeline(const StudioWindow& studio) {
  studio->findChild<QDockWidget*>(QStringLiteral("timelineDock"))->raise();
}

inline TimelineCanvas* canvasOf(const StudioWindow& studio) {
  return studio->timelinePanel()->canvas();
}

/// Rows of data: a kernel and a machine for each kind of movement and core.
inline void addKindsOfRun() {
  QTest::addColumn<QString>("hardware");
  QTest::addColumn<QString>("kernel");
  for (const char* kernel : {"softmax", "conv2d", "ttm"})
    for (const char* hardware : {"wormhole_4x8", "spyre_ring", "systolic_32x32"})
      QTest::addRow("%s on %s", kernel, hardware)
          << QString::fromLatin1(hardware) << QString::fromLatin1(kernel);
}

/// Chooses what is walked, and the range, with the fields of the panel.
inline void chooseSweep(const SweepPanel* panel, std::size_t axis, const char* name,
                        const char* from, const char* to, int count) {
  SweepField* field = panel->field(axis);
  field->parameter()->setCurrentIndex(field->parameter()->findText(QLatin1String(name)));
  Q_EMIT field->parameter()->activated(field->parameter()->currentIndex());
  field->from()->setText(QLatin1String(from));
  field->to()->setText(QLatin1String(to));
  field->count()->setValue(count);
}

}  // namespace studio_helpers

using namespace studio_helpers;

#define TIMELINE_RECORDED(studio)                                                                  \
  QTRY_VERIFY_WITH_TIMEOUT((studio)->replay()->recording() != nullptr, StudioWindow::kPatience)

#define SWEPT(panel)                                                                               \
  QTRY_VERIFY_WITH_TIMEOUT(!(panel)->sweep()->running() && (panel)->sweep()->done() > 0,           \
                           StudioWindow::kPatience)
