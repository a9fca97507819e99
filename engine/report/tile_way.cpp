// SPDX-License-Identifier: Apache-2.0
#include "report/tile_way.h"

#include <algorithm>
#include <tuple>

#include "schedule/op_names.h"

namespace gridloom::report {

namespace {

TileInFlight moveOf(const ActiveCore& core, std::size_t process, const simulate::Span& span,
                    Activity activity) {
  return {core.core, static_cast<std::int16_t>(process), activity, span.begin, span.end, 0};
}

/// Where a move stands among those of a way: a process moves one tile at a time in each way.
std::tuple<double, hardware::CoreId, std::int16_t, Activity> placeOf(const TileInFlight& move) {
  return {move.begin, move.core, move.process, move.activity};
}

bool isMove(Activity activity) { return activity >= Activity::Load && activity <= Activity::Store; }

}  // namespace

bool TileWay::contains(const TileInFlight& tile) const {
  const auto found = std::ranges::equal_range(moves, placeOf(tile), {}, placeOf);
  return std::ranges::find(found, tile.end, &TileInFlight::end) != found.end();
}

TileTracker::TileTracker(const schedule::Schedule& schedule, const hardware::Topology& hw,
                         const kernel::TileNest& nest, const RunStates& states, double cycles)
    : m_schedule(schedule),
      m_nest(nest),
      m_states(states),
      m_cycles(cycles),
      m_placement(schedule, hw),
      m_wiring(schedule, m_placement) {}

const ActiveCore* TileTracker::activeAt(std::int32_t core) const {
  const hardware::CoreId id(core);
  const auto cores = m_states.cores();
  const auto found = std::ranges::lower_bound(cores, id, {}, &ActiveCore::core);
  return found != cores.end() && found->core == id ? &*found : nullptr;
}

// A process that acquires slots moves the one it acquired last; any other the oldest one that it
// has not released.
TileTracker::Slot TileTracker::slotOf(const TileInFlight& move) const {
  const schedule::BufferId buffer = bufferOf(move, m_schedule);
  if (!buffer.valid()) return {move.core, buffer, -1};
  const SlotUse& slots = m_states.slots();
  const std::int64_t tile = slots.acquires(move.core, buffer, move.process)
                                ? slots.acquired(move.core, buffer, move.begin) - 1
                                : slots.releasedBy(move.core, buffer, move.process, move.begin);
  return {move.core, buffer, tile};
}

TileWay TileTracker::wayOf(const TileInFlight& tile, const base::Progress& progress) const {
  TileWay way;
  const Slot first = slotOf(tile);
  if (first.tile < 0) return way;
  way.operand = operandOf(tile, m_schedule, m_nest);
  Found open{first};
  std::set<Slot> known{first};
  while (!open.empty() && !progress.cancelled()) {
    const Slot slot = open.back();
    open.pop_back();
    SlotUse::Stay stay = m_states.slots().stayOf(slot.core, slot.buffer, slot.tile);
    if (stay.from > m_cycles) continue;
    stay.to = std::min(stay.to, m_cycles);
    if (way.stays.size() == kMostStays) {
      way.whole = false;
      break;
    }
    way.stays.push_back({slot.core, slot.buffer, stay.from, stay.to});
    Found next;
    addMoves(slot, stay, way, next);
    for (const Slot& each : next)
      if (each.tile >= 0 && known.insert(each).second) open.push_back(each);
  }
  std::ranges::stable_sort(way.stays, {}, &TileStay::from);
  std::ranges::stable_sort(way.moves, {}, placeOf);
  return way;
}

void TileTracker::addMoves(const Slot& slot, const SlotUse::Stay& stay, TileWay& way,
                           Found& next) const {
  const ActiveCore* core = activeAt(slot.core.value());
  if (core == nullptr) return;
  for (std::size_t p = 0; p < core->processes; ++p) {
    const auto spans = m_states.spansOf(core->first + p);
    auto span = std::ranges::lower_bound(spans, stay.from, {}, &simulate::Span::begin);
    for (; span != spans.end() && span->begin <= stay.to; ++span) {
      const Activity activity = activityOf(*span, core->first + p == core->compute);
      if (!isMove(activity)) continue;
      const TileInFlight move = moveOf(*core, p, *span, activity);
      if (bufferOf(move, m_schedule) != slot.buffer || slotOf(move) != slot) continue;
      way.moves.push_back(move);
      if (activity == Activity::Send) addReceivers(move, next);
      if (activity == Activity::Receive) addSenders(move, next);
    }
  }
}

// A receive is recorded from the moment in which its sender has begun to send, which is while the
// sender's own transfer lasts.
void TileTracker::addEnd(int channel, std::int32_t sender, std::int32_t receiver,
                         const TileInFlight& other, Found& next) const {
  const bool sends = other.activity == Activity::Send;
  const ActiveCore* core = activeAt(sends ? receiver : sender);
  const std::int32_t process = sends ? m_wiring.receivingProcess(channel, receiver)
                                     : m_wiring.sendingProcess(channel, sender);
  if (core == nullptr || process < 0) return;
  const auto p = static_cast<std::size_t>(process - m_wiring.firstProcess(core->core.value()));
  const Activity wanted = sends ? Activity::Receive : Activity::Send;
  const auto spans = m_states.spansOf(core->first + p);
  const double from = sends ? other.begin : 0, to = sends ? other.end : other.begin;
  auto span = std::ranges::lower_bound(spans, from, {}, &simulate::Span::begin);
  for (; span != spans.end() && span->begin <= to; ++span) {
    if (activityOf(*span, core->first + p == core->compute) != wanted) continue;
    if (!sends && span->end < other.begin) continue;
    next.push_back(slotOf(moveOf(*core, p, *span, wanted)));
  }
}

void TileTracker::addReceivers(const TileInFlight& send, Found& next) const {
  for (const schedule::Instruction& step : processOf(send, m_schedule).code) {
    if (step.op != schedule::Op::Send) continue;
    const auto channel = static_cast<int>(step.channel.value());
    for (const std::int32_t leaf : m_wiring.leavesOf(channel, send.core.value()))
      addEnd(channel, send.core.value(), m_wiring.receiverOf(channel, leaf), send, next);
  }
}

void TileTracker::addSenders(const TileInFlight& receive, Found& next) const {
  const std::int32_t core = receive.core.value();
  for (const schedule::Instruction& step : processOf(receive, m_schedule).code) {
    if (step.op != schedule::Op::Receive) continue;
    const auto channel = static_cast<int>(step.channel.value());
    const std::int32_t leaf =
        m_wiring.gathers(channel) ? m_wiring.gatherLeaf(channel, core, step.arg) : core;
    const std::int32_t sender = leaf < 0 ? -1 : m_wiring.senderOf(channel, leaf);
    if (sender >= 0 && sender != core) addEnd(channel, sender, core, receive, next);
  }
}

}  // namespace gridloom::report
