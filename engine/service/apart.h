// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// A part of a kernel's statements as a kernel of its own (kernel::partOf), printed and opened.
base::Result<KernelRef> openPart(const kernel::Kernel& kernel, std::size_t begin, std::size_t end);

/// The part of that name, of a kernel that has one.
std::optional<base::Result<KernelRef>> openPart(const kernel::Kernel& kernel,
                                                const std::string& name);

/// The names of all pieces between cuts; empty for a kernel that cannot be cut.
std::vector<std::string> pieceNames(const kernel::Kernel& kernel);

/// The fastest way to run the kernel apart, if the model expects it to take fewer than `limit`
/// cycles; the parts are then explored as `options` say. A kernel without a mapping (`limit`
/// infinite) is cut anywhere, others only between products that feed each other. Parts whose bounds
/// exclude that they help are not searched. A time limit of the options is of all these searches
/// together.
std::optional<Apart> exploreApart(const HardwareRef& hardware, const kernel::Kernel& kernel,
                                  double limit, const ExploreOptions& options,
                                  base::Progress& progress);

}  // namespace gridloom::service
