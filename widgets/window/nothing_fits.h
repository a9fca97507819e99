// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "service/workspace.h"

class QLabel;
class QPushButton;

namespace gridloom::widgets {

class Session;

/// Whether a search found no mapping and ran to its end; false for null.
bool nothingFits(const service::ExplorationRef& found);

/// "Apart, as 2 kernels one after the other: 5,376 predicted cycles".
QString apartText(const service::Apart& apart);

/// Stands for a view of mappings where none fits: says so, with what stands in the way and what
/// would help, sets sizes that do, and leads to all reasons.
class NothingFits : public QScrollArea {
  Q_OBJECT
 public:
  NothingFits(Session* session, QWidget* view);

 Q_SIGNALS:
  void reasonsWanted();

 private:
  void reload();
  void setSizes();
  Session* m_session;
  QWidget* m_view;
  QLabel *m_reason, *m_more;
  QPushButton* m_set;
};

}  // namespace gridloom::widgets
