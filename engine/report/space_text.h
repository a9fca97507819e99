// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search/space_sizes.h"

namespace gridloom::report {

/// The axes of a mapping space: how many choices each has when free and under the directives, and what is left.
std::string spaceText(const search::SpaceSizes& free, const search::SpaceSizes& narrowed);

}  // namespace gridloom::report
