// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace gridloom::widgets {

/// Finds any action by a few letters of its name.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  CommandPalette(const QList<QAction*>& actions, QWidget* parent);
  /// Letters of `words` in order, not necessarily adjacent, ignoring case.
  static bool matches(const QString& title, const QString& words);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void narrow(const QString& words);
  void fit();
  void trigger();
  QList<QAction*> m_actions;
  QLineEdit* m_words;
  QListWidget* m_list;
};

/// All actions that have a shortcut.
class ShortcutSheet : public QDialog {
  Q_OBJECT
 public:
  ShortcutSheet(const QList<QAction*>& actions, QWidget* parent);
};

/// The name of an action without its mnemonic mark.
QString plainTitle(const QAction& action);

}  // namespace gridloom::widgets
