// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "network/wormhole_network.h"

namespace gridloom::network {

void WormholeNetwork::head(Ticks now, std::int32_t id) {
  if (plane(at(id).ends.plane).virtualChannels == 0) return passFreely(now, id);
  if (at(id).queued) return ask(now, id);
  enter(now, id);
}

/// Enters the lane at the end of its last link, or the queue of its endpoint. The packet at the
/// front requests the next link.
void WormholeNetwork::enter(Ticks now, std::int32_t id) {
  Packet& packet = at(id);
  Lane& in = lane(packet.input);
  packet.queued = true;
  packet.behind = kNone;
  if (in.front != kNone) {
    (in.firstBehind == kNone ? in.firstBehind : at(in.lastBehind).behind) = id;
    in.lastBehind = id;
    return;
  }
  in.front = id;
  if (in.drained <= now) return ask(now, id);
  m_events.push(in.drained, TransferEventKind::Head, id);
}

void WormholeNetwork::ask(Ticks now, std::int32_t id) {
  Packet& packet = at(id);
  const bool ends = packet.hop == packet.path.hops;
  const std::int32_t out =
      ends ? packet.sink : m_pathLinks[packet.path.begin + static_cast<std::size_t>(packet.hop)];
  packet.asked = now;
  packet.next = kNone;
  Port& port = this->port(out);
  if (port.firstWaiting == kNone) {
    port.firstWaiting = id;
  } else {
    at(port.lastWaiting).next = id;
  }
  port.lastWaiting = id;
  if (!ends) return serveLink(now, out);
  if (out >= m_firstChannelSink) return serveChannel(now, out);
  serveSink(now, out);
}

void WormholeNetwork::retry(Ticks now, std::int32_t out) {
  Port& port = this->port(out);
  if (port.retryAt <= now) port.retryAt = kUnknown;
  if (out >= m_firstChannelSink) return serveChannel(now, out);
  if (out >= m_firstNodeSink) return serveSink(now, out);
  serveLink(now, out);
}

void WormholeNetwork::wakeAt(std::int32_t out, Ticks time) {
  Port& port = this->port(out);
  if (time >= port.retryAt) return;
  port.retryAt = time;
  m_events.push(time, TransferEventKind::Retry, out);
}

void WormholeNetwork::unlink(Port& out, std::int32_t before, std::int32_t id) {
  const std::int32_t next = at(id).next;
  if (before == kNone) {
    out.firstWaiting = next;
  } else {
    at(before).next = next;
  }
  if (out.lastWaiting == id) out.lastWaiting = before;
}

/// A virtual channel of a link that this packet may take now. If there is none, lowers `known` to
/// the earliest known time at which one becomes free.
std::int32_t WormholeNetwork::freeLane(const Packet& packet, std::int32_t out, Ticks now,
                                       Ticks& known) {
  const Port& port = this->port(out);
  const Plane& described = plane(packet.ends.plane);
  bool after = port.wraps;
  if (packet.hop > 0) {
    const std::int32_t last =
        m_pathLinks[packet.path.begin + static_cast<std::size_t>(packet.hop) - 1];
    after = after || (packet.dateline != 0 && this->port(last).dim == port.dim);
  }
  const std::int32_t group = (packet.response ? 2 : 0) + (after ? 1 : 0);
  const std::int32_t first = port.lanes + group * described.virtualChannels;
  for (std::int32_t l = first; l < first + described.virtualChannels; ++l) {
    const Lane& lane = this->lane(l);
    if (packet.size <= described.buffer && lane.room < packet.size) continue;
    if (lane.free <= now) return l;
    known = std::min(known, lane.free);
  }
  return kNone;
}

/// Arbitrates between inputs in turn; within one input, the packet that has waited longest goes
/// first.
void WormholeNetwork::serveLink(Ticks now, std::int32_t out) {
  Port& port = this->port(out);
  while (port.firstWaiting != kNone) {
    if (port.free > now) return wakeAt(out, port.free);
    Ticks known = kUnknown;
    std::int32_t chosen = kNone, beforeChosen = kNone, chosenLane = kNone;
    std::int32_t before = kNone;
    for (std::int32_t id = port.firstWaiting; id != kNone; before = id, id = at(id).next) {
      if (chosen != kNone && at(id).input == port.lastInput) continue;
      const std::int32_t lane = freeLane(at(id), out, now, known);
      if (lane == kNone) continue;
      chosen = id;
      beforeChosen = before;
      chosenLane = lane;
      if (at(id).input != port.lastInput) break;
    }
    if (chosen == kNone) {
      if (known < kUnknown) wakeAt(out, known);
      return;
    }
    unlink(port, beforeChosen, chosen);
    grant(now, chosen, out, chosenLane);
  }
}

/// Flits that do not fit into the buffers ahead keep the links behind busy.
void WormholeNetwork::hold(Packet& packet, Ticks now, const Pace& pace) {
  const std::int64_t buffer = plane(packet.ends.plane).buffer;
  std::int64_t behind = packet.size - buffer;
  for (std::size_t i = packet.holds.size(); i > 0 && behind > 0; --i, behind -= buffer) {
    Hold& hold = packet.holds[i - 1];
    hold.until = std::max(hold.until, now + pace(behind));
  }
}

void WormholeNetwork::grant(Ticks now, std::int32_t id, std::int32_t out, std::int32_t laneIndex) {
  Packet& packet = at(id);
  Port& port = this->port(out);
  Lane& lane = this->lane(laneIndex);
  const Plane& described = plane(packet.ends.plane);
  const Pace& pace = now > packet.asked ? port.contended : port.pace;
  const Ticks service = pace(packet.size);
  port.free = now + service;
  port.busy += service;
  port.lastInput = packet.input;
  hold(packet, now, pace);
  const Ticks tail = std::max(port.free, packet.tail);
  packet.holds.push_back({laneIndex, tail});
  lane.free = kUnknown;
  if (packet.size <= described.buffer) lane.room -= packet.size;
  packet.dateline = (laneIndex - port.lanes) / described.virtualChannels % 2;
  packet.tail = tail + port.latency;
  ++packet.hop;
  packet.queued = false;
  const auto spans = static_cast<std::int32_t>(
      std::min<std::int64_t>((packet.size - 1) / described.buffer, packet.path.hops));
  finalise(id, now, packet.hop - spans);
  packet.input = laneIndex;
  m_events.push(now + port.latency, TransferEventKind::Head, id);
}

/// The times at which the tail passes the links before `upTo` become final.
void WormholeNetwork::finalise(std::int32_t id, Ticks now, std::int32_t upTo) {
  for (; at(id).finalised < upTo; ++at(id).finalised) {
    const Packet& packet = at(id);
    const auto i = static_cast<std::size_t>(packet.finalised);
    const Hold held = packet.holds[i];
    const Ticks until = std::max(now, held.until);
    Lane& lane = this->lane(held.lane);
    lane.free = until;
    if (port(lane.port).firstWaiting != kNone) wakeAt(lane.port, until);
    leave(now, id, i == 0 ? packet.source : packet.holds[i - 1].lane, until);
    if (i == 0 && !packet.response) m_events.push(until, TransferEventKind::Departed, id);
  }
}

/// The tail has left a lane at `until`: the next packet in it may request a link.
void WormholeNetwork::leave(Ticks now, std::int32_t id, std::int32_t from, Ticks until) {
  Lane& lane = this->lane(from);
  const Packet& packet = at(id);
  lane.front = lane.firstBehind;
  if (lane.front != kNone) lane.firstBehind = at(lane.front).behind;
  lane.drained = until;
  if (lane.front != kNone) m_events.push(std::max(now, until), TransferEventKind::Head, lane.front);
  if (lane.port == kNone || packet.size > plane(packet.ends.plane).buffer) return;
  lane.room += packet.size;
  if (port(lane.port).firstWaiting != kNone) wakeAt(lane.port, std::max(now, until));
}

void WormholeNetwork::serveSink(Ticks now, std::int32_t out) {
  Port& port = this->port(out);
  while (port.firstWaiting != kNone) {
    if (port.free > now) return wakeAt(out, port.free);
    const std::int32_t id = port.firstWaiting;
    unlink(port, kNone, id);
    sink(now, id, port, port.pace);
  }
}

/// Reads and writes alternate at a memory channel.
void WormholeNetwork::serveChannel(Ticks now, std::int32_t out) {
  Port& port = this->port(out);
  Channel& channel = m_channels[static_cast<std::size_t>(out - m_firstChannelSink)];
  while (port.firstWaiting != kNone || channel.firstAsked != kNone) {
    if (port.free > now) return wakeAt(out, port.free);
    const bool reads =
        channel.firstAsked != kNone && (port.firstWaiting == kNone || !channel.readLast);
    channel.readLast = reads;
    if (!reads) {
      const std::int32_t id = port.firstWaiting;
      unlink(port, kNone, id);
      sink(now, id, port, channel.write);
      continue;
    }
    const std::int32_t id = channel.firstAsked;
    channel.firstAsked = at(id).next;
    const Ticks service = channel.read(at(id).bytes);
    port.free = now + service;
    port.busy += service;
    answer(now, id, port.free);
  }
}

void WormholeNetwork::sink(Ticks now, std::int32_t id, Port& out, const Pace& pace) {
  Packet& packet = at(id);
  const Ticks service =
      pace(packet.ends.channel >= 0 && !packet.response ? packet.bytes : packet.size);
  out.free = now + service;
  out.busy += service;
  hold(packet, now, pace);
  const Ticks tail = std::max(out.free, packet.tail);
  finalise(id, now, static_cast<std::int32_t>(packet.holds.size()));
  const std::int32_t last = packet.holds.empty() ? packet.source : packet.holds.back().lane;
  leave(now, id, last, tail);
  deliver(id, tail);
}

void WormholeNetwork::deliver(std::int32_t id, Ticks tail) {
  Packet& packet = at(id);
  packet.delivery.arrived = tail + plane(packet.ends.plane).endpoint;
  packet.delivery.complete = packet.delivery.arrived;
  if (!packet.response) {
    if (packet.path.hops == 0) m_events.push(tail, TransferEventKind::Departed, id);
    packet.delivery.complete += flight(packet.ends.plane, packet.ends.to, packet.ends.from);
    if (packet.ends.channel >= 0) packet.delivery.complete += ticksOf(m_hw.global().writeLatency);
  }
  m_events.push(packet.delivery.complete, TransferEventKind::Complete, id);
}

/// Without virtual channels, queues are unbounded and each link serves in the order of arrival.
void WormholeNetwork::passFreely(Ticks now, std::int32_t id) {
  Packet& packet = at(id);
  if (packet.hop == packet.path.hops) {
    if (packet.sink >= m_firstChannelSink) return ask(now, id);
    Port& out = port(packet.sink);
    const Ticks service = out.pace(packet.size);
    out.free = std::max(now, out.free) + service;
    out.busy += service;
    return deliver(id, std::max(out.free, packet.tail));
  }
  Port& out = port(m_pathLinks[packet.path.begin + static_cast<std::size_t>(packet.hop)]);
  const Ticks start = std::max(now, out.free);
  const Ticks service = (start > now ? out.contended : out.pace)(packet.size);
  out.free = start + service;
  out.busy += service;
  packet.tail = std::max(out.free, packet.tail) + out.latency;
  if (packet.hop == 0 && !packet.response) {
    m_events.push(out.free, TransferEventKind::Departed, id);
  }
  ++packet.hop;
  m_events.push(start + out.latency, TransferEventKind::Head, id);
}

}  // namespace gridloom::network
