// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/when_shown.h"

#include <QEvent>
#include <QWidget>
#include <utility>

namespace gridloom::widgets {

WhenShown::WhenShown(QWidget* view, std::function<void()> fill)
    : QObject(view), m_view(view), m_fill(std::move(fill)) {
  view->installEventFilter(this);
}

void WhenShown::request() {
  m_waits = true;
  if (m_view->isVisible()) now();
}

void WhenShown::now() {
  if (std::exchange(m_waits, false)) m_fill();
}

bool WhenShown::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show) now();
  return QObject::eventFilter(watched, event);
}

}  // namespace gridloom::widgets
