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

// An index that is computed is a tensor of its own, which another kernel gathers by, and so is a
// tensor that is computed and gathered from.
ExprRef Reader::asTensor(const ExprRef& value, const std::string& dtype) {
  Tile over{{}, value};
  for (const Loop loop : freeLoops(*value)) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms) {
      const bool isOutside = std::ranges::any_of(m_scope, [&](Loop outer) {
        return m_program.loops.normal(Linear::loop(outer)).coefficient(part) != 0;
      });
      if (!isOutside && std::ranges::find(over.vars, part) == over.vars.end())
        over.vars.push_back(part);
    }
  }
  const std::vector<Linear> index = formsOf(over.vars);
  return applied(stored(over, dtype), index);
}

// Of a gather, every index that is read indexes one dimension alone.
ExprRef Reader::elementAt(const Tile& source, const std::vector<ExprRef>& index,
                          const std::string& dtype) {
  std::map<Loop, Linear> by;
  std::map<Loop, ExprRef> read;
  Tile from = source;
  const auto isData = [](const ExprRef& at) {
    return !isNumber(at) && at->kind != Expr::Kind::Index;
  };
  const bool isPlainLoad =
      from.body->kind == Expr::Kind::Load && from.body->buffer >= 0 && from.body->args.empty();
  if (!isPlainLoad && std::ranges::any_of(index, isData)) from = stored(from, dtype);
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
  if (m_program.buffers[static_cast<std::size_t>(from.body->buffer)].flat)
    refuse(m_at, "data index a block of memory that is addressed by numbers",
           "read the element at its address, or gather from an argument with a shape");
  Expr load = *from.body;
  for (const auto& [var, computed] : read) {
    const bool isElement = computed->kind == Expr::Kind::Load && computed->args.empty();
    const ExprRef value = isElement ? computed : asTensor(computed, "i64");
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
  return substitute(made(std::move(load)), by);
}

}  // namespace gridloom::importer
