// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "terminal.h"

namespace gridloom::cli {

/// What the machine ran out of, with what was asked for and what there was; `Exit::Machine`.
Exit outOfMemory();
Exit refusedBySystem(const std::runtime_error& error);
/// Whether an error says that: one of the system's, or of the thread pool's.
bool isOfSystem(const std::runtime_error& error);

}  // namespace gridloom::cli
