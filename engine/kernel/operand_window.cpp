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

}  // namespace

bool gatherAlike(const Operand& a, const Operand& b) {
  if (!a.gather || !b.gather) return a.gather.has_value() == b.gather.has_value();
  return sameElement(a.gather->access, b.gather->access);
}

bool lieTogether(const Operand& a, const Operand& b) {
  return std::ranges::equal(a.dims, b.dims, [](const RegionDim& one, const RegionDim& other) {
    if (!one.index.isConstant()) return true;
    const std::int64_t joined =
        std::max(one.maxOffset, other.maxOffset) - std::min(one.minOffset, other.minOffset) + 1;
    const std::int64_t read = one.maxOffset - one.minOffset + other.maxOffset - other.minOffset + 2;
    return joined <= 2 * read;
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
