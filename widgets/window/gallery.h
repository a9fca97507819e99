// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "bridge/preset_looks.h"

class QLineEdit;
class QListWidget;
class QTabWidget;

namespace gridloom::widgets {

/// All built-in machines, each with its mesh and its facts, and all built-in kernels with their
/// equations. A click opens one, and so does Return; words narrow them.
class Gallery : public QDialog {
  Q_OBJECT
 public:
  Gallery(PresetLooks::Kind first, QWidget* parent);
  QListWidget* list(PresetLooks::Kind kind) const;
  QLineEdit* words() const { return m_words; }
  const PresetLooks& looks(PresetLooks::Kind kind) const;

 Q_SIGNALS:
  void chosen(const QString& name, bool hardware);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QListWidget* build(PresetLooks::Kind kind, const QString& title);
  void narrow(const QString& words);

  QTabWidget* m_tabs;
  QLineEdit* m_words;
  PresetLooks m_machineLooks{PresetLooks::Kind::Hardware};
  PresetLooks m_kernelLooks{PresetLooks::Kind::Kernel};
  QListWidget* m_machines;
  QListWidget* m_kernels;
};

}  // namespace gridloom::widgets
