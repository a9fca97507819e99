// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/records.h"

namespace gridloom::report {

/// The parts of a kernel as kernels of their own, one after the other, beside its best mapping.
std::string apartText(const ApartRecord& apart, const ExplorationRecord& exploration);

}  // namespace gridloom::report
