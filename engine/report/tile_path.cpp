// SPDX-License-Identifier: Apache-2.0
#include "report/tile_path.h"

#include <algorithm>
#include <tuple>

#include "schedule/op_names.h"

namespace gridloom::report {

namespace {

TileInFlight transferOf(const ActiveCore& core, std::size_t process, const simulate::Span& span,
                        Activity activity) {
  return {core.core, static_cast<std::int16_t>(process), activity, span.begin, span.end, 0};
}

/// Where a transfer stands among those of a path: a process begins one of a kind at a time.
std::tuple<double, hardware::CoreId, std::int16_t, Activity> placeOf(const TileInFlight& transfer) {
  return {transfer.begin, transfer.core, transfer.process, transfer.activity};
}

}  // namespace

bool TilePath::contains(const TileInFlight& tile) const {
  const auto found = std::ranges::equal_range(transfers, placeOf(tile), {}, placeOf);
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
TileTracker::Slot TileTracker::slotOf(const TileInFlight& transfer) const {
  const schedule::BufferId buffer = bufferOf(transfer, m_schedule);
  if (!buffer.valid()) return {transfer.core, buffer, -1};
  const SlotUse& slots = m_states.slots();
  const std::int64_t tile =
      slots.acquires(transfer.core, buffer, transfer.process)
          ? slots.acquired(transfer.core, buffer, transfer.begin) - 1
          : slots.releasedBy(transfer.core, buffer, transfer.process, transfer.begin);
  return {transfer.core, buffer, tile};
}

TilePath TileTracker::pathOf(const TileInFlight& tile, const base::Progress& progress) const {
  TilePath path;
  const Slot first = slotOf(tile);
  if (first.tile < 0) return path;
  path.operand = operandOf(tile, m_schedule, m_nest);
  Found open{first};
  std::set<Slot> known{first};
  while (!open.empty() && !progress.cancelled()) {
    const Slot slot = open.back();
    open.pop_back();
    SlotUse::Stay stay = m_states.slots().stayOf(slot.core, slot.buffer, slot.tile);
    if (stay.from > m_cycles) continue;
    stay.to = std::min(stay.to, m_cycles);
    if (path.stays.size() == kMostStays) {
      path.whole = false;
      break;
    }
    path.stays.push_back({slot.core, slot.buffer, stay.from, stay.to});
    Found next;
    addTransfers(slot, stay, path, next);
    for (const Slot& each : next)
      if (each.tile >= 0 && known.insert(each).second) open.push_back(each);
  }
  std::ranges::stable_sort(path.stays, {}, &TileStay::from);
  std::ranges::stable_sort(path.transfers, {}, placeOf);
  return path;
}

void TileTracker::addTransfers(const Slot& slot, const SlotUse::Stay& stay, TilePath& path,
                               Found& next) const {
  const ActiveCore* core = activeAt(slot.core.value());
  if (core == nullptr) return;
  for (std::size_t p = 0; p < core->processes; ++p) {
    const auto spans = m_states.spansOf(core->first + p);
    auto span = std::ranges::lower_bound(spans, stay.from, {}, &simulate::Span::begin);
    for (; span != spans.end() && span->begin <= stay.to; ++span) {
      const Activity activity = activityOf(*span, core->first + p == core->compute);
      if (!isTransfer(activity)) continue;
      const TileInFlight transfer = transferOf(*core, p, *span, activity);
      if (bufferOf(transfer, m_schedule) != slot.buffer || slotOf(transfer) != slot) continue;
      path.transfers.push_back(transfer);
      if (activity == Activity::Send) addReceivers(transfer, next);
      if (activity == Activity::Receive) addSenders(transfer, next);
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
    next.push_back(slotOf(transferOf(*core, p, *span, wanted)));
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
