// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/line_label.h"

namespace gridloom::widgets {

class Session;

/// Notice above a view of results that belong to earlier inputs, with the reason why there are no
/// new ones. Hidden otherwise.
class StaleNotice : public LineLabel {
  Q_OBJECT
 public:
  explicit StaleNotice(const Session* session, QWidget* parent = nullptr);
};

}  // namespace gridloom::widgets
