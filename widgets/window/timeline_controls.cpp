// SPDX-License-Identifier: GPL-3.0-or-later

// The controls above the timeline: play, step, the cycle, the speed, the recording.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <array>
#include <cmath>

#include "bridge/replay.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_comparison.h"
#include "timeline/timeline_followed.h"
#include "window/flow_layout.h"
#include "window/line_label.h"
#include "window/timeline_panel.h"

namespace gridloom::widgets {

namespace {

constexpr std::array kSpeeds{0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0};
constexpr int kPollPause = 100;  // milliseconds between looks at the progress

}  // namespace

QToolButton* TimelinePanel::button(const QString& icon, const QString& name, const QString& tip) {
  auto* made = new QToolButton;
  made->setProperty("iconName", icon);
  made->setAccessibleName(name);
  made->setToolTip(tip.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, tip));
  made->setIconSize(QSize(16, 16));
  m_buttons << made;
  return made;
}

template <class Does>
QToolButton* TimelinePanel::addButton(const char* icon, const char* name, const char* tip,
                                      const Does& does) {
  QToolButton* made = button(QLatin1String(icon), QString::fromUtf8(name), QString::fromUtf8(tip));
  connect(made, &QToolButton::clicked, this, does);
  m_controlRow->addWidget(made);
  return made;
}

QWidget* TimelinePanel::makeControls() {
  auto* controls = new QWidget;
  m_controlRow = new FlowLayout({6, 2, 2}, controls);
  m_controlRow->setContentsMargins(8, 3, 8, 3);
  addSteps();
  addFields();
  addRecording();
  m_controlRow->addStretch();
  m_compact = addButton("compact", "Low rows", "all rows, as low as they must be to fit",
                        [this] { m_canvas->setCompact(m_compact->isChecked()); });
  m_compact->setCheckable(true);
  addButton("zoom_out", "Zoom out of the timeline", "-", [this] { m_canvas->zoomOut(); });
  addButton("zoom_in", "Zoom into the timeline", "+, to one cycle", [this] { m_canvas->zoomIn(); });
  addButton("fit", "Show the whole run", "0", [this] { m_canvas->fit(); });
  return controls;
}

/// Playing and stepping.
void TimelinePanel::addSteps() {
  addButton("to_start", "To the start", "Home", [this] { m_replay->goTo(0); });
  m_playBack = addButton("play_back", "Play backwards", "", [this] {
    if (m_replay->isPlaying())
      m_replay->pause();
    else
      m_replay->play(true);
  });
  addButton("step_back", "Back by one cycle", "Left", [this] { m_replay->step(-1); });
  m_play = addButton("explore", "Play", "Space", [this] { togglePlay(); });
  addButton("step_on", "On by one cycle", "Right", [this] { m_replay->step(1); });
  addButton("to_end", "To the end", "End", [this] {
    if (m_replay->recording()) m_replay->goTo(m_replay->recording()->cycles());
  });
}

/// The cycle, its time, and the speed.
void TimelinePanel::addFields() {
  m_cycle = new QLineEdit;
  m_cycle->setObjectName(QStringLiteral("cycle"));
  m_cycle->setAccessibleName(QStringLiteral("Cycle of the cursor"));
  m_cycle->setPlaceholderText(QStringLiteral("cycle"));
  m_cycle->setToolTip(QStringLiteral("The cycle that the mesh shows; empty: the whole run"));
  m_cycle->setFixedWidth(96);
  connect(m_cycle, &QLineEdit::editingFinished, this, &TimelinePanel::adoptTyped);
  m_controlRow->addWidget(m_cycle);
  m_time = new QLabel;
  m_time->setProperty("role", QStringLiteral("muted"));
  m_controlRow->addWidget(m_time);
  m_speed = new QComboBox;
  m_speed->setAccessibleName(QStringLiteral("Speed"));
  for (const double speed : kSpeeds)
    m_speed->addItem(QStringLiteral("%1×").arg(speed, 0, 'g', 4), speed);
  m_speed->setCurrentIndex(m_speed->findData(m_replay->speed()));
  m_speed->setToolTip(
      QStringLiteral("1× plays %1 cycles in a second").arg(countText(kPlayedCycles)));
  connect(m_speed, &QComboBox::currentIndexChanged, this,
          [this] { m_replay->setSpeed(m_speed->currentData().toDouble()); });
  m_controlRow->addWidget(m_speed);
}

/// What is recorded, how far, and the button that begins or ends it.
void TimelinePanel::addRecording() {
  m_notice = new LineLabel;
  m_notice->setProperty("role", QStringLiteral("muted"));
  m_notice->setMinimumWidth(200);
  m_controlRow->addWidget(m_notice);
  m_progress = new QProgressBar;
  m_progress->setAccessibleName(QStringLiteral("Recorded"));
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(90);
  m_controlRow->addWidget(m_progress);
  m_record = new QPushButton;
  connect(m_record, &QPushButton::clicked, this, [this] {
    if (m_replay->isRecording())
      m_replay->stop();
    else
      m_replay->record();
  });
  m_controlRow->addWidget(m_record);
  auto* poll = new QTimer(this);
  poll->setInterval(kPollPause);
  connect(poll, &QTimer::timeout, this, [this] {
    const double share = m_replay->shareDone();
    m_progress->setRange(0, share < 0 ? 0 : 100);
    if (share >= 0) m_progress->setValue(static_cast<int>(100 * share));
  });
  connect(m_replay, &Replay::statusChanged, poll, [this, poll] {
    if (m_replay->isRecording())
      poll->start();
    else
      poll->stop();
  });
}

void TimelinePanel::refreshIcons() {
  const Tokens& tokens = tokensFor(palette());
  const bool playing = m_replay->isPlaying();
  m_play->setProperty("iconName", playing ? QStringLiteral("pause") : QStringLiteral("explore"));
  m_play->setAccessibleName(playing ? QStringLiteral("Pause") : QStringLiteral("Play"));
  for (QToolButton* each : m_buttons)
    each->setIcon(themedIcon(each->property("iconName").toString(), tokens));
}

void TimelinePanel::refreshStatus() {
  const bool records = m_replay->isRecording();
  const bool known = m_replay->recording() != nullptr;
  const QString left = m_replay->notice();
  const QString notice = !left.isEmpty()        ? left
                         : m_replay->followed() ? pathText(*m_replay->followed())
                                                : comparisonText(m_canvas->scene());
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

}  // namespace gridloom::widgets
