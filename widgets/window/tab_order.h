// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QLayout;
class QMainWindow;
class QWidget;

namespace gridloom::widgets {

/// Lets Tab go from one widget to these, in this order. New widgets come last of a window.
void setTabOrderAfter(QWidget* before, const QList<QWidget*>& widgets);
/// What of a layout takes the focus, in its order.
QList<QWidget*> focusableIn(const QLayout& layout);

/// The next widget for Tab, or the one before: it can be seen, other than what is in a panel behind
/// a tab, which Qt counts as visible. Null without one.
QWidget* nextForTab(QMainWindow& window, bool next);

}  // namespace gridloom::widgets
