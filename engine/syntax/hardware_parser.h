// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/hardware_spec.h"

namespace gridloom::syntax {

/// Reads a `.hw` text (TL's df dialect: Li et al., 2025, Sec. 2.4, with units). `name` is the
/// preset's name or the file's stem. The result has valid names, units and signs;
/// `hardware::makeTopology` checks the machine as a whole. Figures without a unit are read as in
/// TL, with a note each.
base::Result<hardware::HardwareSpec> parseHardware(base::SourceRef source, std::string name);

}  // namespace gridloom::syntax
