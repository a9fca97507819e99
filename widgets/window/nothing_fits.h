// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "service/workspace.h"

class QLabel;

namespace gridloom::widgets {

class Session;

/// Whether a search found no mapping and ran to its end; false for null.
bool nothingFits(const service::ExplorationRef& found);

/// Stands for a view of mappings where none fits: says so, with the reason, and leads to all of
/// them.
class NothingFits : public QWidget {
  Q_OBJECT
 public:
  NothingFits(const Session* session, QWidget* view);

 Q_SIGNALS:
  void reasonsWanted();

 private:
  void reload();
  const Session* m_session;
  QWidget* m_view;
  QLabel* m_reason;
};

}  // namespace gridloom::widgets
