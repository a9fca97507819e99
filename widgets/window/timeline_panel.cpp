// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/timeline_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <cmath>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "window/flow_layout.h"
#include "window/line_label.h"

namespace gridloom::widgets {

namespace {

constexpr std::array kSpeeds{0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0};
constexpr int kPollPause = 100;  // milliseconds between looks at the progress

}  // namespace

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
    m_choice.link = linkNamed(name);
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

QToolButton* TimelinePanel::button(const QString& icon, const QString& name, const QString& tip) {
  auto* made = new QToolButton;
  made->setProperty("iconName", icon);
  made->setAccessibleName(name);
  made->setToolTip(tip.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, tip));
  made->setIconSize(QSize(16, 16));
  m_buttons << made;
  return made;
}

QWidget* TimelinePanel::makeControls() {
  auto* controls = new QWidget;
  auto* row = new FlowLayout({6, 2, 2}, controls);
  row->setContentsMargins(8, 3, 8, 3);
  const auto add = [row](QWidget* widget) { row->addWidget(widget); };
  const auto adds = [&](const char* icon, const char* name, const char* tip, auto does) {
    QToolButton* made = button(QLatin1String(icon), QString::fromUtf8(name),
                               QString::fromUtf8(tip));
    connect(made, &QToolButton::clicked, this, does);
    add(made);
    return made;
  };
  adds("to_start", "To the start", "Home", [this] { m_replay->goTo(0); });
  m_playBack = adds("play_back", "Play backwards", "", [this] {
    if (m_replay->isPlaying())
      m_replay->pause();
    else
      m_replay->play(true);
  });
  adds("step_back", "Back by one cycle", "Left", [this] { m_replay->step(-1); });
  m_play = adds("explore", "Play", "Space", [this] { togglePlay(); });
  adds("step_on", "On by one cycle", "Right", [this] { m_replay->step(1); });
  adds("to_end", "To the end", "End", [this] {
    if (m_replay->recording()) m_replay->goTo(m_replay->recording()->cycles());
  });
  m_cycle = new QLineEdit;
  m_cycle->setObjectName(QStringLiteral("cycle"));
  m_cycle->setAccessibleName(QStringLiteral("Cycle of the cursor"));
  m_cycle->setPlaceholderText(QStringLiteral("cycle"));
  m_cycle->setToolTip(QStringLiteral("The cycle that the mesh shows; empty: the whole run"));
  m_cycle->setFixedWidth(96);
  connect(m_cycle, &QLineEdit::editingFinished, this, &TimelinePanel::adoptTyped);
  add(m_cycle);
  m_time = new QLabel;
  m_time->setProperty("role", QStringLiteral("muted"));
  add(m_time);
  m_speed = new QComboBox;
  m_speed->setAccessibleName(QStringLiteral("Speed"));
  for (const double speed : kSpeeds)
    m_speed->addItem(QStringLiteral("%1×").arg(speed, 0, 'g', 4), speed);
  m_speed->setCurrentIndex(m_speed->findData(m_replay->speed()));
  m_speed->setToolTip(QStringLiteral("1× plays %1 cycles in a second")
                          .arg(countText(kPlayedCycles)));
  connect(m_speed, &QComboBox::currentIndexChanged, this,
          [this] { m_replay->setSpeed(m_speed->currentData().toDouble()); });
  add(m_speed);
  m_notice = new LineLabel;
  m_notice->setProperty("role", QStringLiteral("muted"));
  m_notice->setMinimumWidth(150);
  add(m_notice);
  m_progress = new QProgressBar;
  m_progress->setAccessibleName(QStringLiteral("Recorded"));
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(90);
  add(m_progress);
  m_record = new QPushButton;
  connect(m_record, &QPushButton::clicked, this, [this] {
    if (m_replay->isRecording())
      m_replay->stop();
    else
      m_replay->record();
  });
  add(m_record);
  row->addStretch();
  m_compact = adds("compact", "Low rows", "all rows, as low as they must be to fit", [this] {
    m_canvas->setCompact(m_compact->isChecked());
  });
  m_compact->setCheckable(true);
  adds("zoom_out", "Zoom out of the timeline", "-", [this] { m_canvas->zoomOut(); });
  adds("zoom_in", "Zoom into the timeline", "+, to one cycle", [this] { m_canvas->zoomIn(); });
  adds("fit", "Show the whole run", "0", [this] { m_canvas->fit(); });
  auto* poll = new QTimer(this);
  poll->setInterval(kPollPause);
  connect(poll, &QTimer::timeout, this, [this] {
    const double share = m_replay->shareDone();
    m_progress->setRange(0, share < 0 ? 0 : 100);
    if (share >= 0) m_progress->setValue(static_cast<int>(100 * share));
  });
  connect(m_replay, &Replay::statusChanged, poll,
          [this, poll] {
            if (m_replay->isRecording())
              poll->start();
            else
              poll->stop();
          });
  return controls;
}

void TimelinePanel::refreshIcons() {
  const Tokens& tokens = tokensFor(palette());
  const bool playing = m_replay->isPlaying();
  m_play->setProperty("iconName", playing ? QStringLiteral("pause") : QStringLiteral("explore"));
  m_play->setAccessibleName(playing ? QStringLiteral("Pause") : QStringLiteral("Play"));
  for (QToolButton* each : m_buttons)
    each->setIcon(themedIcon(each->property("iconName").toString(), tokens));
}

void TimelinePanel::togglePlay() {
  if (m_replay->isPlaying())
    m_replay->pause();
  else
    m_replay->play(false);
}

void TimelinePanel::rebuild() {
  m_canvas->setScene(timelineOf(m_replay->recording(), m_choice));
  markSelection();
  showCycle(m_hub->cycle());
  refreshStatus();
}

void TimelinePanel::refreshStatus() {
  const bool records = m_replay->isRecording();
  const bool known = m_replay->recording() != nullptr;
  const QString notice = m_replay->notice();
  m_canvas->setEmptyText(records ? QStringLiteral("Recording the run…") : notice);
  m_notice->setLine(known ? notice : QString());
  m_notice->setVisible(!m_notice->line().isEmpty());
  m_progress->setVisible(records);
  m_record->setText(records ? QStringLiteral("Stop recording") : QStringLiteral("Record"));
  m_record->setVisible(records || m_replay->canRecord());
  for (QToolButton* each : m_buttons) each->setEnabled(known);
  m_cycle->setEnabled(known);
  m_controls->setMinimumHeight(m_controls->layout()->heightForWidth(width()));
}

void TimelinePanel::showCycle(double cycle) {
  const bool known = m_replay->recording() != nullptr;
  m_canvas->showCycle(known ? cycle : -1);
  if (!m_cycle->hasFocus() || !m_cycle->isModified())
    m_cycle->setText(cycle < 0 ? QString() : countText(std::floor(cycle)));
  const double hertz = m_canvas->scene().hertz;
  m_time->setText(cycle < 0 || hertz <= 0 ? QString() : timeText(cycle / hertz, 1 / hertz));
  m_time->setVisible(!m_time->text().isEmpty());
}

/// Digits count, whatever divides their groups.
void TimelinePanel::adoptTyped() {
  if (!m_cycle->isModified()) return;
  m_cycle->setModified(false);
  QString digits;
  for (const QChar each : m_cycle->text()) {
    if (each.isDigit()) digits += each;
  }
  bool isNumber = false;
  const double cycle = digits.toDouble(&isNumber);
  if (isNumber)
    m_replay->goTo(cycle);
  else
    m_hub->selectCycle(-1);
  showCycle(m_hub->cycle());
}

int TimelinePanel::linkNamed(const QString& name) const {
  for (const TimelineRow& row : m_canvas->scene().rows) {
    if (row.kind == TimelineRow::Kind::Link && row.title == name) return row.index;
  }
  if (!m_replay->recording() || name.isEmpty()) return -1;
  const hardware::Topology& hw = m_replay->recording()->run().hardware->topology;
  const std::string wanted = name.toStdString();
  for (std::size_t l = 0; l < hw.links().size(); ++l) {
    if (hw.linkName(hardware::LinkId::of(l)) == wanted) return static_cast<int>(l);
  }
  return -1;
}

void TimelinePanel::pickRow(int index) {
  const TimelineRow row = m_canvas->scene().rows[static_cast<std::size_t>(index)];
  switch (row.kind) {
  case TimelineRow::Kind::Core:
    m_hub->selectCore(row.index);
    break;
  case TimelineRow::Kind::Link:
  case TimelineRow::Kind::Channel:
    m_hub->selectResource(row.title);
    break;
  case TimelineRow::Kind::Class: {
    // The only core of a class is its row.
    const CoreClass& group =
        m_replay->recording()->classes()[static_cast<std::size_t>(row.index)];
    if (group.cores.size() == 1) {
      const auto& core = m_replay->recording()->states().cores()[group.cores.front()];
      m_hub->selectCore(static_cast<int>(core.core.value()));
    }
    break;
  }
  case TimelineRow::Kind::Links:
  case TimelineRow::Kind::Transfer:
    break;
  }
  m_canvas->markRow(row.kind, row.index);
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
  m_canvas->markRow(row.kind, row.index);
}

/// The row of what is selected elsewhere.
void TimelinePanel::markSelection() {
  if (m_hub->core() >= 0) m_canvas->markRow(TimelineRow::Kind::Core, m_hub->core());
  if (m_choice.link >= 0) return m_canvas->markRow(TimelineRow::Kind::Link, m_choice.link);
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
