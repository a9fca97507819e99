// SPDX-License-Identifier: GPL-3.0-or-later

// The mesh shows what is selected: a cycle, a core, a link, a channel.

#include "bridge/hardware_edits.h"
#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_states.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/figure_strip.h"
#include "window/heat_scale.h"
#include "window/line_label.h"
#include "window/mesh_panel.h"
#include "window/state_legend.h"

namespace gridloom::widgets {

namespace {

constexpr int kHeightForFigures = 400;
constexpr int kHeightForLegend = 340, kHeightForWords = 240;

}  // namespace

/// The first cycle that is chosen shows the state there, and the end of that the whole run again.
void MeshPanel::showMoment() {
  const report::RunState* state = m_replay->state();
  if (m_hub->cycle() >= 0 && !m_hasCycle && heat() != Heat::State) {
    m_heatOfRun = heat();
    m_hasCycle = true;
    return setHeat(Heat::State);
  }
  if (m_hub->cycle() < 0 && m_hasCycle) {
    m_hasCycle = false;
    if (heat() == Heat::State) return setHeat(m_heatOfRun);
  }
  const bool shows = state && heat() == Heat::State && showsMapping();
  m_canvas->setMoment(shows ? std::make_shared<const MeshMoment>(momentOf(
                                  *m_replay->recording(), *state, m_replay->followed().get()))
                            : nullptr);
  m_states->refresh();
  dropLow();
  m_scale->setVisible(!showsStates(m_canvas->scene()) && !m_canvas->scene().heatOfCore.empty());
  m_linkScale->setVisible(hasLinkScale(m_canvas->scene()));
  reserveRows();
  describeCore(m_hub->core());
}

/// A low window has no room for large figures, a lower one none for states and hints, the lowest
/// none for colours and words below the mesh; its tooltips say the same.
void MeshPanel::dropLow() {
  m_figures->setCompact(height() < kHeightForFigures);
  const int least = m_core->isEnabled() ? kHeightForWords : kHeightForLegend;
  m_states->setVisible(height() >= kHeightForLegend && showsStates(m_canvas->scene()));
  m_legend->setVisible(height() >= kHeightForWords);
  m_core->setVisible(height() >= least && !m_core->line().isEmpty());
}

/// The line below the mesh says what is selected. It never goes: the mesh would move under the
/// pointer.
void MeshPanel::describeCore(int core) {
  const MeshScene& scene = m_canvas->scene();
  const QString resource = describeResource();
  const bool known = core >= 0 && core < scene.coreCount();
  const QString hint = QStringLiteral(
      "Click a core, a link or a memory channel for its numbers; right click for edits");
  m_core->setEnabled(known || !resource.isEmpty());
  m_core->setLine(known ? scene.describe(core).replace(QLatin1Char('\n'), QStringLiteral("   ·   "))
                  : !resource.isEmpty() ? resource
                  : scene.empty()       ? QString()
                                        : hint);
  dropLow();
}

/// The selected link or memory channel: its name, its use, and what to do with it.
QString MeshPanel::describeResource() const {
  const MeshHighlight& marked = m_canvas->highlight();
  const MeshScene& scene = m_canvas->scene();
  // The scene of another machine is on its way: numbers of links are not those of this one.
  if (awaitsScene() || marked.link >= static_cast<int>(scene.links.size())) return {};
  const QString name = resourceName(marked.link, marked.memory);
  if (name.isEmpty()) return {};
  const double use =
      marked.link >= 0 ? static_cast<double>(scene.links[static_cast<std::size_t>(marked.link)].use)
                       : scene.memoryOf(marked.memory).use;
  const QString busy =
      use < 0 ? QString() : QStringLiteral(": utilization %1").arg(percentText(use));
  const QString moves =
      marked.memory >= 0 && whyNotPlaceable(*m_session).isEmpty()
          ? QStringLiteral("   ·   drag it, or one of its marks, to another router")
          : QString();
  return name + busy + moves;
}

/// The machine that is drawn.
service::HardwareRef MeshPanel::shownHardware() const {
  return showsMapping() ? m_session->exploration()->hardware : m_session->hardware();
}

QString MeshPanel::resourceName(int link, int memory) const {
  const service::HardwareRef hardware = shownHardware();
  if (!hardware || (link < 0 && memory < 0)) return {};
  const hardware::Topology& hw = hardware->topology;
  if (link >= static_cast<int>(hw.links().size()) || memory >= hw.global().channels) return {};
  return link >= 0 ? text(hw.linkName(hardware::LinkId::of(static_cast<std::size_t>(link))))
                   : text(hw.global().name + " " + std::to_string(memory));
}

/// Links and channels have the names of the reports.
void MeshPanel::markResource(const QString& name) {
  int link = -1, memory = -1;
  const service::HardwareRef hardware = shownHardware();
  if (!name.isEmpty() && hardware) {
    const hardware::Topology& hw = hardware->topology;
    const std::string wanted = name.toStdString();
    if (const auto named = hw.linkNamed(wanted)) link = static_cast<int>(named->index());
    for (const MemoryBlock& block : m_canvas->scene().memories) {
      if (hw.global().name + " " + std::to_string(block.channel) == wanted) memory = block.channel;
    }
  }
  m_canvas->setResource(link, memory);
  describeCore(m_hub->core());
}

}  // namespace gridloom::widgets
