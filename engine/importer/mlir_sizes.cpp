// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>

#include <algorithm>
#include <numeric>

namespace gridloom::importer {

namespace {

/// Dimensions of values, and integers: sets of those that are equal.
class Ties {
 public:
  /// Dimension `dim` of a value; -1: the integer itself.
  std::size_t node(mlir::Value value, int dim) {
    const auto [at, isNew] =
        m_nodes.try_emplace({value.getAsOpaquePointer(), dim}, m_parent.size());
    if (isNew) {
      m_parent.push_back(m_parent.size());
      m_size.push_back(sizeOf(value, dim));
      m_by.push_back(nullptr);
    }
    return at->second;
  }

  void tie(std::size_t a, std::size_t b, mlir::Operation* by) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    m_parent[b] = a;
    if (!m_size[a]) m_size[a] = m_size[b];
    if (m_by[a] == nullptr) m_by[a] = m_by[b] != nullptr ? m_by[b] : by;
  }

  void tieShapes(mlir::Value a, mlir::Value b, mlir::Operation* by) {
    const auto type = llvm::dyn_cast<mlir::ShapedType>(a.getType());
    const auto other = llvm::dyn_cast<mlir::ShapedType>(b.getType());
    if (!type || !other || !type.hasRank() || !other.hasRank()) return;
    if (type.getRank() != other.getRank()) return;
    for (int d = 0; d < type.getRank(); ++d) tie(node(a, d), node(b, d), by);
  }

  std::size_t root(std::size_t of) {
    while (m_parent[of] != of) of = m_parent[of] = m_parent[m_parent[of]];
    return of;
  }
  std::optional<std::int64_t> size(std::size_t of) { return m_size[root(of)]; }
  mlir::Operation* by(std::size_t of) { return m_by[root(of)]; }

 private:
  static std::optional<std::int64_t> sizeOf(mlir::Value value, int dim) {
    if (dim < 0) return mlir::getConstantIntValue(value);
    const auto type = llvm::cast<mlir::ShapedType>(value.getType());
    const auto d = static_cast<unsigned>(dim);
    if (type.isDynamicDim(d)) return std::nullopt;
    return type.getDimSize(d);
  }

  std::map<std::pair<void*, int>, std::size_t> m_nodes;
  std::vector<std::size_t> m_parent;
  std::vector<std::optional<std::int64_t>> m_size;
  std::vector<mlir::Operation*> m_by;
};

// Dimensions that one loop of the operation alone indexes.
void tieLoops(mlir::linalg::LinalgOp op, Ties& ties) {
  std::map<unsigned, std::size_t> of;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned d = 0; d < map.getNumResults(); ++d) {
      const auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(map.getResult(d));
      if (!loop) continue;
      const std::size_t node = ties.node(operand.get(), static_cast<int>(d));
      ties.tie(of.try_emplace(loop.getPosition(), node).first->second, node, op);
    }
  }
  for (unsigned n = 0; n < op->getNumResults(); ++n)
    ties.tieShapes(op.getDpsInits()[n], op->getResult(n), op);
}

void tieDynamic(mlir::Value made, mlir::ValueRange sizes, mlir::Operation* op, Ties& ties) {
  const auto type = llvm::cast<mlir::ShapedType>(made.getType());
  std::size_t next = 0;
  for (int d = 0; d < type.getRank(); ++d) {
    if (type.isDynamicDim(static_cast<unsigned>(d)))
      ties.tie(ties.node(made, d), ties.node(sizes[next++], -1), op);
  }
}

void tieDim(mlir::Value source, std::optional<std::int64_t> dim, mlir::Operation* op, Ties& ties) {
  const auto type = llvm::dyn_cast<mlir::ShapedType>(source.getType());
  if (!dim || !type || !type.hasRank() || *dim < 0 || *dim >= type.getRank()) return;
  ties.tie(ties.node(source, static_cast<int>(*dim)), ties.node(op->getResult(0), -1), op);
}

void tieOperation(mlir::Operation* op, Ties& ties) {
  if (auto structured = llvm::dyn_cast<mlir::linalg::LinalgOp>(op)) {
    tieLoops(structured, ties);
  } else if (auto empty = llvm::dyn_cast<mlir::tensor::EmptyOp>(op)) {
    tieDynamic(empty, empty.getDynamicSizes(), op, ties);
  } else if (auto alloc = llvm::dyn_cast<mlir::memref::AllocOp>(op)) {
    tieDynamic(alloc, alloc.getDynamicSizes(), op, ties);
  } else if (auto dim = llvm::dyn_cast<mlir::tensor::DimOp>(op)) {
    tieDim(dim.getSource(), dim.getConstantIndex(), op, ties);
  } else if (auto size = llvm::dyn_cast<mlir::memref::DimOp>(op)) {
    tieDim(size.getSource(), size.getConstantIndex(), op, ties);
  } else if (auto copy = llvm::dyn_cast<mlir::memref::CopyOp>(op)) {
    ties.tieShapes(copy.getSource(), copy.getTarget(), op);
  } else if (llvm::isa<mlir::tensor::CastOp, mlir::memref::CastOp, mlir::bufferization::ToTensorOp,
                       mlir::bufferization::ToMemrefOp>(op)) {
    ties.tieShapes(op->getOperand(0), op->getResult(0), op);
  } else if (op->hasTrait<mlir::OpTrait::Elementwise>()) {
    for (const mlir::Value operand : op->getOperands())
      ties.tieShapes(operand, op->getResult(0), op);
  }
}

}  // namespace

TiedSizes::TiedSizes(const std::vector<mlir::func::FuncOp>& functions, const ArgumentNames& names) {
  for (mlir::func::FuncOp function : functions) {
    Ties ties;
    function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      // A branch may not be taken where sizes differ.
      if (llvm::isa<mlir::scf::IfOp, mlir::affine::AffineIfOp>(op)) return mlir::WalkResult::skip();
      tieOperation(op, ties);
      return mlir::WalkResult::advance();
    });
    std::map<std::size_t, std::size_t> classes;
    const auto take = [&](const std::string& name, std::size_t node) {
      // Functions that name their arguments alike have one value for both.
      const auto known = m_classOf.find(name);
      const std::size_t root = ties.root(node);
      const std::size_t next = known == m_classOf.end() ? m_classes.size() : known->second;
      const std::size_t of = classes.try_emplace(root, next).first->second;
      if (known != m_classOf.end() && known->second != of) return;
      if (of == m_classes.size()) m_classes.emplace_back();
      m_classOf[name] = of;
      Class& all = m_classes[of];
      if (std::ranges::find(all.names, name) == all.names.end()) all.names.push_back(name);
      if (!all.size) all.size = ties.size(root);
      if (all.by == nullptr) all.by = ties.by(root);
    };
    for (const mlir::BlockArgument argument : function.getArguments()) {
      const std::string name = argumentName(names, argument, argument.getArgNumber());
      if (argument.getType().isIntOrIndex()) take(name, ties.node(argument, -1));
      const auto type = llvm::dyn_cast<mlir::ShapedType>(argument.getType());
      if (!type || !type.hasRank() || isAddressed(argument)) continue;
      for (int d = 0; d < type.getRank(); ++d) {
        if (type.isDynamicDim(static_cast<unsigned>(d)))
          take(fmt::format("{}_{}", name, d), ties.node(argument, d));
      }
    }
  }
}

const TiedSizes::Class* TiedSizes::classOf(const std::string& name) const {
  const auto at = m_classOf.find(name);
  return at == m_classOf.end() ? nullptr : &m_classes[at->second];
}

void TiedSizes::refuse(const Class& of, const std::string& message) {
  Refusal refusal{message, "give them one value"};
  if (of.by != nullptr) {
    const Place place = placeOf(of.by);
    refusal.line = place.line;
    refusal.column = place.column;
  }
  throw refusal;
}

Settings TiedSizes::firstOnes(const Settings& given) const {
  Settings firsts;
  for (const auto& [name, value] : given) {
    const Class* const of = classOf(name);
    if (of == nullptr) {
      firsts[name] = value;
      continue;
    }
    if (of->size && *of->size != value)
      refuse(*of, fmt::format("`{}` is {} by `--set`, and {} by the types of the operation", name,
                              value, *of->size));
    for (const std::string& other : of->names) {
      const auto at = given.find(other);
      if (at != given.end() && at->second != value)
        refuse(*of,
               fmt::format("`{}` is {} and `{}` is {}, but the operation has one size for both",
                           name, value, other, at->second));
    }
    firsts[of->names.front()] = value;
  }
  return firsts;
}

Settings TiedSizes::all(const Settings& values) const {
  Settings all = values;
  for (const Class& of : m_classes) {
    const auto at = values.find(of.names.front());
    const auto size = at == values.end() ? of.size : std::optional(at->second);
    for (const std::string& name : of.names)
      if (size) all[name] = *size;
  }
  return all;
}

std::vector<std::string> TiedSizes::others(const std::string& name) const {
  const Class* const of = classOf(name);
  std::vector<std::string> names = of == nullptr ? std::vector<std::string>{} : of->names;
  std::erase(names, name);
  return names;
}

}  // namespace gridloom::importer
