// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <limits>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "report/run_states.h"
#include "service/workspace.h"
#include "timeline/state_steps.h"

namespace gridloom::widgets {

/// One tile operation of some cores that work in step: it begins and ends between these cycles.
struct TileMark {
  double firstBegin = 0, lastBegin = 0, firstEnd = 0, lastEnd = 0;
  friend bool operator==(const TileMark&, const TileMark&) = default;
};

/// Cores with the same duties, such as loading A and receiving B.
struct CoreClass {
  QString title;                   ///< "loads A, receives B"
  std::vector<std::size_t> cores;  ///< indices into RunStates::cores
  StateSteps steps;
  std::vector<TileMark> tiles;  ///< empty where the cores have different numbers of tiles
};

/// Which transfers of a core.
struct TransferChoice {
  int core = -1;                               ///< CoreId
  QString operand{};                           ///< empty: of any
  std::optional<report::Activity> activity{};  ///< none: any
};

/// A run with what every process did, for a timeline and for a replay.
class Recording {
 public:
  /// `run` has a trace. `progress` may cancel: the recording must not be used then.
  Recording(service::SimulationRunRef run, const base::Progress& progress);

  const service::SimulationRun& run() const { return *m_run; }
  const report::RunStates& states() const { return m_states; }
  const std::vector<CoreClass>& classes() const { return m_classes; }
  double cycles() const { return m_run->simulated.cycles; }
  /// The recorded cycles end here; less than `cycles` where the trace reached its limit.
  double until() const { return m_until; }
  /// From this cycle on, the slots of buffers in use are not known; infinite where all are.
  double slotsUntil() const { return m_slotsUntil; }
  bool isTruncated() const { return m_run->simulated.trace.isTruncated(); }

  /// The move of such a tile that goes on at a cycle; where none does, the last one before. None
  /// where there was none by then.
  std::optional<report::TileInFlight> transferOf(const TransferChoice& choice, double cycle) const;

  StateSteps stepsOf(std::size_t core) const;
  std::vector<TileMark> tilesOf(std::size_t core) const;

 private:
  void addSteps(std::size_t core, std::vector<StateSteps::Step>& steps) const;
  void groupCores();
  void joinTiles(CoreClass& group) const;

  service::SimulationRunRef m_run;
  report::RunStates m_states;
  double m_until = 0;
  double m_slotsUntil = std::numeric_limits<double>::infinity();
  std::vector<CoreClass> m_classes;
};

/// What a trace may hold: 24 bytes each.
constexpr std::int64_t kMostSpans = 4'000'000;
/// Intervals of the run for which the use of links and channels is known.
constexpr std::int64_t kUseBins = 8192;

}  // namespace gridloom::widgets
