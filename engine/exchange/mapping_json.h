// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::exchange {

/// Reads a mapping for this kernel and hardware: that of `gridloom.mapping/1`, the best one of an
/// exploration, or that of a simulation or an explanation; `schema` says which. The mapping is
/// checked for legality. Errors are located.
base::Result<mapping::Mapping> mappingFromJson(base::SourceRef json, const kernel::Kernel& kernel,
                                               const kernel::TileNest& nest,
                                               const hardware::Topology& hw);

/// Whether a text has the form of a mapping. Its names can be checked only with a kernel and a
/// hardware.
bool isMappingJson(const base::SourceText& json);
base::Diagnostics checkMappingForm(base::SourceRef json);

}  // namespace gridloom::exchange
