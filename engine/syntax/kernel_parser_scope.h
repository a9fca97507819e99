// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "kernel/kernel.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// Depth of parentheses and prefix operators, so that no input can exhaust the stack.
inline constexpr int kMaxNesting = 200;

/// What the parts of the kernel parser share while one kernel is read: the cursor, the draft with the
/// names it has so far, and the reports.
struct KernelScope {
  TokenCursor& cursor;
  kernel::Kernel& draft;
  base::Diagnostics& errors;
  int nesting = 0;
  std::size_t reads = 0;  ///< of all statements so far
  bool beyond = false;    ///< the kernel is beyond a limit: nothing more of it is read

  void fail(base::Span span, std::string message, std::string hint = {});
  /// Whether there is room for one more of these beside `count`; reports the first that is too many.
  bool hasRoom(std::size_t count, std::size_t limit, std::string_view what, base::Span span);

  const kernel::Parameter* parameterNamed(std::string_view name) const;
  std::optional<kernel::TensorId> tensorNamed(std::string_view name) const;
  /// The loop with this name, made at its first use. Where there are too many, the last one stands for it.
  kernel::LoopId loopNamed(std::string_view name, base::Span span);
  /// Reports a word of the language, or a name that something else has.
  bool checkNewName(std::string_view name, base::Span span, std::string_view what);
};

/// Words with a meaning of their own.
bool isReserved(std::string_view word);

/// A value over loops and parameters as an index, a size or a side of a constraint.
struct IndexValue {
  affine::LinearExpr expr;
  std::string spelling;
  base::Span span;
};

/// Parses an affine expression. With `loops` false, a name that is not a parameter is an error.
/// None after an error, which is reported.
std::optional<IndexValue> parseIndex(KernelScope& scope, bool loops);

/// `name[index, ...]`, the cursor behind the name.
std::optional<kernel::Access> parseAccess(KernelScope& scope, const Token& name);

/// Parses the right side of a statement into its reads and expression.
bool parseExpression(KernelScope& scope, kernel::Statement& statement);

}  // namespace gridloom::syntax
