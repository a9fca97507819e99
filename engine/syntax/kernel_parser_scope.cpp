// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_parser_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/message_limit.h"
#include "base/units.h"
#include "kernel/check.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

namespace {

// Names of functions and reductions are reserved, too.
constexpr std::array<std::string_view, 11> kReserved = {
    "kernel", "tensor", "local", "where", "for", "inf", "nan", "NaN", "and", "or", "not"};

}  // namespace

bool isReserved(std::string_view word) {
  return std::ranges::find(kReserved, word) != kReserved.end() ||
         kernel::exprOpNamed(word, kernel::ExprForm::Function) ||
         kernel::exprOpNamed(word, kernel::ExprForm::Reduction);
}

void KernelScope::fail(base::Span span, std::string message, std::string hint) {
  base::report(errors,
               base::errorAt(cursor.text().source, span, std::move(message), std::move(hint)));
}

bool KernelScope::hasRoom(std::size_t count, std::size_t limit, std::string_view what,
                          base::Span span) {
  if (count < limit) return true;
  if (!beyond) {
    fail(span, fmt::format("kernel `{}` has more than {} {}", draft.name, limit, what),
         "this is the limit: split it into several kernels");
  }
  beyond = true;
  return false;
}

const kernel::Parameter* KernelScope::parameterNamed(std::string_view name) const {
  const auto found = std::ranges::find(draft.parameters, name, &kernel::Parameter::name);
  return found == draft.parameters.end() ? nullptr : &*found;
}

std::optional<kernel::TensorId> KernelScope::tensorNamed(std::string_view name) const {
  const auto found = std::ranges::find(draft.tensors, name, &kernel::Tensor::name);
  if (found == draft.tensors.end()) return std::nullopt;
  return kernel::TensorId::of(static_cast<std::size_t>(found - draft.tensors.begin()));
}

kernel::LoopId KernelScope::loopNamed(std::string_view name, base::Span span) {
  const auto found = std::ranges::find(draft.loops, name, &kernel::Loop::name);
  const auto index = static_cast<std::size_t>(found - draft.loops.begin());
  if (found == draft.loops.end()) {
    if (!hasRoom(index, kernel::kMaxLoops, "loops", span)) return kernel::LoopId::of(index - 1);
    kernel::Loop& loop = draft.loops.emplace_back();
    loop.name = name;
    loop.span = span;
  }
  return kernel::LoopId::of(index);
}

kernel::LoopId KernelScope::quotientNamed(kernel::LoopId loop, std::int64_t divisor,
                                          base::Span span) {
  const auto whole = std::ranges::find(draft.divided, loop, &kernel::DividedLoop::quotient);
  if (whole != draft.divided.end()) {
    return quotientNamed(whole->loop, base::saturatingMul(whole->divisor, divisor), span);
  }
  const auto loops = draft.loops.size();
  const kernel::LoopId quotient =
      loopNamed(fmt::format("{} / {}", draft.loop(loop).name, divisor), span);
  if (draft.loops.size() > loops) draft.divided.push_back({loop, divisor, quotient, span});
  return quotient;
}

bool KernelScope::checkNewName(std::string_view name, base::Span span, std::string_view what) {
  std::string_view owner;
  if (isReserved(name)) owner = "a word of the language";
  if (parameterNamed(name) != nullptr) owner = "a parameter";
  if (tensorNamed(name)) owner = "a tensor";
  if (owner.empty()) return true;
  fail(span, fmt::format("`{}` is already {}, so it cannot name a {}", name, owner, what),
       "choose another name");
  return false;
}

}  // namespace gridloom::syntax
