// SPDX-License-Identifier: Apache-2.0
#include "kernel/scopes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/message_limit.h"
#include "kernel/index_help.h"

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
               fmt::format("`{}` in `{}` is neither a loop of `{}` nor reduced here",
                           writtenLoop(loop), writtenText(m_kernel, read),
                           writtenText(m_kernel, statement.target)),
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

  // The name of a loop that was split (`h_outer`), as it stands in the source.
  std::string writtenLoop(LoopId loop) const {
    const Loop& part = m_kernel.loop(loop);
    if (m_kernel.source == nullptr) return part.name;
    const std::string_view text =
        m_kernel.source->text().substr(part.span.begin, part.span.end - part.span.begin);
    for (const std::string_view suffix : {"_outer", "_middle", "_inner"}) {
      const std::string name = part.name.substr(0, part.name.rfind(suffix));
      if (name != part.name && !text.starts_with(part.name) && text.find(name) != text.npos)
        return name;
    }
    return part.name;
  }

  // `max(k) A[i, k] + B[k, j]` is `(max(k) A[i, k]) + B[k, j]`, which few mean.
  std::string reductionHint(const Statement& statement, LoopId loop) const {
    const auto reduces = std::ranges::find_if(
        statement.expr, [&](const ExprNode& node) { return contains(node.loops, loop); });
    const std::string written = writtenLoop(loop);
    if (written != nameOf(loop)) {
      return fmt::format("write two loops for `{}`, as in `A[4 * a + b]` with `for b in 0..4`: `a` "
                         "is its quotient, and `sum(b)` runs over a group",
                         written);
    }
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
