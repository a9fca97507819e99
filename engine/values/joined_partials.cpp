// SPDX-License-Identifier: Apache-2.0
#include "values/joined_partials.h"

#include <algorithm>

#include "kernel/interpreter.h"

namespace gridloom::values {

using schedule::Buffer;

namespace {

int contributionTo(const schedule::Schedule& schedule, std::int32_t reduce) {
  const auto found = std::ranges::find_if(schedule.buffers, [&](const Buffer& buffer) {
    return buffer.use == Buffer::Use::Contribution && buffer.operand == reduce;
  });
  return found == schedule.buffers.end() ? -1 : static_cast<int>(found - schedule.buffers.begin());
}

}  // namespace

std::vector<JoinedPartial> joinedPartials(const schedule::Schedule& schedule,
                                          const kernel::TileNest& nest, const StatementPlan& plan) {
  std::vector<JoinedPartial> all(static_cast<std::size_t>(plan.partials));
  for (const StatementPlan::Group& group : plan.body) {
    for (const StatementPlan::Step& step : group.steps) {
      if (step.partial < 0) continue;
      all[static_cast<std::size_t>(step.partial)] = {
          step.statement.target.tensor, step.toSum, step.join,
          contributionTo(schedule, step.reduce), step.state};
    }
  }
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    const Buffer& buffer = schedule.buffers[b];
    if (buffer.use != Buffer::Use::Output) continue;
    const auto output = static_cast<std::size_t>(buffer.operand);
    const schedule::OperandTransfer& transfer = schedule.outputs[output];
    if (!transfer.isReduced) continue;
    for (JoinedPartial& joined : all) {
      const bool beside = std::ranges::any_of(transfer.partials.locals, [&](std::size_t l) {
        return nest.locals[l].tensor == joined.tensor;
      });
      if (beside || joined.tensor == nest.outputs[output].tensor) {
        joined.buffer = static_cast<int>(b);
      }
    }
  }
  return all;
}

const kernel::Statement* joiningStatement(const kernel::Kernel& kernel, kernel::TensorId output) {
  const kernel::Statement* statement = nullptr;
  for (const kernel::Statement& s : kernel.statements) {
    if (s.target.tensor != output) continue;
    const bool reduces = kernel::isReduction(kernel::rootReduction(s));
    if (!statement || reduces) statement = &s;
    if (reduces) break;
  }
  return statement;
}

}  // namespace gridloom::values
