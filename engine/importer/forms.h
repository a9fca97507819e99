// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "importer/program.h"

namespace gridloom::importer {

/// Calls `visit` for every affine form of a statement: of its target, its value and its bounds.
void forForms(const Statement& statement, const std::function<void(const Linear&)>& visit);
/// Calls `visit` for every element a statement names, its target first.
void forAccesses(const Statement& statement,
                 const std::function<void(int buffer, const std::vector<Linear>& index)>& visit);
/// Changes every affine form of a statement.
void changeForms(Statement& statement, const std::function<Linear(const Linear&)>& change);
/// Changes the indices of all elements of a buffer.
void changeAccesses(Program& program, int buffer,
                    const std::function<std::vector<Linear>(const std::vector<Linear>&)>& change);
/// Replaces loops that were divided by their parts, in forms and in reductions.
ExprRef normalised(const ExprRef& expr, const Loops& loops);
/// The same in all statements.
void normalise(Program& program);

}  // namespace gridloom::importer
