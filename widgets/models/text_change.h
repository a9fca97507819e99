// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace gridloom::widgets {

/// The one range in which two texts differ.
struct TextChange {
  qsizetype begin = 0;
  qsizetype removed = 0;
  qsizetype inserted = 0;
};

TextChange changeBetween(const QString& before, const QString& after);

}  // namespace gridloom::widgets
