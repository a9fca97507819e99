// SPDX-License-Identifier: Apache-2.0
//
// Whether conditions on loops hold anywhere, or everywhere.
#include <mlir/Analysis/Presburger/IntegerRelation.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

// Exact: over all integer points of the loops.
bool Reader::isEmpty(const std::vector<Linear>& atLeastZero) const {
  std::vector<Linear> forms;
  for (const Linear& form : atLeastZero) {
    forms.push_back(m_program.loops.normal(form));
    if (m_program.loops.range(forms.back()).second < 0) return true;
  }
  std::erase_if(forms, [&](const Linear& f) { return m_program.loops.range(f).first >= 0; });
  if (forms.size() < 2) return false;  // a form reaches its greatest value
  std::map<Loop, unsigned> columns;
  for (const Linear& form : forms)
    for (const auto& [loop, coefficient] : form.terms)
      columns.try_emplace(loop, static_cast<unsigned>(columns.size()));
  mlir::presburger::IntegerPolyhedron domain(
      mlir::presburger::PresburgerSpace::getSetSpace(static_cast<unsigned>(columns.size())));
  for (const auto& [loop, column] : columns) {
    domain.addBound(mlir::presburger::BoundType::LB, column, 0);
    domain.addBound(mlir::presburger::BoundType::UB, column, m_program.loops.extent(loop) - 1);
  }
  for (const Linear& form : forms) {
    std::vector<std::int64_t> row(columns.size() + 1, 0);
    for (const auto& [loop, coefficient] : form.terms) row[columns.at(loop)] = coefficient;
    row.back() = form.constant;
    domain.addInequality(row);
  }
  return domain.isIntegerEmpty();
}

// In the iterations that are read.
bool Reader::holdsNowhere(const std::vector<Linear>& atLeastZero) const {
  std::vector<Linear> all = m_where;
  all.insert(all.end(), atLeastZero.begin(), atLeastZero.end());
  return isEmpty(all);
}

bool Reader::holdsEverywhere(const std::vector<Linear>& atLeastZero) const {
  return std::ranges::all_of(
      atLeastZero, [&](const Linear& form) { return holdsNowhere({form * -1 - Linear::of(1)}); });
}

// The branch that conditions choose in every iteration, as the number of its region; nothing where
// they choose either.
std::optional<unsigned> Reader::chosenBranch(const std::vector<Linear>& holds) const {
  if (holdsEverywhere(holds)) return 0;
  if (holdsNowhere(holds)) return 1;
  return std::nullopt;
}

// Reads the one region that is taken.
void Reader::readTaken(mlir::Operation& op, unsigned branch) {
  mlir::Region& region = op.getRegion(branch);
  if (region.empty()) return;
  readBlock(region.front());
  for (unsigned n = 0; n < op.getNumResults(); ++n)
    set(op.getResult(n), get(region.front().getTerminator()->getOperand(n)));
}

}  // namespace gridloom::importer
