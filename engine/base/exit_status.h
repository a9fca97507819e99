// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::base {

/// Exit statuses of all programs (resources/docs/command.md).
enum class ExitStatus : int {
  Done = 0,
  No = 1,
  BadInput = 2,
  Internal = 3,
  Machine = 4,  ///< the machine lacks memory, disk or threads
  Interrupted = 130,
  Terminated = 143,
};

}  // namespace gridloom::base
