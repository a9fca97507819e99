// SPDX-License-Identifier: Apache-2.0
//
// Loops that end at another loop's index, and were unrolled: a loop over whole steps, up to a
// quotient that is no affine form, and one over what remains behind it.
#include <mlir/Dialect/Affine/Analysis/AffineAnalysis.h>
#include <mlir/Dialect/Affine/Analysis/AffineStructures.h>
#include <mlir/Dialect/Affine/Analysis/Utils.h>
#include <mlir/Dialect/Affine/IR/AffineValueMap.h>
#include <mlir/Dialect/Affine/LoopUtils.h>
#include <mlir/IR/Dominance.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/Transforms/CSE.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "importer/mlir_names.h"

namespace gridloom::importer {

namespace {

using mlir::affine::AffineForOp;

/// Two loops that may be one.
struct Unrolled {
  AffineForOp steps, rest;
  std::uint64_t factor = 1;
};

bool hasQuotient(mlir::AffineMap map) {
  bool found = false;
  map.walkExprs([&](mlir::AffineExpr expr) {
    found = found || expr.getKind() == mlir::AffineExprKind::FloorDiv;
  });
  return found;
}

// The loop behind the one over whole steps, which goes on with what that carries.
std::optional<Unrolled> unrolledAt(AffineForOp steps) {
  if (steps.getUpperBoundMap().getNumResults() != 1 || !hasQuotient(steps.getUpperBoundMap()))
    return std::nullopt;
  mlir::Operation* next = steps->getNextNode();
  while (next != nullptr && mlir::isMemoryEffectFree(next) && !llvm::isa<AffineForOp>(next))
    next = next->getNextNode();
  auto rest = llvm::dyn_cast_or_null<AffineForOp>(next);
  if (!rest || rest.getLowerBoundMap().getNumResults() != 1 ||
      rest.getUpperBoundMap().getNumResults() != 1)
    return std::nullopt;
  const std::int64_t factor = steps.getStepAsInt() / rest.getStepAsInt();
  const bool goesOn = llvm::equal(rest.getInits(), steps.getResults()) &&
                      llvm::all_of(steps.getResults(), [](auto of) { return of.hasOneUse(); });
  if (factor < 2 || factor * rest.getStepAsInt() != steps.getStepAsInt() || !goesOn)
    return std::nullopt;
  return Unrolled{steps, rest, static_cast<std::uint64_t>(factor)};
}

// Whether a loop never ends before it begins, where those around it run: the quotient of fewer
// than no iterations would begin the rest in front of the beginning.
bool neverEndsFirst(AffineForOp loop) {
  mlir::SmallVector<mlir::Operation*> around;
  for (mlir::Operation* op = loop->getParentOp(); op != nullptr; op = op->getParentOp())
    if (llvm::isa<AffineForOp>(op)) around.insert(around.begin(), op);
  mlir::affine::FlatAffineValueConstraints holds;
  if (mlir::failed(mlir::affine::getIndexSet(around, &holds))) return false;
  const mlir::affine::AffineValueMap from(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  const mlir::affine::AffineValueMap to(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  mlir::affine::AffineValueMap span;
  mlir::affine::AffineValueMap::difference(to, from, &span);
  if (mlir::failed(holds.composeMap(&span))) return false;
  holds.addBound(mlir::presburger::BoundType::UB, 0, -1);
  return holds.isEmpty();
}

// A region of its own in front of an operation, with copies of some.
mlir::scf::ExecuteRegionOp regionWith(mlir::OpBuilder& builder,
                                      const std::vector<AffineForOp>& loops) {
  const mlir::Location loc = builder.getUnknownLoc();
  auto region = builder.create<mlir::scf::ExecuteRegionOp>(loc, loops.back()->getResultTypes());
  const mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&region.getRegion());
  mlir::IRMapping copies;
  mlir::Operation* last = nullptr;
  for (AffineForOp loop : loops) last = builder.clone(*loop.getOperation(), copies);
  builder.create<mlir::scf::YieldOp>(loc, last->getResults());
  return region;
}

// The operands of a map in the order of the loops around it, with the map that takes them so.
std::pair<mlir::AffineMap, std::vector<mlir::Value>> inOrder(mlir::AffineMap map,
                                                             mlir::ValueRange operands) {
  const auto depthOf = [](mlir::Value value) {
    const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    return argument ? mlir::affine::getNestingDepth(argument.getOwner()->getParentOp()) : ~0U;
  };
  std::vector<unsigned> order(map.getNumDims());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](unsigned d) { return depthOf(operands[d]); });
  std::vector<mlir::AffineExpr> dims(map.getNumDims());
  std::vector<mlir::Value> sorted;
  for (const unsigned d : order) {
    dims[d] = mlir::getAffineDimExpr(static_cast<unsigned>(sorted.size()), map.getContext());
    sorted.push_back(operands[d]);
  }
  for (unsigned s = 0; s < map.getNumSymbols(); ++s) sorted.push_back(operands[order.size() + s]);
  map = map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), map.getNumSymbols());
  return {mlir::simplifyAffineMap(map), sorted};
}

// Of a load or a store, whose last operands are those of its map.
template <typename Access> void orderIndices(Access access) {
  const mlir::OperandRange indices = access.getMapOperands();
  const auto [map, operands] = inOrder(access.getAffineMap(), indices);
  const unsigned first = access->getNumOperands() - static_cast<unsigned>(indices.size());
  access->setOperands(first, static_cast<unsigned>(indices.size()), operands);
  access.setMap(map);
}

void orderOperands(mlir::Operation* within) {
  within->walk([](mlir::Operation* op) {
    if (auto load = llvm::dyn_cast<mlir::affine::AffineLoadOp>(op)) orderIndices(load);
    if (auto store = llvm::dyn_cast<mlir::affine::AffineStoreOp>(op)) orderIndices(store);
    auto loop = llvm::dyn_cast<AffineForOp>(op);
    if (!loop) return;
    const auto [low, from] = inOrder(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    loop.setLowerBound(from, low);
    const auto [high, to] = inOrder(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    loop.setUpperBound(to, high);
  });
}

// Makes what is done alike look alike.
void tidy(mlir::scf::ExecuteRegionOp region) {
  mlir::RewritePatternSet patterns(region.getContext());
  for (mlir::Dialect* dialect : region.getContext()->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (const mlir::RegisteredOperationName op : region.getContext()->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, region.getContext());
  const mlir::FrozenRewritePatternSet frozen(std::move(patterns));
  mlir::IRRewriter rewriter(region.getContext());
  for (int round = 0; round < 2; ++round) {
    (void)mlir::applyPatternsAndFoldGreedily(region.getRegion(), frozen);
    mlir::DominanceInfo dominance(region);
    mlir::eliminateCommonSubExpressions(rewriter, dominance, region);
  }
  orderOperands(region);
}

bool areAlike(mlir::scf::ExecuteRegionOp a, mlir::scf::ExecuteRegionOp b) {
  llvm::DenseMap<mlir::Value, mlir::Value> known;
  const auto isKnown = [&](mlir::Value x, mlir::Value y) {
    const auto at = known.find(x);
    if (at != known.end() ? at->second == y : x == y) return mlir::success();
    mlir::Attribute left, right;
    const bool areConstant = mlir::matchPattern(x, mlir::m_Constant(&left)) &&
                             mlir::matchPattern(y, mlir::m_Constant(&right));
    return mlir::success(areConstant && left == right && x.getType() == y.getType());
  };
  const auto note = [&](mlir::Value x, mlir::Value y) { known[x] = y; };
  return mlir::OperationEquivalence::isRegionEquivalentTo(
      &a.getRegion(), &b.getRegion(), isKnown, note, mlir::OperationEquivalence::IgnoreLocations);
}

// One loop in the place of both, where MLIR's own unrolling makes the two of it.
bool writeAsOne(Unrolled two) {
  mlir::OpBuilder builder(two.rest);
  auto one = llvm::cast<AffineForOp>(builder.clone(*two.rest.getOperation()));
  one.setLowerBound(two.steps.getLowerBoundOperands(), two.steps.getLowerBoundMap());
  one.getInitsMutable().assign(two.steps.getInits());
  bool isOne = neverEndsFirst(one);
  if (isOne) {
    auto written = regionWith(builder, {two.steps, two.rest}),
         unrolled = regionWith(builder, {one});
    auto copy = llvm::cast<AffineForOp>(unrolled.getRegion().front().front());
    isOne = mlir::succeeded(mlir::affine::loopUnrollByFactor(copy, two.factor));
    if (isOne) {
      tidy(written);
      tidy(unrolled);
      isOne = areAlike(written, unrolled);
    }
    written.erase();
    unrolled.erase();
  }
  if (!isOne) {
    one.erase();
    return false;
  }
  two.rest->replaceAllUsesWith(one->getResults());
  two.rest.erase();
  two.steps.erase();
  return true;
}

}  // namespace

void writeUnrolledAsOne(mlir::Operation& within) {
  std::vector<std::pair<unsigned, AffineForOp>> loops;
  within.walk(
      [&](AffineForOp loop) { loops.emplace_back(mlir::affine::getNestingDepth(loop), loop); });
  // Inner ones first: those around them stand in several copies.
  std::ranges::stable_sort(loops, std::greater{}, [](const auto& loop) { return loop.first; });
  std::set<mlir::Operation*> gone;
  for (auto& [depth, loop] : loops) {
    if (gone.contains(loop)) continue;
    const auto two = unrolledAt(loop);
    if (two && writeAsOne(*two)) gone.insert(two->rest);
  }
}

}  // namespace gridloom::importer
