// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/access_table.h"

namespace gridloom::exchange {

/// Accesses per memory and tensor as JSON, documented in resources/docs/json.md.
std::string accessJson(const report::AccessRecord& record);

}  // namespace gridloom::exchange
