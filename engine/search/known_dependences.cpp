// SPDX-License-Identifier: Apache-2.0
#include "search/known_dependences.h"

namespace gridloom::search {

std::string tooEarlyExample(const kernel::Kernel& kernel, const cost::Evaluator& evaluator,
                            mapping::Mapping mapping, const MovementPlan& movements,
                            const mapping::TileDependences& dependences) {
  const kernel::TileNest& nest = evaluator.nest();
  for (const OrderPlan& order : movements.orders) {
    mapping.order = order.order;
    for (std::size_t i = 0; i < nest.inputs.size() && order.tooEarly > 0; ++i) {
      if (!nest.inputs[i].produced) continue;
      const mapping::InputMovement innermost{mapping::MovementKind::Direct, 0, 0,
                                             static_cast<std::uint8_t>(order.order.size()), 1};
      const auto why =
          whyTooEarly(kernel, nest, evaluator.hardware(), mapping, dependences[i], i, innermost);
      mapping.inputs.clear();
      mapping.outputs.clear();
      if (why) return describe(kernel, nest, evaluator.hardware(), mapping) + ": " + *why;
    }
  }
  return {};
}

}  // namespace gridloom::search
