// SPDX-License-Identifier: Apache-2.0
#include "kernel/index_help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "kernel/copies.h"
#include "kernel/extent_witnesses.h"
#include "kernel/joined_indices.h"

namespace gridloom::kernel {

namespace {

// The indices of an access in the source, `[` to `]`; none where it is not written so.
std::vector<std::string> writtenIndices(std::string_view text) {
  std::vector<std::string> indices;
  int depth = 0;
  for (const char c : text) {
    const bool closes = c == ']' || c == ')';
    if (closes && --depth == 0) break;
    if (depth == 1 && c == ',') {
      indices.emplace_back();
    } else if (depth > 0 && (c != ' ' || !indices.back().empty())) {
      indices.back() += c;
    }
    if (c != '[' && c != '(') continue;
    if (++depth == 1) indices.emplace_back();
  }
  return depth == 0 ? indices : std::vector<std::string>();
}

std::string indexText(const Kernel& kernel, const Access& access, std::size_t d) {
  if (!access.spelling.empty()) return access.spelling[d];
  const std::vector<std::string> written = writtenIndices(writtenText(kernel, access));
  if (written.size() == access.indices.size()) return written[d];
  std::vector<std::string> names;
  for (const Loop& loop : kernel.loops) names.push_back(loop.name);
  return affine::toString(access.indices[d], names);
}

// None for an index of several loops, or of none.
std::optional<std::size_t> onlyLoop(const affine::LinearExpr& index) {
  std::optional<std::size_t> only;
  for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
    if (!index.dependsOn(l)) continue;
    if (only) return std::nullopt;
    only = l;
  }
  return only;
}

std::string targetHelp(const Kernel& kernel, const Access& access, std::size_t d,
                       const std::string& condition) {
  const affine::LinearExpr& index = access.indices[d];
  std::string help = fmt::format("add `where {}`", condition);
  const auto loop = onlyLoop(index);
  const std::int64_t last = kernel.tensor(access.tensor).shape[d] - 1 - index.constant;
  if (!loop || index.constant < 0 || index.coefficient(*loop) <= 0 || last < 0) return help;
  const Loop& named = kernel.loops[*loop];
  const std::int64_t extent = last / index.coefficient(*loop) + 1;
  const std::string range = numberOrName(kernel, extent);
  if (named.declared == 0 && isReduced(kernel, LoopId::of(*loop)))
    return help + fmt::format(", or give `{0}` another name in this statement, such as `{1}`: "
                              "another one reduces over all of `{0}`",
                              named.name, freeName(kernel, named.name));
  if (named.declared > 0)
    return help + fmt::format(", or change the range of `{}` to `0..{}`", named.name, range);
  return help + fmt::format(", or declare the range of the loop before the statements: "
                            "`for {} in 0..{}`",
                            named.name, range);
}

// Whether the tensor is computed from the target of the statement, or is that target.
bool needsTarget(const Kernel& kernel, TensorId tensor, const Statement& statement) {
  std::vector<bool> seen(kernel.tensors.size());
  std::vector<TensorId> open{tensor};
  while (!open.empty()) {
    const TensorId next = open.back();
    open.pop_back();
    if (next == statement.target.tensor) return true;
    if (seen[next.index()]) continue;
    seen[next.index()] = true;
    for (const Statement& each : kernel.statements) {
      if (each.target.tensor != next) continue;
      for (const Access& read : each.reads) open.push_back(read.tensor);
    }
  }
  return false;
}

// Of state, and of outputs that need their own elements: there is nothing before the first.
std::string initialHelp(const Tensor& tensor) {
  if (tensor.role == TensorRole::Local) {
    return fmt::format("give `{}` an initial value: `local {}[...]: {} = 0`", tensor.name,
                       tensor.name, nameOf(tensor.dtype));
  }
  return "narrow the loops with `where`, or keep loop-carried state in a `local` with an initial "
         "value";
}

// Of what a statement reads of itself; empty where the help for other tensors holds.
std::string recurrenceHelp(const Tensor& tensor, Outside outside) {
  if (!outside.above) return initialHelp(tensor);
  if (outside.below) return "";
  return backwardsHelp();
}

// Whether the target has the same index and no more elements, so that a shorter loop keeps both
// inside.
bool leavesWithTarget(const Kernel& kernel, const Statement& statement, const Access& access,
                      std::size_t d, Outside outside) {
  if (outside.isTarget) return true;
  const affine::LinearExpr& index = access.indices[d];
  const auto& own = statement.target.indices;
  const auto same = std::ranges::find(own, index);
  if (!outside.above || outside.below || index.constant <= 0 || same == own.end()) return false;
  const auto at = static_cast<std::size_t>(same - own.begin());
  return kernel.tensor(statement.target.tensor).shape[at] <= kernel.tensor(access.tensor).shape[d];
}

// `h / 4` of an index as an expression says it, `div(h, 4)`.
std::string asValue(std::string text) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = text.find('/'); at != std::string::npos; at = text.find('/', at + 1)) {
    std::size_t left = text.find_last_not_of(' ', at - 1) + 1, from = left;
    while (from > 0 && isWord(text[from - 1])) --from;
    const std::size_t right = text.find_first_not_of(' ', at + 1);
    std::size_t to = right;
    while (to < text.size() && isWord(text[to])) ++to;
    if (from == left || to == right) continue;
    const std::string quotient =
        fmt::format("div({}, {})", text.substr(from, left - from), text.substr(right, to - right));
    text.replace(from, to - from, quotient);
    at = from + quotient.size() - 1;
  }
  return text;
}

// Of a read that a statement leaves out where it is outside.
std::string readHelp(const Kernel& kernel, const Access& access, std::size_t d,
                     const std::string& where, const std::string& condition) {
  const affine::LinearExpr& index = access.indices[d];
  const std::int64_t size = kernel.tensor(access.tensor).shape[d];
  const auto loop = onlyLoop(index);
  const bool runsBackwards =
      loop && index.coefficient(*loop) == -1 && kernel.loops[*loop].extent == size;
  if (runsBackwards && (index.constant == 0 || index.constant == size)) {
    return fmt::format("an index counts from 0; from the end, it is `{} - {}`", size - 1,
                       kernel.loops[*loop].name);
  }
  const std::string written = writtenText(kernel, access);
  if (written.find("mod(") != std::string::npos && access.spelling.empty()) {
    return fmt::format("`mod` of a sum wraps around once: the sum may be from -{0} to 2 * {0} - 1",
                       numberOrName(kernel, size));
  }
  return fmt::format("leave it out with `where {}`, or choose: `select({}, {}, 0)`", where,
                     condition, written);
}

}  // namespace

std::string numberOrName(const Kernel& kernel, std::int64_t value) {
  const auto named = std::ranges::find(kernel.parameters, value, &Parameter::value);
  const bool isOnly = std::ranges::count(kernel.parameters, value, &Parameter::value) == 1;
  return isOnly && value > 1 ? named->name : std::to_string(value);
}

std::string backwardsHelp() {
  return "a recurrence that runs backwards counts from the end, in a `local` with an initial "
         "value: `x[u] = x[u - 1] + A[N - 1 - u]`";
}

std::string writtenText(const Kernel& kernel, const Access& access) {
  const base::Span span = access.span;
  if (!access.spelling.empty() || kernel.source == nullptr || span.begin >= span.end)
    return toString(kernel, access);
  return std::string(kernel.source->text().substr(span.begin, span.end - span.begin));
}

std::string outsideHelp(const Kernel& kernel, const Statement& statement, const Access& access,
                        std::size_t d, Outside outside) {
  const Tensor& tensor = kernel.tensor(access.tensor);
  const bool shortens = leavesWithTarget(kernel, statement, access, d, outside);
  if (!shortens && needsTarget(kernel, access.tensor, statement)) {
    std::string help = recurrenceHelp(tensor, outside);
    if (!help.empty()) return help;
  }
  const std::string text = indexText(kernel, access, d);
  const std::string from = outside.below ? text + " >= 0" : "";
  const std::string to = outside.above ? fmt::format("{} < {}", text, tensor.shape[d]) : "";
  const bool both = outside.below && outside.above;
  const std::string where = from + (both ? ", " : "") + to;
  if (outside.isTarget && outside.above && tensor.role == TensorRole::Local) {
    if (const auto size = separableSize(kernel, access.tensor, d, true)) {
      return fmt::format("declare `{}` with {} in dimension {}", tensor.name, *size, d) +
             (outside.below ? fmt::format(", and add `where {}`", from) : "");
    }
  }
  if (shortens) return targetHelp(kernel, access, d, where);
  return readHelp(kernel, access, d, where, asValue(from + (both ? " and " : "") + to));
}

}  // namespace gridloom::kernel
