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

}  // namespace

std::vector<KernelGroup> groupedInKernels(const Program& program) {
  std::vector<KernelGroup> groups(1);
  std::set<int> outputs;
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    const Statement& statement = program.statements[s];
    const bool product = contracts(*statement.value);
    bool readsOutput = false;
    // What is gathered, and its indices, are tensors of the caller or of another kernel.
    forLoads(*statement.value, [&](const Expr& load) {
      readsOutput =
          readsOutput || (load.buffer != statement.target && outputs.contains(load.buffer));
      if (load.args.empty()) return;
      readsOutput = readsOutput || isWrittenIn(program, groups.back(), load.buffer);
      for (const ExprRef& at : load.args)
        readsOutput = readsOutput || isWrittenIn(program, groups.back(), at->buffer);
    });
    // Parts of one tensor stand together.
    const bool sameLoop =
        isWrittenIn(program, groups.back(), statement.target) ||
        (statement.together >= 0 && std::ranges::any_of(groups.back().statements, [&](auto of) {
           return program.statements[of].together == statement.together;
         }));
    if (((product && groups.back().contracts) || readsOutput) && !sameLoop) {
      groups.emplace_back();
      outputs.clear();
    }
    groups.back().statements.push_back(s);
    groups.back().contracts = groups.back().contracts || product;
    if (program.buffers[static_cast<std::size_t>(statement.target)].isArgument)
      outputs.insert(statement.target);
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
