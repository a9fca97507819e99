// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/recording.h"

#include <QRegularExpression>
#include <algorithm>
#include <map>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

using simulate::Span;
using simulate::State;

/// "loads A (sends on), B (sends on); writes C" -> "loads A, B".
QString shortTitle(const std::string& name) {
  static const QRegularExpression aside(QStringLiteral(" ?\\([^)]*\\)"));
  QString title = text(name).remove(aside);
  const qsizetype writes = title.lastIndexOf(QStringLiteral("; writes"));
  if (writes > 0) title.truncate(writes);
  return title.replace(QLatin1Char(';'), QLatin1Char(','));
}

/// A compute process is in a state of its own; an arrival alone is none.
bool isOwn(const Span& span) { return report::activityOf(span, true) != report::Activity::Receive; }

bool isTile(const Span& span) { return span.state == State::Compute && span.what == 0; }

}  // namespace

Recording::Recording(service::SimulationRunRef run, const base::Progress& progress)
    : m_run(std::move(run)), m_states(m_run->schedule, m_run->simulated), m_until(cycles()) {
  if (isTruncated()) {
    m_until = m_run->simulated.trace.until;
    // Of the last recorded cycle, events may be missing.
    m_slotsUntil = 0;
    for (const simulate::SlotEvent& event : m_run->simulated.trace.slotEvents)
      m_slotsUntil = std::max(m_slotsUntil, event.cycle);
  }
  groupCores();
  for (CoreClass& group : m_classes) {
    std::vector<StateSteps::Step> steps;
    for (const std::size_t core : group.cores) {
      if (progress.cancelled()) return;
      addSteps(core, steps);
    }
    std::ranges::stable_sort(steps, {}, &StateSteps::Step::cycle);
    group.steps = StateSteps(std::move(steps), static_cast<std::int32_t>(group.cores.size()));
    joinTiles(group);
  }
}

/// Groups by duties, in the order of the first core of each.
void Recording::groupCores() {
  std::map<QString, std::size_t> known;
  std::vector<std::size_t> groupOfProgram(m_run->schedule.programs.size(), SIZE_MAX);
  for (std::size_t c = 0; c < m_states.cores().size(); ++c) {
    const hardware::CoreId core = m_states.cores()[c].core;
    const std::size_t program = m_run->schedule.programOfCore[core.index()].index();
    std::size_t& group = groupOfProgram[program];
    if (group == SIZE_MAX) {
      const QString title = shortTitle(m_run->schedule.programs[program].name);
      group = known.try_emplace(title, m_classes.size()).first->second;
      if (group == m_classes.size()) m_classes.push_back({title, {}, {}, {}});
    }
    m_classes[group].cores.push_back(c);
  }
}

void Recording::addSteps(std::size_t core, std::vector<StateSteps::Step>& steps) const {
  const report::ActiveCore& active = m_states.cores()[core];
  if (active.compute >= active.first + active.processes) return;
  State now = State::Idle;
  double end = 0;
  const auto change = [&](double cycle, State state) {
    if (state != now) steps.push_back({cycle, now, state});
    now = state;
  };
  for (const Span& span : m_states.spansOf(active.compute)) {
    if (!isOwn(span)) continue;
    if (span.begin > end) change(end, State::Idle);
    change(span.begin, span.state);
    end = span.end;
  }
  change(end, State::Idle);
}

std::optional<report::TileInFlight> Recording::transferOf(const TransferChoice& choice,
                                                          double cycle) const {
  const auto cores = m_states.cores();
  const auto active =
      std::ranges::find(cores, hardware::CoreId(choice.core), &report::ActiveCore::core);
  std::optional<report::TileInFlight> best;
  if (active == cores.end()) return best;
  for (std::size_t p = 0; p < active->processes; ++p) {
    for (const Span& span : m_states.spansOf(active->first + p)) {
      if (span.begin > cycle) break;
      const auto activity = report::activityOf(span, active->first + p == active->compute);
      if (!report::isTransfer(activity)) continue;
      if (choice.activity && activity != *choice.activity) continue;
      // One that still goes on is nearer than any that began later and is over.
      const bool goesOn = span.end > cycle, bestGoesOn = best && best->end > cycle;
      if (best && (bestGoesOn > goesOn || (bestGoesOn == goesOn && best->begin > span.begin)))
        continue;
      const report::TileInFlight move{
          active->core, static_cast<std::int16_t>(p), activity, span.begin, span.end, 0};
      if (choice.operand.isEmpty() ||
          choice.operand == text(report::operandOf(move, m_run->schedule, *m_run->kernel->nest)))
        best = move;
    }
  }
  return best;
}

StateSteps Recording::stepsOf(std::size_t core) const {
  std::vector<StateSteps::Step> steps;
  addSteps(core, steps);
  return {std::move(steps), 1};
}

std::vector<TileMark> Recording::tilesOf(std::size_t core) const {
  const report::ActiveCore& active = m_states.cores()[core];
  std::vector<TileMark> tiles;
  if (active.compute >= active.first + active.processes) return tiles;
  for (const Span& span : m_states.spansOf(active.compute)) {
    if (isTile(span)) tiles.push_back({span.begin, span.begin, span.end, span.end});
  }
  return tiles;
}

void Recording::joinTiles(CoreClass& group) const {
  group.tiles = tilesOf(group.cores.front());
  for (const std::size_t core : group.cores) {
    const std::vector<TileMark> own = tilesOf(core);
    if (own.size() != group.tiles.size()) {
      group.tiles.clear();
      return;
    }
    for (std::size_t t = 0; t < own.size(); ++t) {
      TileMark& tile = group.tiles[t];
      tile.firstBegin = std::min(tile.firstBegin, own[t].firstBegin);
      tile.lastBegin = std::max(tile.lastBegin, own[t].lastBegin);
      tile.firstEnd = std::min(tile.firstEnd, own[t].firstEnd);
      tile.lastEnd = std::max(tile.lastEnd, own[t].lastEnd);
    }
  }
}

}  // namespace gridloom::widgets
