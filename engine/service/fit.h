// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// What a user asks of a kernel on a hardware.
struct Asked {
  base::SourceRef directives = nullptr;  ///< null: none
  /// Files of the same form as the directives: mappings in JSON, directives, schedules.
  /// The units that a single one pins hold; of several, each has its own (withUnitsOf).
  std::vector<base::SourceRef> saved = {};
  std::string mode = {};     ///< the numeric mode; "" follows the element type
  int threads = 0;           ///< of the searches; 0: one per processor
  SearchLimits search = {};  ///< of the choice of a form and what follows it, together
};

/// A kernel in one form, with its directives.
struct Fit {
  KernelRef kernel;
  mapping::Constraints constraints;
  SearchLimits left;  ///< of `Asked::search`
  /// What the best mapping takes by the search that chose the form; none: nothing was chosen, or
  /// there is no mapping.
  std::optional<double> cycles = {};
};

/// Some kernels have two forms (kernel::Kernel::alternative). This is the kernel in the form that
/// the directives and the saved files name; where they fit both forms, in the one for which a short
/// search under the directives finds the faster mapping. Directives, mappings and schedules are of
/// this kernel. A cancel leaves the first form that fits. Errors: directives or files that fit no
/// form; a kernel that cannot be mapped.
base::Result<Fit> fit(KernelRef kernel, const Hardware& hardware, const Asked& asked,
                      base::Progress& progress);

}  // namespace gridloom::service
