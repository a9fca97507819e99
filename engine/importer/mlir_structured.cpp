// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_structured.h"

#include <algorithm>

namespace gridloom::importer {

namespace {

// What stands for an output's old element until the results are known.
int oldOf(unsigned output) { return -2 - static_cast<int>(output); }

bool isOld(const Expr& load, unsigned output) { return load.buffer == oldOf(output); }

bool readsOld(const Expr& value, unsigned output) {
  bool reads = false;
  forLoads(value, [&](const Expr& load) { reads = reads || isOld(load, output); });
  return reads;
}

}  // namespace

Reader::Structured::Structured(Reader& reader, mlir::linalg::LinalgOp op)
    : m_reader(reader),
      m_op(op),
      m_outs(op.getDpsInits()),
      m_isReducing(op.getNumReductionLoops() > 0) {
  for (unsigned o = 0; o < m_outs.size(); ++o) m_olds.push_back(oldOf(o));
}

void Reader::Structured::read() {
  findLoops();
  readInputs();
  for (unsigned o = 0; o < m_outs.size(); ++o) addResult(o);
  for (unsigned o = 0; o < m_outs.size(); ++o)
    m_reader.writeOut(m_outs[o], *m_op, o, std::move(m_results[o]));
}

std::vector<std::int64_t> Reader::Structured::extentsOf(mlir::Value operand) const {
  const Value& known = m_reader.get(operand);
  if (const auto* elements = std::get_if<Tile>(&known)) return m_reader.extentsOf(*elements);
  if (const auto* memory = std::get_if<View>(&known)) return memory->sizes;
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(operand.getType());
  return shaped ? std::vector<std::int64_t>(shaped.getShape()) : std::vector<std::int64_t>{};
}

void Reader::Structured::findLoops() {
  m_loops.assign(m_op.getNumLoops(), -1);
  for (mlir::OpOperand& operand : m_op->getOpOperands()) {
    const mlir::AffineMap map = m_op.getMatchingIndexingMap(&operand);
    const auto sizes = extentsOf(operand.get());
    for (unsigned r = 0; r < map.getNumResults() && r < sizes.size(); ++r) {
      const auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(r));
      if (!dim || m_loops[dim.getPosition()] >= 0 || sizes[r] < 0) continue;
      m_loops[dim.getPosition()] = m_reader.m_program.loops.add(sizes[r]);
    }
  }
  if (std::ranges::find(m_loops, -1) != m_loops.end())
    refuse(m_op, "the extent of one of its loops follows from no operand",
           "give every dimension an operand with a static size");
  m_forms = m_reader.formsOf(m_loops);
}

Linear Reader::Structured::form(mlir::AffineExpr expr) const {
  if (const auto c = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return Linear::of(c.getValue());
  if (const auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr)) return m_forms[d.getPosition()];
  const auto both = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!both) refuse(m_op, "an indexing map has symbols");
  const Linear a = form(both.getLHS()), b = form(both.getRHS());
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return b.isConstant() ? a * b.constant : b * a.constant;
  case mlir::AffineExprKind::FloorDiv:
    return m_reader.divided(a, b.constant).first;
  case mlir::AffineExprKind::Mod:
    return m_reader.divided(a, b.constant).second;
  default:
    refuse(m_op, "an indexing map rounds up", "use floordiv");
  }
}

std::vector<Linear> Reader::Structured::indexOf(mlir::AffineMap map) const {
  std::vector<Linear> index;
  for (const mlir::AffineExpr expr : map.getResults()) index.push_back(form(expr));
  return index;
}

void Reader::Structured::readInputs() {
  for (mlir::OpOperand* operand : m_op.getDpsInputOperands()) {
    const auto argument = m_op.getMatchingBlockArgument(operand);
    if (argument.use_empty()) continue;  // it gives a shape, as the window of a pooling
    const mlir::AffineMap map = m_op.getMatchingIndexingMap(operand);
    // Fewer loops than the operation: every element is read several times.
    bool isRepeated = false;
    for (unsigned d = 0; d < m_loops.size(); ++d)
      isRepeated = isRepeated || !map.isFunctionOfDim(d);
    m_reader.keepIfShared(operand->get(), m_isReducing, map.getNumResults() + (isRepeated ? 1 : 0));
    const bool isScalar = !llvm::isa<mlir::ShapedType>(operand->get().getType());
    m_args[argument.getAsOpaquePointer()] =
        isScalar ? m_reader.scalar(operand->get())
                 : m_reader.applied(m_reader.tile(operand->get()), indexOf(map));
  }
  for (unsigned o = 0; o < m_outs.size(); ++o) {
    const auto argument = m_op.getMatchingBlockArgument(m_op.getDpsInitOperand(o));
    m_args[argument.getAsOpaquePointer()] = load(oldOf(o), {});
  }
}

ExprRef Reader::Structured::valueOf(unsigned output) const {
  return m_reader.region(*m_op.getBlock(), output, m_args, m_forms);
}

// The dimensions of an output; the other loops are reduced.
std::vector<Loop> Reader::Structured::dimensionsOf(unsigned output,
                                                   std::vector<Loop>& reduced) const {
  std::vector<Loop> vars;
  std::set<Loop> kept;
  for (const Linear& form : indexOf(m_op.getMatchingIndexingMap(m_op.getDpsInitOperand(output)))) {
    const auto loop = form.asLoop();
    if (!loop && !(form == Linear{}))
      refuse(m_op, "an output is indexed by more than a loop", "index it by loops alone");
    // A dimension of size 1 stands for what is reduced.
    vars.push_back(loop ? *loop : m_reader.m_program.loops.add(1));
    if (loop) kept.insert(*loop);
  }
  std::ranges::copy_if(m_loops, std::back_inserter(reduced),
                       [&](Loop loop) { return !kept.contains(loop); });
  return vars;
}

void Reader::Structured::addResult(unsigned output) {
  std::vector<Loop> reduced;
  Tile result{dimensionsOf(output, reduced), nullptr};
  const ExprRef value = valueOf(output);
  result.body = placeOfExtreme(output, value, result.vars, reduced);
  if (!result.body) result.body = extreme(output, value, result.vars, reduced);
  if (!result.body) result.body = element(output, value, result.vars, reduced);
  m_results.push_back(std::move(result));
}

ExprRef Reader::Structured::oldElement(unsigned output, const std::vector<Loop>& vars) const {
  m_reader.keepIfShared(m_outs[output], m_isReducing, vars.size());
  return m_reader.applied(m_reader.tile(m_outs[output]), m_reader.formsOf(vars));
}

// The first index at which the extreme stands, which is the first output and computed before.
ExprRef Reader::Structured::placeOfExtreme(unsigned output, const ExprRef& value,
                                           const std::vector<Loop>& vars,
                                           const std::vector<Loop>& reduced) {
  if (output != 1 || reduced.size() != 1) return nullptr;
  const auto place = Reader::placeOfExtreme(valueOf(0), value, m_olds, reduced[0]);
  if (!place) return nullptr;
  m_reader.m_at = m_op;
  const auto type = llvm::cast<mlir::ShapedType>(m_outs[0].getType());
  m_results[0] = m_reader.stored(m_results[0], dtypeOf(type.getElementType()));
  const ExprRef extreme = m_reader.applied(m_results[0], m_reader.formsOf(vars));
  return reduce(
      "min", reduced,
      call("select", {call("==", {place->first, extreme}), place->second, number(kInfinity)}));
}

// The extreme of a pair of an extreme and its place.
ExprRef Reader::Structured::extreme(unsigned output, const ExprRef& value,
                                    const std::vector<Loop>& vars,
                                    const std::vector<Loop>& reduced) const {
  if (output != 0 || m_outs.size() != 2 || reduced.empty()) return nullptr;
  const auto of = extremeOf(value, m_olds);
  if (!of) return nullptr;
  const std::string_view name = of->second ? "max" : "min";
  const auto how = std::ranges::find(reductions(), name, &Reduction::name);
  return accumulated(*how, oldElement(output, vars), reduced, of->first);
}

ExprRef Reader::Structured::element(unsigned output, const ExprRef& value,
                                    const std::vector<Loop>& vars,
                                    const std::vector<Loop>& reduced) const {
  if (!readsOld(*value, output)) return value;
  const auto old = [&] { return oldElement(output, vars); };
  if (!reduced.empty()) {
    return m_reader.accumulation(
        value, reduced, [&](const Expr& load) { return isOld(load, output); }, old);
  }
  const ExprRef before = old();
  return withLoads(value, [&](const Expr& l) { return isOld(l, output) ? before : nullptr; });
}

}  // namespace gridloom::importer
