// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_herd_parser.h"

#include <array>

#include "schedule/op_names.h"
#include "schedule/rings.h"
#include "syntax/limits.h"
#include "syntax/schedule_part_parser.h"

namespace gridloom::syntax {

namespace {

using schedule::Op;

constexpr std::size_t kMaxLoopDepth = 64;
/// The parts allowed outside a herd, and outside a process.
constexpr std::array<std::string_view, 6> kSegmentParts{"buffer",   "channel",     "token",
                                                        "affinity", "concurrency", "herd"};
constexpr std::array<std::string_view, 9> kProcessesAndParts{
    "mover", "compute", "writer", "buffer", "channel", "token", "affinity", "concurrency", "herd"};

}  // namespace

bool HerdParser::parse(const Token& first) {
  Part::Herd herd;
  const bool head = parseHerdHead(herd);
  herd.span = m_at.spanFrom(first);
  m_herds.push_back(std::move(herd));
  return m_at.block(
      head, [this] { return parseProcess(); }, "a mover, a compute or a writer", kSegmentParts);
}

bool HerdParser::parseHerdHead(Part::Herd& herd) {
  if (!m_at.name("the name of the herd", herd.name) || !m_at.needWord("at", kHerd)) return false;
  do {
    if (!m_at.hasRoom(m_regions++, kMaxInstructions, "regions")) return false;
    Part::Region region;
    if (!parseRegion(region)) return false;
    herd.at.push_back(std::move(region));
  } while (m_at.accept(TokenKind::Comma));
  return true;
}

bool HerdParser::parseRegion(Part::Region& out) {
  const Token first = m_at.peek();
  if (!m_at.needToken(TokenKind::LParen, kHerd)) return false;
  do {
    if (!m_at.hasRoom(out.ranges.size(), kMaxDirectiveNames, "coordinates")) return false;
    Part::Number begin, end;
    if (!m_at.number("a coordinate", 0, kMaxCoordinate, begin)) return false;
    end = begin;
    if (m_at.acceptWord("to") && !m_at.number("a coordinate", begin.value, kMaxCoordinate, end)) {
      return false;
    }
    out.ranges.emplace_back(begin, end);
  } while (m_at.accept(TokenKind::Comma));
  if (!m_at.needToken(TokenKind::RParen, kHerd)) return false;
  out.span = m_at.spanFrom(first);
  return true;
}

bool HerdParser::parseProcess() {
  const Token first = m_at.peek();
  if (!m_at.hasRoom(m_instructions++, kMaxInstructions, "statements")) return false;
  Part::Process process;
  if (!m_at.needOneOf(schedule::kRoles, "a mover, a compute or a writer", process.role)) {
    return false;
  }
  const bool computes = process.role == schedule::Process::Role::Compute;
  const bool head = computes || operand("a tensor", process.operand);
  process.span = m_at.spanFrom(first);
  m_code = &process.code;
  const bool read = m_at.block(
      head, [this] { return parseStatement(0); }, "a statement", kProcessesAndParts);
  m_herds.back().processes.push_back(std::move(process));
  return read;
}

bool HerdParser::parseStatement(std::size_t depth) {
  const Token first = m_at.peek();
  if (!m_at.hasRoom(m_instructions++, kMaxInstructions, "statements")) return false;
  if (m_at.acceptWord("for")) return parseFor(first, depth);
  Part::Instruction one;
  if (!m_at.needOneOf(schedule::kStatements, "a statement", one.op)) return false;
  if (!parseOperands(one)) return false;
  one.span = m_at.spanFrom(first);
  m_code->push_back(std::move(one));
  return true;
}

bool HerdParser::parseFor(const Token& first, std::size_t depth) {
  Part::Instruction begin;
  begin.op = Op::LoopBegin;
  const bool head = operand("a loop", begin.loop);
  begin.span = m_at.spanFrom(first);
  if (depth >= kMaxLoopDepth) return m_at.fail(begin.span, "loops nest too deep");
  Part::Instruction end = begin;
  end.op = Op::LoopEnd;
  m_code->push_back(std::move(begin));
  const bool read = m_at.block(
      head, [&] { return parseStatement(depth + 1); }, "a statement", kProcessesAndParts);
  m_code->push_back(std::move(end));
  return read;
}

bool HerdParser::operand(std::string_view what, Part::Name& out) {
  return m_at.atLineStart() ? m_at.expected(what) : m_at.name(what, out);
}

bool HerdParser::parseOperands(Part::Instruction& out) {
  if (out.op == Op::Signal) return operand("a token", out.token);
  if (out.op == Op::Claim || out.op == Op::Ready || out.op == Op::Receive) {
    if (!operand("a channel", out.channel)) return false;
  } else if (schedule::namesBuffer(out.op)) {
    if (!operand(out.op == Op::Await ? "a buffer or a token" : "a buffer", out.buffer)) {
      return false;
    }
  }
  if (out.op == Op::Send &&
      (!m_at.needWord("to", "send A to c") || !operand("a channel", out.channel))) {
    return false;
  }
  if (out.op == Op::Compute && m_at.acceptWord("until")) {
    return operand("a local tensor that cores reduce together", out.until);
  }
  if (schedule::movesShare(out.op) && m_at.acceptWord("share")) {
    return m_at.number("a share", 0, kMaxCoordinate, out.share);
  }
  return !m_at.acceptWord("of") || m_at.number("a coordinate", 0, kMaxCoordinate, out.of);
}

}  // namespace gridloom::syntax
