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

/// A text as an editor returns it, with line ends and spaces that an editor does not distinguish
/// replaced by one kind.
QString asEdited(const QString& text);

}  // namespace gridloom::widgets
