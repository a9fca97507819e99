// SPDX-License-Identifier: Apache-2.0
//
// Loops that exchange the memories that they carry.
#include <mlir/IR/IRMapping.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "importer/mlir_names.h"

namespace gridloom::importer {

namespace {

// Longer rounds are none that people write.
constexpr std::size_t kMostTurns = 4;

// Loops inside each other are copied again with the one around them.
constexpr std::int64_t kMostCopies = 20'000;  ///< operations

// Bounds below it leave room for sums and products with steps.
constexpr std::int64_t kMostIndex = std::int64_t{1} << 40;

/// A loop over numbers that carries values.
struct Counted {
  mlir::LoopLikeOpInterface loop;
  std::int64_t first = 0, steps = 0, step = 1;
};

std::optional<std::int64_t> numberIn(std::optional<mlir::OpFoldResult> bound) {
  return bound ? mlir::getConstantIntValue(*bound) : std::nullopt;
}

std::optional<Counted> countedLoop(mlir::Operation* op) {
  auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(op);
  if (!loop || op->getNumRegions() != 1 || loop.getRegionIterArgs().empty()) return std::nullopt;
  const auto index = loop.getSingleInductionVar();
  if (!index || !index->getType().isIndex()) return std::nullopt;
  const auto first = numberIn(loop.getSingleLowerBound());
  const auto end = numberIn(loop.getSingleUpperBound()), step = numberIn(loop.getSingleStep());
  if (!first || !end || !step || *step <= 0) return std::nullopt;
  if (std::max({std::abs(*first), std::abs(*end), *step}) > kMostIndex) return std::nullopt;
  return Counted{loop, *first, std::max<std::int64_t>(0, (*end - *first + *step - 1) / *step),
                 *step};
}

// Which carried value takes the place of each memory in the next iteration; none where it is not
// another carried one.
std::optional<std::vector<std::size_t>> turnsOf(mlir::LoopLikeOpInterface loop) {
  const auto args = loop.getRegionIterArgs();
  const mlir::ValueRange yielded = loop.getYieldedValues();
  std::vector<std::size_t> from(args.size());
  bool isTurned = false;
  for (std::size_t n = 0; n < args.size(); ++n) {
    from[n] = n;
    if (!llvm::isa<mlir::MemRefType>(args[n].getType())) continue;
    const auto at = std::ranges::find(args, yielded[n]);
    if (at == args.end()) return std::nullopt;
    from[n] = static_cast<std::size_t>(at - args.begin());
    isTurned = true;
  }
  return isTurned ? std::optional(from) : std::nullopt;
}

// After how many iterations each memory is in its place again.
std::size_t roundOf(const std::vector<std::size_t>& from) {
  std::size_t round = 1;
  for (std::size_t n = 0; n < from.size() && round <= kMostTurns; ++n) {
    std::size_t length = 1;
    for (std::size_t at = from[n]; at != n && length <= kMostTurns; at = from[at]) ++length;
    round = std::lcm(round, length);
  }
  return round;
}

/// Writes a loop out in rounds, in which every memory has its own place.
class Rounds {
 public:
  explicit Rounds(const Counted& counted)
      : m_counted(counted), m_loop(counted.loop), m_builder(m_loop) {
    m_values.assign(m_loop.getInits().begin(), m_loop.getInits().end());
  }

  void run(std::size_t round) {
    const std::int64_t rounds = m_counted.steps / static_cast<std::int64_t>(round);
    if (rounds > 0) addLoop(rounds, static_cast<std::int64_t>(round));
    for (std::int64_t t = rounds * static_cast<std::int64_t>(round); t < m_counted.steps; ++t)
      addIteration(number(m_counted.first + t * m_counted.step));
    m_loop->replaceAllUsesWith(m_values);
    m_loop->erase();
  }

 private:
  mlir::Value number(std::int64_t value) {
    return m_builder.create<mlir::arith::ConstantIndexOp>(m_loop.getLoc(), value);
  }

  bool isMemory(std::size_t n) {
    return llvm::isa<mlir::MemRefType>(m_loop.getRegionIterArgs()[n].getType());
  }

  // The values after one more iteration.
  void addIteration(mlir::Value index) {
    mlir::IRMapping map;
    map.map(*m_loop.getSingleInductionVar(), index);
    const auto args = m_loop.getRegionIterArgs();
    for (std::size_t n = 0; n < args.size(); ++n) map.map(args[n], m_values[n]);
    mlir::Block& body = m_loop.getLoopRegions().front()->front();
    for (mlir::Operation& op : body.without_terminator()) m_builder.clone(op, map);
    std::vector<mlir::Value> next;
    const mlir::ValueRange yielded = m_loop.getYieldedValues();
    for (std::size_t n = 0; n < args.size(); ++n) next.push_back(map.lookupOrDefault(yielded[n]));
    m_values = std::move(next);
  }

  void addLoop(std::int64_t rounds, std::int64_t round) {
    const std::int64_t step = m_counted.step * round;
    const mlir::Location loc = m_loop.getLoc();
    std::vector<mlir::Value> carried;
    for (std::size_t n = 0; n < m_values.size(); ++n)
      if (!isMemory(n)) carried.push_back(m_values[n]);
    const std::vector<mlir::Value> before = m_values;
    auto loop = m_builder.create<mlir::scf::ForOp>(loc, number(m_counted.first),
                                                   number(m_counted.first + rounds * step),
                                                   number(step), carried);
    replaceData(loop.getRegionIterArgs());
    const auto around = m_builder.saveInsertionPoint();
    mlir::Block& body = *loop.getBody();
    if (!body.empty()) body.back().erase();
    m_builder.setInsertionPointToEnd(&body);
    for (std::int64_t t = 0; t < round; ++t) {
      mlir::Value index = loop.getInductionVar();
      if (t > 0) {
        index = m_builder.create<mlir::arith::AddIOp>(loc, index, number(t * m_counted.step));
      }
      addIteration(index);
    }
    std::vector<mlir::Value> last;
    for (std::size_t n = 0; n < m_values.size(); ++n)
      if (!isMemory(n)) last.push_back(m_values[n]);
    m_builder.create<mlir::scf::YieldOp>(loc, last);
    m_builder.restoreInsertionPoint(around);
    m_values = before;
    replaceData(loop.getResults());
  }

  // What is no memory, by the values in their order.
  void replaceData(mlir::ValueRange values) {
    std::size_t next = 0;
    for (std::size_t n = 0; n < m_values.size(); ++n)
      if (!isMemory(n)) m_values[n] = values[next++];
  }

  Counted m_counted;
  mlir::LoopLikeOpInterface m_loop;
  mlir::OpBuilder m_builder;
  std::vector<mlir::Value> m_values;  ///< that the next iteration begins with
};

}  // namespace

void writeTurnsOut(mlir::Operation& within) {
  std::vector<mlir::Operation*> loops;
  within.walk([&](mlir::Operation* op) {
    if (llvm::isa<mlir::scf::ForOp, mlir::affine::AffineForOp>(op)) loops.push_back(op);
  });
  std::int64_t copies = 0;
  for (mlir::Operation* op : loops) {
    const auto counted = countedLoop(op);
    const auto from = counted ? turnsOf(counted->loop) : std::nullopt;
    if (!from) continue;
    const std::size_t round = roundOf(*from);
    if (round > kMostTurns) continue;
    std::int64_t inside = 0;
    op->walk([&](mlir::Operation*) { ++inside; });
    copies += inside * static_cast<std::int64_t>(2 * round);
    if (copies > kMostCopies) return;
    Rounds(*counted).run(round);
  }
}

}  // namespace gridloom::importer
