// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_rings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Instruction;
using schedule::Op;

std::string airTokens(std::size_t count) {
  std::vector<std::string> types(count, kAirToken);
  return fmt::format("{}", fmt::join(types, ", "));
}

SlotRings::SlotRings(AirCode& code, const AirContext& air, const schedule::Program& program,
                     AirPart part)
    : m_code(code), m_air(air), m_program(program) {
  const std::string start = m_code.fresh("start");
  m_code.line("{} = \"air.wait_all\"() : () -> {}", start, kAirToken);
  m_tokens.assign(program.processes.size(), {start});
  m_held.resize(program.processes.size());
  m_full.resize(program.processes.size());
  for (const schedule::Token& token : air.schedule.tokens) {
    m_signals.emplace_back(static_cast<std::size_t>(token.atStart), start);
  }
  for (std::size_t b = 0; b < m_air.schedule.buffers.size(); ++b) {
    const Buffer& buffer = m_air.schedule.buffers[b];
    const bool local = buffer.use == Buffer::Use::Local || buffer.use == Buffer::Use::Stationary;
    const bool ofPart = schedule::isInSharedBuffer(buffer.use) == (part == AirPart::SharedBuffers);
    if (!ofPart || (!local && !isUsed(b))) continue;
    for (int slot = 0; slot < buffer.slots; ++slot) {
      const std::string name = m_code.fresh(buffer.name);
      m_code.line("{} = memref.alloc() : {}", name, slotType(m_air, buffer));
      if (local) {
        m_locals.emplace_back(name, slotType(m_air, buffer));
      } else {
        m_free[b].push_back({name, start});
      }
    }
  }
}

bool SlotRings::isUsed(std::size_t b) const {
  for (const schedule::Process& process : m_program.processes) {
    for (const Instruction& at : process.code) {
      if (at.buffer.valid() && at.buffer.index() == b) return true;
    }
  }
  return false;
}

std::size_t SlotRings::countWith(Op op, std::size_t b) const {
  return static_cast<std::size_t>(
      std::count_if(m_program.processes.begin(), m_program.processes.end(), [&](const auto& p) {
        return std::any_of(p.code.begin(), p.code.end(), [&](const Instruction& at) {
          return at.op == op && at.buffer.index() == b;
        });
      }));
}

void SlotRings::take(std::size_t p, const schedule::Code& at) {
  if (at.op == Op::AwaitToken) {
    std::deque<std::string>& signals = m_signals[static_cast<std::size_t>(at.arg)];
    m_tokens[p].push_back(signals.front());
    return signals.pop_front();
  }
  const std::size_t b = static_cast<std::size_t>(at.buffer);
  std::deque<AirSlot>& from = at.op == Op::Acquire ? m_free[b] : m_full[p][b];
  m_tokens[p].push_back(from.front().token);
  m_held[p][b].push_back(from.front());
  from.pop_front();
}

bool SlotRings::hasOp(std::size_t p, Op op, std::size_t b) const {
  const auto& code = m_program.processes[p].code;
  return std::any_of(code.begin(), code.end(),
                     [&](const Instruction& at) { return at.op == op && at.buffer.index() == b; });
}

void SlotRings::publish(std::size_t p, const schedule::Code& at) {
  const std::size_t b = static_cast<std::size_t>(at.buffer);
  const AirSlot slot{m_held[p][b].front().memref, tokenOf(p)};
  if (!hasOp(p, Op::Release, b)) m_held[p][b].pop_front();
  for (std::size_t q = 0; q < m_program.processes.size(); ++q) {
    if (hasOp(q, Op::WaitFull, b)) m_full[q][b].push_back(slot);
  }
}

void SlotRings::release(std::size_t p, const schedule::Code& at) {
  const std::size_t b = static_cast<std::size_t>(at.buffer);
  const std::string memref = m_held[p][b].front().memref;
  m_held[p][b].pop_front();
  std::vector<std::string>& released = m_released[memref];
  released.push_back(tokenOf(p));
  if (released.size() < countWith(Op::Release, b)) return;
  m_free[b].push_back({memref, released.size() > 1 ? joined(released) : released[0]});
  m_released.erase(memref);
}

void SlotRings::signal(std::size_t p, std::size_t token) { m_signals[token].push_back(tokenOf(p)); }

const std::string& SlotRings::heldBy(std::size_t p, std::size_t b) {
  return m_held[p][b].front().memref;
}

std::string& SlotRings::tokenOf(std::size_t p) {
  std::vector<std::string>& tokens = m_tokens[p];
  if (tokens.size() > 1) tokens = {joined(tokens)};
  return tokens[0];
}

std::string SlotRings::joined(const std::vector<std::string>& deps) {
  const std::string name = m_code.fresh("both");
  m_code.line("{} = \"air.wait_all\"({}) : ({}) -> {}", name, fmt::join(deps, ", "),
              airTokens(deps.size()), kAirToken);
  return name;
}

bool SlotRings::canRun(std::size_t p, const schedule::Code& at) {
  if (at.op == Op::Acquire) return !m_free[static_cast<std::size_t>(at.buffer)].empty();
  if (at.op == Op::WaitFull) return !m_full[p][static_cast<std::size_t>(at.buffer)].empty();
  if (at.op == Op::AwaitToken) return !m_signals[static_cast<std::size_t>(at.arg)].empty();
  return true;
}

}  // namespace gridloom::exchange
