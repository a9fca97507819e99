// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "exchange/air_transfers.h"
#include "hardware/topology.h"
#include "schedule/schedule.h"

namespace gridloom::exchange {

/// Functions that herds call for tile operations: name -> types of its arguments.
using AirFunctions = std::map<std::string, std::string>;

/// What all herds of a schedule have in common.
struct AirContext {
  const schedule::Schedule& schedule;
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
  AirFunctions functions = {};
};

/// Which processes of a program: those of its cores, or those that move tiles into and out of the
/// shared buffers whose groups its cores lead.
enum class AirPart { Cores, SharedBuffers };
AirPart partOf(const AirContext& air, const schedule::Process& process);

/// Whether one put reaches all cores along the channel's dimensions.
bool isBroadcast(const schedule::Channel& channel);
/// Type of a buffer's slot.
std::string slotType(const AirContext& air, const schedule::Buffer& buffer);
const kernel::Operand& operandOf(const AirContext& air, const schedule::Buffer& buffer);
/// Temporal loops outside the transfer that fills or empties a buffer.
int levelOf(const AirContext& air, const schedule::Buffer& buffer);
/// The buffer's copy; only for buffers of inputs and outputs.
Copy copyOf(const AirContext& air, const schedule::Buffer& buffer);

}  // namespace gridloom::exchange
