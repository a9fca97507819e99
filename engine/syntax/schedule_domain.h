// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/tile_nest.h"
#include "syntax/schedule_scope.h"

namespace gridloom::syntax {

/// A guard as text: `j <= i and tile i >= tile j + 1 or ...`. Conditions are on elements (some
/// element of the tile satisfies all differences) or on tile numbers.
std::string domainText(const kernel::TileGuard& guard, const kernel::Kernel& kernel);

/// The region of its output that a produced operand reads, as text: `X[i - 1 to i + 1, j]`. `i - 1
/// until i` covers the elements before the tile's own.
std::string awaitedText(const kernel::Operand& operand, const kernel::Kernel& kernel);

/// Whether both are equal, in any order of their parts.
bool isSame(const kernel::TileGuard& a, const kernel::TileGuard& b);

/// Resolves the loops of a domain. Unknown names are reported to `scope`.
kernel::TileGuard bindDomain(const ScheduleText::Domain& text, ScheduleScope& scope);

/// Whether a text equals the region that an operand awaits. Unknown names are reported to `scope`.
bool isAwaited(const ScheduleText::Awaited& text, const kernel::Operand& operand,
               const kernel::Kernel& kernel, ScheduleScope& scope);

/// The element type of all inputs and outputs; "" when they differ.
std::string commonDType(const kernel::Kernel& kernel);

/// A name as a schedule spells it: quoted where it is not a plain word.
std::string spelledName(const std::string& name);

}  // namespace gridloom::syntax
