// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabBar>
#include <QTimer>
#include <QtTest>

#include "window/main_window.h"

/// A pointer and a keyboard: events go to what is in front at their place.
class Hand {
 public:
  explicit Hand(gridloom::widgets::MainWindow& window) : m_window(window) {}

  /// Clicks on a widget; false when something else is in front of it there.
  bool click(QWidget* target, QPoint at, Qt::MouseButton button = Qt::LeftButton) const {
    QWidget* hit = m_window.childAt(target->mapTo(&m_window, at));
    if (hit != target && !target->isAncestorOf(hit)) return false;
    QTest::mouseClick(hit, button, {}, hit->mapFrom(target, at));
    QCoreApplication::processEvents();
    return true;
  }
  bool click(QWidget* target) const { return click(target, target->rect().center()); }

  /// Brings up a panel by its tab, when it is not in front.
  bool raise(const char* name) const {
    auto* dock = m_window.findChild<QDockWidget*>(QLatin1String(name));
    if (m_window.rect().intersects(dock->geometry())) return true;
    for (QTabBar* tabs : m_window.findChildren<QTabBar*>()) {
      for (int i = 0; i < tabs->count(); ++i) {
        if (tabs->tabText(i) != dock->windowTitle() || !tabs->isVisible()) continue;
        const bool hit = click(tabs, tabs->tabRect(i).center());
        QTest::qWait(20);
        return hit && m_window.rect().intersects(dock->geometry());
      }
    }
    return false;
  }

  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : &m_window, key, modifiers);
    QCoreApplication::processEvents();
  }
  void type(const char* words) const {
    QTest::keyClicks(QApplication::focusWidget(), QString::fromUtf8(words));
  }
  /// A command by the palette.
  void command(const char* words) const {
    QTimer::singleShot(0, &m_window, [words] {
      QWidget* palette = QApplication::activeModalWidget();
      QTest::keyClicks(palette->findChild<QLineEdit*>(), QString::fromUtf8(words));
      QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    });
    key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  }

 private:
  gridloom::widgets::MainWindow& m_window;
};
