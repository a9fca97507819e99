// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Where an index leaves its dimension.
struct Outside {
  bool below = false, above = false;
  bool isTarget = false;  ///< the element that a statement defines; otherwise one that it reads
};

/// An access as it stands in the source, also where its loops were split.
std::string writtenText(const Kernel& kernel, const Access& access);

/// How to write a recurrence whose elements need later ones.
std::string backwardsHelp();

/// `N` rather than 8, where one parameter alone has that value: it holds for other sizes, too.
std::string numberOrName(const Kernel& kernel, std::int64_t value);

/// The help of an error about index `d` of an access of a statement.
std::string outsideHelp(const Kernel& kernel, const Statement& statement, const Access& access,
                        std::size_t d, Outside outside);

}  // namespace gridloom::kernel
