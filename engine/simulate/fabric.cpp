// SPDX-License-Identifier: Apache-2.0
#include "simulate/fabric.h"

#include <algorithm>
#include <cmath>

namespace gridloom::simulate {
namespace {

// Long transfers are cut into packets, so that they take turns. At most this many parts per piece bound the
// number of events.
constexpr std::int64_t kParts = 64;

}  // namespace

Fabric::Fabric(const schedule::Schedule& schedule, const schedule::Wiring& wiring,
               const hardware::Topology& hw, EventQueue& queue)
    : m_schedule(schedule),
      m_wiring(wiring),
      m_hw(hw),
      m_queue(queue),
      m_cores(static_cast<std::int32_t>(hw.coreCount())) {
  m_links.resize(hw.links().size());
  for (std::size_t l = 0; l < m_links.size(); ++l) {
    m_links[l].pace = Pace::of(hw.links()[l].bandwidth);
    m_links[l].latency = ticksOf(hw.links()[l].latency);
  }
  m_ports.resize(index(m_cores));
  for (Server& port : m_ports) port.pace = Pace::of(hw.local().bandwidth);
  m_latency = ticksOf(hw.global().latency);
  m_channelFree.resize(static_cast<std::size_t>(hw.global().channels));
  m_reads.resize(m_channelFree.size());
  m_writes.resize(m_channelFree.size());
  for (Server& channel : m_reads) channel.pace = Pace::of(hw.global().readBandwidth);
  for (Server& channel : m_writes) channel.pace = Pace::of(hw.global().writeBandwidth);
  m_transfers.resize(index(wiring.processCount()));
  m_treeOf.assign(schedule.channels.size() * index(m_cores), -1);
  for (const hardware::Network& network : hw.networks()) {
    m_packet = std::max(m_packet, network.packet);
  }
}

std::int64_t Fabric::partOf(std::int64_t bytes) const {
  return std::max(m_packet, base::ceilDiv(bytes, kParts));
}

void Fabric::load(Ticks now, std::int32_t process, std::int32_t core, std::int64_t bytes,
                  std::int64_t firstPage) {
  transfer(now, process, core, bytes, firstPage, false);
}

void Fabric::store(Ticks now, std::int32_t process, std::int32_t core, std::int64_t bytes,
                   std::int64_t firstPage) {
  transfer(now, process, core, bytes, firstPage, true);
}

void Fabric::transfer(Ticks now, std::int32_t process, std::int32_t core, std::int64_t bytes,
                      std::int64_t firstPage, bool stores) {
  Transfer& transfer = m_transfers[index(process)];
  transfer = {0, now, now + m_latency, now};
  m_totals.issued += bytes;
  const std::int64_t channels = m_hw.global().channels;
  const std::int64_t page = m_hw.global().interleave;
  const std::int64_t pages = base::ceilDiv(bytes, page);
  const std::int64_t lastPage = bytes - (pages - 1) * page;
  // Count first: parts that travel no link could otherwise finish before the last piece has started.
  const std::int64_t used = std::min(pages, channels);
  transfer.parts = 1;
  for (std::int64_t n = 0; n < used; ++n) {
    const std::int64_t mine = (pages - n - 1) / channels + 1;
    const bool hasLast = (pages - 1) % channels == n;
    const std::int64_t piece = hasLast ? (mine - 1) * page + lastPage : mine * page;
    startPiece(now, process, core, static_cast<std::int32_t>((firstPage + n) % channels), piece,
               stores);
  }
  finishPart(process, now);
}

void Fabric::startPiece(Ticks now, std::int32_t process, std::int32_t core, std::int32_t channel,
                        std::int64_t bytes, bool stores) {
  const std::int32_t id = take(m_pieces, m_unusedPieces);
  Piece& piece = m_pieces[index(id)];
  piece.process = process;
  piece.core = core;
  piece.channel = channel;
  piece.stores = stores;
  piece.left = bytes;
  piece.chunk = partOf(bytes);
  piece.flying = 0;
  piece.path.clear();
  m_transfers[index(process)].parts += base::ceilDiv(bytes, piece.chunk);
  if (stores) {
    m_hw.writeRoute(hardware::CoreId(core), hardware::ChannelId(channel), piece.path);
    m_queue.push(now, Happening::WriteNext, id);
  } else {
    m_hw.readRoute(hardware::ChannelId(channel), hardware::CoreId(core), piece.path);
    m_queue.push(now + m_latency, Happening::ReadNext, id);
  }
}

void Fabric::handle(const Event& event) {
  switch (event.what()) {
  case Happening::ReadNext:
    return readNext(event.time, event.who());
  case Happening::WriteNext:
    return writeNext(event.time, event.who());
  case Happening::PieceHop:
    return pieceHop(event.time, event.who());
  case Happening::SendNext:
    return sendNext(event.time, event.who());
  case Happening::CastHop:
    return castHop(event.time, event.who());
  case Happening::Process:
  case Happening::Arrived:
    return;
  }
}

Passage Fabric::atChannel(std::vector<Server>& direction, std::int32_t channel, Ticks head,
                          Ticks tail, std::int64_t bytes) {
  Server& server = direction[index(channel)];
  server.free = m_channelFree[index(channel)];
  const Passage passage = server.pass(head, tail, bytes);
  m_channelFree[index(channel)] = server.free;
  return passage;
}

// The channel asks for the next part when it has served this one, so that transfers take turns at it.
void Fabric::readNext(Ticks now, std::int32_t id) {
  Piece& piece = m_pieces[index(id)];
  const std::int64_t bytes = std::min(piece.left, piece.chunk);
  const Passage passage = atChannel(m_reads, piece.channel, now, now, bytes);
  piece.left -= bytes;
  ++piece.flying;
  Transfer& transfer = m_transfers[index(piece.process)];
  transfer.served = std::max(transfer.served, passage.finish);
  if (piece.left > 0) m_queue.push(passage.finish, Happening::ReadNext, id);
  const std::int32_t flight = take(m_flights, m_unusedFlights);
  m_flights[index(flight)] = {id, 0, passage.finish, bytes};
  m_queue.push(passage.start, Happening::PieceHop, flight);
}

void Fabric::writeNext(Ticks now, std::int32_t id) {
  Piece& piece = m_pieces[index(id)];
  const std::int64_t bytes = std::min(piece.left, piece.chunk);
  const Passage passage = m_ports[index(piece.core)].pass(now, now, bytes);
  m_totals.localRead += bytes;
  piece.left -= bytes;
  ++piece.flying;
  if (piece.left > 0) {
    const Ticks pace = piece.path.empty() ? 0 : m_links[piece.path.front().index()].pace(bytes);
    m_queue.push(std::max(passage.finish, passage.start + pace), Happening::WriteNext, id);
  }
  const std::int32_t flight = take(m_flights, m_unusedFlights);
  m_flights[index(flight)] = {id, 0, passage.finish, bytes};
  m_queue.push(passage.start, Happening::PieceHop, flight);
}

void Fabric::pieceHop(Ticks now, std::int32_t id) {
  Flight& flight = m_flights[index(id)];
  const Piece& piece = m_pieces[index(flight.owner)];
  for (;;) {
    if (index(flight.hop) > piece.path.size()) return landPart(id, now);
    if (index(flight.hop) == piece.path.size()) {
      if (!piece.stores) return landPart(id, now);
      // A memory channel answers a write, too, after its latency; parts queue there as they come.
      ++flight.hop;
      flight.tail += m_latency;
      now += m_latency;
      if (now >= m_queue.nextTime()) break;
      continue;
    }
    const hardware::LinkId link = piece.path[index(flight.hop)];
    Server& server = m_links[link.index()];
    const Passage passage = server.pass(now, flight.tail, flight.bytes);
    if (m_hw.links()[link.index()].kind == hardware::Link::Kind::Hop) {
      m_totals.network += flight.bytes;
    }
    ++flight.hop;
    flight.tail = passage.finish + server.latency;
    now = passage.start + server.latency;
    // Nothing else happens before the head is there: go on without the queue.
    if (now >= m_queue.nextTime()) break;
  }
  m_queue.push(now, Happening::PieceHop, id);
}

void Fabric::landPart(std::int32_t id, Ticks head) {
  const Flight flight = m_flights[index(id)];
  Piece& piece = m_pieces[index(flight.owner)];
  Passage passage;
  if (piece.stores) {
    passage = atChannel(m_writes, piece.channel, head, flight.tail, flight.bytes);
  } else {
    passage = m_ports[index(piece.core)].pass(head, flight.tail, flight.bytes);
    m_totals.localWrite += flight.bytes;
  }
  m_totals.landed += flight.bytes;
  const std::int32_t process = piece.process;
  endFlight(id, piece);
  finishPart(process, passage.finish);
}

void Fabric::finishPart(std::int32_t process, Ticks done) {
  Transfer& transfer = m_transfers[index(process)];
  transfer.done = std::max(transfer.done, done);
  if (--transfer.parts == 0) m_queue.push(transfer.done, Happening::Process, process);
}

void Fabric::endFlight(std::int32_t flight, Piece& piece) {
  m_unusedFlights.push_back(flight);
  if (--piece.flying == 0 && piece.left <= 0) {
    m_unusedPieces.push_back(static_cast<std::int32_t>(&piece - m_pieces.data()));
  }
}

std::vector<ResourceUse> Fabric::usesOf(const std::vector<Server>& servers) {
  std::vector<ResourceUse> use;
  use.reserve(servers.size());
  for (const Server& server : servers) {
    use.push_back({inCycles(server.busy), static_cast<double>(server.bytes)});
  }
  return use;
}

double Fabric::busiestPort() const {
  Ticks busiest = 0;
  for (const Server& port : m_ports) busiest = std::max(busiest, port.busy);
  return inCycles(busiest);
}

}  // namespace gridloom::simulate
