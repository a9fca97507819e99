// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace gridloom::widgets {

class RankedModel;
class SelectionHub;

/// Whether simulation puts another mapping first than the one shown, and a button that shows it.
class OutcomeChip : public QFrame {
  Q_OBJECT
 public:
  OutcomeChip(const RankedModel* model, SelectionHub* hub, QWidget* parent = nullptr);
  QString words() const;

 private:
  void refresh();
  const RankedModel* m_model;
  SelectionHub* m_hub;
  QLabel* m_words;
  QPushButton* m_show;
};

}  // namespace gridloom::widgets
