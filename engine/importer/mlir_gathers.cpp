// SPDX-License-Identifier: Apache-2.0
//
// Elements whose indices are read from data.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::isFromData(mlir::Value value) const {
  const auto* expr = std::get_if<ExprRef>(&get(value));
  return expr != nullptr && !isNumber(*expr) && (*expr)->kind != Expr::Kind::Index;
}

// An index: an affine form, or an element of another tensor.
ExprRef Reader::indexOf(mlir::Value value) const {
  if (isFromData(value)) return scalar(value);
  return indexValue(exact(value));
}

// Of a gather, the tensor is one of the caller's, and every index that is read indexes one of its
// dimensions alone.
ExprRef Reader::elementAt(const Tile& from, const std::vector<ExprRef>& index) const {
  std::map<Loop, Linear> by;
  std::map<Loop, ExprRef> read;
  for (std::size_t d = 0; d < from.vars.size(); ++d) {
    if (isNumber(index[d])) {
      by[from.vars[d]] = Linear::of(static_cast<std::int64_t>(index[d]->number));
    } else if (index[d]->kind == Expr::Kind::Index) {
      by[from.vars[d]] = index[d]->index[0];
    } else {
      read[from.vars[d]] = index[d];
    }
  }
  if (read.empty()) return substitute(from.body, by);
  const bool isArgument =
      from.body->kind == Expr::Kind::Load && from.body->buffer >= 0 && from.body->args.empty() &&
      m_program.buffers[static_cast<std::size_t>(from.body->buffer)].isArgument &&
      !m_program.buffers[static_cast<std::size_t>(from.body->buffer)].flat;
  if (!isArgument)
    refuse(m_at, "data index a tensor that is computed, or addressed by numbers",
           "gather from an argument with a shape");
  Expr load = *from.body;
  for (const auto& [var, value] : read) {
    if (value->kind != Expr::Kind::Load || !value->args.empty())
      refuse(m_at, "an index is computed from data",
             "the language gathers at indices that are "
             "elements of an integer tensor");
    std::size_t uses = 0;
    for (std::size_t d = 0; d < load.index.size(); ++d) {
      if (load.index[d].coefficient(var) == 0) continue;
      ++uses;
      if (load.index[d].asLoop() != var)
        refuse(m_at, "data index a part of a tensor", "gather from the whole tensor");
      load.index[d] = Linear{};
      load.gathers.push_back(d);
      load.args.push_back(value);
    }
    if (uses != 1) refuse(m_at, "data index a dimension of a view that repeats", "gather directly");
  }
  return substitute(std::make_shared<const Expr>(std::move(load)), by);
}

}  // namespace gridloom::importer
