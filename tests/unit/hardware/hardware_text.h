// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/topology.h"

namespace gridloom::hardware {

/// The topology of a `.hw` text that must be valid. Otherwise the test fails, and the topology is
/// empty.
Topology topologyOf(const std::string& text);
/// The same, of which another one may be a part.
Topology topologyLike(const std::string& text, const Topology& like);
/// What is noted about a description that is right.
std::string topologyNotes(const std::string& text);
/// The rendered diagnostics of a text that parses but gives no topology.
std::string topologyErrors(const std::string& text);
Topology presetTopology(const std::string& name);

}  // namespace gridloom::hardware
