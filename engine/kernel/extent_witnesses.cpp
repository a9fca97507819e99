// SPDX-License-Identifier: Apache-2.0
#include "kernel/extent_witnesses.h"

#include <algorithm>
#include <optional>

#include "kernel/read_guards.h"

namespace gridloom::kernel {

namespace {

enum class From : std::uint8_t { Start, End };

// Whether the index is the loop, or counts from the end of the dimension: `N - 1 - i`.
bool isAlone(const affine::LinearExpr& index, LoopId loop, std::int64_t size, From from) {
  const affine::LinearExpr bare = affine::LinearExpr::dim(loop.index());
  return index == (from == From::Start ? bare : affine::LinearExpr::number(size - 1) - bare);
}

void collect(const Kernel& kernel, const Access& access, LoopId loop, From from,
             std::vector<ExtentWitness>& witnesses) {
  const Tensor& tensor = kernel.tensor(access.tensor);
  for (std::size_t d = 0; d < std::min(access.indices.size(), tensor.shape.size()); ++d) {
    if (tensor.shape[d] > 0 && isAlone(access.indices[d], loop, tensor.shape[d], from)) {
      witnesses.push_back({tensor.shape[d], &access, d});
    }
  }
}

bool isGuarded(const Statement& statement, std::size_t read, LoopId loop) {
  return std::ranges::any_of(
      readGuards(statement, read).constraints,
      [&](const affine::Constraint& guard) { return guard.expr.dependsOn(loop.index()); });
}

bool isPositive(const affine::LinearExpr& expr) {
  return expr.constant > 0 ||
         (expr.constant == 0 &&
          std::ranges::any_of(expr.coefficients, [](auto c) { return c > 0; }));
}

// `i + 1`, or `i + r`.
bool isBeyond(const affine::LinearExpr& index, LoopId loop) {
  return index.coefficient(loop.index()) == 1 &&
         isPositive(index - affine::LinearExpr::dim(loop.index()));
}

// Whether the access is to elements of the dimension that lie beyond the loop.
bool goesBeyond(const Access& access, const ExtentWitness& witness, LoopId loop) {
  return access.tensor == witness.access->tensor && witness.dim < access.indices.size() &&
         isBeyond(access.indices[witness.dim], loop);
}

bool readsBeyond(const Statement& statement, const ExtentWitness& witness, LoopId loop) {
  return std::ranges::any_of(statement.reads,
                             [&](const Access& read) { return goesBeyond(read, witness, loop); });
}

// A sum takes all elements, whatever other statements read: it has to have such a read itself.
bool isReadBeyond(const Kernel& kernel, const Statement& statement, const ExtentWitness& witness,
                  LoopId loop) {
  if (!contains(loopsOf(statement.target), loop)) return readsBeyond(statement, witness, loop);
  return std::ranges::any_of(
      kernel.statements, [&](const Statement& each) { return readsBeyond(each, witness, loop); });
}

bool definesBeyond(const Statement& statement, LoopId loop) {
  return std::ranges::any_of(statement.target.indices, [&](const affine::LinearExpr& index) {
    return isBeyond(index, loop);
  });
}

// What is read has a last element that the loop only defines: `y[t] = 2 * x[t]` beside
// `x[t + 1] = y[t]`.
bool isDefinedBeyond(const Kernel& kernel, const ExtentWitness& witness, LoopId loop) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& each) {
    return goesBeyond(each.target, witness, loop);
  });
}

// Whether both are at one constant, or both along loops.
bool isAlike(const affine::LinearExpr& a, const affine::LinearExpr& b) {
  return a.constant == b.constant && a.isConstant() == b.isConstant();
}

// `Y[i + H]`, or `Y[H + j]`, of a loop of its own, beside the target `Y[i]`.
bool isBehind(const Access& other, const ExtentWitness& target) {
  const std::vector<affine::LinearExpr>& own = target.access->indices;
  if (other.tensor != target.access->tensor || other.indices.size() != own.size()) return false;
  for (std::size_t d = 0; d < own.size(); ++d) {
    const affine::LinearExpr& index = other.indices[d];
    if (d == target.dim ? index.isConstant() || index.constant <= 0 : !isAlike(index, own[d]))
      return false;
  }
  return true;
}

bool isPart(const Kernel& kernel, const ExtentWitness& target) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return isBehind(statement.target, target);
  });
}

// Whether what a loop defines may end it.
bool endsByItself(const Kernel& kernel, LoopId loop) {
  return !isNarrowed(kernel, loop) && !isReduced(kernel, loop);
}

// Those that count, and those that count only if no other does.
struct Witnesses {
  std::vector<ExtentWitness> strong;
  std::vector<ExtentWitness> weak;
  bool hasChosen = false;  ///< one of a read that a `select` narrows

  void add(const ExtentWitness& witness, bool isWeak) {
    (isWeak ? weak : strong).push_back(witness);
  }
};

Witnesses collectAll(const Kernel& kernel, LoopId loop, From from) {
  Witnesses all;
  const bool mayEnd = endsByItself(kernel, loop);
  for (const Statement& statement : kernel.statements) {
    std::vector<ExtentWitness> targets;
    collect(kernel, statement.target, loop, from, targets);
    for (const ExtentWitness& target : targets) all.add(target, mayEnd && isPart(kernel, target));
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      std::vector<ExtentWitness> reads;
      collect(kernel, statement.reads[r], loop, from, reads);
      const bool isChosen = isGuarded(statement, r, loop);
      all.hasChosen = all.hasChosen || (isChosen && !reads.empty());
      for (const ExtentWitness& read : reads) {
        all.add(read, isChosen || isReadBeyond(kernel, statement, read, loop) ||
                          (mayEnd && isDefinedBeyond(kernel, read, loop)));
      }
    }
  }
  return all;
}

void addRooms(const Kernel& kernel, const Access& access, LoopId loop,
              std::vector<ExtentWitness>& rooms) {
  const Tensor& tensor = kernel.tensor(access.tensor);
  for (std::size_t d = 0; d < std::min(access.indices.size(), tensor.shape.size()); ++d) {
    const affine::LinearExpr rest = access.indices[d] - affine::LinearExpr::dim(loop.index());
    const std::int64_t room = tensor.shape[d] - rest.constant;
    if (rest.isConstant() && rest.constant >= 0 && room > 0) rooms.push_back({room, &access, d});
  }
}

// Of a loop that defines elements behind its own: the access that first leaves its tensor.
std::optional<ExtentWitness> roomOf(const Kernel& kernel, LoopId loop) {
  const bool defines = std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return definesBeyond(statement, loop);
  });
  if (!defines || !endsByItself(kernel, loop)) return std::nullopt;
  std::vector<ExtentWitness> rooms;
  for (const Statement& statement : kernel.statements) {
    addRooms(kernel, statement.target, loop, rooms);
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      if (!isGuarded(statement, r, loop)) addRooms(kernel, statement.reads[r], loop, rooms);
    }
  }
  const auto least = std::ranges::min_element(rooms, {}, &ExtentWitness::extent);
  return least == rooms.end() ? std::nullopt : std::optional(*least);
}

}  // namespace

bool isReduced(const Kernel& kernel, LoopId loop) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return !contains(loopsOf(statement.target), loop) &&
           std::ranges::any_of(statement.reads,
                               [&](const Access& read) { return contains(loopsOf(read), loop); });
  });
}

bool isNarrowed(const Kernel& kernel, LoopId loop) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return std::ranges::any_of(statement.constraints, [&](const affine::Constraint& c) {
      return c.expr.dependsOn(loop.index());
    });
  });
}

std::vector<ExtentWitness> witnessesOf(const Kernel& kernel, LoopId loop) {
  Witnesses all = collectAll(kernel, loop, From::Start);
  if (!all.strong.empty()) return all.strong;
  if (!all.hasChosen) {
    if (const auto room = roomOf(kernel, loop)) return {*room};
  }
  if (!all.weak.empty()) return all.weak;
  all = collectAll(kernel, loop, From::End);
  return all.strong.empty() ? all.weak : all.strong;
}

void addWitnesses(const Kernel& kernel, const Access& access, LoopId loop,
                  std::vector<ExtentWitness>& witnesses) {
  collect(kernel, access, loop, From::Start, witnesses);
}

}  // namespace gridloom::kernel
