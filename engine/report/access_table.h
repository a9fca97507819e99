// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "access/access_counts.h"
#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// Accesses with names.
struct AccessRecord {
  std::string hardware;
  std::string kernel;
  std::vector<NamedSize> loops;
  std::vector<std::string> tensors;  ///< in the order of the counts
  access::AccessCounts counts;
};

/// One row per memory and tensor that it holds, per instance, in elements.
Table accessTable(const AccessRecord& record);
std::string accessText(const AccessRecord& record);

}  // namespace gridloom::report
