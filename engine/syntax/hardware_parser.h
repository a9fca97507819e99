// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/hardware_spec.h"

namespace gridloom::syntax {

/// Reads a `.hw` text (TL's df dialect: Li et al., 2025, Sec. 2.4, with units). `name` is the
/// preset's name or the file's stem. The names, units and signs are right in what comes back;
/// whether the machine makes sense as a whole is `hardware::makeTopology`'s to say. Figures without
/// a unit are read as TL reads them, with a note each.
base::Result<hardware::HardwareSpec> parseHardware(base::SourceRef source, std::string name);

}  // namespace gridloom::syntax
