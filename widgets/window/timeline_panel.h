// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "timeline/timeline_scene.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollBar;
class QToolButton;

namespace gridloom::widgets {

class FlowLayout;
class FlowLayout;
class LineLabel;
class Replay;
class SelectionHub;
class Session;
class TimelineCanvas;

/// The run of the selected mapping over time, and the controls that play it.
class TimelinePanel : public QWidget {
  Q_OBJECT
 public:
  TimelinePanel(Session* session, SelectionHub* hub, Replay* replay, QWidget* parent = nullptr);
  TimelineCanvas* canvas() const { return m_canvas; }
  QLineEdit* cycleBox() const { return m_cycle; }
  /// Plays, or pauses what plays.
  void togglePlay();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  QWidget* makeControls();
  template <class Does>
  QToolButton* addButton(const char* icon, const char* name, const char* tip, const Does& does);
  void addSteps();
  void addFields();
  void addRecording();
  QToolButton* button(const QString& icon, const QString& name, const QString& tip);
  void refreshIcons();
  void rebuild();
  void rebuildRows();
  void refreshStatus();
  void showCycle(double cycle);
  void adoptTyped();
  void pickRow(int row);
  void toggleRow(int row);
  void markSelection();
  void showScroll();
  int linkNamed(const QString& name) const;

  Session* m_session;
  SelectionHub* m_hub;
  Replay* m_replay;
  TimelineChoice m_choice;
  TimelineCanvas* m_canvas = nullptr;
  FlowLayout* m_controlRow = nullptr;
  QScrollBar* m_scroll = nullptr;
  QWidget* m_controls = nullptr;
  QToolButton* m_play = nullptr;
  QToolButton* m_playBack = nullptr;
  QToolButton* m_compact = nullptr;
  QList<QToolButton*> m_buttons;
  QLineEdit* m_cycle = nullptr;
  QLabel* m_time = nullptr;
  QComboBox* m_speed = nullptr;
  LineLabel* m_notice = nullptr;
  QProgressBar* m_progress = nullptr;
  QPushButton* m_record = nullptr;
};

}  // namespace gridloom::widgets
