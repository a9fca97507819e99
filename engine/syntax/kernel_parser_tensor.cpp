// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

// `tensor A: f32[N]`
bool isTypeFirst(const TokenCursor& cursor) {
  return cursor.at(TokenKind::Colon) && kernel::dtypeNamed(cursor.textOf(cursor.peek(1))) &&
         cursor.peek(2).kind == TokenKind::LBracket;
}

bool parseShape(KernelScope& scope, kernel::Tensor& tensor) {
  if (!scope.cursor.accept(TokenKind::LBracket)) {
    const bool isType = kernel::dtypeNamed(tensor.name).has_value();
    scope.cursor.reportExpected(
        "`[` and the shape", scope.errors,
        isType ? fmt::format("the type stands behind the shape: `tensor A[N]: {}`", tensor.name)
        : isTypeFirst(scope.cursor)
            ? fmt::format("the shape stands before the type: `tensor {}[N]: {}`", tensor.name,
                          scope.cursor.textOf(scope.cursor.peek(1)))
            : fmt::format("one number is a tensor of one element: `{0}[1]: f32`, read as "
                          "`{0}[0]`",
                          tensor.name));
    return false;
  }
  do {
    if (tensor.shape.size() == kernel::kMaxRank) {
      scope.fail(scope.cursor.peek().span, fmt::format("more than {} dimensions", kernel::kMaxRank),
                 "this is the limit of the dimensions of a tensor");
      return false;
    }
    auto size = parseIndex(scope, false);
    if (!size) return false;
    checkSize(scope, size->expr.constant, size->span,
              fmt::format("dimension {} of `{}`", tensor.shape.size(), tensor.name));
    tensor.shape.push_back(size->expr.constant);
    tensor.shapeSpelling.push_back(std::move(size->spelling));
  } while (scope.cursor.accept(TokenKind::Comma));
  return scope.cursor.expect(TokenKind::RBracket, "after the shape", scope.errors);
}

bool parseDType(KernelScope& scope, kernel::Tensor& tensor) {
  if (!scope.cursor.accept(TokenKind::Colon)) {
    scope.cursor.reportExpected("`:` and a dtype", scope.errors, "such as `tensor A[M, K]: f16`");
    return false;
  }
  const Token token = scope.cursor.peek();
  if (!scope.cursor.expect(TokenKind::Ident, "of a dtype", scope.errors)) return false;
  const std::string_view word = scope.cursor.textOf(token);
  if (const auto dtype = kernel::dtypeNamed(word)) {
    tensor.dtype = *dtype;
    return true;
  }
  scope.fail(token.span, fmt::format("unknown dtype `{}`", word), dtypeHint(word));
  return true;
}

bool parseInitial(KernelScope& scope, kernel::Tensor& tensor) {
  const Token equal = scope.cursor.take();
  const double sign = scope.cursor.accept(TokenKind::Minus) ? -1 : 1;
  if (scope.cursor.at(TokenKind::Integer) || scope.cursor.at(TokenKind::Float)) {
    tensor.initial = sign * scope.cursor.take().number;
  } else if (scope.cursor.acceptWord("inf")) {
    tensor.initial = sign * std::numeric_limits<double>::infinity();
  } else {
    scope.cursor.reportExpected("a number", scope.errors,
                                "the initial value is a number, `inf` or `-inf`");
    return false;
  }
  if (tensor.role == kernel::TensorRole::Local) return true;
  scope.fail(scope.cursor.spanFrom(equal), "only a `local` tensor has an initial value",
             fmt::format("declare `local {}[...]`, and copy it to an output", tensor.name));
  return true;
}

}  // namespace

void checkSize(KernelScope& scope, std::int64_t& value, base::Span span, std::string_view what) {
  if (value >= 1 && value <= kernel::kMaxExtent) return;
  scope.fail(span, fmt::format("{} is {}", what, value),
             fmt::format("sizes are from 1 to {}", kernel::kMaxExtent));
  value = 1;
}

bool parseTensorType(KernelScope& scope, kernel::Tensor& tensor) {
  if (!parseShape(scope, tensor) || !parseDType(scope, tensor)) return false;
  return !scope.cursor.at(TokenKind::Equal) || parseInitial(scope, tensor);
}

void checkTensorBytes(KernelScope& scope, const kernel::Tensor& tensor) {
  std::int64_t elements = 1;
  bool fits = true;
  for (const std::int64_t extent : tensor.shape) {
    fits = fits && !__builtin_mul_overflow(elements, extent, &elements);
  }
  const double bytes = static_cast<double>(elements) * kernel::bitsOf(tensor.dtype) / 8;
  if (fits && bytes <= static_cast<double>(kernel::kMaxTensorBytes)) return;
  scope.fail(tensor.span, fmt::format("tensor `{}` is larger than 2^62 bytes", tensor.name),
             "make its dimensions smaller");
}

}  // namespace gridloom::syntax
