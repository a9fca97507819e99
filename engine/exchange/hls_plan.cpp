// SPDX-License-Identifier: Apache-2.0
#include "exchange/hls_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "exchange/hls_text.h"
#include "kernel/interpreter.h"
#include "mapping/operand_flow.h"

namespace gridloom::exchange {

namespace {

using kernel::Operand;
using mapping::InputMovement;
using mapping::MovementKind;

std::string hlsKernelObjection(const kernel::Kernel& kernel, const kernel::TileNest& nest) {
  if (kernel.statements.size() != 1) {
    return fmt::format("the kernel has {} statements, and places of the array run one",
                       kernel.statements.size());
  }
  const kernel::Statement& statement = kernel.statements.front();
  if (!statement.constraints.empty()) return "the kernel has a domain (`where`)";
  if (nest.hasProduced() || !nest.sequential.empty())
    return "the kernel carries state along a loop";
  if (kernel::hasEpilogue(nest) ||
      (!statement.reductions.empty() && !kernel::isReduction(kernel::rootReduction(statement)))) {
    return "the kernel has an epilogue behind its reduction";
  }
  for (const kernel::Tensor& tensor : kernel.tensors) {
    if (tensor.initial) return "`" + tensor.name + "` carries state along a loop";
  }
  for (const Operand& input : nest.inputs) {
    if (input.gather) return "`" + input.name + "` is read through indices";
    if (!input.guard.always()) return "`" + input.name + "` is needed at some tiles only";
  }
  for (const kernel::RegionDim& dim : nest.outputs.front().dims) {
    std::int64_t sum = 0;
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
      sum += std::abs(dim.index.coefficient(l));
    }
    if (sum > 1) return "`" + nest.outputs.front().name + "` is not written at every index";
  }
  return {};
}

std::string planAxes(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
                     const hardware::Topology& hw, HlsPlan& plan) {
  int used = 0;
  for (std::size_t d = 0; d < mapping.space.size(); ++d) {
    const kernel::LoopId loop = mapping.space[d];
    if (!loop.valid() || plan.tiling.active[d] < 2) continue;
    if (used == 2) return "it uses more than two dimensions of the mesh";
    if (used == 1 && plan.axes[0].loop == loop) {
      return fmt::format("loop `{}` is unrolled along two dimensions", kernel.loop(loop).name);
    }
    plan.axes[used++] = {static_cast<int>(d), loop, plan.tiling.loops[loop.index()].unroll};
  }
  if (used > 0) return {};
  if (const auto units = hw.compute("", 16);
      units && units->systolic.stationary != hardware::Stationary::None) {
    return "the array is inside the matrix unit of one core, and the mapping sees it as one place";
  }
  return "no loop is unrolled over the mesh";
}

std::string planInput(const Operand& input, const InputMovement& movement,
                      const mapping::Mapping& mapping, HlsPlan& plan,
                      const hardware::Topology& hw) {
  if (movement.usesSharedBuffer() || movement.shared != 0) {
    return "`" + input.name + "` goes through a shared buffer";
  }
  HlsPlan::Input made;
  made.level = movement.level;
  bool shared[2];
  for (int a = 0; a < 2; ++a) {
    const int dim = plan.axes[a].dim;
    shared[a] = dim < 0 || flowAlong(input, movement, mapping, static_cast<std::size_t>(dim)) !=
                               mapping::OperandFlow::Scattered;
  }
  if (movement.kind == MovementKind::Stream && std::popcount(movement.along) == 1) {
    made.along = plan.axes[1].dim >= 0 && movement.along == 1U << plan.axes[1].dim ? 1 : 0;
    made.common = shared[1 - made.along];
  } else if (movement.kind == MovementKind::Direct && (!shared[0] || plan.axes[0].dim < 0) &&
             (!shared[1] || plan.axes[1].dim < 0)) {
    made.scattered = true;
    made.common = plan.axes[1].dim < 0;
  } else {
    const int at = shared[0] && plan.axes[0].dim >= 0 ? 0 : 1;
    const auto dim = static_cast<std::size_t>(std::max(plan.axes[at].dim, 0));
    return fmt::format("`{0}` does not travel from neighbour to neighbour: "
                       "`stream({0}, {1})` makes it",
                       input.name, hw.dims()[dim].name);
  }
  plan.inputs.push_back(made);
  return {};
}

std::string planOutput(const Operand& output, const mapping::OutputMovement& movement,
                       HlsPlan& plan) {
  if (movement.usesSharedBuffer()) return "`" + output.name + "` goes through a shared buffer";
  for (int a = 0; a < 2; ++a) {
    if (plan.axes[a].dim < 0 || output.dependsOn(plan.axes[a].loop)) continue;
    if (plan.split >= 0) return "`" + output.name + "` is summed along both dimensions";
    plan.split = a;
  }
  if (plan.split >= 0 && movement.reduction != mapping::ReductionTopology::Chain) {
    return fmt::format("partial results of `{0}` do not go from neighbour to neighbour: "
                       "`reduce({0}, chain)` makes them",
                       output.name);
  }
  return {};
}

}  // namespace

std::int64_t HlsPlan::processes() const {
  const std::int64_t places = axes[0].places * axes[1].places;
  const std::int64_t drained = split < 0 ? places : places / axes[split].places;
  std::int64_t count = places + drained + (split == 0 ? 1 : axes[0].places) + 1;
  for (const Input& input : inputs) count += 1 + axes[1 - input.along].places;
  return count;
}

std::string planHls(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
                    const kernel::TileNest& nest, const hardware::Topology& hw, HlsPlan& plan) {
  if (std::string why = hlsKernelObjection(kernel, nest); !why.empty()) return why;
  plan.tiling = mapping::tilingOf(mapping, kernel, hw);
  plan.outputLevel = mapping::outputLevel(nest, mapping.order);
  if (std::string why = planAxes(mapping, kernel, hw, plan); !why.empty()) return why;
  bool streams = false;
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    const std::string why = planInput(nest.inputs[i], mapping.inputs[i], mapping, plan, hw);
    if (!why.empty()) return why;
    streams = streams || !plan.inputs.back().scattered;
  }
  if (!streams) return "no input travels from neighbour to neighbour";
  if (std::string why = planOutput(nest.outputs.front(), mapping.outputs.front(), plan);
      !why.empty()) {
    return why;
  }
  if (plan.processes() <= kMostHlsProcesses) return {};
  return fmt::format("it needs {} roles, more than {}", plan.processes(), kMostHlsProcesses);
}

}  // namespace gridloom::exchange
