// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// What every step after the parsers works on.
struct Subject {
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
};

/// Takes a ranking by the model, best first; simulates its first mappings side by side as `options.refine` says,
/// and puts those that were simulated in the order of simulated cycles, in front of the others.
///
/// Which are simulated follows from counts of events and from cycles, not from the clock: mapping `n` is, when the work
/// of the mappings up to it is within `refine.work`; from `refine.most` on, when its prediction is not above the fastest
/// of those before it, too. Threads that run ahead do so in vain.
Refined refine(std::vector<Ranked>& ranked, const Subject& subject, const std::string& mode,
               const ExploreOptions& options, base::Progress& progress);

/// How many of the model's first a refinement reaches. `ranked`: the model's first, as many as it may simulate, all
/// simulated, in any order.
std::size_t refinedWithin(const Refinement& refine, std::span<const Ranked> ranked);

}  // namespace gridloom::service
