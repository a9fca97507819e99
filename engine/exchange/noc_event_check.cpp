// SPDX-License-Identifier: Apache-2.0
#include "exchange/noc_event_check.h"

#include <algorithm>

#include "exchange/noc_event_kinds.h"

namespace gridloom::exchange {

namespace {

using Kind = NocEvent::Kind;

template <std::size_t n> bool areGiven(const std::array<std::int16_t, n>& coordinates) {
  return std::ranges::all_of(coordinates, [](std::int16_t c) { return c >= 0; });
}

void nameKind(NocEvent& event, const GivenFields& given) {
  const NocEventKind* known = given.type ? nocEventKind(*given.type) : nullptr;
  if (known != nullptr) {
    event.kind = known->kind;
    event.withState = known->withState;
  } else if (!given.type && given.zone) {
    event.kind = Kind::Zone;
  }
}

}  // namespace

std::vector<std::string_view> completeEvent(NocEvent& event, const GivenFields& given) {
  nameKind(event, given);
  std::vector<std::string_view> missing;
  const auto need = [&](bool there, std::string_view what) {
    if (!there) missing.push_back(what);
  };
  need(given.type || given.zone, "a `type`");
  need(given.cycle, "a `timestamp`");
  need(areGiven(event.from), "the coordinates `sx` and `sy`");
  need(event.processor >= 0, "a `proc`");
  const bool sized = event.kind == Kind::Read || event.kind == Kind::Write;
  const bool sends = sized || event.kind == Kind::Inline || event.kind == Kind::SemaphoreIncrement;
  const bool hasArea = areGiven(event.area);
  if (sends && hasArea && event.to[0] < 0) event.kind = Kind::Multicast;
  if (event.kind == Kind::Multicast) {
    need(hasArea, "the corners `mcast_start_x` to `mcast_end_y`");
  } else if (sends && !event.withState) {
    need(areGiven(event.to), "the coordinates `dx` and `dy`");
    if (sized) need(event.bytes >= 0, "`num_bytes`");
  }
  return missing;
}

}  // namespace gridloom::exchange
