// SPDX-License-Identifier: Apache-2.0
#include "mapping/loop_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernel/joined_loops.h"

namespace gridloom::mapping {

std::string loopHelp(const kernel::Kernel& kernel, std::string_view unknown) {
  if (const auto joined = kernel::joinedLoop(kernel, unknown)) {
    const std::string& name = kernel.loop(*joined).name;
    return fmt::format("`{}` and `{}` are mapped as one loop: write `{}`", name, unknown, name);
  }
  return fmt::format("its loops are {}", fmt::join(kernel::loopNames(kernel), ", "));
}

}  // namespace gridloom::mapping
