// SPDX-License-Identifier: Apache-2.0
#include "kernel/rolled_terms.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;
using Offsets = std::vector<std::int64_t>;

constexpr std::size_t kFewestTerms = 3;
// Larger statements are not searched.
constexpr std::size_t kMostRolledNodes = 1000;

// The reduction of which a chain of operations is; Constant: none.
ExprOp reductionOf(ExprOp step) {
  if (step == ExprOp::Add) return ExprOp::Sum;
  if (step == ExprOp::Mul) return ExprOp::ProdReduce;
  if (step == ExprOp::Max) return ExprOp::MaxReduce;
  return step == ExprOp::Min ? ExprOp::MinReduce : ExprOp::Constant;
}

bool isConstantApart(const LinearExpr& a, const LinearExpr& b) { return (a - b).isConstant(); }

/// Terms of a chain that differ in the constants of their indices.
struct Family {
  std::vector<std::int32_t> terms;
  std::vector<std::int32_t> reads;  ///< nodes of the first term

  bool has(std::int32_t term) const { return std::ranges::find(terms, term) != terms.end(); }
};

/// Where an index of the family steps along an axis of its box: from `first`, by `step`.
struct Stepped {
  std::int32_t read = -1;  ///< node of the first term
  std::size_t dim = 0;
  std::size_t axis = 0;
  std::int64_t first = 0, step = 0;
};

struct Box {
  std::vector<Offsets> axes;  ///< per axis: the place of each term along it
  std::vector<Stepped> steps;
};

class TermRoller {
 public:
  TermRoller(Kernel& kernel, Statement& statement) : m_kernel(kernel), m_statement(statement) {}

  // Whether a chain became a reduction.
  bool run() {
    const auto under = enclosingReductions(m_statement);
    std::vector<bool> isInner(m_statement.expr.size(), false);
    for (std::size_t n = m_statement.expr.size(); n-- > 0;) {
      const ExprNode& node = m_statement.expr[n];
      const bool isRoot = reductionOf(node.op) != ExprOp::Constant && !isInner[n];
      for (const std::int32_t operand : node.operands()) {
        const bool isChain = operand >= 0 && nodeOf(m_statement, operand).op == node.op;
        if (isChain) isInner[static_cast<std::size_t>(operand)] = true;
      }
      if (isRoot && under[n].empty() && roll(static_cast<std::int32_t>(n))) return true;
    }
    return false;
  }

 private:
  const ExprNode& at(std::int32_t n) const { return nodeOf(m_statement, n); }
  const Access& readAt(std::int32_t n) const {
    return m_statement.reads[static_cast<std::size_t>(at(n).read)];
  }

  void collectTerms(std::int32_t n, ExprOp op, std::vector<std::int32_t>& terms) const {
    if (at(n).op != op) return terms.push_back(n);
    collectTerms(at(n).lhs, op, terms);
    collectTerms(at(n).rhs, op, terms);
  }

  void collectReads(std::int32_t n, std::vector<std::int32_t>& reads) const {
    if (at(n).op == ExprOp::Read) reads.push_back(n);
    for (const std::int32_t operand : at(n).operands()) {
      if (operand >= 0) collectReads(operand, reads);
    }
  }

  bool isAlike(std::int32_t a, std::int32_t b) const {
    if (a < 0 || b < 0) return a == b;
    const ExprNode &one = at(a), &other = at(b);
    if (one.op != other.op || one.constant != other.constant || one.loop != other.loop ||
        isReduction(one.op)) {
      return false;
    }
    if (one.op == ExprOp::Read) {
      const Access &first = readAt(a), &second = readAt(b);
      return first.tensor == second.tensor && !first.isGather() && !second.isGather() &&
             std::ranges::equal(first.indices, second.indices, isConstantApart);
    }
    return isAlike(one.lhs, other.lhs) && isAlike(one.rhs, other.rhs) &&
           isAlike(one.other, other.other);
  }

  bool roll(std::int32_t root) {
    const ExprOp op = at(root).op;
    std::vector<std::int32_t> terms;
    collectTerms(root, op, terms);
    for (const std::int32_t first : terms) {
      Family family;
      std::ranges::copy_if(terms, std::back_inserter(family.terms),
                           [&](std::int32_t term) { return isAlike(first, term); });
      collectReads(first, family.reads);
      if (family.terms.size() < kFewestTerms || family.terms.front() != first) continue;
      const auto box = boxOf(family);
      if (!box || !isAlone(family)) continue;
      replace(root, terms, family, *box);
      return true;
    }
    return false;
  }

  // Whether nothing else of the kernel reads what the family does: a tensor that is read as a
  // window and by elements is loaded twice.
  bool isAlone(const Family& family) const {
    return std::ranges::all_of(family.reads, [&](std::int32_t read) {
      const TensorId tensor = readAt(read).tensor;
      const auto own = std::ranges::count_if(
          family.reads, [&](std::int32_t other) { return readAt(other).tensor == tensor; });
      return readsOf(tensor) == own * static_cast<std::ptrdiff_t>(family.terms.size());
    });
  }

  // How often the kernel's expressions read a tensor.
  std::ptrdiff_t readsOf(TensorId tensor) const {
    std::ptrdiff_t count = 0;
    for (const Statement& statement : m_kernel.statements) {
      count += std::ranges::count_if(statement.expr, [&](const ExprNode& node) {
        return node.op == ExprOp::Read &&
               statement.reads[static_cast<std::size_t>(node.read)].tensor == tensor;
      });
    }
    return count;
  }

  // The box that the constants fill, if each term has another place in it.
  std::optional<Box> boxOf(const Family& family) const {
    Box box;
    for (std::size_t r = 0; r < family.reads.size(); ++r) {
      for (std::size_t d = 0; d < readAt(family.reads[r]).indices.size(); ++d) {
        Offsets offsets;
        for (const std::int32_t term : family.terms) {
          std::vector<std::int32_t> reads;
          collectReads(term, reads);
          offsets.push_back(readAt(reads[r]).indices[d].constant);
        }
        addSteps(box, {family.reads[r], d}, std::move(offsets));
      }
    }
    std::set<Offsets> places;
    std::size_t size = 1;
    for (const Offsets& axis : box.axes)
      size *= static_cast<std::size_t>(std::ranges::max(axis)) + 1;
    for (std::size_t t = 0; t < family.terms.size(); ++t) {
      Offsets place;
      for (const Offsets& axis : box.axes) place.push_back(axis[t]);
      places.insert(std::move(place));
    }
    const bool isFull = size == family.terms.size() && places.size() == size;
    return isFull && !box.axes.empty() ? std::optional(std::move(box)) : std::nullopt;
  }

  static void addSteps(Box& box, Stepped steps, Offsets offsets) {
    const auto [low, high] = std::ranges::minmax(offsets);
    if (low == high) return;
    for (const std::int64_t each : offsets) steps.step = std::gcd(steps.step, each - low);
    steps.first = low;
    const std::int64_t last = (high - low) / steps.step;
    for (std::int64_t& each : offsets) each = (each - low) / steps.step;
    Offsets reversed = offsets;
    for (std::int64_t& each : reversed) each = last - each;
    auto axis = std::ranges::find(box.axes, offsets);
    if (axis == box.axes.end()) {
      axis = std::ranges::find(box.axes, reversed);
      if (axis != box.axes.end()) {
        steps.first = high;
        steps.step = -steps.step;
      }
    }
    steps.axis = static_cast<std::size_t>(axis - box.axes.begin());
    if (axis == box.axes.end()) box.axes.push_back(std::move(offsets));
    box.steps.push_back(steps);
  }

  // A loop along an axis, named after the one beside which it stands in an index.
  LoopId addLoop(const Box& box, std::size_t axis) {
    const auto steps = std::ranges::find(box.steps, axis, &Stepped::axis);
    const LinearExpr& index = readAt(steps->read).indices[steps->dim];
    const auto beside = std::ranges::find_if(index.coefficients, [](auto c) { return c != 0; });
    const auto loop = static_cast<std::size_t>(beside - index.coefficients.begin());
    Loop own;
    own.name = freeName(m_kernel, beside == index.coefficients.end()
                                      ? "offset"
                                      : m_kernel.loops[loop].name + "_offset");
    own.extent = own.declared = std::ranges::max(box.axes[axis]) + 1;
    own.span = m_statement.span;
    m_kernel.loops.push_back(std::move(own));
    return LoopId::of(m_kernel.loops.size() - 1);
  }

  // What a node reads, which no other node shares.
  Access& ownRead(std::int32_t n) {
    m_statement.reads.push_back(readAt(n));
    m_statement.expr[static_cast<std::size_t>(n)].read =
        static_cast<std::int32_t>(m_statement.reads.size()) - 1;
    return m_statement.reads.back();
  }

  // The first term becomes the body, the others go; the rest of the chain is as it was.
  void replace(std::int32_t root, const std::vector<std::int32_t>& terms, const Family& family,
               const Box& box) {
    const ExprOp op = at(root).op;
    ExprNode reduction;
    reduction.op = reductionOf(op);
    for (std::size_t a = 0; a < box.axes.size(); ++a) reduction.loops.push_back(addLoop(box, a));
    for (const Stepped& steps : box.steps) {
      Access& read = ownRead(steps.read);
      LinearExpr& index = read.indices[steps.dim];
      index.constant = steps.first;
      index = index + LinearExpr::dim(reduction.loops[steps.axis].index(), steps.step);
      read.spelling.clear();
    }
    std::int32_t n = -1;
    std::vector<std::int32_t> placeOf;
    rebuildExpression(m_statement, [&](ExprNode node, Nodes& nodes) {
      placeOf.push_back(addNode(nodes, std::move(node)));
      if (++n != root) return placeOf.back();
      reduction.lhs = placeOf[static_cast<std::size_t>(family.terms.front())];
      std::int32_t total = addNode(nodes, std::move(reduction));
      for (const std::int32_t term : terms) {
        if (family.has(term)) continue;
        total = addNode(nodes, op, total, placeOf[static_cast<std::size_t>(term)]);
      }
      return total;
    });
    replaceNodes(m_statement, std::vector<std::int32_t>(m_statement.expr.size(), -1));
    dropUnusedReads(m_statement);
  }

  Kernel& m_kernel;
  Statement& m_statement;
};

}  // namespace

std::optional<Kernel> withRolledTerms(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  Kernel draft = kernel;
  bool changed = false;
  for (Statement& statement : draft.statements) {
    if (cycles.isBetween(statement.target.tensor, statement.target.tensor)) continue;
    while (statement.expr.size() <= kMostRolledNodes && TermRoller(draft, statement).run())
      changed = true;
    base::Diagnostics errors;
    takeScope(draft, statement, errors);
  }
  return changed ? std::optional(std::move(draft)) : std::nullopt;
}

}  // namespace gridloom::kernel
