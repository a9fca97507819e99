// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "affine/integer_set.h"

namespace gridloom::affine {

/// Whether a set is empty, where bounds of its dimensions tell: constraints narrow the box round by
/// round until a dimension has no value left, or a corner of what is left lies in the set. Nothing
/// where neither happens. It takes a small part of the time that isl takes.
std::optional<bool> isEmptyByBounds(const IntegerSet& set);

}  // namespace gridloom::affine
