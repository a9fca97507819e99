// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// Completes a description that leaves out what timing needs, as those of TL's authors do (Li et
/// al., 2025, Listings 6 to 9, and the files of their repository). Each completion is a warning at
/// the component, with the text that makes it explicit:
///
/// - a matrix or vector unit without `throughput`, a memory without `size` or `bandwidth`, an
///   interconnect without `bandwidth`;
/// - cores without a memory of their own: they get one each;
/// - in a module or an `.mlir` file, `all`: a machine without a memory that holds tensors gets one
///   behind the cores' memory, and cores without units a matrix and a vector unit;
/// - with `all`, a dimension of the mesh along which no network leads: neighbours are joined;
/// - a ring whose `mod` is smaller than its dimension: it closes after the last member;
/// - rings of a part of a dimension each, with no link from one to the next: neighbouring rings are
///   joined (hardware/part_rings.h);
/// - a chain of links in one direction without another one back: it leads both ways;
/// - a port whose map leaves the instances of the memory: it wraps.
///
/// A spec that says all this is left as it is. A figure of zero is one that was left out.
void completeSpec(HardwareSpec& spec, base::Diagnostics& out, bool all = false);

}  // namespace gridloom::hardware
