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

/// An index of a read that wraps around at the size.
struct WrappedIndex {
  std::size_t dim = 0;
  std::int64_t size = 0;
  base::Span span;
};

/// State that the parts of the kernel parser share while they read one kernel: the cursor, the
/// draft with its names so far, and the diagnostics.
struct KernelScope {
  TokenCursor& cursor;
  kernel::Kernel& draft;
  base::Diagnostics& errors;
  base::Diagnostics& warnings;
  int nesting = 0;
  std::size_t reads = 0;  ///< of all statements so far
  bool beyond = false;    ///< the kernel exceeds a limit: the rest of it is not read
  /// Where the statement names `argmax` or `argmin`, which the parser of expressions reads as `max`
  /// or `min`.
  std::optional<base::Span> argReduction = {};
  std::vector<WrappedIndex> wrapped = {};  ///< of the access that was read last

  void fail(base::Span span, std::string message, std::string hint = {});
  /// Whether one more than `count` is within the limit; reports the first that is not.
  bool hasRoom(std::size_t count, std::size_t limit, std::string_view what, base::Span span);

  const kernel::Parameter* parameterNamed(std::string_view name) const;
  std::optional<kernel::TensorId> tensorNamed(std::string_view name) const;
  /// The loop with this name, created on first use. Beyond the limit, returns the last loop
  /// instead.
  kernel::LoopId loopNamed(std::string_view name, base::Span span);
  /// What stands for `loop / divisor` until the loop is split (kernel::DividedLoop).
  kernel::LoopId quotientNamed(kernel::LoopId loop, std::int64_t divisor, base::Span span);
  /// Reports a reserved word, or a name that is already in use.
  bool checkNewName(std::string_view name, base::Span span, std::string_view what);
};

/// Words with a fixed meaning in the language.
bool isReserved(std::string_view word);

/// A value over loops and parameters: an index, a size or a side of a constraint.
struct IndexValue {
  affine::LinearExpr expr;
  std::string spelling;
  base::Span span;
  std::int64_t around = 0;  ///< `mod(i + 1, N)`: `expr` wraps around at N; 0: it does not
};

/// Parses an affine expression. With `loops` false, a name that is not a parameter is an error.
/// Returns none after reporting an error.
std::optional<IndexValue> parseIndex(KernelScope& scope, bool loops);
/// That of an element, which may wrap around (IndexValue::around).
std::optional<IndexValue> parseElementIndex(KernelScope& scope);

/// Reports a size outside 1 to kMaxExtent, and replaces it by 1. `what` is "parameter `M`".
void checkSize(KernelScope& scope, std::int64_t& value, base::Span span, std::string_view what);

/// `[M, K]: f16 = -inf`: shape, dtype, and the initial value of a local tensor.
bool parseTensorType(KernelScope& scope, kernel::Tensor& tensor);
/// Reports a tensor of more than 2^62 bytes.
void checkTensorBytes(KernelScope& scope, const kernel::Tensor& tensor);

/// `r in 0..R, s in 0..S`, after the word `for`.
bool parseRanges(KernelScope& scope, std::vector<std::string> comments);

/// Reports an operator of other languages (`**`, `%`, `?`, `&&`, `=` for `==`) at the cursor, with
/// what to write instead.
bool reportOperatorHabit(KernelScope& scope);
/// Reports `+=` and the like, and `==`, behind the target of a statement.
bool reportAssignmentHabit(KernelScope& scope, const kernel::Access& target);
/// Reports what is no list of loops at the cursor, inside `sum( )`: a range, a condition, a tensor.
bool reportReductionHabit(KernelScope& scope);
/// What to write instead of a function of other languages; empty: nothing known.
std::string functionHabit(std::string_view name);
/// The same of a number that other languages name.
std::string valueHabit(std::string_view name);
/// The same of a word that begins a statement, or of what follows it.
std::string statementHabit(const KernelScope& scope, std::string_view word);
/// `C[i, j]`, as an example.
std::string elementsOf(const kernel::Tensor& tensor);

/// `j < i, k >= 2`, after the word `where`.
bool parseConstraints(KernelScope& scope, kernel::Statement& statement);

/// Reports indices that wrap around in the access that was read last; whether there are any.
bool refuseWrapped(KernelScope& scope);
/// `name[index, ...]`; the cursor is after the name.
std::optional<kernel::Access> parseAccess(KernelScope& scope, const Token& name);

/// Splits `Y[i] = argmax(j) X[i, j]`, read as a `max`, in two: `Y_max[i] = max(j) X[i, j]`, which
/// it adds to the draft, and `Y[i] = min(j) select(X[i, j] == Y_max[i], j, inf)`, the first such
/// index. Reports one that is no statement of its own; `span`: the word.
bool splitArgReduction(KernelScope& scope, kernel::Statement& statement, base::Span span);

/// Parses the right side of a statement into its reads and expression.
bool parseExpression(KernelScope& scope, kernel::Statement& statement);

}  // namespace gridloom::syntax
