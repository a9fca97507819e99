// SPDX-License-Identifier: Apache-2.0
#include "kernel/scopes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/message_limit.h"

namespace gridloom::kernel {

namespace {

class Scopes {
 public:
  Scopes(const Kernel& kernel, base::Diagnostics& errors) : m_kernel(kernel), m_errors(errors) {}

  void fillLoops(Statement& statement) {
    statement.loops = targetLoops(statement);
    statement.reductions.clear();
    for (const ExprNode& node : statement.expr) {
      for (const LoopId loop : node.loops) {
        if (contains(statement.loops, loop)) {
          if (!contains(statement.reductions, loop)) {
            fail(statement.span,
                 fmt::format("`{}` is reduced, but `{}` is addressed by it", nameOf(loop),
                             toString(m_kernel, statement.target)),
                 "use different loops for the result and the reduction");
          }
        } else {
          statement.loops.push_back(loop);
          statement.reductions.push_back(loop);
        }
      }
    }
  }

  void checkScopes(const Statement& statement) {
    const auto under = enclosingReductions(statement);
    const std::vector<LoopId> targets = targetLoops(statement);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const ExprNode& node = statement.expr[n];
      for (const LoopId loop : node.loops) {
        if (contains(under[n], loop)) {
          fail(statement.span,
               fmt::format("`{}` is reduced twice, one inside the other", nameOf(loop)),
               "use another loop for the inner reduction");
        }
      }
      if (node.op == ExprOp::Index) checkIndexScope(statement, node.loop, targets, under[n]);
      if (node.op != ExprOp::Read) {
        continue;
      }
      const Access& read = statement.reads[static_cast<std::size_t>(node.read)];
      for (const LoopId loop : loopsOf(read)) {
        if (!contains(targets, loop) && !contains(under[n], loop)) {
          fail(read.span,
               fmt::format("`{}` in `{}` is neither a loop of `{}` nor reduced here", nameOf(loop),
                           toString(m_kernel, read), toString(m_kernel, statement.target)),
               reductionHint(statement, loop));
        }
      }
    }
    checkConstraintScopes(statement);
  }

 private:
  void fail(base::Span span, std::string message, std::string hint) {
    base::report(m_errors,
                 base::errorAt(m_kernel.source, span, std::move(message), std::move(hint)));
  }
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }

  // `max(k) A[i, k] + B[k, j]` is `(max(k) A[i, k]) + B[k, j]`, which few mean.
  std::string reductionHint(const Statement& statement, LoopId loop) const {
    const auto reduces = std::ranges::find_if(
        statement.expr, [&](const ExprNode& node) { return contains(node.loops, loop); });
    if (reduces == statement.expr.end()) {
      return fmt::format("reduce over it: `sum({}) ...`, or index the result with it",
                         nameOf(loop));
    }
    return fmt::format("what `{0}({1})` reduces ends before the next `+`, `-`, comparison or `,`: "
                       "write it in parentheses, `{0}({1}) (...)`",
                       infoOf(reduces->op).word, nameOf(loop));
  }

  void checkIndexScope(const Statement& statement, LoopId loop, const std::vector<LoopId>& targets,
                       const std::vector<LoopId>& under) {
    if (contains(targets, loop) || contains(under, loop)) return;
    fail(statement.span,
         fmt::format("the value of `{}` is used, which is neither a loop of `{}` nor reduced there",
                     nameOf(loop), toString(m_kernel, statement.target)),
         fmt::format("reduce over it: `sum({}) ...`, or index the result with it", nameOf(loop)));
  }

  void checkConstraintScopes(const Statement& statement) {
    for (const affine::Constraint& c : statement.constraints) {
      for (std::size_t d = 0; d < c.expr.coefficients.size(); ++d) {
        if (c.expr.dependsOn(d) && !contains(statement.loops, LoopId::of(d))) {
          fail(statement.span, fmt::format("`{}` is named in `where` only", nameOf(LoopId::of(d))),
               "a constraint may name loops that the statement runs over");
        }
      }
    }
  }

  const Kernel& m_kernel;
  base::Diagnostics& m_errors;
};

}  // namespace

void takeScope(const Kernel& kernel, Statement& statement, base::Diagnostics& errors) {
  Scopes scopes(kernel, errors);
  scopes.fillLoops(statement);
  scopes.checkScopes(statement);
}

}  // namespace gridloom::kernel
