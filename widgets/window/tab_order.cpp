// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/tab_order.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>

namespace gridloom::widgets {

namespace {

/// The docks of a window whose tabs are not in front stand outside of it.
bool isBehindTab(const QMainWindow& window, const QWidget* widget) {
  while (widget && !qobject_cast<const QDockWidget*>(widget)) widget = widget->parentWidget();
  const auto* dock = static_cast<const QDockWidget*>(widget);
  return dock && !dock->isFloating() && !window.rect().intersects(dock->geometry());
}

bool takesTab(const QMainWindow& window, const QWidget* widget) {
  return (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !widget->focusProxy() &&
         widget->isEnabled() && widget->window() == &window && widget->isVisibleTo(&window) &&
         !isBehindTab(window, widget);
}

}  // namespace

void setTabOrderAfter(QWidget* before, const QList<QWidget*>& widgets) {
  for (QWidget* each : widgets) {
    QWidget::setTabOrder(before, each);
    before = each;
  }
}

QList<QWidget*> focusableIn(const QLayout& layout) {
  QList<QWidget*> found;
  for (int i = 0; i < layout.count(); ++i) {
    QWidget* each = layout.itemAt(i)->widget();
    if (each && (each->focusPolicy() & Qt::TabFocus) == Qt::TabFocus) found << each;
  }
  return found;
}

QWidget* nextForTab(QMainWindow& window, bool next) {
  const auto step = [next](QWidget* at) {
    return next ? at->nextInFocusChain() : at->previousInFocusChain();
  };
  QWidget* begin = window.focusWidget() ? window.focusWidget() : &window;
  for (QWidget* at = step(begin); at != begin; at = step(at)) {
    if (takesTab(window, at)) return at;
  }
  return nullptr;
}

}  // namespace gridloom::widgets
