// SPDX-License-Identifier: Apache-2.0
//
// The window of a tensor that an access covers.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernel/dependent_nest.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

affine::LinearExpr linearPart(affine::LinearExpr index) {
  index.constant = 0;
  return index;
}

RegionDim regionOf(const affine::LinearExpr& index) {
  return {linearPart(index), index.constant, index.constant};
}

// One dimension per loop of the indices, then those of the tensor.
void addGather(const Kernel& kernel, const Access& access, Operand& operand) {
  Loops counted;
  for (const IndexRead& gather : access.gathers) {
    for (const LoopId loop : loopsOf(gather.access)) {
      if (contains(counted, loop)) continue;
      counted.push_back(loop);
      operand.dims.push_back(regionOf(affine::LinearExpr::dim(loop.index())));
    }
  }
  operand.gather = Gather{access, {}};
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const affine::LinearExpr& index = access.indices[d];
    bool alone = true;
    Loops others;
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      if (!index.dependsOn(l)) continue;
      if (contains(counted, LoopId::of(l))) {
        alone = false;
      } else {
        others.push_back(LoopId::of(l));
      }
    }
    const bool gathered =
        std::ranges::find(access.gathers, d, &IndexRead::dim) != access.gathers.end();
    if (gathered || !alone) {
      operand.gather->rowShape.clear();
      for (const LoopId loop : others) {
        operand.dims.push_back(regionOf(affine::LinearExpr::dim(loop.index())));
      }
    } else {
      operand.gather->rowShape.push_back(kernel.tensor(access.tensor).shape[d]);
      operand.dims.push_back(regionOf(index));
    }
  }
}

/// Numbers between two reads that are loaded with them.
constexpr std::int64_t kMostBetween = 2;
/// Windows of a tensor that differ in numbers. Each has buffers and transfers of its own, and each
/// multiplies the space of mappings.
constexpr std::size_t kMostWindows = 12;

// Whether two windows are the same but for the numbers in their indices.
bool differInNumbers(const Operand& a, const Operand& b) {
  return a.tensor == b.tensor && a.produced == b.produced && gatherAlike(a, b) &&
         std::ranges::equal(a.dims, b.dims, [](const RegionDim& one, const RegionDim& other) {
           return one.index == other.index && one.behind == other.behind;
         });
}

bool beginsBefore(const Operand& a, const Operand& b) {
  return std::ranges::lexicographical_compare(a.dims, b.dims, {}, &RegionDim::minOffset,
                                              &RegionDim::minOffset);
}

// How many numbers of the indices two windows have between them; the same window: how many it has.
double numbersOf(const Operand& a, const Operand& b) {
  double numbers = 1;
  for (std::size_t d = 0; d < a.dims.size(); ++d) {
    const RegionDim &one = a.dims[d], &other = b.dims[d];
    numbers *= static_cast<double>(std::max(one.maxOffset, other.maxOffset) -
                                   std::min(one.minOffset, other.minOffset) + 1);
  }
  return numbers;
}

// Joins neighbours of a group, those first that load least in vain, until few are left. Returns
// those that are part of another one now.
std::vector<std::size_t> joinNearest(std::vector<Operand>& operands,
                                     std::vector<std::size_t> group) {
  std::ranges::sort(
      group, [&](std::size_t a, std::size_t b) { return beginsBefore(operands[a], operands[b]); });
  std::vector<std::size_t> gone;
  const auto inVain = [&](std::size_t at) {
    const Operand &a = operands[group[at]], &b = operands[group[at + 1]];
    return numbersOf(a, b) - numbersOf(a, a) - numbersOf(b, b);
  };
  while (group.size() > kMostWindows) {
    std::size_t best = 0;
    for (std::size_t at = 1; at + 1 < group.size(); ++at)
      if (inVain(at) < inVain(best)) best = at;
    const auto [keep, drop] = std::minmax(group[best], group[best + 1]);
    takeIn(operands[keep], operands[drop]);
    gone.push_back(drop);
    group[best] = keep;
    group.erase(group.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  return gone;
}

}  // namespace

bool gatherAlike(const Operand& a, const Operand& b) {
  if (!a.gather || !b.gather) return a.gather.has_value() == b.gather.has_value();
  return sameElement(a.gather->access, b.gather->access);
}

bool lieTogether(const Operand& a, const Operand& b) {
  return std::ranges::equal(a.dims, b.dims, [](const RegionDim& one, const RegionDim& other) {
    const std::int64_t between =
        std::max(one.minOffset, other.minOffset) - std::min(one.maxOffset, other.maxOffset) - 1;
    return !one.index.isConstant() || between <= kMostBetween;
  });
}

void takeIn(Operand& known, Operand operand) {
  for (std::size_t d = 0; d < known.dims.size(); ++d) {
    known.dims[d].minOffset = std::min(known.dims[d].minOffset, operand.dims[d].minOffset);
    known.dims[d].maxOffset = std::max(known.dims[d].maxOffset, operand.dims[d].maxOffset);
  }
  if (!known.output && (known.phase != operand.phase || operand.isReadAgain))
    known.isReadAgain = true;
  if (operand.phase == Phase::Every) known.phase = Phase::Every;
  if (operand.guard.always()) known.guard = {};
  for (GuardPart& part : operand.guard.parts) addPart(known.guard, std::move(part), false);
}

void limitWindows(std::vector<Operand>& operands) {
  std::vector<bool> seen(operands.size()), gone(operands.size());
  for (std::size_t first = 0; first < operands.size(); ++first) {
    std::vector<std::size_t> group;
    for (std::size_t o = first; o < operands.size(); ++o) {
      if (!seen[o] && differInNumbers(operands[first], operands[o])) group.push_back(o);
    }
    for (const std::size_t o : group) seen[o] = true;
    for (const std::size_t o : joinNearest(operands, std::move(group))) gone[o] = true;
  }
  std::size_t at = 0;
  std::erase_if(operands, [&](const Operand&) { return gone[at++]; });
}

void nameWindows(std::vector<Operand>& operands) {
  std::map<TensorId, std::size_t> windows;
  for (Operand& operand : operands) {
    const std::size_t before = windows[operand.tensor]++ + (operand.produced ? 1 : 0);
    if (before > 0) operand.name += fmt::format("@{}", before + 1);
  }
}

Operand windowOf(const Kernel& kernel, const Access& access, bool output, Phase phase) {
  const Tensor& tensor = kernel.tensor(access.tensor);
  Operand operand{access.tensor, tensor.name, tensor.dtype, output, {}, loopsOf(access), phase};
  std::ranges::sort(operand.loops);
  if (access.isGather()) {
    addGather(kernel, access, operand);
    return operand;
  }
  for (const affine::LinearExpr& index : access.indices) operand.dims.push_back(regionOf(index));
  operand.shape = tensor.shape;
  return operand;
}

}  // namespace gridloom::kernel
