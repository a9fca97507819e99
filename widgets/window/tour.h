// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>

class QLabel;
class QPushButton;

namespace gridloom::widgets {

enum class TourPlace : std::uint8_t;

/// The tour: a card with the current step over the window, and a frame around the panel that the
/// step is about. The panels stay in use. Escape on the card, or *End*, ends it.
class Tour : public QFrame {
  Q_OBJECT
 public:
  /// `bringUp` shows the panel of a place and returns it.
  using BringUp = std::function<QWidget*(TourPlace)>;
  Tour(BringUp bringUp, QWidget* window);
  ~Tour() override;

  int step() const { return m_step; }
  const QWidget* target() const { return m_target; }
  /// Above all panels.
  void raiseAll();

 public Q_SLOTS:
  void showStep(int step);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void place();
  BringUp m_bringUp;
  QPointer<QWidget> m_ring;  ///< the window may end it first
  QWidget* m_target = nullptr;
  QLabel* m_title;
  QLabel* m_text;
  QLabel* m_count;
  QPushButton* m_back;
  QPushButton* m_next;
  int m_step = 0;
};

}  // namespace gridloom::widgets
