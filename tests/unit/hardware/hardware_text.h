// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"

namespace gridloom::hardware {

/// The topology of a `.hw` text that must be right; a failing test and an empty topology otherwise.
Topology topologyOf(const std::string& text);
/// The rendered findings of a text that parses but makes no topology.
std::string topologyErrors(const std::string& text);
Topology presetTopology(const std::string& name);

}  // namespace gridloom::hardware
