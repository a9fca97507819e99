// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exchange/air_code.h"
#include "exchange/air_context.h"

namespace gridloom::exchange {

/// One slot of a buffer's ring, and the token after which it may be used.
struct AirSlot {
  std::string memref;
  std::string token;
};

/// The rings of a herd's buffers while its code is written: which slots are free, full and held,
/// and what every process waits for next. Tokens carry all of it; processes share nothing else.
class SlotRings {
 public:
  /// Writes the allocation of every buffer that these processes of the program use.
  SlotRings(AirCode& code, const AirContext& air, const schedule::Program& program, AirPart part);

  /// Whether an Acquire or a WaitFull has a slot now; other instructions always run.
  bool canRun(std::size_t process, const schedule::Instruction& at);
  void take(std::size_t process, const schedule::Instruction& at);
  void publish(std::size_t process, const schedule::Instruction& at);
  /// A slot is free when all its readers have released it.
  void release(std::size_t process, const schedule::Instruction& at);

  /// The slot of a buffer that a process holds longest.
  const std::string& heldBy(std::size_t process, std::size_t buffer);
  /// All that it holds, by buffer.
  const std::map<std::size_t, std::deque<AirSlot>>& held(std::size_t process) const {
    return m_held[process];
  }
  std::deque<AirSlot>& free(std::size_t buffer) { return m_free[buffer]; }
  /// Local tensors: name and type.
  const std::vector<std::pair<std::string, std::string>>& locals() const { return m_locals; }

  /// What the next step of a process waits for.
  std::vector<std::string>& tokensOf(std::size_t process) { return m_tokens[process]; }
  /// The same as one token.
  std::string& tokenOf(std::size_t process);

 private:
  bool isUsed(std::size_t buffer) const;
  bool hasOp(std::size_t process, schedule::Op op, std::size_t buffer) const;
  std::size_t countWith(schedule::Op op, std::size_t buffer) const;
  std::string joined(const std::vector<std::string>& tokens);

  AirCode& m_code;
  const AirContext& m_air;
  const schedule::Program& m_program;
  std::vector<std::pair<std::string, std::string>> m_locals;
  std::map<std::size_t, std::deque<AirSlot>> m_free;               ///< by buffer, oldest first
  std::vector<std::map<std::size_t, std::deque<AirSlot>>> m_full;  ///< by process and buffer
  std::vector<std::map<std::size_t, std::deque<AirSlot>>> m_held;
  std::map<std::string, std::vector<std::string>> m_released;  ///< by slot: tokens of its readers
  std::vector<std::vector<std::string>> m_tokens;              ///< by process
};

/// `!air.async.token, !air.async.token`
std::string airTokens(std::size_t count);

}  // namespace gridloom::exchange
