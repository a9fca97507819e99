// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "mapping/constraints.h"

namespace gridloom::exchange {

/// The units that the mapping of a file pins (`units`), as directives at their places.
base::Result<mapping::Directives> unitsFromJson(const base::SourceRef& json);

}  // namespace gridloom::exchange
