// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernel/parts.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Statements [begin, end) as a kernel of its own (KernelParts::part), printed and opened.
base::Result<KernelRef> openPart(const kernel::KernelParts& parts, std::size_t begin,
                                 std::size_t end);

/// The part of that name, of a kernel that has one.
std::optional<base::Result<KernelRef>> openPart(const kernel::Kernel& kernel,
                                                const std::string& name);

/// The names of all pieces between cuts; empty for a kernel that cannot be cut.
std::vector<std::string> pieceNames(const kernel::Kernel& kernel);

/// How a kernel is cut, and what its parts must be worth.
struct Cutting {
  bool anywhere = true;  ///< false: only between products that feed each other
  /// All parts together must take fewer cycles; infinite: the kernel has no mapping.
  double limit = std::numeric_limits<double>::infinity();
  /// The same of what the model expects of the parts, before they are simulated.
  double expected = std::numeric_limits<double>::infinity();
  /// Limit of all searches together, in steps as in SearchLimits; 0: that of the options. Half of
  /// it is for choosing the parts.
  std::int64_t work = 0;
};

/// The fastest way to run the kernel apart, if the model expects it to stay below `expected`; the
/// parts are then explored as `options` say, and must stay below `limit`. Parts whose bounds
/// exclude that they help are not searched. A limit of the options, of time or work, is of all
/// these searches together.
std::optional<Apart> exploreApart(const HardwareRef& hardware, const kernel::Kernel& kernel,
                                  const Cutting& cutting, const ExploreOptions& options,
                                  base::Progress& progress);

}  // namespace gridloom::service
