// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_states.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/cpp_nest.h"
#include "exchange/cpp_reads.h"

namespace gridloom::exchange {

namespace {

using kernel::ExprOp;
using kernel::StateMerge;
using kernel::TensorId;

std::size_t runningDim(const StateMerge& merge, const StateMerge::State& state) {
  return static_cast<std::size_t>(std::ranges::find(state.dims, merge.loop) - state.dims.begin());
}

// The number of an element, with another index along the loop of the state.
std::string numberAt(const CppContext& context, const StateMerge::State& state,
                     const std::string& running) {
  std::vector<std::string> indices;
  for (std::size_t d = 0; d < state.dims.size(); ++d) indices.push_back(fmt::format("d{}", d));
  indices[runningDim(*context.nest.merge, state)] = running;
  return fmt::format("{}({})", context.number(state.tensor), fmt::join(indices, ", "));
}

// Index of dimension `d` of the element with row-major number `e`.
std::string indexOf(const kernel::Tensor& tensor, std::size_t d) {
  std::int64_t stride = 1;
  for (std::size_t i = d + 1; i < tensor.shape.size(); ++i) stride *= tensor.shape[i];
  return fmt::format("e / {} % {}", stride, tensor.shape[d]);
}

// The element of another state at the point of element `e`.
std::string elementOf(const CppContext& context, const StateMerge::State& state,
                      const StateMerge::State& other) {
  const StateMerge& merge = *context.nest.merge;
  std::vector<std::string> indices;
  for (const kernel::LoopId loop : other.dims) {
    const auto d = std::ranges::find(state.dims, loop) - state.dims.begin();
    const bool isElsewhere = loop == merge.loop || d == std::ssize(state.dims);
    indices.push_back(
        isElsewhere ? "0L"
                    : indexOf(context.kernel.tensor(state.tensor), static_cast<std::size_t>(d)));
  }
  return fmt::format("{}({})", context.number(other.tensor), fmt::join(indices, ", "));
}

std::int32_t partialOf(const CppContext& context, std::size_t state) {
  const auto found = std::ranges::find(context.joined, static_cast<std::int32_t>(state),
                                       &values::JoinedPartial::state);
  return static_cast<std::int32_t>(found - context.joined.begin());
}

// What one side contributes to a scaled sum: its value times exp of how far its scale moved.
std::string scaled(const CppContext& context, const StateMerge::State& state, char side) {
  std::string change = "0.0", none;
  for (const StateMerge::Scale& scale : state.scale) {
    const ExprOp join = context.nest.merge->states[scale.state].join;
    const std::string own = fmt::format("{}{}", side, scale.state);
    if (join != ExprOp::Sum) {
      none += fmt::format("{} == {} ? 0.0 : ", own, cppNumber(kernel::neutralOf(join)));
    }
    change += fmt::format(
        " + {} * ({} - {})", cppNumber(scale.rate),
        cppJoin(join, fmt::format("a{}", scale.state), fmt::format("b{}", scale.state)), own);
  }
  return fmt::format("({}{} * std::exp({}))", none, side == 'a' ? "mine" : "v", change);
}

}  // namespace

std::string cppStateFunctions(const CppContext& context) {
  std::string text;
  for (std::size_t s = 0; s < context.nest.merge->states.size(); ++s) {
    const StateMerge::State& state = context.nest.merge->states[s];
    const kernel::Tensor& tensor = context.kernel.tensor(state.tensor);
    const std::string name = context.tensor(state.tensor);
    std::vector<std::string> indices, parameters;
    for (std::size_t d = 0; d < state.dims.size(); ++d) {
      const bool runs = d == runningDim(*context.nest.merge, state);
      indices.push_back(runs ? "0L" : indexOf(tensor, d));
      parameters.push_back(fmt::format("[[maybe_unused]] long d{}", d));
    }
    text += fmt::format("\n// {} after a step; the next step may replace it.\n"
                        "inline void note_{}(Core& core, long e, double v) {{\n"
                        "  e = {}({});\n  core.state{}.at(e) = v;\n  {}\n}}\n",
                        tensor.name, name, context.number(state.tensor), fmt::join(indices, ", "),
                        s, cppNote(context, partialOf(context, s)));
    text += fmt::format("// {} after the loop, of all cores.\n"
                        "inline double total_{}(Core& core, {}) {{\n"
                        "  if (const double* v = core.state{}.find({})) return *v;\n"
                        "  return {};\n}}\n",
                        tensor.name, name, fmt::join(parameters, ", "), s,
                        numberAt(context, state, "0L"), cppNumber(tensor.initial.value_or(0)));
  }
  return text;
}

std::string cppEarlierState(const CppContext& context, TensorId tensor) {
  const StateMerge& merge = *context.nest.merge;
  const auto& state = merge.states[CppContext::index(context.stateOf[tensor.index()])];
  const mapping::LoopTiling& loop = context.schedule.tiling.loops[merge.loop.index()];
  const std::string at = fmt::format("d{}", runningDim(merge, state));
  return fmt::format("  if ({0} != now && now % {1} == 0) {{\n"
                     "    const long before = {0} - {2};\n"
                     "    const double* v = before < 0 ? nullptr : core.value_{3}.find({4});\n"
                     "    return v ? *v : {5};\n  }}\n",
                     at, loop.tileSize, (loop.unroll - 1) * loop.tileSize, context.tensor(tensor),
                     numberAt(context, state, "before"),
                     cppNumber(context.kernel.tensor(tensor).initial.value_or(0)));
}

// States that scale other states come before them and are combined after them.
std::string cppCombineStates(const CppContext& context) {
  const StateMerge& merge = *context.nest.merge;
  std::string text = "  const auto valueIn = [](const Tile& tile, long e, double none) {\n"
                     "    const double* v = tile.find(e);\n    return v ? *v : none;\n  };\n";
  for (std::size_t s = merge.states.size(); s-- > 0;) {
    const StateMerge::State& state = merge.states[s];
    const std::int32_t p = partialOf(context, s);
    text += fmt::format("  from.sums[{}].each([&](long e, double v) {{\n"
                        "    const double mine = valueIn(core.state{}, e, {});\n",
                        p, s, cppNumber(kernel::neutralOf(state.join)));
    for (const StateMerge::Scale& scale : state.scale) {
      const StateMerge::State& other = merge.states[scale.state];
      const std::string none = cppNumber(kernel::neutralOf(other.join));
      text += fmt::format("    const long e{0} = {1};\n"
                          "    const double a{0} = valueIn(core.state{0}, e{0}, {2}), b{0} = "
                          "valueIn(from.sums[{3}], e{0}, {2});\n",
                          scale.state, elementOf(context, state, other), none,
                          partialOf(context, scale.state));
    }
    text += fmt::format("    v = {};\n    core.state{}.at(e) = v;\n    {}\n  }});\n",
                        state.scale.empty()
                            ? cppJoin(state.join, "mine", "v")
                            : scaled(context, state, 'a') + " + " + scaled(context, state, 'b'),
                        s, cppNote(context, p));
  }
  return text;
}

}  // namespace gridloom::exchange
