// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "service/workspace.h"

namespace gridloom::cli {

/// The value of --time-limit: a number of seconds above 0; "" is 0, no limit.
base::Result<double> secondsOf(const std::string& text);
/// The value of an option such as --tolerance: "2%" or "0.02"; "" is 0.
base::Result<double> shareOf(const std::string& option, const std::string& text);
/// "100000:200000": cycles; an omitted side is open.
base::Result<service::TraceWindow> traceWindowOf(const std::string& text);

}  // namespace gridloom::cli
