// SPDX-License-Identifier: Apache-2.0
#include "ranking/trial.h"

#include <algorithm>

#include "schedule/repeats.h"
#include "schedule/verify.h"

namespace gridloom::ranking {

namespace {

/// Least work per instruction: in a triangle of tiles, many instructions are skipped.
constexpr double kWorkPerInstruction = 1.5;

// Of a step of verification, which looks up the tiles that are needed where not all are.
std::int64_t workPerStep(const schedule::Schedule& schedule) {
  return schedule::mayRepeat(schedule) ? 3 : 5;
}

// Where tiles of other cores are waited for, each of those in the window is looked up: about a
// tenth of a step.
std::int64_t weightOf(const schedule::Schedule& schedule) {
  std::int64_t most = 1;
  for (const schedule::Buffer& buffer : schedule.buffers) {
    std::int64_t tiles = 1;
    for (const kernel::RegionDim& dim : buffer.need.region) {
      tiles *= 1 + (dim.minOffset < 0 ? 1 : 0) + (dim.maxOffset > 0 ? 1 : 0);
    }
    most = std::max(most, tiles);
  }
  return (most + 9) / 10;
}

}  // namespace

Trial Trials::simulate(Ranked& ranked, std::optional<std::int64_t> limit) const {
  const std::int64_t setUp = kWorkPerCore * ranked.candidate.estimate.activeCores;
  if (limit && setUp >= *limit) return {0, true};
  auto lowered = schedule::lower(m_subject.kernel, m_subject.nest, m_subject.hw,
                                 ranked.candidate.mapping, &m_progress);
  if (!lowered) return failed(ranked, lowered.takeDiagnostics(), setUp);
  const bool repeats = schedule::mayRepeat(*lowered);
  const std::int64_t weight = weightOf(*lowered);
  if (limit) *limit = (*limit - setUp) / weight;
  if (limit && !repeats &&
      kWorkPerInstruction * schedule::instructionsToRun(*lowered, m_subject.hw) >
          static_cast<double>(*limit)) {
    return {setUp, true};
  }
  Trial trial = run(ranked, *std::move(lowered), limit);
  trial.work = setUp + weight * trial.work;
  return trial;
}

Trial Trials::run(Ranked& ranked, schedule::Schedule schedule,
                  std::optional<std::int64_t> limit) const {
  schedule::VerifyEffort effort;
  const std::int64_t perStep = workPerStep(schedule);
  if (limit) effort.maxSteps = *limit / perStep;
  auto verified = schedule::verify(std::move(schedule), m_subject.kernel, m_subject.nest,
                                   m_subject.hw, nullptr, &m_progress, &effort);
  const std::int64_t verifying = perStep * effort.steps;
  if (!verified) return failed(ranked, verified.takeDiagnostics(), verifying);
  if (limit && effort.steps >= effort.maxSteps) return {*limit, true};
  simulate::Effort run;
  if (limit) run.maxWork = *limit - verifying;
  auto simulation = simulate::simulate(*verified, m_simulation, m_progress, &run);
  if (run.isTooLong) return {*limit, true};
  const std::int64_t work = verifying + run.work;
  if (!simulation) return failed(ranked, simulation.takeDiagnostics(), work);
  ranked.simulated = *std::move(simulation);
  return {work, false};
}

Trial Trials::failed(Ranked& ranked, base::Diagnostics why, std::int64_t work) const {
  if (!m_progress.cancelled()) ranked.notSimulated = std::move(why);
  return {work, false};
}

}  // namespace gridloom::ranking
