// SPDX-License-Identifier: Apache-2.0
//
// Tables of constants: the kernel language has none, so an element is chosen by its index.
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// Of a table in row-major order, ranges of equal elements along each dimension.
constexpr std::size_t kMostRanges = 32;

class Table {
 public:
  Table(std::vector<double> values, std::vector<Loop> vars, const Loops& loops)
      : m_values(std::move(values)), m_vars(std::move(vars)), m_loops(loops) {}

  /// Nothing where there are more than `kMostRanges`.
  ExprRef chosen() { return chosen(0, 0, m_values.size()); }

 private:
  // Elements from `from` on, `count` of them, of one index of the dimensions in front.
  ExprRef chosen(std::size_t dim, std::size_t from, std::size_t count) {
    const auto begin = m_values.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    if (std::adjacent_find(begin, end, std::not_equal_to{}) == end)
      return ++m_ranges > kMostRanges ? nullptr : number(*begin);
    const auto size = static_cast<std::size_t>(m_loops.extent(m_vars[dim]));
    return split(dim, from, count / size, 0, size);
  }

  // The same of the indices from `first` to in front of `last` of a dimension.
  ExprRef split(std::size_t dim, std::size_t from, std::size_t step, std::size_t first,
                std::size_t last) {
    if (m_ranges > kMostRanges) return nullptr;
    if (last - first == 1) return chosen(dim + 1, from + first * step, step);
    const auto begin = m_values.begin() + static_cast<std::ptrdiff_t>(from + first * step);
    const auto end = m_values.begin() + static_cast<std::ptrdiff_t>(from + last * step);
    if (std::adjacent_find(begin, end, std::not_equal_to{}) == end)
      return ++m_ranges > kMostRanges ? nullptr : number(*begin);
    const std::size_t middle = first + (last - first) / 2;
    const ExprRef low = split(dim, from, step, first, middle);
    const ExprRef high = split(dim, from, step, middle, last);
    if (!low || !high) return nullptr;
    const Linear below =
        Linear::of(static_cast<std::int64_t>(middle) - 1) - Linear::loop(m_vars[dim]);
    return call("select", {call(">=", {indexValue(below), number(0)}), low, high});
  }

  std::vector<double> m_values;
  std::vector<Loop> m_vars;
  const Loops& m_loops;
  std::size_t m_ranges = 0;
};

std::vector<double> valuesOf(mlir::DenseElementsAttr dense) {
  std::vector<double> values;
  if (dense.isSplat() && dense.getNumElements() > 1) {
    const auto one = mlir::RankedTensorType::get({1}, dense.getElementType());
    return valuesOf(dense.resizeSplat(one));
  }
  if (llvm::isa<mlir::FloatType>(dense.getElementType())) {
    for (mlir::APFloat value : dense.getValues<mlir::APFloat>()) {
      bool isInexact = false;
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
      values.push_back(value.convertToDouble());
    }
  } else {
    const bool isBit = dense.getElementType().isInteger(1);
    for (const mlir::APInt& value : dense.getValues<mlir::APInt>())
      values.push_back(isBit ? static_cast<double>(value.getZExtValue())
                             : static_cast<double>(value.getSExtValue()));
  }
  return values;
}

}  // namespace

// The elements of a constant tensor, vector or memory.
Tile Reader::constantTile(mlir::Attribute value, mlir::Operation* op) {
  auto dense = llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(value);
  const bool isNumber = dense && (llvm::isa<mlir::FloatType>(dense.getElementType()) ||
                                  dense.getElementType().isIntOrIndex());
  if (dense && dense.getElementType().isUnsignedInteger())
    refuse(op, "a table of constants of unsigned integers", "write signed or signless integers");
  if (!isNumber)
    refuse(op, "a table of constants whose values are not in the text as dense numbers",
           "write `dense<...>`, or pass it as a tensor argument");
  Tile tile{newVars(dense.getType().getShape()), nullptr};
  if (dense.empty()) {  // Of no element, which nothing can read.
    tile.body = number(0);
    return tile;
  }
  if (dense.isSplat()) {
    tile.body = number(valuesOf(dense).front());
    return tile;
  }
  const auto [known, isNew] = m_constants.try_emplace(dense.getAsOpaquePointer(), tile);
  if (!isNew) return known->second;
  constexpr std::int64_t most = 65'536;
  if (dense.getNumElements() <= most)
    tile.body = Table(valuesOf(dense), tile.vars, m_program.loops).chosen();
  if (!tile.body)
    refuse(op,
           fmt::format("a table of {} constants, which are more than {} ranges of equal ones, has "
                       "no place in a kernel",
                       dense.getNumElements(), kMostRanges),
           "pass it as a tensor argument");
  return known->second = tile;
}

// Memory of the module, which nobody changes.
bool Reader::readGlobal(mlir::memref::GetGlobalOp op) {
  mlir::memref::GlobalOp global;
  for (mlir::Operation& other : *m_function->getBlock()) {
    auto of = llvm::dyn_cast<mlir::memref::GlobalOp>(other);
    if (of && of.getSymName() == op.getName()) global = of;
  }
  if (!global || !global.getConstant() || !global.getInitialValue())
    refuse(op,
           fmt::format("`@{}` is memory of the module that is not constant", op.getName().str()),
           "pass it as an argument, or declare it as `memref.global constant`");
  const auto type = llvm::cast<mlir::MemRefType>(op.getType());
  const MemoryRef memory = memoryHere(dtypeOf(type.getElementType()), type.getShape().vec());
  memory->isConstant = true;
  memory->content = constantTile(*global.getInitialValue(), op);
  set(op.getResult(), wholeView(memory));
  return true;
}

// A tensor as memory, which may be that of another one: nothing writes it.
void Reader::readBuffer(mlir::Operation& op) {
  const auto type = llvm::cast<mlir::ShapedType>(op.getResult(0).getType());
  const Tile content = tile(op.getOperand(0));
  std::vector<std::int64_t> shape;
  for (const Loop var : content.vars) shape.push_back(m_program.loops.extent(var));
  const MemoryRef memory = memoryHere(dtypeOf(type.getElementType()), std::move(shape));
  memory->isConstant = true;
  memory->content = content;
  set(op.getResult(0), wholeView(memory));
}

}  // namespace gridloom::importer
