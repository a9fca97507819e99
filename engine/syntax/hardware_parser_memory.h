// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/hardware_spec.h"
#include "syntax/hardware_parser_attributes.h"

namespace gridloom::syntax {

/// Extents of dimensions and numbers of banks.
inline constexpr std::int64_t kLargestDim = 1 << 24;

/// The attributes of a `df.memory`. Mistakes are reported to the reader, and a neutral value stands
/// for each.
hardware::Memory readMemory(HardwareAttributeReader& reader);

}  // namespace gridloom::syntax
