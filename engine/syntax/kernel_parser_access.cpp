// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

// An index that is an element of a tensor, `idx[t]`.
bool atIndexRead(const KernelScope& scope) {
  const TokenCursor& cursor = scope.cursor;
  return cursor.at(TokenKind::Ident) && cursor.peek(1).kind == TokenKind::LBracket &&
         scope.tensorNamed(cursor.textOf(cursor.peek())).has_value();
}

bool parseIndexRead(KernelScope& scope, kernel::Access& access) {
  const Token name = scope.cursor.take();
  std::vector<WrappedIndex> outer = std::move(scope.wrapped);
  auto index = parseAccess(scope, name);
  if (!index || refuseWrapped(scope)) return false;
  scope.wrapped = std::move(outer);
  const std::string text = toString(scope.draft, *index);
  const base::Span span = scope.cursor.spanFrom(name);
  if (!scope.cursor.at(TokenKind::Comma) && !scope.cursor.at(TokenKind::RBracket)) {
    scope.fail(span, fmt::format("`{}` is only part of an index", text),
               fmt::format("an index is affine in loops, or one element of an integer tensor: put "
                           "the rest into that tensor, or choose among all elements, as in `sum(q) "
                           "select(q == {} + ..., A[q], 0)`",
                           text));
    return false;
  }
  if (index->isGather()) {
    scope.fail(span, fmt::format("the index `{}` has an index itself", text),
               "give the composed index as one input");
    return false;
  }
  if (access.gathers.size() == kernel::kMostGathers) {
    scope.fail(span, fmt::format("more than {} indices are read", kernel::kMostGathers),
               "this is the limit for one element");
    return false;
  }
  access.gathers.push_back({access.indices.size(), std::move(*index)});
  access.indices.emplace_back();
  access.spelling.push_back(text);
  return true;
}

bool parseOneIndex(KernelScope& scope, kernel::Access& access) {
  if (atIndexRead(scope)) return parseIndexRead(scope, access);
  auto index = parseElementIndex(scope);
  if (!index || scope.beyond || reportOperatorHabit(scope)) return false;
  if (index->around > 0) {
    scope.wrapped.push_back({access.indices.size(), index->around, index->span});
  }
  access.indices.push_back(std::move(index->expr));
  access.spelling.push_back(std::move(index->spelling));
  return true;
}

// Whether a comment follows on the line of the last token: `i // 2` for a quotient.
bool atComment(const TokenCursor& cursor) {
  const TokenText& text = cursor.text();
  const std::uint32_t end = text.tokens[cursor.position() - 1].span.end;
  return std::ranges::any_of(text.comments, [&](const Comment& comment) {
    return !comment.ownLine && comment.span.begin >= end &&
           comment.span.begin < cursor.peek().span.begin + 1;
  });
}

bool closeIndices(KernelScope& scope) {
  TokenCursor& cursor = scope.cursor;
  if (!cursor.accept(TokenKind::RBracket)) {
    cursor.reportExpected(
        "`]` after the indices", scope.errors,
        atComment(cursor) ? "`//` begins a comment: a quotient is `i / 2`, or `div(i, 2)`" : "");
    return false;
  }
  if (!cursor.at(TokenKind::LBracket) || cursor.atLineStart()) return true;
  scope.fail(cursor.peek().span, "all indices stand in one pair of brackets", "write `A[i, j]`");
  return false;
}

}  // namespace

bool refuseWrapped(KernelScope& scope) {
  if (scope.wrapped.empty()) return false;
  scope.fail(scope.wrapped.front().span, "only the index of an element that is read wraps around",
             "write a statement for each part, or count from the other end");
  return true;
}

std::optional<kernel::Access> parseAccess(KernelScope& scope, const Token& name) {
  const std::string word(scope.cursor.textOf(name));
  const auto tensor = scope.tensorNamed(word);
  if (!tensor) {
    std::vector<std::string_view> known;
    for (const kernel::Tensor& t : scope.draft.tensors) known.push_back(t.name);
    const std::string_view near = nearest(word, known);
    std::string hint =
        near.empty() ? fmt::format("declare it before: `tensor {0}[...]: f16`, or `local {0}[...]: "
                                   "f32` for what stays inside",
                                   word)
                     : fmt::format("did you mean `{}`?", near);
    scope.fail(name.span, fmt::format("unknown tensor `{}`", word), std::move(hint));
  }
  kernel::Access access;
  access.tensor = tensor.value_or(kernel::TensorId());
  scope.cursor.take();
  const int nesting = scope.nesting;
  scope.wrapped.clear();
  do {
    if (access.indices.size() == kernel::kMaxRank) {
      scope.fail(scope.cursor.peek().span, fmt::format("more than {} indices", kernel::kMaxRank),
                 "this is the limit of the dimensions of a tensor");
      return std::nullopt;
    }
    if (!parseOneIndex(scope, access)) return std::nullopt;
  } while (scope.cursor.accept(TokenKind::Comma));
  scope.nesting = nesting;
  if (!closeIndices(scope)) return std::nullopt;
  access.span = scope.cursor.spanFrom(name);
  if (!tensor) return std::nullopt;
  return access;
}

}  // namespace gridloom::syntax
