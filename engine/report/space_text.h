// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search/space_sizes.h"

namespace gridloom::report {

/// The axes of a mapping space: the number of choices of each when free and under the directives,
/// and the remaining choices.
std::string spaceText(const search::SpaceSizes& free, const search::SpaceSizes& narrowed);

}  // namespace gridloom::report
