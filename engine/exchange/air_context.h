// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exchange/air_transfers.h"
#include "schedule/placed_schedule.h"
#include "schedule/resolved_code.h"

namespace gridloom::exchange {

/// Functions that herds call for tile operations: name -> types of its arguments.
using AirFunctions = std::map<std::string, std::string>;

/// How the receivers of a channel's puts are written.
struct AirChannel {
  enum class Reach {
    One,        ///< every put has one receiver
    All,        ///< a broadcast to all cores of a box
    Sometimes,  ///< a broadcast where all of them take part, else one put for each receiver
    Each,       ///< one put for each receiver
  };
  std::string name;  ///< the symbol
  Reach reach = Reach::One;
  mapping::DimMask along = 0;      ///< dimensions along which receivers differ from the sender
  std::vector<std::int64_t> size;  ///< active cores per dimension in the box, where it is one
  bool toSender = false;           ///< the sender's own core is a receiver
  std::string each() const { return name + "_each"; }
};

/// The cores of a program whose process awaits tiles, and the instruction that does.
struct AirReader {
  schedule::ProgramId program;
  schedule::Code code;
};

/// A buffer that awaits tiles of an output, with its channel (AirAwaits).
struct AirAwaited {
  std::size_t buffer = 0;
  std::string name;                 ///< of the channel
  std::int64_t depth = 1;           ///< the most transfers of one core that read one tile
  std::vector<std::int64_t> tiles;  ///< of the output, per dimension
  std::vector<AirReader> readers;
};

/// What all herds of a schedule have in common.
struct AirContext {
  const schedule::PlacedSchedule& placed;
  const schedule::Schedule& schedule = placed.schedule;
  const kernel::Kernel& kernel = placed.kernel;
  const kernel::TileNest& nest = placed.nest;
  const hardware::Topology& hw = placed.hw;
  std::vector<AirChannel> channels = {};  ///< per channel of the schedule
  std::vector<AirAwaited> awaited = {};
  AirFunctions functions = {};
};

/// Which processes of a program: those of its cores, or those that move tiles into and out of the
/// shared buffers whose groups its cores lead.
enum class AirPart { Cores, SharedBuffers };
AirPart partOf(const AirContext& air, const schedule::Process& process);

/// Whether a slot of partial results holds more than the tile of the output, as state that is
/// combined with it: bytes, which a function packs.
bool isMessage(const AirContext& air, const schedule::Buffer& buffer);
/// Type of a buffer's slot.
std::string slotType(const AirContext& air, const schedule::Buffer& buffer);
const kernel::Operand& operandOf(const AirContext& air, const schedule::Buffer& buffer);
/// Temporal loops outside the transfer that fills or empties a buffer.
int levelOf(const AirContext& air, const schedule::Buffer& buffer);
/// Only for buffers of inputs and outputs.
SlotShape slotShapeOf(const AirContext& air, const schedule::Buffer& buffer);

}  // namespace gridloom::exchange
