// SPDX-License-Identifier: Apache-2.0
#include "importer/forms.h"

namespace gridloom::importer {

namespace {

void forFormsOf(const Expr& expr, const std::function<void(const Linear&)>& visit) {
  for (const Linear& form : expr.index) visit(form);
  for (const ExprRef& arg : expr.args) forFormsOf(*arg, visit);
}

ExprRef withAccesses(const ExprRef& expr, int buffer,
                     const std::function<std::vector<Linear>(const std::vector<Linear>&)>& change) {
  Expr copy = *expr;
  if (copy.kind == Expr::Kind::Load && copy.buffer == buffer) copy.index = change(copy.index);
  for (ExprRef& arg : copy.args) arg = withAccesses(arg, buffer, change);
  return made(std::move(copy));
}

}  // namespace

ExprRef normalised(const ExprRef& expr, const Loops& loops) {
  Expr copy = *expr;
  for (Linear& form : copy.index) form = loops.normal(form);
  for (ExprRef& arg : copy.args) arg = normalised(arg, loops);
  std::vector<Loop> reduced;
  for (const Loop loop : copy.loops) {
    for (const auto& [part, coefficient] : loops.normal(Linear::loop(loop)).terms)
      reduced.push_back(part);
  }
  copy.loops = std::move(reduced);
  return made(std::move(copy));
}

void forForms(const Statement& statement, const std::function<void(const Linear&)>& visit) {
  for (const Linear& form : statement.index) visit(form);
  for (const Linear& form : statement.where) visit(form);
  forFormsOf(*statement.value, visit);
}

void forAccesses(const Statement& statement,
                 const std::function<void(int, const std::vector<Linear>&)>& visit) {
  visit(statement.target, statement.index);
  forLoads(*statement.value, [&](const Expr& load) { visit(load.buffer, load.index); });
}

void changeForms(Statement& statement, const std::function<Linear(const Linear&)>& change) {
  for (Linear& form : statement.index) form = change(form);
  for (Linear& form : statement.where) form = change(form);
  statement.value = withForms(statement.value, change);
}

void changeAccesses(Program& program, int buffer,
                    const std::function<std::vector<Linear>(const std::vector<Linear>&)>& change) {
  for (Statement& statement : program.statements) {
    if (statement.target == buffer) statement.index = change(statement.index);
    statement.value = withAccesses(statement.value, buffer, change);
  }
}

void normalise(Program& program) {
  for (Statement& statement : program.statements) {
    for (Linear& form : statement.index) form = program.loops.normal(form);
    for (Linear& form : statement.where) form = program.loops.normal(form);
    statement.value = normalised(statement.value, program.loops);
  }
}

}  // namespace gridloom::importer
