// SPDX-License-Identifier: Apache-2.0
#include "search/found.h"

#include "mapping/constraints.h"

namespace gridloom::search {

mapping::Mapping mappingOf(const Plan& plan, const kernel::TileNest& nest, const Entry& entry) {
  const Item& item = plan.items[entry.item];
  const OrderPlan& order = item.movements->orders[entry.order];
  mapping::Mapping m = plan.mappingOf(item);
  m.order = order.order;
  std::uint64_t rest = entry.choice;
  for (const auto& options : order.inputs) {
    m.inputs.push_back(item.movements->inputs[options[rest % options.size()]]);
    rest /= options.size();
  }
  for (const auto& options : order.outputs) {
    m.outputs.push_back(item.movements->outputs[options[rest % options.size()]]);
    rest /= options.size();
  }
  m.allReduces.assign(nest.allReduces.size(), mapping::ReductionTopology::None);
  for (const MovementPlan::AllReduceChoice& splitAllReduce : item.movements->splitAllReduces) {
    m.allReduces[splitAllReduce.reduce] = splitAllReduce.joins[rest % splitAllReduce.joins.size()];
    rest /= splitAllReduce.joins.size();
  }
  return m;
}

SpaceCount countOf(const Rounds& search, const Plan& plan, const kernel::Kernel& kernel,
                   const cost::Evaluator& evaluator) {
  const Tally t = search.tally();
  SpaceCount count;
  count.size = plan.size;
  count.feasible = t.evaluated;
  count.evaluated = t.evaluated;
  count.pruned = t.pruned;
  count.work = search.work();
  count.stopped = search.stopped();
  count.margin = search.margin();
  count.exact = count.stopped == Stop::None && count.margin == 0;
  const kernel::TileNest& nest = evaluator.nest();
  const hardware::Topology& hw = evaluator.hardware();
  // Shows the full need of the example; the search knew only a part of it.
  const auto add = [&](const std::string& reason, const Tally::Over& over, auto bytesOf,
                       std::int64_t available) {
    if (over.count == 0) return;
    const mapping::Mapping example = mappingOf(plan, nest, over.leastEntry);
    const std::int64_t needed = bytesOf(nest, example, tilingOf(example, kernel, hw), hw);
    count.rejected.push_back(
        {reason, over.count, static_cast<double>(needed), static_cast<double>(available), "bytes",
         describe(kernel, nest, hw, example), printDirectives(kernel, nest, hw, example)});
  };
  add("capacity", t.local, mapping::localMemoryBytes, hw.local().bytes);
  const auto levels = hw.sharedBuffers();
  for (std::size_t k = 0; k < levels.size(); ++k) {
    add(
        levels.size() == 1 ? "shared buffer capacity" : levels[k].name + " capacity", t.shared[k],
        [k](const auto&... of) { return mapping::sharedBufferBytes(k, of...); }, levels[k].bytes);
  }
  if (plan.tooEarly > 0) {
    Rejection r;
    r.reason = "dependence";
    r.count = plan.tooEarly;
    r.example = plan.tooEarlyExample;
    count.rejected.push_back(std::move(r));
  }
  return count;
}

}  // namespace gridloom::search
