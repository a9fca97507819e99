// SPDX-License-Identifier: Apache-2.0
#include "search/space_sizes.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/model.h"
#include "mapping/constraints.h"
#include "search/narrowed_plan.h"
#include "timing/op_cycles.h"

namespace gridloom::search {

namespace {

/// Collects the different choices of the axes, in the order in which they first occur.
class Gathering {
 public:
  Gathering(const Plan& plan, const kernel::Kernel& kernel, const cost::Evaluator& evaluator)
      : m_plan(plan), m_kernel(kernel), m_nest(evaluator.nest()), m_hw(evaluator.hardware()) {}

  std::vector<AxisChoices> run() {
    for (std::size_t l = 0; l < m_plan.axes.tileSizes.size(); ++l) {
      for (const std::int64_t size : m_plan.axes.tileSizes[l]) {
        add("tile size " + m_kernel.loops[l].name, std::to_string(size));
      }
    }
    for (const mapping::SpaceChoice& choice : m_plan.axes.spaces) {
      mapping::Mapping placed;
      placed.space = choice.space;
      placed.dimOrder = choice.dimOrder;
      add("placement", describePlacement(m_kernel, m_hw, placed));
    }
    for (const auto& [key, movements] : m_plan.movements) {
      if (movements.points == 0) continue;
      for (const OrderPlan& order : movements.orders) addOrder(movements, order);
    }
    return std::move(m_axes);
  }

 private:
  void addOrder(const MovementPlan& movements, const OrderPlan& plan) {
    if (plan.points == 0) return;
    std::vector<std::string> loops;
    for (const mapping::LoopId loop : plan.order) loops.push_back(m_kernel.loop(loop).name);
    add("order", loops.empty() ? "single wave" : fmt::format("{}", fmt::join(loops, " ")));
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
      const std::string& name = m_nest.inputs[i].name;
      for (const std::uint32_t option : plan.inputs[i]) {
        const mapping::InputMovement& m = movements.inputs[option];
        add(name + " moves", describeMovement(m_kernel, m_hw, m));
        add(name + " hoisted", hoistText(m.level, plan.order));
        add(name + " buffers", std::to_string(m.buffers));
        if (m_hw.hasSharedBuffer()) add(name + " shared buffer", sharedText(m, plan.order));
        addLayout(name, m.layout);
      }
    }
    for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
      const std::string& name = m_nest.outputs[i].name;
      for (const std::uint32_t option : plan.outputs[i]) {
        const mapping::OutputMovement& m = movements.outputs[option];
        add(name + " moves", outputText(m));
        add(name + " buffers", std::to_string(m.buffers));
        if (m_hw.hasSharedBuffer()) {
          add(name + " passes", m.usesSharedBuffer() ? passedText(m) : "none");
        }
        addLayout(name, m.layout);
      }
    }
    for (const MovementPlan::AllReduceChoice& splitAllReduce : movements.splitAllReduces) {
      for (const mapping::ReductionTopology how : splitAllReduce.joins) {
        add(m_nest.allReduces[splitAllReduce.reduce].name + " all-reduce",
            std::string(mapping::kReductionNames[static_cast<std::size_t>(how)]));
      }
    }
  }

  // No axis where the page-interleaved layout is the only choice.
  void addLayout(const std::string& operand, mapping::TensorLayout layout) {
    if (layout == mapping::TensorLayout::PageInterleaved && !m_hw.global().searchesLayouts) return;
    add(operand + " lives", std::string(mapping::kLayoutNames[static_cast<std::size_t>(layout)]));
  }

  std::string hoistText(std::uint8_t level, const std::vector<mapping::LoopId>& order) const {
    if (level == order.size()) return "innermost";
    return level == 0 ? "once" : "outside " + m_kernel.loop(order[level]).name;
  }

  std::string sharedText(const mapping::InputMovement& m,
                         const std::vector<mapping::LoopId>& order) const {
    std::string text;
    for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
      const mapping::SharedBufferUse& use = m.sharedBuffers[static_cast<std::size_t>(k)];
      text += (text.empty() ? "" : ", ") + m_hw.sharedBuffer(static_cast<std::size_t>(k)).name +
              " " + hoistText(static_cast<std::uint8_t>(use.level), order) +
              (use.buffers == 2 ? " ×2" : "");
    }
    return text.empty() ? "nowhere" : text;
  }

  std::string passedText(const mapping::OutputMovement& m) const {
    std::string text;
    for (int k = m.nextShared(-1); k >= 0; k = m.nextShared(k)) {
      const auto level = static_cast<std::size_t>(k);
      text += (text.empty() ? "" : ", ") + m_hw.sharedBuffer(level).name +
              (m.sharedBuffers[level] == 2 ? " ×2" : "");
    }
    return text;
  }

  std::string outputText(const mapping::OutputMovement& m) const {
    static constexpr const char* kReduction[] = {"", "chain, ", "tree, ", "reduce-scatter, "};
    return kReduction[static_cast<int>(m.reduction)] +
           (m.gather < 0 ? std::string("own writes")
                         : "gather " + m_hw.dims()[static_cast<std::size_t>(m.gather)].name);
  }

  void add(const std::string& axis, std::string choice) {
    auto at = std::ranges::find(m_axes, axis, &AxisChoices::axis);
    if (at == m_axes.end()) at = m_axes.insert(m_axes.end(), AxisChoices{axis, {}});
    if (std::ranges::find(at->choices, choice) == at->choices.end()) {
      at->choices.push_back(std::move(choice));
    }
  }

  const Plan& m_plan;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  std::vector<AxisChoices> m_axes;
};

}  // namespace

base::Result<SpaceSizes> spaceSizes(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                    const hardware::Topology& hw,
                                    const mapping::Constraints& constraints,
                                    const std::string& mode, const base::Progress& progress) {
  auto compute = hw.compute(mode, timing::operandBits(nest));
  if (!compute) return compute.takeDiagnostics();
  const cost::Evaluator evaluator(kernel, nest, hw, *compute);
  const auto narrowed = makeNarrowedPlan(kernel, evaluator, *compute, constraints, progress);
  if (!narrowed) return narrowed.diagnostics();
  const Plan& plan = narrowed->plan;
  SpaceSizes sizes{Gathering(plan, kernel, evaluator).run(), plan.size, {}};
  for (const mapping::LoopId loop : narrowed->whole) sizes.whole.push_back(kernel.loop(loop).name);
  return sizes;
}

}  // namespace gridloom::search
