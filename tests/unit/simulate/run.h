// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "schedule/schedule.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::simulate {

using test::makeProblem;

inline schedule::Schedule lowered(const test::Problem& p, const mapping::Mapping& m) {
  auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  if (!schedule) throw std::runtime_error(render(schedule.diagnostics()));
  return std::move(*schedule);
}

/// Verifies and simulates.
inline base::Result<Simulation> run(const test::Problem& p, const schedule::Schedule& schedule,
                                    const Options& options = {},
                                    schedule::VerifyEffort effort = {}) {
  auto verified = schedule::verify(schedule, p.kernel, p.nest, p.hw, nullptr, nullptr, &effort);
  if (!verified) return verified.takeDiagnostics();
  base::Progress progress;
  return simulate(*verified, options, progress);
}
/// Schedules longer than the effort are verified in part only; the simulator stops them.
inline base::Result<Simulation> runUnproved(const test::Problem& p,
                                            const schedule::Schedule& schedule) {
  return run(p, schedule, {}, {.maxSteps = 0});
}

inline Simulation ran(const test::Problem& p, const mapping::Mapping& m,
                      const Options& options = {}) {
  auto result = run(p, lowered(p, m), options);
  if (!result) throw std::runtime_error(render(result.diagnostics()));
  return std::move(*result);
}

/// vector_add on one core of the small mesh, in tiles of 64 elements: 128 bytes of a, b and c each.
inline mapping::Mapping addInTiles(int tiles, std::uint8_t buffers) {
  mapping::Mapping m;
  m.tileSize = {64};
  m.space = {{}, {}};
  m.dimOrder = {0, 1};
  const auto level = static_cast<std::uint8_t>(tiles > 1 ? 1 : 0);
  if (tiles > 1) m.order = {mapping::LoopId(0)};
  m.inputs.assign(2, {mapping::MovementKind::Direct, 0, 0, level, buffers});
  m.outputs = {{mapping::ReductionTopology::None, -1, buffers}};
  return m;
}

/// gemm 16 x 16 x 16 in tiles of 4 x 4 x 4, with i unrolled over x and j over y, everything loaded
/// directly.
inline mapping::Mapping directGemm() {
  mapping::Mapping m;
  m.tileSize = {4, 4, 4};
  m.space = {mapping::LoopId(0), mapping::LoopId(1)};
  m.dimOrder = {0, 1};
  m.order = {mapping::LoopId(0), mapping::LoopId(1), mapping::LoopId(2)};
  m.inputs.assign(2, {mapping::MovementKind::Direct, 0, 0, 3, 2});
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  return m;
}

}  // namespace gridloom::simulate
