// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_checker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "affine/index_digits.h"
#include "base/message_limit.h"
#include "kernel/check.h"
#include "kernel/circular_needs.h"
#include "kernel/covered_borders.h"
#include "kernel/definedness.h"
#include "kernel/divided_loops.h"
#include "kernel/extents.h"
#include "kernel/index_help.h"
#include "kernel/joined_indices.h"
#include "kernel/local_targets.h"
#include "kernel/scopes.h"
#include "kernel/shared_bounds.h"
#include "kernel/undefined_zeros.h"

namespace gridloom::kernel {

namespace {

// Counting points enumerates all but the longest of the loops that constraints relate.
constexpr double kMaxCountingSteps = 1 << 26;

}  // namespace

base::Diagnostics KernelChecker::run() {
  separateJoinedIndices(m_kernel);
  splitDividedLoops(m_kernel, m_errors);
  if (m_errors.empty() && checkShape()) {
    deriveExtents(m_kernel, m_errors);
    deriveShapes(m_kernel);
  }
  if (m_errors.empty()) {
    checkAccesses();
  }
  if (m_errors.empty()) {
    checkLocalTargets();
  }
  if (m_errors.empty()) {
    coverBorders(m_kernel);
    addUndefinedZeros(m_kernel);
    checkDefinedness(m_kernel, m_errors);
  }
  return std::move(m_errors);
}

base::Diagnostics KernelChecker::finish() {
  takeSharedBounds(m_kernel);
  checkSelfNeed();
  return std::move(m_errors);
}

base::Diagnostics KernelChecker::runAgain() {
  if (checkShape()) checkAccesses();
  if (m_errors.empty()) checkLocalTargets();
  if (m_errors.empty()) checkDefinedness(m_kernel, m_errors);
  if (m_errors.empty()) checkSelfNeed();
  return std::move(m_errors);
}

void KernelChecker::fail(base::Span span, std::string message, std::string hint) {
  base::report(m_errors, base::errorAt(m_kernel.source, span, std::move(message), std::move(hint)));
}

// Checks that need no extents: ranks, targets, scopes of loops.
bool KernelChecker::checkShape() {
  if (m_kernel.statements.empty()) {
    fail(m_kernel.span, fmt::format("kernel `{}` has no statements", m_kernel.name),
         "add one, such as `C[i] = A[i] + B[i]`");
  }
  checkLimit(m_kernel.span, m_kernel.loops.size(), kMaxLoops, "loops");
  checkLimit(m_kernel.span, m_kernel.statements.size(), kMaxStatements, "statements");
  std::size_t reads = 0;
  for (const Statement& statement : m_kernel.statements) {
    reads += statement.reads.size();
    checkLimit(statement.span, statement.constraints.size(), kMaxConstraints, "constraints");
  }
  checkLimit(m_kernel.span, reads, kMaxReads, "reads");
  if (!m_errors.empty()) return false;
  for (Statement& statement : m_kernel.statements) {
    checkRank(statement.target);
    for (const Access& read : statement.reads) {
      checkRank(read);
    }
    takeScope(m_kernel, statement, m_errors);
    Tensor& target = m_kernel.tensors[statement.target.tensor.index()];
    if (target.role != TensorRole::Local) {
      target.role = TensorRole::Output;
    }
  }
  for (const Statement& statement : m_kernel.statements) {
    for (const Access& read : statement.reads) checkGathers(read);
  }
  return m_errors.empty();
}

void KernelChecker::checkLimit(base::Span span, std::size_t count, std::size_t limit,
                               std::string_view what) {
  if (count > limit) {
    fail(span,
         fmt::format("kernel `{}` has {} {} here; the limit is {}", m_kernel.name, count, what,
                     limit),
         "split it into several kernels");
  }
}

void KernelChecker::checkRank(const Access& access) {
  const Tensor& tensor = m_kernel.tensor(access.tensor);
  if (access.indices.size() != tensor.shape.size()) {
    fail(access.span,
         fmt::format("`{}` has {} dimension{}, but {} ind{} given", tensor.name,
                     tensor.shape.size(), tensor.shape.size() == 1 ? "" : "s",
                     access.indices.size(), access.indices.size() == 1 ? "ex is" : "ices are"),
         "give one index for each dimension of its declaration");
  }
}

void KernelChecker::checkLocalTargets() {
  for (const Statement& statement : m_kernel.statements) checkLocalTarget(statement, false);
}

bool KernelChecker::checkLocalTarget(const Statement& statement, bool mayGrow) {
  auto error = localTargetError(m_kernel, statement, mayGrow);
  if (error) fail(statement.target.span, std::move(error->message), std::move(error->help));
  return !error;
}

// Nothing may depend on values that are not known before the kernel runs.
void KernelChecker::checkGathers(const Access& read) {
  const Tensor& tensor = m_kernel.tensor(read.tensor);
  for (const IndexRead& gather : read.gathers) {
    const Tensor& index = m_kernel.tensor(gather.access.tensor);
    if (!isInteger(index.dtype)) {
      fail(gather.access.span,
           fmt::format("`{}` of type {} cannot be an index", index.name,
                       kernel::nameOf(index.dtype)),
           fmt::format("declare `{}` as i32 or i64", index.name));
    }
    const Tensor* computed = tensor.role != TensorRole::Input ? &tensor : &index;
    if (computed->role == TensorRole::Input) continue;
    fail(read.span,
         fmt::format("`{}` reads through an index, but the kernel computes `{}`",
                     toString(m_kernel, read), computed->name),
         fmt::format("gather from inputs through inputs: compute `{}` in a kernel of its own",
                     computed->name));
  }
}

void KernelChecker::checkAccesses() {
  for (const Statement& statement : m_kernel.statements) {
    const affine::IntegerSet domain = domainOf(m_kernel, statement);
    if (affine::cardinalitySteps(domain) > kMaxCountingSteps) {
      fail(statement.span,
           fmt::format("the domain of `{}` is too large for its `where`",
                       toString(m_kernel, statement.target)),
           "loops tied by constraints may have about 8000 iterations each (67108864 if two)");
      continue;
    }
    const affine::IntegerSet targets = targetDomainOf(m_kernel, statement);
    if (affine::isEmpty(targets)) {
      fail(statement.span, "no iteration satisfies this `where`", "loosen the constraints");
      continue;
    }
    // No other bounds mend an index of the wrong form.
    const bool isOnce = checkOnce(statement.target);
    if (isOnce && !checkLocalTarget(statement, true)) continue;
    checkBounds(statement, statement.target, targets);
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      checkBounds(statement, statement.reads[r], readDomain(m_kernel, statement, r));
    }
  }
}

// Different iterations must define different elements.
bool KernelChecker::checkOnce(const Access& target) {
  std::vector<std::int64_t> extents;
  for (const Loop& loop : m_kernel.loops) extents.push_back(loop.extent);
  if (affine::isInjective(target.indices, extents)) return true;
  fail(target.span, fmt::format("`{}` names an element several times", toString(m_kernel, target)),
       "factors of loops in one index must tell them apart, as in `4 * a + b` with b in 0..4");
  return false;
}

void KernelChecker::checkBounds(const Statement& statement, const Access& access,
                                const affine::IntegerSet& domain) {
  const bool isTarget = &access == &statement.target;
  const Tensor& tensor = m_kernel.tensor(access.tensor);
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const auto bounds = affine::boundsOf(domain, access.indices[d]);
    if (!bounds) {
      return;
    }
    // Only reads find the initial value before a dimension begins.
    const bool below = bounds->min < 0 && (isTarget || !tensor.initial);
    if (!below && bounds->max < tensor.shape[d]) {
      continue;
    }
    fail(access.span,
         fmt::format("index {} of `{}` reaches {}, outside its dimension of {}", d,
                     writtenText(m_kernel, access), below ? bounds->min : bounds->max,
                     tensor.shape[d]),
         outsideHelp(m_kernel, statement, access, d,
                     {below, bounds->max >= tensor.shape[d], isTarget}));
  }
}

// `p[i] = q[i] + 1` and `q[i] = 2 * p[i]`
void KernelChecker::checkCycles(const std::vector<FlowDependence>& flows) {
  const std::vector<SameElementNeed> cycle = circularNeeds(m_kernel, flows);
  if (cycle.empty()) return;
  std::vector<std::string> needs;
  for (const SameElementNeed& need : cycle) {
    const Statement& reader = m_kernel.statements[need.reader.index()];
    needs.push_back(fmt::format("`{}` needs `{}`", toString(m_kernel, reader.target),
                                toString(m_kernel, reader.reads[need.read])));
  }
  const Statement& first = m_kernel.statements[cycle.front().reader.index()];
  fail(first.span,
       fmt::format("`{}` needs itself: {}", toString(m_kernel, first.target),
                   fmt::join(needs, ", ")),
       earlierHint(first.reads[cycle.front().read]));
}

std::string KernelChecker::earlierHint(Access read) const {
  const Tensor& tensor = m_kernel.tensor(read.tensor);
  if (read.indices.empty()) return "compute one of them without the others";
  read.indices.front() = read.indices.front() - affine::LinearExpr::number(1);
  read.spelling.clear();
  const std::string start =
      tensor.role == TensorRole::Local
          ? fmt::format("give `{0}` an initial value: `local {0}[...]: {1} = 0`", tensor.name,
                        kernel::nameOf(tensor.dtype))
          : "define the first element in a statement of its own";
  return fmt::format("one of them must read an earlier index, as in `{}`; {}",
                     toString(m_kernel, read), start);
}

// `x[i] = x[i] + 1`
void KernelChecker::checkSelfNeed() {
  const std::vector<FlowDependence> flows = flowDependences(m_kernel);
  for (const FlowDependence& flow : flows) {
    const Statement& statement = m_kernel.statements[flow.reader.index()];
    const Access& read = statement.reads[flow.read];
    if (flow.writer == flow.reader && read.indices == statement.target.indices) {
      fail(read.span, fmt::format("`{}` needs itself", toString(m_kernel, read)),
           "an element is defined once: give the new value another name, or read an earlier "
           "index");
    }
  }
  checkCycles(flows);
  for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
    m_kernel.loops[l].kind = deriveKind(m_kernel, flows, LoopId::of(l));
  }
}

}  // namespace gridloom::kernel
