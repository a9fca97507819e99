// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_parser.h"

#include <algorithm>
#include <limits>

#include "schedule/op_names.h"
#include "syntax/lexer.h"
#include "syntax/limits.h"
#include "syntax/schedule_domain_parser.h"
#include "syntax/schedule_herd_parser.h"
#include "syntax/schedule_part_parser.h"
#include "syntax/schedule_reader.h"

namespace gridloom::syntax {

namespace {

constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();

constexpr const char* kLaunch = "launch gemm(M = 1024) on wormhole_8x8 { ... }";
constexpr const char* kLoop = "loop i = 1024 by 128 on x";

class ScheduleParser {
 public:
  explicit ScheduleParser(const TokenText& text) : m_at(text), m_herds(m_at, m_out.herds) {
    m_out.source = text.source;
  }

  base::Result<ScheduleText> run() {
    if (parseHead()) {
      m_at.block(
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
      if (!m_at.hasRoom(out.size(), kMaxScheduleParts, "sizes")) return false;
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
    if (m_at.atWord("unit")) return parseUnit();
    if (m_at.atWord("segment")) {
      const Token word = m_at.take();
      if (!m_out.mesh.empty()) return m_at.fail(word.span, "a launch has one segment");
      const bool head = parseSizes(m_out.mesh, "a mesh dimension", TokenKind::LBrace);
      return m_at.block(
          head, [this] { return parseSegmentPart(); }, "a buffer, a channel, a token, a herd");
    }
    return m_at.expected("`dtype`, `loop`, `order`, `unit`, `where` or `segment`",
                         std::string("write `") + kLoop + "`");
  }

  bool parseUnit() {
    const Token word = m_at.take();
    Part::Unit unit;
    if (!m_at.hasRoom(m_out.units.size(), kMaxScheduleParts, "units")) return false;
    if (!m_at.name("a tensor", unit.tensor) || !m_at.name("`matrix` or `vector`", unit.unit))
      return false;
    unit.span = {word.span.begin, unit.unit.span.end};
    m_out.units.push_back(std::move(unit));
    return true;
  }

  bool parseLoop() {
    Part::Loop loop;
    if (!m_at.hasRoom(m_out.loops.size(), kMaxScheduleParts, "loops")) return false;
    if (!m_at.name("a loop", loop.name) || !m_at.needToken(TokenKind::Equal, kLoop) ||
        !m_at.number("an extent", 1, kMany, loop.extent) || !m_at.needWord("by", kLoop) ||
        !m_at.number("a block", 1, kMany, loop.tileSize)) {
      return false;
    }
    if (m_at.acceptWord("on") && !m_at.names("a mesh dimension", loop.dims)) return false;
    m_out.loops.push_back(std::move(loop));
    return true;
  }

  template <class One, class Parse>
  bool add(std::vector<One>& to, const Token& first, const Parse& parse, One one = {}) {
    if (!parse(m_at, first, one)) return false;
    to.push_back(std::move(one));
    return true;
  }

  bool parseSegmentPart() {
    const Token first = m_at.peek();
    const std::size_t most =
        std::max({m_out.buffers.size(), m_out.channels.size(), m_out.tokens.size(),
                  m_out.dmaConstraints.size(), m_out.herds.size()});
    if (!m_at.hasRoom(most, kMaxScheduleParts, "buffers, channels, tokens or herds")) return false;
    if (m_at.acceptWord("buffer")) return add(m_out.buffers, first, parseBuffer);
    if (m_at.acceptWord("channel")) return add(m_out.channels, first, parseChannel);
    if (m_at.acceptWord("token")) return add(m_out.tokens, first, parseToken);
    for (const auto kind :
         {schedule::DmaConstraint::Kind::Affinity, schedule::DmaConstraint::Kind::Concurrency}) {
      if (!m_at.acceptWord(schedule::nameOf(kind))) continue;
      return add(m_out.dmaConstraints, first, parseDmaConstraint, {kind, {}, {}});
    }
    if (m_at.acceptWord("herd")) return m_herds.parse(first);
    return m_at.expected("`buffer`, `channel`, `token`, `affinity`, `concurrency` or `herd`",
                         std::string("write `") + kBuffer + "`, `" + kChannel + "` or `" + kHerd +
                             "`");
  }

  ScheduleReader m_at;
  ScheduleText m_out;
  HerdParser m_herds;
};

}  // namespace

base::Result<ScheduleText> parseSchedule(base::SourceRef source) {
  const TokenText text = lex(std::move(source));
  return ScheduleParser(text).run();
}

}  // namespace gridloom::syntax
