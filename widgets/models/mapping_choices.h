// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "service/workspace.h"

namespace gridloom::widgets {

/// One choice of a mapping, as the directive that keeps it.
struct MappingChoice {
  QString part;             ///< "Space", "Tiles", "Order", or the name of a tensor
  QString directive;        ///< `tile(i, 128)`
  bool canExclude = false;  ///< `not` before it is a directive, too
};
/// The choices of a ranked mapping, in the order in which pinning writes them.
std::vector<MappingChoice> choicesOf(const service::Exploration& exploration, int candidate);

/// Directives that also keep these choices. Lines that say otherwise about the same loop, tensor or
/// dimension go; so does `not` of the same choice.
QString withKept(const QString& directives, const QStringList& choices);
/// Directives that also exclude a choice; a line that keeps it goes.
QString withExcluded(const QString& directives, const QString& choice);

}  // namespace gridloom::widgets
