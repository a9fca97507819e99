// SPDX-License-Identifier: Apache-2.0
#include "kernel/inner_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "kernel/loop_shares.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

// With the inner sum whole, 2mm (sums of 900 and 1,100) takes 2.3 times as long, LoRA (16 and
// 4,096) a third.
constexpr double kMuchShorter = 8;

class InnerLoops {
 public:
  InnerLoops(const Kernel& kernel, const std::vector<std::vector<bool>>& consumers,
             NestStructure& structure)
      : m_kernel(kernel), m_consumers(consumers), m_out(structure) {}

  void choose() {
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const LoopId loop = LoopId::of(l);
      if (kindOf(loop) != LoopKind::Parallel && !m_out.isWhole(loop)) m_out.inner.push_back(loop);
    }
    while (settle()) {
    }
  }

 private:
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  const std::string& targetName(std::size_t s) const {
    return m_kernel.tensor(m_kernel.statements[s].target.tensor).name;
  }
  LoopKind kindOf(LoopId loop) const { return m_kernel.loop(loop).kind; }

  // Removes one loop from the inner loops if it cannot be among them.
  bool settle() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (settleConsumers(s) || settleMissing(s) || settleNested(s) || settleRest(s)) return true;
    }
    return false;
  }

  double iterations(const Loops& loops) const {
    double product = 1;
    for (const LoopId loop : loops) product *= static_cast<double>(m_kernel.loop(loop).extent);
    return product;
  }

  // Whether c reads what `s` reduces over `reduced` outside its own reductions over them.
  bool needsItAfter(std::size_t s, std::size_t c, const Loops& reduced) const {
    const Statement& statement = m_kernel.statements[c];
    if (!commonLoops(targetLoops(statement), reduced).empty()) return false;
    const auto under = enclosingReductions(statement);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      if (statement.expr[n].op != ExprOp::Read) continue;
      const auto read = static_cast<std::size_t>(statement.expr[n].read);
      const TensorId tensor = statement.reads[read].tensor;
      for (std::size_t by = 0; by < m_kernel.statements.size(); ++by) {
        const bool holdsIt = by == s || m_consumers[s][by];
        if (!holdsIt || m_kernel.statements[by].target.tensor != tensor) continue;
        if (!commonLoops(under[n], reduced).empty()) return false;
      }
    }
    return true;
  }

  // The sums that need the finished `s`, if they can all follow its last tile and are much shorter:
  // kept whole, they leave the loops of `s` to be tiled (LoRA: X A with few columns beside X W).
  // Sums of similar length share out better over cores when they are tiled.
  Loops shorterConsumers(std::size_t s, const Loops& reduced) const {
    Loops loops;
    for (std::size_t c = 0; c < m_kernel.statements.size(); ++c) {
      if (!m_consumers[s][c]) continue;
      if (!needsItAfter(s, c, reduced)) return {};
      for (const LoopId loop : commonLoops(m_kernel.statements[c].loops, m_out.inner)) {
        if (contains(reduced, loop) || contains(loops, loop)) continue;
        if (kindOf(loop) != LoopKind::Reduction) return {};
        loops.push_back(loop);
      }
    }
    return kMuchShorter * iterations(loops) <= iterations(reduced) ? loops : Loops();
  }

  // A sum that a statement inside another inner loop needs must be complete there.
  bool settleConsumers(std::size_t s) {
    const Loops reduced = commonLoops(m_kernel.statements[s].reductions, m_out.inner);
    if (reduced.empty()) return false;
    for (std::size_t c = 0; c < m_kernel.statements.size(); ++c) {
      if (!m_consumers[s][c]) continue;
      const Loops inside = commonLoops(m_kernel.statements[c].loops, m_out.inner);
      const bool after = inside == reduced && needsItAfter(s, c, reduced);
      if (!inside.empty() && !after) {
        const Loops shorter = shorterConsumers(s, reduced);
        if (!shorter.empty()) {
          return m_out.markWhole(
              shorter.front(), fmt::format("`{}` sums over {} what `{}` has finished",
                                           targetName(c), nameOf(shorter.front()), targetName(s)));
        }
        return m_out.markWhole(reduced.front(),
                               fmt::format("`{}` needs the finished `{}` inside {}", targetName(c),
                                           targetName(s), nameOf(inside.front())));
      }
    }
    return false;
  }

  // The nest is perfect, so a statement in some inner loops must run in all of them.
  bool settleMissing(std::size_t s) {
    const Loops present = commonLoops(m_kernel.statements[s].loops, m_out.inner);
    if (present.empty() || present.size() == m_out.inner.size()) return false;
    LoopId missing;
    for (const LoopId loop : m_out.inner) {
      if (!contains(present, loop) && (!missing.valid() || kindOf(loop) == LoopKind::Reduction)) {
        missing = loop;
      }
    }
    const auto reduction =
        std::ranges::find(present, LoopKind::Reduction, [&](LoopId loop) { return kindOf(loop); });
    if (kindOf(missing) == LoopKind::Sequential && reduction != present.end()) {
      missing = *reduction;
      return m_out.markWhole(missing,
                             fmt::format("{} runs inside a sequential loop that `{}` lacks",
                                         nameOf(missing), targetName(s)));
    }
    return m_out.markWhole(
        missing, fmt::format("`{}` does not run over {}", targetName(s), nameOf(missing)));
  }

  // A sum inside another one would have to finish in every tile of that one, and tiles of one sum
  // repeat for those of a sum beside it. What is summed does not matter: constants count, too.
  bool settleNested(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    const Loops reduced = commonLoops(statement.reductions, m_out.inner);
    if (reduced.empty()) return false;
    const auto under = enclosingReductions(statement);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const Loops tiled = commonLoops(reduced, statement.expr[n].loops);
      if (tiled.empty()) continue;
      if (!under[n].empty()) return m_out.markWhole(tiled.front(), reasonNested(tiled));
      const auto beside =
          std::ranges::find_if(reduced, [&](LoopId loop) { return !contains(tiled, loop); });
      if (beside != reduced.end()) return m_out.markWhole(*beside, reasonNested({*beside}));
    }
    return false;
  }

  // What follows the last tile of a sum follows it once per tile of the outputs, not once per tile
  // of another inner loop.
  bool settleRest(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    if (!doesMoreThanSum(statement, m_out.inner)) return false;
    for (const LoopId loop : commonLoops(targetLoops(statement), m_out.inner)) {
      if (isOfAllOutputs(loop)) continue;
      const LoopId reduced = commonLoops(statement.reductions, m_out.inner).front();
      return m_out.markWhole(reduced, fmt::format("`{}` needs the finished sum over {} at each {}",
                                                  targetName(s), nameOf(reduced), nameOf(loop)));
    }
    return false;
  }

  bool isOfAllOutputs(LoopId loop) const {
    return std::ranges::all_of(m_kernel.statements, [&](const Statement& statement) {
      return m_kernel.tensor(statement.target.tensor).role != TensorRole::Output ||
             contains(targetLoops(statement), loop);
    });
  }

  std::string reasonNested(const Loops& loops) const {
    return fmt::format("{} is reduced inside or beside another reduction", nameOf(loops.front()));
  }

  const Kernel& m_kernel;
  const std::vector<std::vector<bool>>& m_consumers;
  NestStructure& m_out;
};

}  // namespace

void chooseInnerLoops(const Kernel& kernel, const std::vector<std::vector<bool>>& consumers,
                      NestStructure& structure) {
  InnerLoops(kernel, consumers, structure).choose();
}

std::vector<bool> endBehind(const Kernel& kernel, const std::vector<LoopId>& inner) {
  const std::vector<Statement>& all = kernel.statements;
  std::vector<bool> behind;
  for (const Statement& statement : all)
    behind.push_back(!commonLoops(statement.reductions, inner).empty());
  const auto isBehind = [&](const Access& read) {
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (behind[s] && all[s].target.tensor == read.tensor) return true;
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (behind[s] || !commonLoops(all[s].loops, inner).empty()) continue;
      behind[s] = std::ranges::any_of(all[s].reads, isBehind);
      changed = changed || behind[s];
    }
  }
  return behind;
}

std::vector<bool> runInside(const Kernel& kernel, const std::vector<LoopId>& inner) {
  const std::vector<Statement>& all = kernel.statements;
  const std::vector<bool> behind = endBehind(kernel, inner);
  std::vector<bool> inside;
  for (const Statement& statement : all) {
    inside.push_back(inner.empty() || !commonLoops(statement.loops, inner).empty());
  }
  const auto feeds = [&](const Statement& from, std::size_t to) {
    return inside[to] && std::ranges::any_of(all[to].reads, [&](const Access& read) {
             return read.tensor == from.target.tensor;
           });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (inside[s] || behind[s]) continue;
      if (kernel.tensor(all[s].target.tensor).role != TensorRole::Local) continue;
      for (std::size_t c = 0; c < all.size() && !inside[s]; ++c) inside[s] = feeds(all[s], c);
      changed = changed || inside[s];
    }
  }
  return inside;
}

std::vector<LoopId> commonLoops(const std::vector<LoopId>& a, const std::vector<LoopId>& b) {
  std::vector<LoopId> both;
  std::ranges::copy_if(a, std::back_inserter(both), [&](LoopId loop) { return contains(b, loop); });
  return both;
}

}  // namespace gridloom::kernel
