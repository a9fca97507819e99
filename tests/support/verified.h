// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "schedule/source_map.h"
#include "schedule/verify.h"
#include "support/problem.h"

namespace gridloom::test {

/// What verification says of a schedule, as text; empty when it says nothing.
inline std::string findings(const schedule::Schedule& schedule, const Problem& p,
                            const schedule::SourceMap* places = nullptr) {
  const auto verified = schedule::verify(schedule, p.kernel, p.nest, p.hw, places);
  return base::render(verified.diagnostics());
}

/// The schedule, verified up to a number of steps. Throws what verification finds.
inline schedule::VerifiedSchedule verified(schedule::Schedule schedule, const Problem& p,
                                           schedule::VerifyEffort effort = {}) {
  auto out =
      schedule::verify(std::move(schedule), p.kernel, p.nest, p.hw, nullptr, nullptr, &effort);
  if (!out) throw std::runtime_error(base::render(out.diagnostics()));
  return *std::move(out);
}

}  // namespace gridloom::test
