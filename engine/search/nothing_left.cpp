// SPDX-License-Identifier: Apache-2.0
#include "search/nothing_left.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "search/hints.h"

namespace gridloom::search {

namespace {

base::Diagnostic operandWithoutMovement(const Plan& plan, const kernel::TileNest& nest,
                                        const mapping::Constraints& constraints,
                                        const std::string& start) {
  using Axis = mapping::Constraints::Axis;
  const auto never = [&](auto member, std::size_t operand) {
    for (const auto& [key, movements] : plan.movements) {
      for (const OrderPlan& order : movements.orders) {
        if (!(order.*member)[operand].empty()) return false;
      }
    }
    return true;
  };
  const OrderPlan& any = [&]() -> const OrderPlan& {
    for (const auto& [key, movements] : plan.movements) {
      if (!movements.orders.empty()) return movements.orders.front();
    }
    static const OrderPlan none;
    return none;
  }();
  for (std::size_t i = 0; i < any.inputs.size(); ++i) {
    if (!never(&OrderPlan::inputs, i)) continue;
    return constraints.errorAbout(
        Axis::Input, static_cast<int>(i),
        fmt::format("{}no movement of `{}` is left", start, nest.inputs[i].name),
        hintAbout(constraints.inputs, i));
  }
  for (std::size_t i = 0; i < any.outputs.size(); ++i) {
    if (!never(&OrderPlan::outputs, i)) continue;
    return constraints.errorAbout(
        Axis::Output, static_cast<int>(i),
        fmt::format("{}no movement of `{}` is left", start, nest.outputs[i].name),
        hintAbout(constraints.outputs, i));
  }
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    const auto canJoin = [&](const auto& entry) { return bool{entry.second.canJoin[r]}; };
    if (std::ranges::any_of(plan.movements, canJoin)) continue;
    return constraints.errorAbout(
        Axis::AllReduce, static_cast<int>(r),
        fmt::format("{}`{}` cannot be reduced that way", start, nest.allReduces[r].name),
        "cores join what they reduce where each has a share of the loop; `none` is for all others");
  }
  return base::plainError(start + "no legal combination of movements is left",
                          "an operand is shared only along dimensions whose loop it does not "
                          "depend on; partial results are combined only when a reduction is split");
}

}  // namespace

base::Diagnostic noShare(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const mapping::Constraints& constraints) {
  const auto dealt = std::ranges::find(nest.whole, true, &kernel::TileNest::Whole::inShares);
  const std::string& name = kernel.loop(dealt->loop).name;
  return constraints.errorAbout(
      mapping::Constraints::Axis::Blocks, static_cast<int>(dealt->loop.index()),
      fmt::format("the directives exclude every mapping: no block of `{}` left is what a core has "
                  "of it in a placement left",
                  name),
      fmt::format("{}; a core has one share of {}, so do not pin its tile size", dealt->reason,
                  name));
}

base::Diagnostic nothingLeft(const Plan& plan, const kernel::Kernel& kernel,
                             const kernel::TileNest& nest, const mapping::Constraints& constraints,
                             bool anyPlacement, bool anyOrder) {
  using Axis = mapping::Constraints::Axis;
  const std::string start = "the directives exclude every mapping: ";
  for (std::size_t l = 0; l < plan.axes.tileSizes.size(); ++l) {
    if (!plan.axes.tileSizes[l].empty()) continue;
    return constraints.errorAbout(
        Axis::Blocks, static_cast<int>(l),
        fmt::format("{}no tile size of loop `{}` is left", start, kernel.loops[l].name),
        "`gridloom show --space` lists the sizes; `tile(i, 48)` names any other");
  }
  if (plan.axes.spaces.empty()) {
    return constraints.errorAbout(Axis::Space, 0, start + "no placement on the mesh is left", {});
  }
  if (!anyPlacement) {
    return constraints.errorAbout(
        Axis::Space, 0, start + "every placement left gives a mesh dimension a single tile",
        "smaller tile sizes make more tiles");
  }
  if (!anyOrder) {
    return constraints.errorAbout(Axis::Order, 0, start + "no temporal order is left",
                                  "sequential loops keep their order");
  }
  return operandWithoutMovement(plan, nest, constraints, start);
}

}  // namespace gridloom::search
