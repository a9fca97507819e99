// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/hardware_spec.h"

namespace gridloom::syntax {

/// The description as `.hw` text: one op per line in the order of the spec (ops that it does not
/// list come last), with its comments and the units the user chose. The text parses back to the
/// same spec.
std::string printHardware(const hardware::HardwareSpec& spec);

}  // namespace gridloom::syntax
