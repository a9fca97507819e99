// SPDX-License-Identifier: Apache-2.0
//
// Operations on vectors: reductions, contractions, and other shapes.
#include <fmt/format.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

using mlir::vector::CombiningKind;

const char* reductionOf(CombiningKind kind) {
  switch (kind) {
  case CombiningKind::ADD:
    return "sum";
  case CombiningKind::MUL:
    return "prod";
  case CombiningKind::MAXSI:
  case CombiningKind::MAXIMUMF:
  case CombiningKind::MAXNUMF:
    return "max";
  case CombiningKind::MINSI:
  case CombiningKind::MINIMUMF:
  case CombiningKind::MINNUMF:
    return "min";
  case CombiningKind::AND:
  case CombiningKind::OR:
  case CombiningKind::XOR:
  case CombiningKind::MAXUI:
  case CombiningKind::MINUI:
    return nullptr;
  }
  return nullptr;
}

const Reduction& reductionNamed(mlir::Operation* op, CombiningKind kind) {
  const char* const name = reductionOf(kind);
  for (const Reduction& how : reductions())
    if (name != nullptr && std::string_view(name) == how.name) return how;
  throw Refusal{fmt::format("`{}` combines bits, or numbers without a sign",
                            op->getName().getStringRef().str()),
                "add, multiply, or take the maximum or minimum"};
}

}  // namespace

bool Reader::readVectorReduction(mlir::Operation& op) {
  if (auto row = llvm::dyn_cast<mlir::vector::ReductionOp>(op)) {
    const Reduction& how = reductionNamed(&op, row.getKind());
    const Tile from = tile(row.getVector());
    const ExprRef old = row.getAcc() ? scalar(row.getAcc()) : number(how.start);
    Tile all{{}, accumulated(how, old, from.vars, from.body)};
    // Computed once, and not by every element that uses it.
    if (!row.getResult().hasOneUse() || hasReduction(*from.body))
      all = stored(all, dtypeOf(row.getResult().getType()));
    set(row.getResult(), all.body);
    return true;
  }
  if (auto multi = llvm::dyn_cast<mlir::vector::MultiDimReductionOp>(op)) {
    const Reduction& how = reductionNamed(&op, multi.getKind());
    const Tile from = tile(multi.getSource());
    const llvm::SmallVector<bool> mask = multi.getReductionMask();
    Tile result;
    std::vector<Loop> reduced;
    for (std::size_t d = 0; d < from.vars.size(); ++d)
      (mask[d] ? reduced : result.vars).push_back(from.vars[d]);
    const Tile old = tile(multi.getAcc());
    result.body = accumulated(how, applied(old, formsOf(result.vars)), reduced, from.body);
    if (result.vars.empty()) {
      set(op.getResult(0), result.body);
    } else {
      set(op.getResult(0), std::move(result));
    }
    return true;
  }
  if (auto outer = llvm::dyn_cast<mlir::vector::OuterProductOp>(op)) {
    const Tile a = tile(outer.getLhs()), b = tile(outer.getRhs());
    Tile result{newVars(outer.getResultVectorType().getShape()), nullptr};
    const std::vector<Linear> index = formsOf(result.vars);
    const ExprRef right = b.vars.empty() ? b.body : applied(b, {index[1]});
    result.body = call("*", {applied(a, {index[0]}), right});
    const Reduction& how = reductionNamed(&op, outer.getKind());
    if (outer.getAcc())
      result.body = call(how.op, {applied(tile(outer.getAcc()), index), result.body});
    set(op.getResult(0), std::move(result));
    return true;
  }
  if (auto contract = llvm::dyn_cast<mlir::vector::ContractionOp>(op)) {
    readContract(contract);
    return true;
  }
  return false;
}

void Reader::readContract(mlir::vector::ContractionOp op) {
  const auto maps = op.getIndexingMapsArray();
  const Tile a = tile(op.getLhs()), b = tile(op.getRhs()), old = tile(op.getAcc());
  std::vector<Loop> loops(maps[0].getNumDims(), -1);
  const auto name = [&](const Tile& of, mlir::AffineMap map) {
    for (unsigned r = 0; r < map.getNumResults(); ++r) {
      Loop& loop = loops[map.getDimPosition(r)];
      if (loop < 0) loop = m_program.loops.add(m_program.loops.extent(of.vars[r]));
    }
  };
  const auto at = [&](const Tile& of, mlir::AffineMap map) {
    std::vector<Linear> index;
    for (unsigned r = 0; r < map.getNumResults(); ++r)
      index.push_back(Linear::loop(loops[map.getDimPosition(r)]));
    return of.vars.empty() ? of.body : applied(of, index);
  };
  name(a, maps[0]);
  name(b, maps[1]);
  Tile result;
  for (unsigned r = 0; r < maps[2].getNumResults(); ++r)
    result.vars.push_back(loops[maps[2].getDimPosition(r)]);
  std::vector<Loop> reduced;
  for (const Loop loop : loops)
    if (std::ranges::find(result.vars, loop) == result.vars.end()) reduced.push_back(loop);
  result.body = accumulated(reductionNamed(op, op.getKind()), at(old, maps[2]), reduced,
                            call("*", {at(a, maps[0]), at(b, maps[1])}));
  if (result.vars.empty()) {
    set(op.getResult(), result.body);
  } else {
    set(op.getResult(), std::move(result));
  }
}

bool Reader::readVectorShape(mlir::Operation& op) {
  const auto type = op.getNumResults() == 1
                        ? llvm::dyn_cast<mlir::VectorType>(op.getResult(0).getType())
                        : mlir::VectorType();
  if (type && type.isScalable())
    refuse(&op, "a vector has a length that only the machine knows", "use vectors of one length");
  if (llvm::isa<mlir::vector::SplatOp, mlir::vector::BroadcastOp>(op)) {
    const Tile from = tile(op.getOperand(0));
    Tile result{newVars(type.getShape()), nullptr};
    const std::size_t more = result.vars.size() - from.vars.size();
    std::vector<Linear> index;
    for (std::size_t d = 0; d < from.vars.size(); ++d)
      index.push_back(m_program.loops.extent(from.vars[d]) == 1
                          ? Linear{}
                          : Linear::loop(result.vars[more + d]));
    result.body = applied(from, index);
    set(op.getResult(0), std::move(result));
    return true;
  }
  if (auto fma = llvm::dyn_cast<mlir::vector::FMAOp>(op)) {
    Tile result = tile(fma.getLhs());
    const std::vector<Linear> index = formsOf(result.vars);
    result.body = call("+", {call("*", {result.body, applied(tile(fma.getRhs()), index)}),
                             applied(tile(fma.getAcc()), index)});
    set(fma.getResult(), std::move(result));
    return true;
  }
  if (auto turned = llvm::dyn_cast<mlir::vector::TransposeOp>(op)) {
    const Tile from = tile(turned.getVector());
    Tile result{newVars(type.getShape()), nullptr};
    std::vector<Linear> index(from.vars.size());
    const auto order = turned.getPermutation();
    for (std::size_t d = 0; d < index.size(); ++d)
      index[static_cast<std::size_t>(order[d])] = Linear::loop(result.vars[d]);
    result.body = applied(from, index);
    set(turned.getResult(), std::move(result));
    return true;
  }
  if (auto cast = llvm::dyn_cast<mlir::vector::ShapeCastOp>(op)) {
    const Tile from = tile(cast.getSource());
    Tile result{newVars(type.getShape()), nullptr};
    Linear flat;
    for (const Loop var : result.vars)
      flat = flat * m_program.loops.extent(var) + Linear::loop(var);
    result.body = applied(from, unflattened(flat, extentsOf(from)));
    set(cast.getResult(), std::move(result));
    return true;
  }
  if (llvm::isa<mlir::vector::CreateMaskOp, mlir::vector::ConstantMaskOp>(op)) {
    Tile result{newVars(type.getShape()), nullptr};
    for (std::size_t d = 0; d < result.vars.size(); ++d) {
      const Linear var = Linear::loop(result.vars[d]);
      Integer ends = Linear{};
      if (auto fixed = llvm::dyn_cast<mlir::vector::ConstantMaskOp>(op)) {
        const auto size = fixed.getMaskDimSizes()[static_cast<unsigned>(d)];
        ends = Linear::of(llvm::cast<mlir::IntegerAttr>(size).getInt());
      } else {
        ends = integer(op.getOperand(static_cast<unsigned>(d)));
      }
      if (ends.kind == Integer::Kind::Max)
        refuse(&op, "a mask ends at the greatest of several", "choose sizes that divide");
      for (const Linear& end : ends.forms) {
        const ExprRef one =
            call(">=", {indexValue(m_program.loops.normal(end - Linear::of(1) - var)), number(0)});
        result.body = result.body ? call("and", {result.body, one}) : one;
      }
    }
    set(op.getResult(0), std::move(result));
    return true;
  }
  return readVectorPart(op);
}

// Parts of vectors at constant places.
bool Reader::readVectorPart(mlir::Operation& op) {
  const auto keep = [&](Tile result) {
    if (result.vars.empty()) {
      set(op.getResult(0), result.body);
    } else {
      set(op.getResult(0), std::move(result));
    }
  };
  if (auto extract = llvm::dyn_cast<mlir::vector::ExtractOp>(op)) {
    const Tile from = tile(extract.getVector());
    std::vector<Linear> index;
    for (const mlir::OpFoldResult at : extract.getMixedPosition()) index.push_back(exactOf(at));
    Tile result;
    for (std::size_t d = index.size(); d < from.vars.size(); ++d)
      result.vars.push_back(m_program.loops.add(m_program.loops.extent(from.vars[d])));
    for (const Loop var : result.vars) index.push_back(Linear::loop(var));
    result.body = applied(from, index);
    keep(std::move(result));
    return true;
  }
  if (auto element = llvm::dyn_cast<mlir::vector::ExtractElementOp>(op)) {
    const Tile from = tile(element.getVector());
    std::vector<Linear> index;
    if (element.getPosition()) index.push_back(exact(element.getPosition()));
    set(op.getResult(0), applied(from, index));
    return true;
  }
  if (auto insert = llvm::dyn_cast<mlir::vector::InsertOp>(op)) {
    const Tile part = tile(insert.getSource()), into = tile(insert.getDest());
    Tile result{newVars(extentsOf(into)), nullptr};
    const std::vector<Linear> all = formsOf(result.vars);
    const auto at = insert.getMixedPosition();
    const std::vector<Linear> rest(all.begin() + static_cast<std::ptrdiff_t>(at.size()), all.end());
    result.body = applied(part, rest);
    for (std::size_t d = 0; d < at.size(); ++d)
      result.body = call("select", {call("==", {indexValue(all[d]), indexValue(exactOf(at[d]))}),
                                    result.body, applied(into, all)});
    set(op.getResult(0), std::move(result));
    return true;
  }
  if (auto slice = llvm::dyn_cast<mlir::vector::ExtractStridedSliceOp>(op)) {
    const Tile from = tile(slice.getVector());
    const auto type = llvm::cast<mlir::VectorType>(slice.getType());
    Tile result{newVars(type.getShape()), nullptr};
    std::vector<Linear> index = formsOf(result.vars);
    const auto offsets = slice.getOffsets();
    for (std::size_t d = 0; d < offsets.size(); ++d)
      index[d] =
          index[d] +
          Linear::of(llvm::cast<mlir::IntegerAttr>(offsets[static_cast<unsigned>(d)]).getInt());
    result.body = applied(from, index);
    set(op.getResult(0), std::move(result));
    return true;
  }
  if (llvm::isa<mlir::vector::PrintOp>(op)) return true;
  return false;
}

}  // namespace gridloom::importer
