// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "exchange/air_place.h"
#include "exchange/air_rings.h"

namespace gridloom::exchange {

/// What a process does to the slots that it holds: copies to and from global memory, puts and gets
/// of channels, and tile operations. Each is one asynchronous operation, and its token becomes what
/// the process waits for next.
class AirMoves {
 public:
  /// `suffix`: behind the names of tensors.
  AirMoves(AirCode& code, AirContext& air, CorePlace& place, SlotRings& rings, std::string suffix)
      : m_code(code), m_air(air), m_place(place), m_rings(rings), m_suffix(std::move(suffix)) {}

  void copy(std::size_t process, const schedule::Instruction& at, bool load);
  void pass(std::size_t process, const schedule::Instruction& at, bool put);
  /// Calls a function on all slots that the process holds, on its local tensors, and with the first
  /// element of the tile along each loop. `what`: "tile", "epilogue", "combine".
  void call(std::size_t process, const std::string& what);

 private:
  struct Side {
    std::vector<std::string> offsets, sizes, strides;
  };
  /// The part of a tensor that a copy reads or writes.
  Side tensorSide(const Copy& copy);
  /// The part of a slot: all of it, unless an edge tile is smaller.
  Side slotSide(const Copy& copy, const Side& tensor);
  /// Which of an array of channels carries the tile: indices along the mesh dimensions.
  std::vector<std::string> indicesOf(const schedule::Channel& channel,
                                     const schedule::Instruction& at, bool put);
  /// The part of a shared buffer's slot that one put takes, where the slot holds several tiles.
  Side fedPart(const schedule::Channel& channel, const schedule::Buffer& from);
  std::string functionFor(const std::string& what, const std::string& signature);

  AirCode& m_code;
  AirContext& m_air;
  CorePlace& m_place;
  SlotRings& m_rings;
  std::string m_suffix;
};

}  // namespace gridloom::exchange
