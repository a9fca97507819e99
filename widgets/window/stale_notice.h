// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/line_label.h"

namespace gridloom::widgets {

class Session;

/// Above a view of results: says that they belong to earlier inputs, and why no new ones come.
/// Hidden otherwise.
class StaleNotice : public LineLabel {
  Q_OBJECT
 public:
  explicit StaleNotice(const Session* session, QWidget* parent = nullptr);
};

}  // namespace gridloom::widgets
