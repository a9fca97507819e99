// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/tile_nest.h"
#include "syntax/schedule_scope.h"

namespace gridloom::syntax {

/// Where in the nest something happens, as text: `j <= i and tile i >= tile j + 1 or ...`. What a tile needs
/// is told by its elements (some element of it has all the differences) and by its own numbers.
std::string domainText(const kernel::TileGuard& guard, const kernel::Kernel& kernel);

/// What of its output a produced operand reads, as text: `X[i - 1 to i + 1, j]`; `i - 1 until i` is what lies
/// before the tile's own elements.
std::string awaitedText(const kernel::Operand& operand, const kernel::Kernel& kernel);

/// Whether both say the same, in any order.
bool isSame(const kernel::TileGuard& a, const kernel::TileGuard& b);

/// Resolves the loops of a domain. Names that mean nothing are told to `scope`.
kernel::TileGuard bindDomain(const ScheduleText::Domain& text, ScheduleScope& scope);

/// Whether a text means what an operand awaits. Names that mean nothing are told to `scope`.
bool isAwaited(const ScheduleText::Awaited& text, const kernel::Operand& operand,
               const kernel::Kernel& kernel, ScheduleScope& scope);

/// The element type of all inputs and outputs; "" when they differ.
std::string commonDType(const kernel::Kernel& kernel);

/// A name as it stands in a schedule: quoted where it is not plain.
std::string spelledName(const std::string& name);

}  // namespace gridloom::syntax
