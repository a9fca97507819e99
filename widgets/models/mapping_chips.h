// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "models/ranked_rows.h"

namespace gridloom::widgets {

/// One choice of a mapping, as the table shows it.
struct MappingChip {
  QString lead;  ///< in bold: the name of an operand; empty for others
  QString text;
  int operand = -1;    ///< index of the operand's colour; -1: outlined
  bool quiet = false;  ///< a remark, such as the number of equivalent mappings
  QString meaning;     ///< what it says, in sentences
};

/// The choices in a cell of `Space`, `Tiles` or `Operands`; none for other columns. `twins`:
/// equivalent mappings that are not listed; `outputs`: the tensors that are stored.
std::vector<MappingChip> chipsOf(RankedColumn column, const QString& cell, int twins,
                                 const QStringList& outputs = {});

}  // namespace gridloom::widgets
