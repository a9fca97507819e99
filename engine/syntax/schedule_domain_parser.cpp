// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_domain_parser.h"

#include <limits>

#include "base/units.h"

namespace gridloom::syntax {

namespace {

/// Larger offsets reach no element of any tensor.
constexpr std::int64_t kFar = std::int64_t{1} << 40;
constexpr const char* kDomain = "where j <= i and tile i >= tile j + 1";
constexpr const char* kAwaited = "awaits X[i - 1 to i + 1, j]";
/// Longer domains occur in no kernel.
constexpr std::size_t kMostParts = 4096;

/// One side of a comparison: a loop, or the number of its tile, and an offset.
struct Side {
  ScheduleText::Name loop;
  bool ofTile = false;
  std::int64_t offset = 0;
};

bool parseOffset(ScheduleCursor& at, std::int64_t& out) {
  ScheduleText::Number number;
  if (at.accept(TokenKind::Plus)) {
    if (!at.number("an offset", 0, kFar, number)) return false;
    out = number.value;
  } else if (at.accept(TokenKind::Minus)) {
    if (!at.number("an offset", 0, kFar, number)) return false;
    out = -number.value;
  }
  return true;
}

bool parseSide(ScheduleCursor& at, Side& out) {
  if (at.at(TokenKind::Integer) || at.at(TokenKind::Minus)) {
    ScheduleText::Number number;
    if (!at.number("a number", -kFar, kFar, number)) return false;
    out.offset = number.value;
    return true;
  }
  out.ofTile = at.atWord("tile") &&
               (at.peek(1).kind == TokenKind::Ident || at.peek(1).kind == TokenKind::String);
  if (out.ofTile) at.take();
  return at.name("a loop, `tile` and a loop, or a number", out.loop) && parseOffset(at, out.offset);
}

/// left - right >= least, both without their offsets.
ScheduleText::Difference differenceOf(const Side& left, const Side& right, std::int64_t more) {
  return {left.loop, right.loop, right.offset - left.offset + more, left.ofTile || right.ofTile};
}

bool parseComparison(ScheduleCursor& at, std::vector<ScheduleText::Difference>& out) {
  Side left, right;
  const Token first = at.peek();
  if (!parseSide(at, left)) return false;
  const TokenKind relation = at.peek().kind;
  switch (relation) {
  case TokenKind::GreaterEqual:
  case TokenKind::LessEqual:
  case TokenKind::Greater:
  case TokenKind::Less:
  case TokenKind::EqualEqual:
    at.take();
    break;
  default:
    return at.expected("`>=`, `<=`, `>`, `<` or `==`", std::string("write `") + kDomain + "`");
  }
  if (!parseSide(at, right)) return false;
  const bool named = !left.loop.text.empty() || !right.loop.text.empty();
  if (!named) return at.fail(at.spanFrom(first), "a comparison names a loop");
  if (!left.loop.text.empty() && !right.loop.text.empty() && left.ofTile != right.ofTile) {
    return at.fail(at.spanFrom(first), "an element is not compared with the number of a tile",
                   "write `tile` on both sides, or on none");
  }
  const bool strict = relation == TokenKind::Greater || relation == TokenKind::Less;
  const bool below = relation == TokenKind::LessEqual || relation == TokenKind::Less;
  if (!below) out.push_back(differenceOf(left, right, strict ? 1 : 0));
  if (below || relation == TokenKind::EqualEqual) {
    out.push_back(differenceOf(right, left, strict ? 1 : 0));
  }
  return true;
}

/// `2 * i`, `i` or `3`
bool parseTerm(ScheduleCursor& at, std::int64_t sign, ScheduleText::Linear& out) {
  std::int64_t factor = sign;
  if (at.at(TokenKind::Integer)) {
    ScheduleText::Number number;
    if (!at.number("a number", 0, kFar, number)) return false;
    if (!at.accept(TokenKind::Star)) {
      out.constant = base::saturatingAdd(out.constant, sign * number.value);
      return true;
    }
    factor = sign * number.value;
  }
  ScheduleText::Name loop;
  if (!at.name("a loop", loop)) return false;
  out.terms.emplace_back(factor, std::move(loop));
  return true;
}

bool parseLinear(ScheduleCursor& at, ScheduleText::Linear& out) {
  std::int64_t sign = at.accept(TokenKind::Minus) ? -1 : 1;
  for (std::size_t terms = 0; terms < kMostParts; ++terms) {
    if (!parseTerm(at, sign, out)) return false;
    if (at.accept(TokenKind::Plus)) {
      sign = 1;
    } else if (at.accept(TokenKind::Minus)) {
      sign = -1;
    } else {
      return true;
    }
  }
  return at.expected("a shorter sum");
}

}  // namespace

bool parseDomain(ScheduleCursor& at, ScheduleText::Domain& out) {
  const Token first = at.peek();
  do {
    out.parts.emplace_back();
    do {
      if (out.parts.back().size() >= kMostParts) return at.tooMany("comparisons", kMostParts);
      if (!parseComparison(at, out.parts.back())) return false;
    } while (at.acceptWord("and"));
  } while (at.acceptWord("or") && out.parts.size() < kMostParts);
  out.span = at.spanFrom(first);
  return true;
}

bool parseAwaited(ScheduleCursor& at, ScheduleText::Awaited& out) {
  const Token first = at.peek();
  if (!at.name("a tensor", out.tensor) || !at.needToken(TokenKind::LBracket, kAwaited))
    return false;
  do {
    if (out.ranges.size() == kMaxDirectiveNames) return at.tooMany("ranges", kMaxDirectiveNames);
    ScheduleText::Range range;
    if (!parseLinear(at, range.first)) return false;
    range.last = range.first;
    range.until = at.atWord("until");
    if ((at.acceptWord("to") || at.acceptWord("until"))) {
      range.last = {};
      if (!parseLinear(at, range.last)) return false;
    }
    out.ranges.push_back(std::move(range));
  } while (at.accept(TokenKind::Comma));
  if (!at.needToken(TokenKind::RBracket, kAwaited)) return false;
  out.span = at.spanFrom(first);
  return true;
}

}  // namespace gridloom::syntax
