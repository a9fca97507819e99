// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// The kernel whose products run on the units that directives pin; the same object without any.
KernelRef withUnits(KernelRef kernel, const mapping::Constraints& constraints);

/// The same with the units that a saved mapping, directives or a schedule pin. Errors: a file that
/// cannot be read, units that the hardware does not have or that other directives contradict.
base::Result<KernelRef> withUnitsOf(const base::SourceRef& text, KernelRef kernel,
                                    const Hardware& hardware);

/// The units of the products of a listed mapping (report::unitsOf).
std::vector<report::UnitRecord> unitsAt(const Exploration& exploration, std::size_t at);

}  // namespace gridloom::service
