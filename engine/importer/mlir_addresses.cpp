// SPDX-License-Identifier: Apache-2.0
//
// Addresses that are computed from data: rows that an index names, in memory without a rank.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

// An integer as a form, over loops and over elements of integer tensors, which stand for
// themselves as loops that nothing runs over.
std::optional<Linear> Reader::addressOf(const ExprRef& value, std::map<Loop, ExprRef>& data) const {
  if (isNumber(value)) return Linear::of(static_cast<std::int64_t>(value->number));
  if (value->kind == Expr::Kind::Index) return value->index.front();
  if (value->kind == Expr::Kind::Load) {
    const bool isInteger =
        value->buffer >= 0 &&
        m_program.buffers[static_cast<std::size_t>(value->buffer)].dtype.starts_with('i');
    if (!isInteger || !value->args.empty()) return std::nullopt;
    for (const auto& [loop, known] : data)
      if (known->buffer == value->buffer && known->index == value->index) return Linear::loop(loop);
    const Loop loop = m_program.loops.add(1);
    data[loop] = value;
    return Linear::loop(loop);
  }
  if (value->kind != Expr::Kind::Call || value->args.size() != 2) return std::nullopt;
  const auto a = addressOf(value->args[0], data), b = addressOf(value->args[1], data);
  if (!a || !b) return std::nullopt;
  if (value->name == "+") return *a + *b;
  if (value->name == "-") return *a - *b;
  if (value->name == "*" && b->isConstant()) return *a * b->constant;
  if (value->name == "*" && a->isConstant()) return *b * a->constant;
  return std::nullopt;
}

Linear Reader::offsetOf(mlir::OpFoldResult of, std::map<Loop, ExprRef>& data) const {
  if (const auto known = mlir::getConstantIntValue(of)) return Linear::of(*known);
  const auto value = llvm::cast<mlir::Value>(of);
  if (const auto* expr = std::get_if<ExprRef>(&get(value)); expr != nullptr && !isNumber(*expr)) {
    if (const auto address = addressOf(*expr, data)) return m_program.loops.normal(*address);
  }
  return m_program.loops.normal(exact(value));
}

// A load at an address with data: `args` are the elements for which `loops` stand in its index.
ExprRef Reader::loadAt(const View& view, int buffer, std::vector<Linear> at) const {
  const ExprRef plain = load(buffer, std::move(at));
  if (view.data.empty()) return plain;
  Expr with = *plain;
  for (const auto& [loop, value] : view.data) {
    with.loops.push_back(loop);
    with.args.push_back(value);
  }
  return made(std::move(with));
}

}  // namespace gridloom::importer
