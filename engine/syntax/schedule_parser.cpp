// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_parser.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/message_limit.h"
#include "schedule/op_names.h"
#include "syntax/lexer.h"
#include "syntax/limits.h"
#include "syntax/schedule_cursor.h"
#include "syntax/schedule_domain_parser.h"

namespace gridloom::syntax {

namespace {

using schedule::Op;

constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMaxCoordinate = 1 << 24;
/// No sensible ring has more slots than this.
constexpr std::int64_t kMaxSlots = 4096;
constexpr std::size_t kMaxDepth = 64;

constexpr const char* kLaunch = "launch gemm(M = 1024) on wormhole_8x8 { ... }";
constexpr const char* kLoop = "loop i = 1024 by 128 on x";
constexpr const char* kBuffer = "buffer A: input A per k, 2 slots of 16384 B";
constexpr const char* kChannel = "channel c: multicast to A along y, depth 2";
constexpr const char* kToken = "token turn, 1 at start";
constexpr std::array kMoving{schedule::Process::Role::Mover, schedule::Process::Role::Writer};
/// The parts allowed outside a herd, and outside a process.
constexpr std::array<std::string_view, 6> kSegmentParts{"buffer",   "channel",     "token",
                                                        "affinity", "concurrency", "herd"};
constexpr std::array<std::string_view, 9> kProcessesAndParts{
    "mover", "compute", "writer", "buffer", "channel", "token", "affinity", "concurrency", "herd"};
constexpr const char* kHerd = "herd corner at (0, 0), (1 to 7, 0) { ... }";

class ScheduleParser {
 public:
  explicit ScheduleParser(const TokenText& text) : m_at(text) { m_out.source = text.source; }

  base::Result<ScheduleText> run() {
    if (parseHead()) {
      block(
          true, [this] { return parseLaunchPart(); }, "a loop, an order, a domain or a segment");
      if (m_at.errors().empty() && !m_at.at(TokenKind::End)) {
        m_at.expected("the end of the text", "one launch per file");
      }
    }
    if (!m_at.errors().empty()) return std::move(m_at.errors());
    return std::move(m_out);
  }

 private:
  using Part = ScheduleText;

  using Words = std::span<const std::string_view>;

  bool full() { return m_beyond || base::isFull(m_at.errors()); }

  /// Whether one more than `count` is within the limit. The first that is not ends the parse.
  bool hasRoom(std::size_t count, std::size_t limit, std::string_view what) {
    if (count < limit) return true;
    if (!m_beyond) m_at.tooMany(what, limit);
    m_beyond = true;
    return false;
  }

  /// `{ part part ... }` after a header. A part that fails is skipped, with the braces it opened.
  /// After a header with an error, which may end before its `{`, the block is parsed nevertheless.
  template <class ParsePart>
  bool block(bool head, const ParsePart& parsePart, std::string_view what, Words outside = {}) {
    if (head && m_at.accept(TokenKind::LBrace)) {
      return parts(parsePart, what, outside, m_at.errors().size());
    }
    if (head) m_at.expected("`{`");
    while (!m_at.at(TokenKind::End) && !m_at.at(TokenKind::LBrace) && !m_at.atLineStart()) {
      m_at.take();
    }
    m_at.accept(TokenKind::LBrace);
    parts(parsePart, what, outside, 0);
    return false;
  }

  /// Parses up to the `}` of a block that began after `before` errors. A line that begins with a
  /// part of an enclosing block ends it, too: its `}` is missing, perhaps lost with an error
  /// reported already.
  template <class ParsePart>
  bool parts(const ParsePart& parsePart, std::string_view what, Words outside, std::size_t before) {
    const auto sound = [&] { return m_at.errors().size() == before; };
    while (!m_at.at(TokenKind::RBrace) && !m_at.at(TokenKind::End) && !full()) {
      if (m_at.atLineStart() && atPartOf(outside)) break;
      const std::size_t start = m_at.position();
      if (!parsePart()) skipFrom(start);
    }
    if (m_at.accept(TokenKind::RBrace)) return true;
    return sound() && !full() ? m_at.expected(std::string(what) + " or `}`") : false;
  }

  /// Whether the cursor is at a word that begins one of these parts. `compute` is also a statement;
  /// before `{` it is a process.
  bool atPartOf(Words words) const {
    if (!m_at.at(TokenKind::Ident)) return false;
    const std::string_view word = m_at.textOf(m_at.peek());
    if (std::ranges::find(words, word) == words.end()) return false;
    return word != "compute" || m_at.peek(1).kind == TokenKind::LBrace;
  }

  /// Continues after the line, so that one error costs one statement.
  void skipFrom(std::size_t start) {
    if (m_at.position() == start && !m_at.at(TokenKind::RBrace)) m_at.take();
    int depth = 0;
    while (!m_at.at(TokenKind::End)) {
      if (depth == 0 && (m_at.at(TokenKind::RBrace) || m_at.atLineStart())) return;
      const TokenKind kind = m_at.take().kind;
      if (kind == TokenKind::LBrace) ++depth;
      if (kind == TokenKind::RBrace && --depth == 0) return;
    }
  }

  bool parseHead() {
    const Token first = m_at.peek();
    if (!m_at.needWord("launch", kLaunch) || !m_at.name("the name of a kernel", m_out.kernel)) {
      return false;
    }
    if (m_at.accept(TokenKind::LParen) && !m_at.accept(TokenKind::RParen)) {
      if (!parseSizes(m_out.parameters, "a parameter", TokenKind::RParen)) return false;
      if (!m_at.needToken(TokenKind::RParen, kLaunch)) return false;
    }
    if (!m_at.needWord("on", kLaunch) || !m_at.name("the name of a hardware", m_out.hardware)) {
      return false;
    }
    m_out.span = m_at.spanFrom(first);
    return true;
  }

  bool parseSizes(std::vector<Part::Sized>& out, std::string_view what, TokenKind end) {
    do {
      if (!hasRoom(out.size(), kMaxScheduleParts, "sizes")) return false;
      Part::Sized sized;
      if (!m_at.name(what, sized.name)) return false;
      if (!m_at.needToken(TokenKind::Equal, end == TokenKind::RParen ? kLaunch : "segment x = 8"))
        return false;
      if (!m_at.number("a size", 1, kMany, sized.value)) return false;
      out.push_back(std::move(sized));
    } while (m_at.accept(TokenKind::Comma));
    return true;
  }

  bool parseLaunchPart() {
    if (m_at.acceptWord("loop")) return parseLoop();
    if (m_at.atWord("order")) {
      const Token word = m_at.take();
      if (!m_out.order.empty()) return m_at.fail(word.span, "the order is given twice");
      return m_at.names("a loop", m_out.order);
    }
    if (m_at.atWord("where")) {
      const Token word = m_at.take();
      if (!m_out.where.parts.empty()) return m_at.fail(word.span, "the domain is given twice");
      return parseDomain(m_at, m_out.where);
    }
    if (m_at.atWord("dtype")) {
      const Token word = m_at.take();
      if (!m_out.dtype.text.empty()) return m_at.fail(word.span, "the dtype is given twice");
      return m_at.name("an element type", m_out.dtype);
    }
    if (m_at.atWord("segment")) {
      const Token word = m_at.take();
      if (!m_out.mesh.empty()) return m_at.fail(word.span, "a launch has one segment");
      const bool head = parseSizes(m_out.mesh, "a mesh dimension", TokenKind::LBrace);
      return block(
          head, [this] { return parseSegmentPart(); }, "a buffer, a channel, a token, a herd");
    }
    return m_at.expected("`dtype`, `loop`, `order`, `where` or `segment`",
                         std::string("write `") + kLoop + "`");
  }

  bool parseLoop() {
    Part::Loop loop;
    if (!hasRoom(m_out.loops.size(), kMaxScheduleParts, "loops")) return false;
    if (!m_at.name("a loop", loop.name) || !m_at.needToken(TokenKind::Equal, kLoop) ||
        !m_at.number("an extent", 1, kMany, loop.extent) || !m_at.needWord("by", kLoop) ||
        !m_at.number("a block", 1, kMany, loop.tileSize)) {
      return false;
    }
    if (m_at.acceptWord("on") && !m_at.names("a mesh dimension", loop.dims)) return false;
    m_out.loops.push_back(std::move(loop));
    return true;
  }

  bool parseSegmentPart() {
    const Token first = m_at.peek();
    const std::size_t most =
        std::max({m_out.buffers.size(), m_out.channels.size(), m_out.tokens.size(),
                  m_out.dmaConstraints.size(), m_out.herds.size()});
    if (!hasRoom(most, kMaxScheduleParts, "buffers, channels, tokens or herds")) return false;
    if (m_at.acceptWord("buffer")) return parseBuffer(first);
    if (m_at.acceptWord("channel")) return parseChannel(first);
    if (m_at.acceptWord("token")) return parseToken(first);
    if (m_at.acceptWord("affinity"))
      return parseDmaConstraint(first, schedule::DmaConstraint::Kind::Affinity);
    if (m_at.acceptWord("concurrency"))
      return parseDmaConstraint(first, schedule::DmaConstraint::Kind::Concurrency);
    if (m_at.acceptWord("herd")) return parseHerd(first);
    return m_at.expected("`buffer`, `channel`, `token`, `affinity`, `concurrency` or `herd`",
                         std::string("write `") + kBuffer + "`, `" + kChannel + "` or `" + kHerd +
                             "`");
  }

  bool parseBuffer(const Token& first) {
    Part::Buffer buffer;
    if (!m_at.name("the name of the buffer", buffer.name) ||
        !m_at.needToken(TokenKind::Colon, kBuffer) ||
        !m_at.needOneOf(schedule::kUses, "what the buffer is for", buffer.use) ||
        !m_at.name("a tensor", buffer.operand)) {
      return false;
    }
    if (m_at.atWord("per")) {
      const Token per = m_at.take();
      if (!schedule::isOfInput(buffer.use)) {
        return m_at.fail(per.span, "only tiles of inputs say for which loop they are loaded",
                         "outputs are finished inside the parallel loops");
      }
      if (!m_at.name("a loop", buffer.per)) return false;
    }
    if ((m_at.atWord("layout") || m_at.atWord("place")) && !parseLayout(buffer)) return false;
    buffer.awaits.passed = m_at.acceptWord("takes");
    if ((buffer.awaits.passed || m_at.acceptWord("awaits")) && !parseAwaited(m_at, buffer.awaits)) {
      return false;
    }
    if (m_at.acceptWord("where") && !parseDomain(m_at, buffer.where)) return false;
    if (!m_at.needToken(TokenKind::Comma, kBuffer) ||
        !m_at.number("a number of slots", 1, kMaxSlots, buffer.slots) ||
        !(m_at.acceptWord("slots") || m_at.needWord("slot", kBuffer)) ||
        !m_at.needWord("of", kBuffer) ||
        !m_at.number("a number of bytes", 0, std::int64_t{1} << 40, buffer.bytes) ||
        !m_at.needWord("B", kBuffer)) {
      return false;
    }
    buffer.span = m_at.spanFrom(first);
    m_out.buffers.push_back(std::move(buffer));
    return true;
  }

  bool parseLayout(Part::Buffer& buffer) {
    const Token layout = m_at.take();
    if (buffer.use != schedule::Buffer::Use::Input && buffer.use != schedule::Buffer::Use::Output) {
      return m_at.fail(layout.span, "only inputs and outputs have a layout");
    }
    for (std::size_t where = 0; where < mapping::kLayoutNames.size(); ++where) {
      if (mapping::presentName(m_at.word()) != mapping::kLayoutNames[where]) continue;
      m_at.take();
      buffer.layout = static_cast<mapping::TensorLayout>(where);
      return true;
    }
    return m_at.expected("`page`, `tile`, `nearest` or `local`");
  }

  bool parseChannel(const Token& first) {
    Part::Channel channel;
    if (!m_at.name("the name of the channel", channel.name) ||
        !m_at.needToken(TokenKind::Colon, kChannel) ||
        !m_at.needOneOf(schedule::kKinds, "the kind of the channel", channel.kind) ||
        !m_at.needWord("to", kChannel) || !m_at.name("a buffer", channel.target)) {
      return false;
    }
    // A core may feed only itself from the shared buffer.
    using Kind = schedule::Channel::Kind;
    const bool alone =
        channel.kind == Kind::Drain || (channel.kind == Kind::Feed && !m_at.atWord("along"));
    if (!alone && !parseAlong(channel)) return false;
    if (m_at.acceptWord("first") && !m_at.name("a mesh dimension", channel.first)) return false;
    if (m_at.acceptWord("step") &&
        !m_at.number("a step", -kMaxCoordinate, kMaxCoordinate, channel.step)) {
      return false;
    }
    if (!m_at.needToken(TokenKind::Comma, kChannel) || !m_at.needWord("depth", kChannel) ||
        !m_at.number("a depth", 1, kMaxSlots, channel.depth)) {
      return false;
    }
    channel.span = m_at.spanFrom(first);
    m_out.channels.push_back(std::move(channel));
    return true;
  }

  bool parseAlong(Part::Channel& channel) {
    if (!m_at.needWord("along", kChannel)) return false;
    do {  // a comma may also precede the depth
      if (!hasRoom(channel.along.size(), kMaxDirectiveNames, "mesh dimensions")) return false;
      Part::Name dim;
      if (!m_at.name("a mesh dimension", dim)) return false;
      channel.along.push_back(std::move(dim));
      if (!m_at.at(TokenKind::Comma) || m_at.textOf(m_at.peek(1)) == "depth") break;
    } while (m_at.accept(TokenKind::Comma));
    return true;
  }

  bool parseToken(const Token& first) {
    Part::Token token;
    if (!m_at.name("the name of the token", token.name)) return false;
    if (m_at.accept(TokenKind::Comma) &&
        (!m_at.number("a number of signals", 0, kMaxSlots, token.atStart) ||
         !m_at.needWord("at", kToken) || !m_at.needWord("start", kToken))) {
      return false;
    }
    token.span = m_at.spanFrom(first);
    m_out.tokens.push_back(std::move(token));
    return true;
  }

  bool parseDmaConstraint(const Token& first, schedule::DmaConstraint::Kind kind) {
    Part::DmaConstraint dmaConstraint;
    dmaConstraint.kind = kind;
    do {
      if (!hasRoom(dmaConstraint.members.size(), kMaxScheduleParts, "processes")) return false;
      Part::DmaConstraint::Member member;
      if (!m_at.needOneOf(kMoving, "a mover or a writer", member.role) ||
          !m_at.name("a tensor", member.operand)) {
        return false;
      }
      dmaConstraint.members.push_back(std::move(member));
    } while (m_at.accept(TokenKind::Comma));
    dmaConstraint.span = m_at.spanFrom(first);
    if (dmaConstraint.members.size() < 2) {
      return m_at.fail(dmaConstraint.span, "a bond is between two processes or more",
                       "write `" + std::string(schedule::nameOf(kind)) + " mover A, mover B`");
    }
    m_out.dmaConstraints.push_back(std::move(dmaConstraint));
    return true;
  }

  bool parseHerd(const Token& first) {
    Part::Herd herd;
    const bool head = parseHerdHead(herd);
    herd.span = m_at.spanFrom(first);
    m_out.herds.push_back(std::move(herd));
    return block(
        head, [this] { return parseProcess(); }, "a mover, a compute or a writer", kSegmentParts);
  }

  bool parseHerdHead(Part::Herd& herd) {
    if (!m_at.name("the name of the herd", herd.name) || !m_at.needWord("at", kHerd)) return false;
    do {
      if (!hasRoom(m_regions++, kMaxInstructions, "regions")) return false;
      Part::Region region;
      if (!parseRegion(region)) return false;
      herd.at.push_back(std::move(region));
    } while (m_at.accept(TokenKind::Comma));
    return true;
  }

  bool parseRegion(Part::Region& out) {
    const Token first = m_at.peek();
    if (!m_at.needToken(TokenKind::LParen, kHerd)) return false;
    do {
      if (!hasRoom(out.ranges.size(), kMaxDirectiveNames, "coordinates")) return false;
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

  bool parseProcess() {
    const Token first = m_at.peek();
    if (!hasRoom(m_instructions++, kMaxInstructions, "statements")) return false;
    Part::Process process;
    if (!m_at.needOneOf(schedule::kRoles, "a mover, a compute or a writer", process.role)) {
      return false;
    }
    const bool computes = process.role == schedule::Process::Role::Compute;
    const bool head = computes || operand("a tensor", process.operand);
    process.span = m_at.spanFrom(first);
    m_code = &process.code;
    const bool read = block(
        head, [this] { return parseStatement(0); }, "a statement", kProcessesAndParts);
    m_out.herds.back().processes.push_back(std::move(process));
    return read;
  }

  bool parseStatement(std::size_t depth) {
    const Token first = m_at.peek();
    if (!hasRoom(m_instructions++, kMaxInstructions, "statements")) return false;
    if (m_at.acceptWord("for")) return parseFor(first, depth);
    Part::Instruction one;
    if (!m_at.needOneOf(schedule::kStatements, "a statement", one.op)) return false;
    if (!parseOperands(one)) return false;
    one.span = m_at.spanFrom(first);
    m_code->push_back(std::move(one));
    return true;
  }

  bool parseFor(const Token& first, std::size_t depth) {
    Part::Instruction begin;
    begin.op = Op::LoopBegin;
    const bool head = operand("a loop", begin.loop);
    begin.span = m_at.spanFrom(first);
    if (depth >= kMaxDepth) return m_at.fail(begin.span, "loops nest too deep");
    Part::Instruction end = begin;
    end.op = Op::LoopEnd;
    m_code->push_back(std::move(begin));
    const bool read = block(
        head, [&] { return parseStatement(depth + 1); }, "a statement", kProcessesAndParts);
    m_code->push_back(std::move(end));
    return read;
  }

  /// A name of a statement must be on its line. Where a line is cut off, the next one parses as
  /// usual.
  bool operand(std::string_view what, Part::Name& out) {
    return m_at.atLineStart() ? m_at.expected(what) : m_at.name(what, out);
  }

  bool parseOperands(Part::Instruction& out) {
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
    return !m_at.acceptWord("of") || m_at.number("a coordinate", 0, kMaxCoordinate, out.of);
  }

  ScheduleCursor m_at;
  ScheduleText m_out;
  std::vector<ScheduleText::Instruction>* m_code = nullptr;
  std::size_t m_instructions = 0, m_regions = 0;
  bool m_beyond = false;  ///< the text exceeds a limit: the rest of it is not read
};

}  // namespace

base::Result<ScheduleText> parseSchedule(base::SourceRef source) {
  const TokenText text = lex(std::move(source));
  return ScheduleParser(text).run();
}

}  // namespace gridloom::syntax
