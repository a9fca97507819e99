// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/source_text.h"
#include "syntax/hardware_parser_ops.h"

namespace gridloom::syntax {

/// Brings the forms in which TL's authors write the df dialect (their repository's files, and
/// Listings 6 to 9 of Li et al., 2025) to the one form that is interpreted:
///
/// - `df.compute "cores", %x, %y { map = identity }` is `df.core "cores" { scaleout = (%x, %y) }`,
///   and `df.memory "L1", %x, %y` has the same `scaleout`;
/// - `spatial_dims = [@x, @y]` of a core or a memory is its `scaleout`;
/// - dimensions after the two ends of a mux or an interconnect, and `spatial_dims = [@x]`, say
///   again what the map says; they are dropped;
/// - numbered names (`%5 = df.memory "L1"`) become the labels;
/// - `"df.spatial_dim"() {size = 8}` of the generic form is `df.spatial_dim 8`;
/// - a second `df.core` of the same name replaces the first (Listing 8 refines Listing 7);
/// - a mux to a memory that is not defined leads to the only memory above it (Listing 9), with a
///   warning.
void acceptOtherForms(HardwareOps& ops, const base::SourceRef& source, base::Diagnostics& out);

}  // namespace gridloom::syntax
