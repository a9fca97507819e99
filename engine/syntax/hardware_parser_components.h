// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hardware/hardware_spec.h"
#include "syntax/hardware_parser_attributes.h"

namespace gridloom::syntax {

/// `systolic = output`, `weight` or `input`: the stationary operand. The extent of `shape` along
/// the stream (k, m or n) must be 1.
hardware::Stationary readSystolic(HardwareAttributeReader& reader,
                                  const std::vector<std::int64_t>& shape);

/// `scalein = (%FPU, %SFPU, [8, 1])`: units with their number of copies; without the list, 1 each.
std::vector<hardware::UnitCount> readScalein(HardwareAttributeReader& reader);

/// `disabled = [(3, *), (5, 7)]`
std::vector<hardware::CorePattern> readDisabled(HardwareAttributeReader& reader);

/// `dma = 2` channels in each direction, or `dma = { in = 2, out = 1, rate = 4 B/cycle }`. A
/// direction without a number has no limit, nor has a channel without a rate.
void readDma(HardwareAttributeReader& reader, hardware::Memory& memory);

/// `at = [(0, 0), (5, 0)]` one router per instance, or `at = [[(0, 0), (0, 1)], ...]` several.
std::vector<std::vector<std::vector<std::int64_t>>> readPositions(HardwareAttributeReader& reader);

/// `multicast = yes`, `no`, or the bandwidth of a multicast when it is lower than a unicast's.
void readMulticast(HardwareAttributeReader& reader, hardware::Interconnect& interconnect);

}  // namespace gridloom::syntax
