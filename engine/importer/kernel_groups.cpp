// SPDX-License-Identifier: Apache-2.0
#include "importer/kernel_groups.h"

#include <algorithm>
#include <set>

#include "importer/forms.h"

namespace gridloom::importer {

namespace {

bool multiplies(const Expr& expr) {
  const bool product = expr.kind == Expr::Kind::Call && expr.name == "*" &&
                       !isNumber(expr.args[0]) && !isNumber(expr.args[1]);
  return product || std::ranges::any_of(expr.args, [](const ExprRef& a) { return multiplies(*a); });
}

// A sum of products, as of a matrix product or a convolution.
bool contracts(const Expr& expr) {
  if (expr.kind == Expr::Kind::Reduce && expr.name == "sum" && multiplies(*expr.args[0])) {
    int loads = 0;
    forLoads(*expr.args[0], [&](const Expr&) { ++loads; });
    if (loads > 1) return true;
  }
  return std::ranges::any_of(expr.args, [](const ExprRef& arg) { return contracts(*arg); });
}

/// What a statement, or the statements that stand together with it, take from the kernel so far.
struct Needs {
  bool product = false;      ///< a sum of products
  bool readsOutput = false;  ///< or a gather from what the kernel writes
};

Needs needsOf(const Program& program, const Statement& statement, const KernelGroup& group,
              const std::set<int>& outputs) {
  Needs needs{contracts(*statement.value)};
  // What is gathered, and its indices, are tensors of the caller or of another kernel.
  forLoads(*statement.value, [&](const Expr& load) {
    bool reads = load.buffer != statement.target && outputs.contains(load.buffer);
    if (!load.args.empty()) reads = reads || isWrittenIn(program, group, load.buffer);
    for (const ExprRef& at : load.args) reads = reads || isWrittenIn(program, group, at->buffer);
    needs.readsOutput = needs.readsOutput || reads;
  });
  return needs;
}

}  // namespace

std::vector<KernelGroup> groupedInKernels(const Program& program) {
  const std::vector<Statement>& all = program.statements;
  std::vector<KernelGroup> groups(1);
  std::set<int> outputs;
  for (std::size_t s = 0; s < all.size();) {
    std::size_t end = s + 1;
    while (end < all.size() && all[s].together >= 0 && all[end].together == all[s].together) ++end;
    Needs needs;
    for (std::size_t n = s; n < end; ++n) {
      const Needs own = needsOf(program, all[n], groups.back(), outputs);
      needs.product = needs.product || own.product;
      needs.readsOutput = needs.readsOutput || own.readsOutput;
    }
    // Parts of one tensor stand together.
    const bool isPart = isWrittenIn(program, groups.back(), all[s].target);
    if (((needs.product && groups.back().contracts) || needs.readsOutput) && !isPart &&
        !groups.back().statements.empty()) {
      groups.emplace_back();
      outputs.clear();
    }
    for (; s < end; ++s) {
      groups.back().statements.push_back(s);
      if (program.buffers[static_cast<std::size_t>(all[s].target)].isArgument)
        outputs.insert(all[s].target);
    }
    groups.back().contracts = groups.back().contracts || needs.product;
  }
  return groups;
}

bool isWrittenIn(const Program& program, const KernelGroup& group, int buffer) {
  return std::ranges::any_of(group.statements,
                             [&](std::size_t s) { return program.statements[s].target == buffer; });
}

bool isReadLater(const Program& program, int buffer, const std::vector<KernelGroup>& groups,
                 std::size_t group) {
  for (std::size_t g = group + 1; g < groups.size(); ++g) {
    for (const std::size_t s : groups[g].statements) {
      bool reads = false;
      forLoads(*program.statements[s].value,
               [&](const Expr& load) { reads = reads || load.buffer == buffer; });
      if (reads) return true;
    }
  }
  return false;
}

}  // namespace gridloom::importer
