// SPDX-License-Identifier: Apache-2.0
#include "schedule/repeats.h"

#include <algorithm>
#include <limits>

namespace gridloom::schedule {

namespace {

// With fewer iterations, skipping does not pay for the copies of the whole state.
constexpr std::int32_t kFewestTrips = 8;

bool sameButWaves(const TokenMachine::State& a, const TokenMachine::State& b) {
  return a.processes == b.processes && a.leaves == b.leaves && a.tokens == b.tokens &&
         a.copies == b.copies && a.ready == b.ready && a.rings == b.rings;
}

}  // namespace

bool mayRepeat(const Schedule& schedule) {
  return schedule.work.always() && std::ranges::all_of(schedule.buffers, [](const Buffer& b) {
           return b.need.guard.always() && b.need.awaits < 0;
         });
}

// Every process may have advanced in one loop. A wave w is only compared with trip counts L, so the
// skipped periods end before w can reach the next L.
std::int64_t periodsToSkip(const TokenMachine::State& before, const TokenMachine::State& now,
                           const Placement& placement) {
  constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
  if (!sameButWaves(before, now)) return 0;
  const std::size_t loops = now.waves.size() / std::max<std::size_t>(1, now.processes.size());
  std::int64_t periods = kEndless;
  for (std::size_t process = 0; process < now.processes.size(); ++process) {
    int moved = 0;
    for (std::size_t p = 0; p < loops; ++p) {
      const std::int64_t then = before.waves[process * loops + p];
      const std::int64_t wave = now.waves[process * loops + p];
      if (wave == then) continue;
      if (wave < then || ++moved > 1 || (wave - then) % placement.roundOf(p) != 0) return 0;
      for (const TileShape& shape : placement.shapes()) {
        const std::int64_t end = shape.waves[p];
        if (end > then && end <= wave) return 0;
        if (end > then) periods = std::min(periods, (end - 1 - wave) / (wave - then));
      }
    }
  }
  return periods == kEndless ? 0 : periods;
}

std::int32_t referenceProcess(const PlacedSchedule& placed) {
  const Schedule& schedule = placed.schedule;
  const auto core = std::ranges::find_if(schedule.programOfCore, &ProgramId::valid);
  if (core == schedule.programOfCore.end()) return -1;
  const auto& processes = schedule.programs[core->index()].processes;
  const auto compute = std::ranges::find(processes, Process::Role::Compute, &Process::role);
  return placed.wiring.firstProcess(
             static_cast<std::int32_t>(core - schedule.programOfCore.begin())) +
         static_cast<std::int32_t>(compute - processes.begin());
}

RepeatSkipper::RepeatSkipper(TokenMachine& machine)
    : m_machine(machine),
      m_reference(mayRepeat(machine.placed().schedule) ? referenceProcess(machine.placed()) : -1),
      m_waves(machine.placed().schedule.order.size(), 0),
      m_watches(m_waves.size()) {}

// An iteration of a loop of the reference ended when its wave changed and those of outer loops did
// not.
void RepeatSkipper::look() {
  const auto waves = std::as_const(m_machine).waves(m_reference);
  const auto changed = std::ranges::mismatch(waves, m_waves).in1;
  if (changed == waves.end()) return;
  const auto loop = static_cast<std::size_t>(changed - waves.begin());
  for (std::size_t inner = loop + 1; inner < m_watches.size(); ++inner) m_watches[inner] = {};
  const std::int32_t trips =
      m_machine.placed().placement.waves(m_machine.coreOf(m_reference), static_cast<int>(loop));
  if (trips >= kFewestTrips) {
    Watch& watch = m_watches[loop];
    if (watch.seen && skipSince(*watch.seen)) {
      watch = {};
    } else if (++watch.count == watch.keepAt) {
      watch.seen = m_machine.state();
      watch.keepAt *= 2;
    }
  }
  std::ranges::copy(waves, m_waves.begin());
}

bool RepeatSkipper::skipSince(const TokenMachine::State& before) {
  const TokenMachine::State& now = m_machine.state();
  const std::int64_t periods = periodsToSkip(before, now, m_machine.placed().placement);
  if (periods == 0) return false;
  const std::size_t loops = m_waves.size();
  for (std::int32_t process = 0; process < m_machine.processCount(); ++process) {
    const auto waves = m_machine.waves(process);
    for (std::size_t p = 0; p < loops; ++p) {
      const std::int32_t moved = waves[p] - before.waves[index(process) * loops + p];
      waves[p] += static_cast<std::int32_t>(periods) * moved;
    }
  }
  return true;
}

}  // namespace gridloom::schedule
