// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "base/diagnostic.h"
#include "base/exit_status.h"

namespace gridloom::base {

/// Bytes of the last allocation that was refused.
inline std::atomic<std::size_t> g_refusedBytes{0};

/// Runs a program. Where the machine has no more memory or threads, the error says what was asked for and what there
/// was, and the status is `Machine`; any other exception is an internal error. A program that calls this gets an
/// operator new that notes what was refused.
ExitStatus runGuarded(const std::function<ExitStatus()>& program,
                      const std::function<void(const Diagnostic&)>& print);

}  // namespace gridloom::base
