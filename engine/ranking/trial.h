// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ranking/ranked.h"
#include "ranking/subject.h"

namespace gridloom::ranking {

/// Work is counted in the units of simulate::WorkRates. Lowering takes about as much per core.
constexpr std::int64_t kWorkPerCore = 300;

/// The result of simulating a mapping, with its work.
struct Trial {
  std::int64_t work = 0;
  bool tooLong = false;
};

/// Simulates mappings of one ranking, each within a limit of work. Safe to call in parallel.
class Trials {
 public:
  Trials(const Subject& subject, const simulate::Options& simulation, base::Progress& progress)
      : m_subject(subject), m_simulation(simulation), m_progress(progress) {}

  /// A mapping that would exceed its work limit is not simulated. One that fails keeps its errors.
  Trial simulate(Ranked& ranked, std::optional<std::int64_t> limit) const;

 private:
  Trial run(Ranked& ranked, schedule::Schedule schedule, std::optional<std::int64_t> limit) const;
  Trial failed(Ranked& ranked, base::Diagnostics why, std::int64_t work) const;

  const Subject& m_subject;
  simulate::Options m_simulation;  ///< options of each mapping's simulation
  base::Progress& m_progress;
};

}  // namespace gridloom::ranking
