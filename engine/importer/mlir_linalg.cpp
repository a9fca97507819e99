// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

bool Reader::readLinalg(mlir::Operation& op) {
  if (auto softmax = llvm::dyn_cast<mlir::linalg::SoftmaxOp>(op)) {
    readSoftmax(softmax);
    return true;
  }
  auto structured = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!structured) return false;
  if (llvm::isa<mlir::linalg::FillRng2DOp>(op))
    refuse(&op, "its numbers come from a generator that wraps around at 32 bits",
           "pass them as a tensor argument");
  readStructured(structured);
  return true;
}

// A value that a structured operation leaves in an output operand.
void Reader::writeOut(mlir::Value out, mlir::Operation& op, unsigned result, Tile value) {
  if (llvm::isa<mlir::TensorType>(out.getType())) {
    set(op.getResult(result), std::move(value));
  } else {
    write(view(out), value);
  }
}

// Loops are the dimensions of the indexing maps; those that no output names are reduced.
void Reader::readStructured(mlir::linalg::LinalgOp op) {
  const unsigned dims = op.getNumLoops();
  std::vector<Loop> loops(dims, -1);
  const auto extentsOf = [&](mlir::OpOperand& operand) {
    std::vector<std::int64_t> sizes;
    const Value& known = get(operand.get());
    if (const auto* elements = std::get_if<Tile>(&known)) {
      for (const Loop var : elements->vars) sizes.push_back(m_program.loops.extent(var));
    } else if (const auto* memory = std::get_if<View>(&known)) {
      sizes = memory->sizes;
    } else if (const auto shaped = llvm::dyn_cast<mlir::ShapedType>(operand.get().getType())) {
      sizes = shaped.getShape();
    }
    return sizes;
  };
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    const auto sizes = extentsOf(operand);
    for (unsigned r = 0; r < map.getNumResults() && r < sizes.size(); ++r) {
      const auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(r));
      if (!dim || loops[dim.getPosition()] >= 0 || sizes[r] < 0) continue;
      loops[dim.getPosition()] = m_program.loops.add(sizes[r]);
    }
  }
  if (std::ranges::find(loops, -1) != loops.end())
    refuse(op, "the extent of one of its loops follows from no operand",
           "give every dimension an operand with a static size");
  const auto at = [&](mlir::AffineMap map) {
    std::vector<Linear> index;
    const std::function<Linear(mlir::AffineExpr)> form = [&](mlir::AffineExpr expr) -> Linear {
      if (const auto c = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
        return Linear::of(c.getValue());
      if (const auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
        return Linear::loop(loops[d.getPosition()]);
      const auto both = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
      if (!both) refuse(op, "an indexing map has symbols");
      const Linear a = form(both.getLHS()), b = form(both.getRHS());
      switch (expr.getKind()) {
      case mlir::AffineExprKind::Add:
        return a + b;
      case mlir::AffineExprKind::Mul:
        return b.isConstant() ? a * b.constant : b * a.constant;
      case mlir::AffineExprKind::FloorDiv:
        return divided(a, b.constant).first;
      case mlir::AffineExprKind::Mod:
        return divided(a, b.constant).second;
      default:
        refuse(op, "an indexing map rounds up", "use floordiv");
      }
    };
    for (const mlir::AffineExpr expr : map.getResults()) index.push_back(form(expr));
    return index;
  };
  mlir::Block& body = *op.getBlock();
  std::map<void*, ExprRef> args;
  const bool reducing = op.getNumReductionLoops() > 0;
  for (mlir::OpOperand* operand : op.getDpsInputOperands()) {
    const auto argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty()) continue;  // it gives a shape, as the window of a pooling
    // Fewer loops than the operation: every element is read several times.
    std::set<unsigned> named;
    const mlir::AffineMap map = op.getMatchingIndexingMap(operand);
    for (unsigned d = 0; d < dims; ++d) {
      if (map.isFunctionOfDim(d)) named.insert(d);
    }
    keepIfShared(operand->get(), reducing, map.getNumResults() + (named.size() < dims ? 1 : 0));
    const bool isScalar = !llvm::isa<mlir::ShapedType>(operand->get().getType());
    args[argument.getAsOpaquePointer()] =
        isScalar ? scalar(operand->get())
                 : applied(tile(operand->get()), at(op.getMatchingIndexingMap(operand)));
  }
  std::vector<Tile> results;
  const auto outs = op.getDpsInits();
  // What was in the outputs, under names of its own until the results are known.
  std::vector<int> olds;
  for (unsigned o = 0; o < outs.size(); ++o) {
    olds.push_back(-2 - static_cast<int>(o));
    args[op.getMatchingBlockArgument(op.getDpsInitOperand(o)).getAsOpaquePointer()] =
        load(olds.back(), {});
  }
  std::vector<Linear> forms;
  for (const Loop loop : loops) forms.push_back(Linear::loop(loop));
  for (unsigned o = 0; o < outs.size(); ++o) {
    mlir::OpOperand* const out = op.getDpsInitOperand(o);
    const std::vector<Linear> target = at(op.getMatchingIndexingMap(out));
    Tile result;
    std::set<Loop> kept;
    for (const Linear& form : target) {
      const auto loop = form.asLoop();
      if (!loop && !(form == Linear{}))
        refuse(op, "an output is indexed by more than a loop", "index it by loops alone");
      // A dimension of size 1 stands for what is reduced.
      result.vars.push_back(loop ? *loop : m_program.loops.add(1));
      if (loop) kept.insert(*loop);
    }
    std::vector<Loop> reduced;
    for (const Loop loop : loops)
      if (!kept.contains(loop)) reduced.push_back(loop);
    const ExprRef value = region(body, o, args, forms);
    const auto isOld = [&](const Expr& expr) { return expr.buffer == olds[o]; };
    const auto readsOld = [&](const Expr& expr) {
      bool reads = false;
      forLoads(expr, [&](const Expr& l) { reads = reads || isOld(l); });
      return reads;
    };
    const auto start = [&]() -> ExprRef {
      keepIfShared(out->get(), reducing, result.vars.size());
      return applied(tile(out->get()), formsOf(result.vars));
    };
    if (auto place = o == 1 && reduced.size() == 1
                         ? placeOfExtreme(region(body, 0, args, forms), value, olds, reduced[0])
                         : std::nullopt) {
      // The first index at which the extreme stands, which is computed before.
      m_at = op;
      const auto type = llvm::cast<mlir::ShapedType>(outs[0].getType());
      results[0] = stored(results[0], dtypeOf(type.getElementType()));
      const ExprRef extreme = applied(results[0], formsOf(result.vars));
      result.body = reduce(
          "min", reduced,
          call("select", {call("==", {place->first, extreme}), place->second, number(kInfinity)}));
    } else if (const auto of = o == 0 && outs.size() == 2 ? extremeOf(value, olds) : std::nullopt;
               of && !reduced.empty()) {
      const auto how = std::ranges::find_if(reductions(), [&](const Reduction& r) {
        return std::string_view(r.name) == (of->second ? "max" : "min");
      });
      result.body = accumulated(*how, start(), reduced, of->first);
    } else if (!readsOld(*value)) {
      result.body = value;
    } else if (reduced.empty()) {
      const ExprRef old = start();
      result.body = withLoads(value, [&](const Expr& l) { return isOld(l) ? old : nullptr; });
    } else {
      result.body = accumulation(value, reduced, isOld, start);
    }
    results.push_back(std::move(result));
  }
  for (unsigned o = 0; o < outs.size(); ++o) writeOut(outs[o], *op, o, std::move(results[o]));
}

// The value of one of a region's results for one iteration.
ExprRef Reader::region(mlir::Block& block, unsigned result, const std::map<void*, ExprRef>& args,
                       const std::vector<Linear>& index) {
  std::map<void*, ExprRef> known = args;
  const auto valueOf = [&](mlir::Value value) -> ExprRef {
    const auto at = known.find(value.getAsOpaquePointer());
    return at != known.end() ? at->second : scalar(value);
  };
  for (mlir::Operation& op : block.without_terminator()) {
    m_at = &op;
    if (op.getName().getStringRef() == "cf.assert") continue;
    ExprRef value;
    if (auto at = llvm::dyn_cast<mlir::linalg::IndexOp>(op)) {
      value = indexValue(index[at.getDim()]);
    } else if (auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op)) {
      std::vector<ExprRef> indices;
      for (const mlir::Value i : extract.getIndices()) {
        const auto own = known.find(i.getAsOpaquePointer());
        indices.push_back(own != known.end() ? own->second : indexOf(i));
      }
      value = elementAt(tile(extract.getTensor()), indices, dtypeOf(extract.getType()));
    } else if (auto c = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
      if (const auto f = llvm::dyn_cast<mlir::FloatAttr>(c.getValue()))
        value = number(f.getValueAsDouble());
      if (const auto i = llvm::dyn_cast<mlir::IntegerAttr>(c.getValue()))
        value = number(static_cast<double>(i.getInt()));
    } else {
      std::vector<ExprRef> operands;
      for (const mlir::Value operand : op.getOperands()) operands.push_back(valueOf(operand));
      value = element(op, operands);
    }
    if (!value)
      refuse(&op, fmt::format("`{}` is not imported", op.getName().getStringRef().str()),
             "regions compute with arith and math");
    known[op.getResult(0).getAsOpaquePointer()] = value;
  }
  return valueOf(block.getTerminator()->getOperand(result));
}

void Reader::readSoftmax(mlir::linalg::SoftmaxOp op) {
  const mlir::Value input = op.getInput();
  const auto type = llvm::cast<mlir::ShapedType>(input.getType());
  Tile from = tile(input);
  if (from.body->kind != Expr::Kind::Load) from = stored(from, dtypeOf(type.getElementType()));
  std::vector<std::int64_t> shape;
  for (const Loop var : from.vars) shape.push_back(m_program.loops.extent(var));
  const auto dim = static_cast<std::size_t>(op.getDimension());
  // The greatest element, or the sum, along the dimension; over the others.
  const auto along = [&](const char* name, const Tile& elements) {
    Tile result;
    std::vector<Linear> index = formsOf(newVars(shape));
    const Loop reduced = *index[dim].asLoop();
    for (std::size_t d = 0; d < index.size(); ++d)
      if (d != dim) result.vars.push_back(*index[d].asLoop());
    result.body = reduce(name, {reduced}, applied(elements, index));
    return stored(result, "f32");
  };
  const auto over = [&](const char* name, const Tile& elements, const Tile& row) {
    Tile result{newVars(shape), nullptr};
    std::vector<Linear> index = formsOf(result.vars), rowIndex = index;
    rowIndex.erase(rowIndex.begin() + static_cast<std::ptrdiff_t>(dim));
    result.body = call(name, {applied(elements, index), applied(row, rowIndex)});
    return result;
  };
  Tile exponential = over("-", from, along("max", from));
  exponential.body = call("exp", {exponential.body});
  exponential = stored(exponential, "f32");
  writeOut(op.getOutput(), *op, 0, over("/", exponential, along("sum", exponential)));
}

}  // namespace gridloom::importer
