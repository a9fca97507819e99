// SPDX-License-Identifier: Apache-2.0
#include "exchange/noc_event_kinds.h"

#include <algorithm>
#include <array>

namespace gridloom::exchange {

namespace {

using Kind = NocEvent::Kind;

// The types of the trace format's documentation (tt-npe, noc_trace_format.md).
constexpr std::array<NocEventKind, 30> kKinds{{
    {"READ", Kind::Read},
    {"READ_SET_STATE", Kind::State},
    {"READ_SET_TRID", Kind::Local},
    {"READ_WITH_STATE", Kind::Read, true},
    {"READ_WITH_STATE_AND_TRID", Kind::Read, true},
    {"READ_BARRIER_START", Kind::ReadBarrierStart},
    {"READ_BARRIER_END", Kind::ReadBarrierEnd},
    {"READ_BARRIER_WITH_TRID", Kind::ReadBarrier},
    {"READ_DRAM_SHARDED_SET_STATE", Kind::State},
    {"READ_DRAM_SHARDED_WITH_STATE", Kind::Read, true},
    {"WRITE", Kind::Write},
    {"WRITE_", Kind::Write},
    {"WRITE_WITH_TRID", Kind::Write},
    {"WRITE_INLINE", Kind::Inline},
    {"WRITE_MULTICAST", Kind::Multicast},
    {"WRITE_SET_STATE", Kind::State},
    {"WRITE_WITH_STATE", Kind::Write, true},
    {"WRITE_WITH_TRID_SET_STATE", Kind::State},
    {"WRITE_WITH_TRID_WITH_STATE", Kind::Write, true},
    {"WRITE_BARRIER_START", Kind::WriteBarrierStart},
    {"WRITE_BARRIER_END", Kind::WriteBarrierEnd},
    {"WRITE_BARRIER_WITH_TRID", Kind::WriteBarrier},
    {"WRITE_FLUSH", Kind::WriteFlush},
    {"FULL_BARRIER", Kind::FullBarrier},
    {"ATOMIC_BARRIER", Kind::AtomicBarrier},
    {"SEMAPHORE_INC", Kind::SemaphoreIncrement},
    {"SEMAPHORE_WAIT", Kind::SemaphoreWait},
    {"SEMAPHORE_SET", Kind::Local},
    {"READ_BARRIER", Kind::ReadBarrier},
    {"WRITE_BARRIER", Kind::WriteBarrier},
}};

}  // namespace

const NocEventKind* nocEventKind(std::string_view type) {
  const auto* found = std::ranges::find(kKinds, type, &NocEventKind::type);
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace gridloom::exchange
