// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Iterations of a round (mapping::LoopSkew) in which an instruction on rotating tiles executes.
enum class Turn : std::uint8_t { Always, First, NotFirst, NotLast };

/// An instruction with resolved addresses: jump targets and counters.
struct Code {
  Op op = Op::Compute;
  bool end = false;         ///< past the last instruction of a process
  std::uint8_t reader = 0;  ///< WaitFull, Send, Release: which of the buffer's readers
  bool guarded = false;     ///< executes at some tiles only
  Turn turn = Turn::Always;
  bool conditional = false;  ///< has a guard, a gate or a turn
  bool keeps = false;        ///< Publish: the process still reads the slot afterwards
  std::int16_t depth = 0;    ///< loops around the instruction
  std::int32_t buffer = -1;
  std::int32_t channel = -1;
  /// gather channel; the instruction runs only if its sender `arg` is active
  std::int32_t gate = -1;
  std::int8_t ring = -1;  ///< mesh dimension of the buffer's ring (schedule/rings.h); -1: none
  std::int32_t arg = 0;
  std::int32_t jump = 0;  ///< LoopEnd: first instruction of the body; LoopBegin: the LoopEnd
  /// both: number in ResolvedCode::demands; -1: no iteration is skipped
  std::int32_t demands = -1;
  /// of an instruction inside such a loop: which of its demands is the guard
  std::int8_t demand = -1;
};

/// The different guards of the instructions of an innermost loop's body, all of which have one: the
/// buffers whose tiles are moved; -1: work. Iterations in which nothing is needed are skipped.
using LoopDemands = std::vector<std::int32_t>;

/// The instructions of all programs in one array. Immutable; all cores and all runs share it.
class ResolvedCode {
 public:
  explicit ResolvedCode(const Schedule& schedule);

  const Code& at(std::int32_t pc) const { return m_code[static_cast<std::size_t>(pc)]; }
  /// First instruction of each process of a program. An instruction with `end` follows its last.
  std::span<const std::int32_t> entries(ProgramId program) const {
    return m_entries[program.index()];
  }
  const LoopDemands& demands(std::int32_t number) const {
    return m_demands[static_cast<std::size_t>(number)];
  }
  bool skipsIterations() const { return !m_demands.empty(); }
  /// How many processes of the program release the buffer: its readers.
  std::uint8_t readers(ProgramId program, std::size_t buffer) const {
    return m_readers[program.index()][buffer];
  }

 private:
  void append(const Schedule& schedule, const Process& process,
              const std::vector<bool>& releasedHere);

  void findDemands(const Schedule& schedule, std::int32_t begin);

  std::vector<Code> m_code;
  std::vector<LoopDemands> m_demands;
  std::vector<std::vector<std::int32_t>> m_entries;  ///< [program][process]
  std::vector<std::vector<std::uint8_t>> m_readers;  ///< [program][buffer]
};

}  // namespace gridloom::schedule
