// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "report/reproduction.h"

namespace gridloom::exchange {

/// All tables of studies as JSON (resources/docs/schema/study.json).
std::string studyJson(std::span<const report::Reproduction> tables);

}  // namespace gridloom::exchange
