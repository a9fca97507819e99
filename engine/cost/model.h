// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "cost/estimate.h"
#include "cost/term_set.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// Predicted execution of one mapping with every term (TL: Li et al., 2025, Sec. 2.5). The search
/// uses the same model through tables; the two agree to the last bit (tested). `compute` is
/// Topology::compute(mode, bits of the kernel's widest input). The result may be empty once
/// `progress` is cancelled. `terms`: corrections to the closed form.
Estimate estimate(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                  const hardware::Topology& hw, const hardware::ComputeModel& compute,
                  const mapping::Mapping& mapping, const base::Progress* progress = nullptr,
                  TermSet terms = {});

/// Compute at peak and compulsory DRAM traffic at full bandwidth; a duplex memory reads and writes
/// at once. `resident` tensors live in local memory and cause no traffic.
Roofline roofline(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                  const hardware::Topology& hw, const hardware::ComputeModel& compute,
                  std::span<const kernel::TensorId> resident = {});

}  // namespace gridloom::cost
