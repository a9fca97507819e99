// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "base/diagnostic.h"
#include "base/exit_status.h"

namespace gridloom::base {

/// Bytes of the last allocation that failed.
inline std::atomic<std::size_t> g_refusedBytes{0};

/// Runs a program. When the machine lacks memory or threads, prints an error with the requested and
/// the available amount and returns `Machine`. Any other exception is an internal error. Programs
/// that call this get an operator new that records failed allocations.
ExitStatus runGuarded(const std::function<ExitStatus()>& program,
                      const std::function<void(const Diagnostic&)>& print);

}  // namespace gridloom::base
