// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "simulate/fabric.h"

namespace gridloom::simulate {

void Fabric::send(Ticks now, std::int32_t process, int channel, std::int32_t core,
                  std::int64_t bytes, std::span<const std::uint8_t> takesPart) {
  const std::int32_t id = slotIn(m_casts, m_unusedCasts);
  Cast& cast = m_casts[index(id)];
  cast.process = process;
  const CastTrees::Tree& tree = m_trees.of(channel, core);
  cast.port = tree.port;
  cast.channel = channel;
  cast.root = tree.root;
  cast.pace = tree.pace;
  cast.left = bytes;
  cast.chunk = partOf(cast.left);
  cast.flying = 0;
  const auto parts =
      static_cast<std::int32_t>(std::max<std::int64_t>(1, base::ceilDiv(cast.left, cast.chunk)));
  cast.legs.assign(takesPart.size(), {0, now});
  for (std::size_t n = 0; n < takesPart.size(); ++n) {
    if (takesPart[n] == 0) continue;
    cast.legs[n].parts = parts;
    m_totals.issued += cast.left;
  }
  m_queue.push(now, Happening::SendNext, id);
}

void Fabric::sendNext(Ticks now, std::int32_t id) {
  Cast& cast = m_casts[index(id)];
  const std::int64_t bytes = std::min(cast.left, cast.chunk);
  const Passage passage = serverOf(cast.port).pass(now, now, bytes);
  if (cast.port < m_cores) m_totals.localRead += bytes;
  Ticks pace = cast.pace(bytes);
  const Ticks through = std::max(passage.finish, passage.start + pace);
  const CastTrees::Hop& root = m_trees.hop(cast.root);
  for (std::int32_t child = root.firstChild; child < root.endChild; ++child) {
    pace = std::max(pace, m_trees.hop(child).pace(bytes));
  }
  const Ticks next = std::max(passage.finish, passage.start + pace);
  cast.left -= bytes;
  if (cast.left > 0) {
    m_queue.push(next, Happening::SendNext, id);
  } else {
    m_queue.push(next, Happening::Process, cast.process);
  }
  spread(id, root, passage.start, through, bytes);
  if (cast.flying == 0) endCast(id);
}

void Fabric::castHop(Ticks now, std::int32_t id) {
  const Flight flight = m_flights[index(id)];
  m_unusedFlights.push_back(id);
  const CastTrees::Hop& hop = m_trees.hop(flight.at);
  Server& server = m_links[index(hop.link)];
  const Passage passage = server.pass(now, flight.tail, flight.bytes, hop.pace(flight.bytes));
  spread(flight.owner, hop, passage.start + server.latency, passage.finish + server.latency,
         flight.bytes);
  if (--m_casts[index(flight.owner)].flying == 0) endCast(flight.owner);
}

// A part stands at a router: its leaves there take it, the links onward get a copy each.
void Fabric::spread(std::int32_t id, const CastTrees::Hop& hop, Ticks head, Ticks tail,
                    std::int64_t bytes) {
  Cast& cast = m_casts[index(id)];
  for (std::int32_t n = hop.firstLeaf; n < hop.endLeaf; ++n) {
    arriveAt(cast, m_trees.leaf(n), head, tail, bytes);
  }
  for (std::int32_t child = hop.firstChild; child < hop.endChild; ++child) {
    const std::int32_t flight = slotIn(m_flights, m_unusedFlights);
    m_flights[index(flight)] = {id, child, 0, 0, tail, bytes};
    ++cast.flying;
    m_queue.push(head, Happening::CastHop, flight);
  }
}

void Fabric::arriveAt(Cast& cast, const CastTrees::Leaf& leaf, Ticks head, Ticks tail,
                      std::int64_t bytes) {
  Cast::Leg& leg = cast.legs[index(leaf.position)];
  if (leg.parts == 0) return;
  const Passage passage = serverOf(leaf.port).pass(head, tail, bytes);
  if (leaf.port < m_cores) m_totals.localWrite += bytes;
  m_totals.landed += bytes;
  leg.done = std::max(leg.done, passage.finish);
  if (--leg.parts == 0) {
    m_queue.push(leg.done, Happening::Arrived, arrivalIndex(cast.channel, leaf.core));
  }
}

void Fabric::endCast(std::int32_t cast) {
  if (m_casts[index(cast)].left <= 0) m_unusedCasts.push_back(cast);
}

}  // namespace gridloom::simulate
