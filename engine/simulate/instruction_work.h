// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/queueing_network.h"
#include "schedule/token_machine.h"
#include "simulate/guarded_work.h"
#include "simulate/tile_work.h"

namespace gridloom::simulate {

/// What the instruction does that a process is at: its cycles, its bytes, and where they lie.
class InstructionWork {
 public:
  InstructionWork(const schedule::TokenMachine& tokens, const TileWork& work,
                  const hardware::ComputeModel& compute);

  /// Compute, Epilogue, Reduce.
  network::Ticks cycles(std::int32_t process) const;
  /// Load, Store, Send: of the whole tile, or of the share that is moved.
  std::int64_t bytes(std::int32_t process) const;
  /// Load, Store: whether the tile lies in the core's local memory already.
  bool isInPlace(std::int32_t process) const;
  /// Load, Store: the memory that is filled or emptied, as a port of the network.
  std::int32_t port(std::int32_t process) const;
  /// Load, Store: where `bytes` of the tile lie in global memory.
  network::Layout layout(std::int32_t process, std::int64_t bytes) const;
  /// Take: what comes from which other core.
  void findTaken(std::int32_t process, std::vector<network::QueueingNetwork::Taken>& taken) const {
    const schedule::Code& code = m_tokens.at(process);
    m_guarded.findTaken(code.buffer, m_tokens.coreOf(process), m_tokens.waves(process), code.depth,
                        taken);
  }

 private:
  struct Range {
    std::int64_t first = 0, bytes = 0;  ///< in the tile
  };
  Range rangeOf(std::int32_t process) const;
  Range shareOf(std::int32_t process, std::int64_t tile) const;
  std::int64_t tileBytes(std::int32_t process) const;
  const schedule::Buffer& bufferOf(std::int32_t process) const;
  const kernel::Operand& operandOf(const schedule::Buffer& buffer) const;
  network::Layout channels(std::int32_t process, std::int64_t bytes) const;
  std::int64_t diagonal(std::int32_t process, const kernel::Operand& operand) const;

  const schedule::TokenMachine& m_tokens;
  const schedule::PlacedSchedule& m_placed;
  const TileWork& m_work;
  GuardedWork m_guarded;
  std::vector<double> m_longer;  ///< network::Layout::longer, per buffer; empty: no stripes
};

}  // namespace gridloom::simulate
