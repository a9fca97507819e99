// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exchange/air_code.h"
#include "exchange/air_context.h"
#include "schedule/resolved_code.h"

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

  /// Whether an Acquire or a WaitFull has a slot now, or an AwaitToken a signal; other instructions
  /// always run.
  bool canRun(std::size_t process, const schedule::Code& at);
  /// Waits for what canRun() found.
  void take(std::size_t process, const schedule::Code& at);
  void publish(std::size_t process, const schedule::Code& at);
  /// A slot is free when all its readers have released it.
  void release(std::size_t process, const schedule::Code& at);

  /// Signals of the schedule's tokens that are not awaited yet, oldest first.
  std::deque<std::string>& signals(std::size_t token) { return m_signals[token]; }
  void signal(std::size_t process, std::size_t token);

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

  /// Writes what a process does where a condition (type i1) holds; always, where it is "".
  template <class Then>
  void inBranch(std::size_t process, const std::string& when, const Then& then) {
    inBranch(process, when, then, [] {});
  }
  template <class Then, class Else>
  void inBranch(std::size_t process, const std::string& when, const Then& then,
                const Else& otherwise);
  /// Writes `body(index)` inside a loop from a value up to another one, exclusive.
  template <class Body>
  void inLoop(std::size_t process, std::string_view hint, const std::string& from,
              const std::string& to, const Body& body);

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
  std::vector<std::deque<std::string>> m_signals;              ///< by token of the schedule
};

template <class Then, class Else>
void SlotRings::inBranch(std::size_t p, const std::string& when, const Then& then,
                         const Else& otherwise) {
  if (when.empty()) return then();
  const std::string before = tokenOf(p), after = m_code.fresh("after");
  const auto side = [&](const auto& write) {
    m_code.open();
    write();
    m_code.line("scf.yield {} : {}", tokenOf(p), kAirToken);
    m_code.close();
    m_tokens[p] = {before};
  };
  m_code.line("{} = scf.if {} -> ({}) {{", after, when, kAirToken);
  side(then);
  m_code.line("}} else {{");
  side(otherwise);
  m_code.line("}}");
  m_tokens[p] = {after};
}

template <class Body>
void SlotRings::inLoop(std::size_t p, std::string_view hint, const std::string& from,
                       const std::string& to, const Body& body) {
  const std::string before = tokenOf(p), after = m_code.fresh("after");
  const std::string index = m_code.fresh(hint), token = m_code.fresh("in");
  m_code.line("{} = scf.for {} = {} to {} step {} iter_args({} = {}) -> ({}) {{", after, index,
              from, to, m_code.constant(1), token, before, kAirToken);
  m_code.open();
  m_tokens[p] = {token};
  body(index);
  m_code.line("scf.yield {} : {}", tokenOf(p), kAirToken);
  m_code.close();
  m_code.line("}}");
  m_tokens[p] = {after};
}

/// `!air.async.token, !air.async.token`
std::string airTokens(std::size_t count);

}  // namespace gridloom::exchange
