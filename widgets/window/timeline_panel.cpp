// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/timeline_panel.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_comparison.h"
#include "timeline/timeline_followed.h"

namespace gridloom::widgets {

TimelinePanel::TimelinePanel(Session* session, SelectionHub* hub, Replay* replay, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub), m_replay(replay) {
  build();
  connect(replay, &Replay::recordingChanged, this, &TimelinePanel::rebuild);
  connect(replay, &Replay::statusChanged, this, &TimelinePanel::refreshStatus);
  connect(replay, &Replay::playingChanged, this, &TimelinePanel::refreshIcons);
  connect(session, &Session::staleChanged, m_canvas, &TimelineCanvas::setStale);
  connect(hub, &SelectionHub::cycleChanged, this, &TimelinePanel::showCycle);
  connect(hub, &SelectionHub::coreChanged, this, [this](int core) {
    if (m_choice.core == core) return;
    m_choice.core = core;
    rebuild();
  });
  connect(hub, &SelectionHub::operandChanged, this, [this](const QString& operand) {
    m_choice.operand = operand;
    if (m_choice.core >= 0) rebuild();
  });
  connect(hub, &SelectionHub::resourceChanged, this, [this](const QString& name) {
    const int link = linkNamed(name);
    m_choice.links.clear();
    if (link >= 0) m_choice.links.push_back(link);
    rebuild();
  });
  connect(m_canvas, &TimelineCanvas::cyclePicked, this, [this](double cycle) {
    if (cycle < 0) {
      m_replay->pause();
      m_hub->selectCycle(-1);
    } else {
      m_replay->goTo(cycle);
    }
  });
  connect(m_canvas, &TimelineCanvas::playToggled, this, &TimelinePanel::togglePlay);
  connect(m_canvas, &TimelineCanvas::rowPicked, this, &TimelinePanel::pickRow);
  connect(m_canvas, &TimelineCanvas::tileWanted, this, [this](int index, double cycle) {
    const TimelineRow& row = m_canvas->scene().rows[static_cast<std::size_t>(index)];
    m_replay->followTransferOf({row.index, row.operand, row.activity}, cycle);
  });
  connect(replay, &Replay::followedChanged, this, &TimelinePanel::rebuildRows);
  connect(m_canvas, &TimelineCanvas::rowToggled, this, &TimelinePanel::toggleRow);
  connect(m_canvas, &TimelineCanvas::rowsChanged, this, &TimelinePanel::showScroll);
  refreshIcons();
  refreshStatus();
}

void TimelinePanel::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_controls = makeControls();
  m_canvas = new TimelineCanvas;
  m_canvas->setObjectName(QStringLiteral("timeline"));
  m_scroll = new QScrollBar(Qt::Vertical);
  m_scroll->setAccessibleName(QStringLiteral("Rows of the timeline"));
  m_scroll->hide();
  connect(m_scroll, &QScrollBar::valueChanged, m_canvas, &TimelineCanvas::setScroll);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(m_canvas, 1);
  row->addWidget(m_scroll);
  column->addWidget(m_controls);
  column->addLayout(row, 1);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
}

void TimelinePanel::togglePlay() {
  if (m_replay->isPlaying())
    m_replay->pause();
  else
    m_replay->play(false);
}

void TimelinePanel::rebuild() {
  rebuildRows();
  markSelection();
}

/// The marked row stays marked: a tile may be followed from a row other than the selected core's.
void TimelinePanel::rebuildRows() {
  TimelineScene scene = timelineOf(m_replay->recording(), m_choice);
  showAgainst(scene, m_replay->against(), m_choice);
  if (m_replay->followed()) showFollowed(scene, *m_replay->followed(), m_choice.core);
  m_canvas->setScene(std::move(scene));
  showCycle(m_hub->cycle());
  refreshStatus();
}

int TimelinePanel::linkNamed(const QString& name) const {
  for (const TimelineRow& row : m_canvas->scene().rows) {
    if (row.kind == TimelineRow::Kind::Link && row.title == name) return row.index;
  }
  if (!m_replay->recording() || name.isEmpty()) return -1;
  const hardware::Topology& hw = m_replay->recording()->run().hardware->topology;
  const auto link = hw.linkNamed(name.toStdString());
  return link ? static_cast<int>(link->index()) : -1;
}

void TimelinePanel::pickRow(int index) {
  const TimelineRow row = m_canvas->scene().rows[static_cast<std::size_t>(index)];
  switch (row.kind) {
  case TimelineRow::Kind::Core:
  case TimelineRow::Kind::Followed:
    m_hub->selectCore(row.index);
    break;
  case TimelineRow::Kind::Link:
  case TimelineRow::Kind::Channel:
    m_hub->selectResource(row.title);
    break;
  case TimelineRow::Kind::Class: {
    if (row.index < 0) return;  // only A has it
    // The only core of a class is its row.
    const CoreClass& group = m_replay->recording()->classes()[static_cast<std::size_t>(row.index)];
    if (group.cores.size() == 1) {
      const auto& core = m_replay->recording()->states().cores()[group.cores.front()];
      m_hub->selectCore(static_cast<int>(core.core.value()));
    }
    break;
  }
  case TimelineRow::Kind::Path:
  case TimelineRow::Kind::Links:
  case TimelineRow::Kind::Transfer:
    break;
  }
  m_canvas->markRow(row);
}

void TimelinePanel::toggleRow(int index) {
  const TimelineRow row = m_canvas->scene().rows[static_cast<std::size_t>(index)];
  if (!row.expands) return;
  if (row.kind == TimelineRow::Kind::Links) {
    m_choice.allLinks = !row.expanded;
  } else if (row.expanded) {
    m_choice.openClasses.erase(row.index);
  } else {
    m_choice.openClasses.insert(row.index);
  }
  rebuild();
  m_canvas->markRow(row);
}

/// The row of what is selected elsewhere.
void TimelinePanel::markSelection() {
  if (m_hub->core() >= 0) m_canvas->markRow(TimelineRow::Kind::Core, m_hub->core());
  if (!m_choice.links.empty())
    return m_canvas->markRow(TimelineRow::Kind::Link, m_choice.links.front());
  for (const TimelineRow& row : m_canvas->scene().rows) {
    if (row.kind == TimelineRow::Kind::Channel && row.title == m_hub->resource())
      return m_canvas->markRow(row.kind, row.index);
  }
}

void TimelinePanel::showScroll() {
  const int over = m_canvas->overflow();
  const QSignalBlocker quiet(m_scroll);
  m_scroll->setRange(0, over);
  m_scroll->setPageStep(std::max(1, m_canvas->height()));
  m_scroll->setValue(static_cast<int>(m_canvas->view().scroll));
  m_scroll->setVisible(over > 0);
}

void TimelinePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_controls->setMinimumHeight(m_controls->layout()->heightForWidth(width()));
}

void TimelinePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_play) refreshIcons();
}

}  // namespace gridloom::widgets
