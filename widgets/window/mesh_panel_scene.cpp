// SPDX-License-Identifier: GPL-3.0-or-later

// The scene that the mesh shows: made at once, or for a large mesh in the background.

#include <optional>
#include <utility>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_difference.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/heat_scale.h"
#include "window/mesh_panel.h"

namespace gridloom::widgets {

namespace {

/// Milliseconds that a large scene waits while the answer to an edit is awaited: while both work,
/// each takes twice the time.
constexpr int kAnswerPause = 250;

/// A scene on its way from the background; it is moved, as that of a wafer has a hundred megabytes.
struct MadeScene {
  mutable MeshScene scene;
};

/// Empty or in part when it is cancelled.
MeshScene makeScene(const SceneInputs& in, const base::Progress& progress) {
  if (!in.exploration) return sceneOf(in.hardware->topology, &progress);
  const std::optional<report::PeakLoss> lost = report::lossNamed(in.loss.toStdString());
  const bool shows = in.peak && lost;
  const bool other = in.heat == Heat::Lost || in.heat == Heat::Moved;
  MeshScene scene = sceneOf(
      *in.hardware, *in.exploration->kernel,
      service::mappingAt(*in.exploration, static_cast<std::size_t>(in.candidate)),
      in.run ? &in.run->simulated : nullptr, other && !shows ? Heat::States : in.heat, &progress);
  if (shows) scene.showLost(in.peak->sharesOfCores(*lost));
  if (in.a && in.run && canDraw(*in.a, *in.run)) showDifference(scene, *in.a, *in.run);
  return scene;
}

}  // namespace

/// Only what the scene follows from, so that equal ones need no second scene.
SceneInputs MeshPanel::sceneInputs() const {
  SceneInputs in;
  in.hardware = shownHardware();
  if (!in.hardware || !showsMapping()) return in;
  in.exploration = m_session->exploration();
  in.candidate = m_hub->candidate();
  in.run = m_session->runOf(in.candidate);
  in.heat = heat();
  if (in.heat == Heat::Lost) in.peak = m_session->peak();
  if (in.heat == Heat::Lost) in.loss = m_hub->loss();
  if (in.heat == Heat::Moved) in.a = comparedRun();
  return in;
}

void MeshPanel::requestScene() {
  SceneInputs wanted = sceneInputs();
  const bool large =
      wanted.hardware && wanted.hardware->topology.coreCount() > kMostCoresDrawnAtOnce;
  if (large && wanted == m_requested) return;
  m_sceneJob.drop();
  m_settle.stop();
  m_requested = std::move(wanted);
  if (!m_requested.hardware) return adopt({});
  if (!large) return adopt(makeScene(m_requested, base::Progress()));
  // Results that arrive together are drawn once.
  m_settle.start(m_requested.exploration && !isOutdated() ? 0 : kAnswerPause);
}

/// An edit stops a large scene that is not ready: it would hold up the answer.
void MeshPanel::stopScene() {
  if (!awaitsScene() || !m_session->stale()) return;
  m_settle.stop();
  m_sceneJob.drop();
  m_requested = {};
}

void MeshPanel::makeLargeScene() {
  m_sceneJob.start<MadeScene>(
      [in = m_requested](base::Progress& progress) -> Job::Answer<MadeScene> {
        return std::make_shared<const MadeScene>(MadeScene{makeScene(in, progress)});
      },
      [this](Job::Answer<MadeScene> answer) {
        if (answer) return adopt(std::move((*answer)->scene));
        m_requested = {};
      });
}

void MeshPanel::adopt(MeshScene scene) {
  m_canvas->setScene(std::move(scene));
  m_canvas->setSelectedCore(m_hub->core());
  markResource(m_hub->resource());
  showMoment();
  rebuildChips();
  m_scale->update();
  m_linkScale->update();
  updateCanvasText();
  Q_EMIT sceneChanged();
}

}  // namespace gridloom::widgets
