// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kernel/check.h"
#include "syntax/kernel_parser_scope.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

std::optional<kernel::Access> parseAccess(KernelScope& scope, const Token& name) {
  const std::string word(scope.cursor.textOf(name));
  const auto tensor = scope.tensorNamed(word);
  if (!tensor) {
    std::vector<std::string_view> known;
    for (const kernel::Tensor& t : scope.draft.tensors) known.push_back(t.name);
    std::string hint = spellingHint(word, known);
    if (hint.empty()) hint = fmt::format("declare it: `tensor {}[...]: f16`", word);
    scope.fail(name.span, fmt::format("unknown tensor `{}`", word), std::move(hint));
  }
  kernel::Access access;
  access.tensor = tensor.value_or(kernel::TensorId());
  scope.cursor.take();
  const int nesting = scope.nesting;
  do {
    if (access.indices.size() == kernel::kMaxRank) {
      scope.fail(scope.cursor.peek().span, fmt::format("more than {} indices", kernel::kMaxRank),
                 "this is the limit of the dimensions of a tensor");
      return std::nullopt;
    }
    auto index = parseIndex(scope, true);
    if (!index || scope.beyond || reportOperatorHabit(scope)) return std::nullopt;
    access.indices.push_back(std::move(index->expr));
    access.spelling.push_back(std::move(index->spelling));
  } while (scope.cursor.accept(TokenKind::Comma));
  scope.nesting = nesting;
  if (!scope.cursor.expect(TokenKind::RBracket, "after the indices", scope.errors)) {
    return std::nullopt;
  }
  access.span = scope.cursor.spanFrom(name);
  if (!tensor) return std::nullopt;
  return access;
}

}  // namespace gridloom::syntax
