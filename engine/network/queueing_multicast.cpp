// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "network/queueing_network.h"

namespace gridloom::network {

void QueueingNetwork::send(Ticks now, std::int32_t process, int channel, std::int32_t core,
                           std::int64_t bytes, std::span<const std::uint8_t> takesPart) {
  const std::int32_t id = slotIn(m_multicasts, m_unusedMulticasts);
  Multicast& cast = m_multicasts[index(id)];
  cast.process = process;
  cast.root = m_trees.of(channel, core);
  cast.port = m_trees.portOf(cast.root);
  cast.channel = channel;
  cast.pace = m_trees.ratesOf(cast.root).pace;
  cast.left = bytes;
  cast.chunk = partOf(cast.left);
  cast.flying = 0;
  const auto parts =
      static_cast<std::int32_t>(std::max<std::int64_t>(1, base::ceilDiv(cast.left, cast.chunk)));
  cast.branches.assign(takesPart.size(), {0, now});
  for (std::size_t n = 0; n < takesPart.size(); ++n) {
    if (takesPart[n] == 0) continue;
    cast.branches[n].parts = parts;
    m_totals.issued += cast.left;
  }
  m_queue.push(now, EventKind::SendNext, id);
}

void QueueingNetwork::sendNext(Ticks now, std::int32_t id) {
  Multicast& cast = m_multicasts[index(id)];
  const std::int64_t bytes = std::min(cast.left, cast.chunk);
  const ServiceInterval interval = passPort(cast.port, now, now, bytes);
  if (cast.port < m_cores) m_totals.localRead += bytes;
  Ticks pace = cast.pace(bytes);
  const Ticks through = std::max(interval.finish, interval.start + pace);
  const MulticastTrees::Range children = m_trees.children(cast.root);
  for (std::int32_t child = children.begin; child < children.end; ++child) {
    pace = std::max(pace, m_trees.rateOf(m_trees.hop(child)).pace(bytes));
  }
  const Ticks next = std::max(interval.finish, interval.start + pace);
  cast.left -= bytes;
  if (cast.left > 0) {
    m_queue.push(next, EventKind::SendNext, id);
  } else {
    m_queue.push(next, EventKind::Process, cast.process);
  }
  sendOn(id, cast.root, interval.start, through, bytes);
  if (cast.flying == 0) endMulticast(id);
}

void QueueingNetwork::castHop(Ticks now, std::int32_t id) {
  const Flight flight = m_flights[index(id)];
  m_unusedFlights.push_back(id);
  const MulticastTrees::Hop& hop = m_trees.hop(flight.at);
  const ServiceRate& rate = m_trees.rateOf(hop);
  const ServiceInterval interval =
      m_links[index(hop.link)].pass(now, flight.tail, flight.bytes, rate.pace(flight.bytes));
  const Ticks latency = rate.latency;
  sendOn(flight.owner, flight.at, interval.start + latency, interval.finish + latency,
         flight.bytes);
  if (--m_multicasts[index(flight.owner)].flying == 0) endMulticast(flight.owner);
}

// A part is at a router: the leaves there receive it, and each onward link gets a copy.
void QueueingNetwork::sendOn(std::int32_t id, std::int32_t hop, Ticks head, Ticks tail,
                             std::int64_t bytes) {
  Multicast& cast = m_multicasts[index(id)];
  const MulticastTrees::Range leaves = m_trees.leaves(hop);
  for (std::int32_t n = leaves.begin; n < leaves.end; ++n) {
    arriveAt(cast, m_trees.leaf(n), head, tail, bytes);
  }
  const MulticastTrees::Range children = m_trees.children(hop);
  for (std::int32_t child = children.begin; child < children.end; ++child) {
    const std::int32_t flight = slotIn(m_flights, m_unusedFlights);
    m_flights[index(flight)] = {id, child, 0, 0, tail, bytes};
    ++cast.flying;
    m_queue.push(head, EventKind::CastHop, flight);
  }
}

void QueueingNetwork::arriveAt(Multicast& cast, const MulticastTrees::Leaf& leaf, Ticks head,
                               Ticks tail, std::int64_t bytes) {
  Multicast::Branch& branch = cast.branches[index(leaf.position)];
  if (branch.parts == 0) return;
  const ServiceInterval interval = passPort(leaf.port, head, tail, bytes);
  if (leaf.port < m_cores) m_totals.localWrite += bytes;
  m_totals.landed += bytes;
  branch.done = std::max(branch.done, interval.finish);
  if (--branch.parts == 0) {
    m_queue.push(branch.done, EventKind::Arrived, arrivalIndex(cast.channel, leaf.core));
  }
}

void QueueingNetwork::endMulticast(std::int32_t cast) {
  if (m_multicasts[index(cast)].left <= 0) m_unusedMulticasts.push_back(cast);
}

}  // namespace gridloom::network
