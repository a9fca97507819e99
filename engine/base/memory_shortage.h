// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace gridloom::base {

/// Bytes of the last allocation that was refused.
inline std::atomic<std::size_t> g_refusedBytes{0};

/// "64 MiB more were asked for; 488 MiB may be used (`ulimit -v`), 441 MiB of them are": what to say after a
/// `std::bad_alloc`. A program that calls this gets the operator new that notes what was refused.
std::string memoryShortage();

}  // namespace gridloom::base
