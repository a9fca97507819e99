// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_part_parser.h"

#include <array>
#include <string>

#include "schedule/op_names.h"
#include "syntax/limits.h"
#include "syntax/schedule_domain_parser.h"

namespace gridloom::syntax {

namespace {

constexpr const char* kToken = "token turn, 1 at start";
constexpr std::array kMoving{schedule::Process::Role::Mover, schedule::Process::Role::Writer};

/// `2 slots of 16384 B`
bool parseSlots(ScheduleReader& at, ScheduleText::Buffer& buffer) {
  return at.needToken(TokenKind::Comma, kBuffer) &&
         at.number("a number of slots", 1, schedule::kMostSlots, buffer.slots) &&
         (at.acceptWord("slots") || at.needWord("slot", kBuffer)) && at.needWord("of", kBuffer) &&
         at.number("a number of bytes", 0, std::int64_t{1} << 40, buffer.bytes) &&
         at.needWord("B", kBuffer);
}

/// `per k`
bool parsePer(ScheduleReader& at, ScheduleText::Buffer& buffer) {
  const Token per = at.take();
  if (!schedule::isOfInput(buffer.use)) {
    return at.fail(per.span, "only tiles of inputs say for which loop they are loaded",
                   "outputs are finished inside the parallel loops");
  }
  return at.name("a loop", buffer.per);
}

bool parseLayout(ScheduleReader& at, ScheduleText::Buffer& buffer) {
  const Token layout = at.take();
  if (buffer.use != schedule::Buffer::Use::Input && buffer.use != schedule::Buffer::Use::Output) {
    return at.fail(layout.span, "only inputs and outputs have a layout");
  }
  for (std::size_t where = 0; where < mapping::kLayoutNames.size(); ++where) {
    if (mapping::presentName(at.word()) != mapping::kLayoutNames[where]) continue;
    at.take();
    buffer.layout = static_cast<mapping::TensorLayout>(where);
    return true;
  }
  return at.expected("`page`, `tile`, `nearest` or `local`");
}

bool parseAlong(ScheduleReader& at, ScheduleText::Channel& channel) {
  if (!at.needWord("along", kChannel)) return false;
  do {  // a comma may also precede the depth
    if (!at.hasRoom(channel.along.size(), kMaxDirectiveNames, "mesh dimensions")) return false;
    ScheduleText::Name dim;
    if (!at.name("a mesh dimension", dim)) return false;
    channel.along.push_back(std::move(dim));
    if (!at.at(TokenKind::Comma) || at.textOf(at.peek(1)) == "depth") break;
  } while (at.accept(TokenKind::Comma));
  return true;
}

}  // namespace

bool parseBuffer(ScheduleReader& at, const Token& first, ScheduleText::Buffer& buffer) {
  if (!at.name("the name of the buffer", buffer.name) || !at.needToken(TokenKind::Colon, kBuffer) ||
      !at.needOneOf(schedule::kUses, "what the buffer is for", buffer.use) ||
      !at.name("a tensor", buffer.operand)) {
    return false;
  }
  if (at.acceptWord("in") && !at.name("a shared buffer", buffer.memory)) return false;
  if (at.atWord("per") && !parsePer(at, buffer)) return false;
  if ((at.atWord("layout") || at.atWord("place")) && !parseLayout(at, buffer)) return false;
  buffer.awaits.passed = at.acceptWord("takes");
  if ((buffer.awaits.passed || at.acceptWord("awaits")) && !parseAwaited(at, buffer.awaits)) {
    return false;
  }
  if (at.acceptWord("where") && !parseDomain(at, buffer.where)) return false;
  if (!parseSlots(at, buffer)) return false;
  buffer.span = at.spanFrom(first);
  return true;
}

bool parseChannel(ScheduleReader& at, const Token& first, ScheduleText::Channel& channel) {
  if (!at.name("the name of the channel", channel.name) ||
      !at.needToken(TokenKind::Colon, kChannel) ||
      !at.needOneOf(schedule::kKinds, "the kind of the channel", channel.kind) ||
      !at.needWord("to", kChannel) || !at.name("a buffer", channel.target)) {
    return false;
  }
  // A core may feed only itself from the shared buffer.
  using Kind = schedule::Channel::Kind;
  const bool alone =
      channel.kind == Kind::Drain || (channel.kind == Kind::Feed && !at.atWord("along"));
  if (!alone && !parseAlong(at, channel)) return false;
  if (at.acceptWord("first") && !at.name("a mesh dimension", channel.first)) return false;
  if (at.acceptWord("step") &&
      !at.number("a step", -kMaxCoordinate, kMaxCoordinate, channel.step)) {
    return false;
  }
  if (!at.needToken(TokenKind::Comma, kChannel) || !at.needWord("depth", kChannel) ||
      !at.number("a depth", 1, schedule::kMostSlots, channel.depth)) {
    return false;
  }
  channel.span = at.spanFrom(first);
  return true;
}

bool parseToken(ScheduleReader& at, const Token& first, ScheduleText::Token& token) {
  if (!at.name("the name of the token", token.name)) return false;
  if (at.accept(TokenKind::Comma) &&
      (!at.number("a number of signals", 0, schedule::kMostSlots, token.atStart) ||
       !at.needWord("at", kToken) || !at.needWord("start", kToken))) {
    return false;
  }
  token.span = at.spanFrom(first);
  return true;
}

bool parseDmaConstraint(ScheduleReader& at, const Token& first,
                        ScheduleText::DmaConstraint& dmaConstraint) {
  do {
    if (!at.hasRoom(dmaConstraint.members.size(), kMaxScheduleParts, "processes")) return false;
    ScheduleText::DmaConstraint::Member member;
    if (!at.needOneOf(kMoving, "a mover or a writer", member.role) ||
        !at.name("a tensor", member.operand)) {
      return false;
    }
    dmaConstraint.members.push_back(std::move(member));
  } while (at.accept(TokenKind::Comma));
  dmaConstraint.span = at.spanFrom(first);
  if (dmaConstraint.members.size() < 2) {
    return at.fail(dmaConstraint.span, "a DMA constraint is between two processes or more",
                   "write `" + std::string(schedule::nameOf(dmaConstraint.kind)) +
                       " mover A, mover B`");
  }
  return true;
}

}  // namespace gridloom::syntax
