// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace gridloom::widgets {

/// Fills a view when somebody sees it: what is behind another tab waits, and is filled once when it
/// comes to the front.
class WhenShown : public QObject {
 public:
  WhenShown(QWidget* view, std::function<void()> fill);
  /// The view's contents have changed.
  void request();
  /// Fills what waits, for whoever reads the view without showing it.
  void now();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* m_view;
  std::function<void()> m_fill;
  bool m_waits = false;
};

}  // namespace gridloom::widgets
