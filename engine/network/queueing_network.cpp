// SPDX-License-Identifier: Apache-2.0
#include "network/queueing_network.h"

#include <algorithm>
#include <cmath>

#include "timing/interleaving.h"

namespace gridloom::network {
namespace {

// Long transfers are cut into packets that interleave. This limit on parts per piece bounds the
// number of events.
constexpr std::int64_t kParts = 64;

}  // namespace

QueueingNetwork::QueueingNetwork(const schedule::VerifiedSchedule& schedule, EventQueue& queue,
                                 const base::Progress& progress)
    : m_hw(schedule->hw),
      m_queue(queue),
      m_routes(m_hw),
      m_trees(*schedule),
      m_cores(static_cast<std::int32_t>(m_hw.coreCount())) {
  const hardware::Topology& hw = m_hw;
  if (progress.cancelled()) return;
  m_links.resize(hw.links().size());
  for (const hardware::Link& group : hw.links().groups()) {
    m_rates.push_back({Pace::of(group.bandwidth), ticksOf(group.latency)});
  }
  for (std::size_t l = 0; l < m_links.size(); ++l) m_links[l].rate = hw.links().groupOf(l);
  if (progress.cancelled()) return;
  const auto serverWith = [&](double bandwidth) {
    Server server;
    server.rate = static_cast<std::uint32_t>(m_rates.size());
    m_rates.push_back({Pace::of(bandwidth), 0});
    return server;
  };
  m_ports.reserve(index(m_cores) + static_cast<std::size_t>(hw.sharedInstances()));
  const auto addPorts = [&](std::size_t count, double bandwidth) {
    m_ports.resize(m_ports.size() + count, serverWith(bandwidth));
  };
  addPorts(index(m_cores), hw.local().bandwidth);
  for (const hardware::SharedBuffer& buffer : hw.sharedBuffers()) {
    addPorts(buffer.nodes.size(), buffer.bandwidth);
  }
  m_latency = ticksOf(hw.global().latency);
  m_channelFree.resize(static_cast<std::size_t>(hw.global().channels));
  m_reads.resize(m_channelFree.size(), serverWith(hw.global().readBandwidth));
  m_writes.resize(m_channelFree.size(), serverWith(hw.global().writeBandwidth));
  placeTransfers(*schedule);
  for (const hardware::Network& network : hw.networks()) {
    m_packet = std::max(m_packet, network.packet);
  }
}

void QueueingNetwork::placeTransfers(const schedule::PlacedSchedule& placed) {
  const auto moves = [](const schedule::Process& process) {
    return std::any_of(process.code.begin(), process.code.end(), [](const auto& instruction) {
      return instruction.op == schedule::Op::Load || instruction.op == schedule::Op::Store ||
             instruction.op == schedule::Op::Take;
    });
  };
  m_transferOf.assign(index(placed.wiring.processCount()), -1);
  std::int32_t transfers = 0;
  for (std::int32_t core = 0; core < m_cores; ++core) {
    const schedule::ProgramId program = placed.schedule.programOfCore[index(core)];
    if (!program.valid()) continue;
    std::int32_t process = placed.wiring.firstProcess(core);
    for (const schedule::Process& code : placed.schedule.programs[program.index()].processes) {
      if (moves(code)) m_transferOf[index(process)] = transfers++;
      ++process;
    }
  }
  m_transfers.resize(index(transfers));
}

std::int64_t QueueingNetwork::partOf(std::int64_t bytes) const {
  return std::max(m_packet, base::ceilDiv(bytes, kParts));
}

void QueueingNetwork::load(Ticks now, std::int32_t process, std::int32_t port, std::int64_t bytes,
                           Layout layout) {
  transfer(now, process, port, bytes, layout, false);
}

void QueueingNetwork::store(Ticks now, std::int32_t process, std::int32_t port, std::int64_t bytes,
                            Layout layout) {
  transfer(now, process, port, bytes, layout, true);
}

void QueueingNetwork::transfer(Ticks now, std::int32_t process, std::int32_t port,
                               std::int64_t bytes, Layout layout, bool stores) {
  Transfer& transfer = transferOf(process);
  transfer = {0, now, now + m_latency, now};
  m_totals.issued += bytes;
  const std::int64_t channels = m_hw.global().channels;
  const std::int64_t page = layout.unit;
  const std::int64_t pages = base::ceilDiv(bytes, page);
  const std::int64_t lastPage = bytes - (pages - 1) * page;
  // Counts first: parts without a link could otherwise finish before the last piece has started.
  const std::int64_t used = std::min(pages, channels);
  const double rate = dmaRateOf(m_hw, port);
  transfer.parts = 1;
  for (std::int64_t n = 0; n < used; ++n) {
    const std::int64_t mine = (pages - n - 1) / channels + 1;
    const bool hasLast = (pages - 1) % channels == n;
    const std::int64_t piece = hasLast ? (mine - 1) * page + lastPage : mine * page;
    // Pieces move in parallel and share the one DMA channel.
    const double share = static_cast<double>(piece) / static_cast<double>(bytes);
    const std::int64_t channel = timing::channelOf(layout.first, n, channels);
    startPiece(now, process, port, static_cast<std::int32_t>(channel), piece,
               stores ? Piece::Way::Write : Piece::Way::Read, Pace::of(rate * share));
  }
  finishPart(process, now);
}

void QueueingNetwork::take(Ticks now, std::int32_t process, std::int32_t core,
                           std::span<const Taken> parts) {
  transferOf(process) = {1, now, now, now};
  for (const Taken& part : parts) {
    m_totals.issued += part.bytes;
    startPiece(now, process, core, part.from, part.bytes, Piece::Way::Between);
  }
  finishPart(process, now);
}

void QueueingNetwork::startPiece(Ticks now, std::int32_t process, std::int32_t port,
                                 std::int32_t far, std::int64_t bytes, Piece::Way way, Pace pace) {
  const std::int32_t id = slotIn(m_pieces, m_unusedPieces);
  Piece& piece = m_pieces[index(id)];
  piece.process = process;
  piece.port = port;
  piece.far = far;
  piece.way = way;
  piece.left = bytes;
  piece.chunk = partOf(bytes);
  piece.flying = 0;
  piece.pace = pace;
  transferOf(process).parts += base::ceilDiv(bytes, piece.chunk);
  if (way == Piece::Way::Read) {
    piece.path = m_routes.read(far, port);
    m_queue.push(now + m_latency, EventKind::ReadNext, id);
  } else {
    const bool stores = way == Piece::Way::Write;
    piece.path = stores ? m_routes.write(port, far) : m_routes.between(far, port);
    m_queue.push(now, EventKind::WriteNext, id);
  }
}

void QueueingNetwork::handle(const Event& event) {
  switch (event.what()) {
  case EventKind::ReadNext:
    return readNext(event.time, event.who());
  case EventKind::WriteNext:
    return writeNext(event.time, event.who());
  case EventKind::PieceHop:
    return pieceHop(event.time, event.who());
  case EventKind::SendNext:
    return sendNext(event.time, event.who());
  case EventKind::CastHop:
    return castHop(event.time, event.who());
  case EventKind::Process:
  case EventKind::Arrived:
    return;
  }
}

ServiceInterval QueueingNetwork::atChannel(base::LargeVector<Server>& direction,
                                           std::int32_t channel, Ticks head, Ticks tail,
                                           std::int64_t bytes) {
  Server& server = direction[index(channel)];
  if (m_hw.global().duplex) return pass(server, head, tail, bytes);
  server.free = m_channelFree[index(channel)];
  const ServiceInterval interval = pass(server, head, tail, bytes);
  m_channelFree[index(channel)] = server.free;
  return interval;
}

// The channel reads the next part after it has served this one, so that transfers interleave.
void QueueingNetwork::readNext(Ticks now, std::int32_t id) {
  Piece& piece = m_pieces[index(id)];
  const std::int64_t bytes = std::min(piece.left, piece.chunk);
  const ServiceInterval interval = atChannel(m_reads, piece.far, now, now, bytes);
  piece.left -= bytes;
  ++piece.flying;
  Transfer& transfer = transferOf(piece.process);
  transfer.served = std::max(transfer.served, interval.finish);
  const Ticks through = std::max(interval.finish, interval.start + piece.pace(bytes));
  if (piece.left > 0) m_queue.push(through, EventKind::ReadNext, id);
  startFlight(interval.start, id, through, bytes);
}

void QueueingNetwork::writeNext(Ticks now, std::int32_t id) {
  Piece& piece = m_pieces[index(id)];
  const std::int64_t bytes = std::min(piece.left, piece.chunk);
  const ServiceInterval interval = pass(serverOf(piece.source()), now, now, bytes);
  if (piece.source() < m_cores) m_totals.localRead += bytes;
  piece.left -= bytes;
  ++piece.flying;
  const Ticks through = std::max(interval.finish, interval.start + piece.pace(bytes));
  if (piece.left > 0) {
    const auto& path = piece.path;
    const Ticks pace = path.begin == path.end
                           ? 0
                           : rateOf(m_links[index(m_routes.run(path.begin).first)]).pace(bytes);
    m_queue.push(std::max(through, interval.start + pace), EventKind::WriteNext, id);
  }
  startFlight(interval.start, id, through, bytes);
}

void QueueingNetwork::startFlight(Ticks now, std::int32_t id, Ticks tail, std::int64_t bytes) {
  const std::int32_t slot = slotIn(m_flights, m_unusedFlights);
  const RouteBook::Path path = m_pieces[index(id)].path;
  Flight& flight = m_flights[index(slot)];
  flight = {id, -1, path.begin, 0, tail, bytes};
  if (path.begin < path.end) {
    const LinkRun& run = m_routes.run(path.begin);
    flight.at = run.first;
    flight.left = run.count;
  }
  m_queue.push(now, EventKind::PieceHop, slot);
}

void QueueingNetwork::nextLink(Flight& flight, const Piece& piece) const {
  if (--flight.left > 0) {
    flight.at += m_routes.run(flight.run).step;
    return;
  }
  flight.at = -1;
  if (++flight.run == piece.path.end) return;
  const LinkRun& run = m_routes.run(flight.run);
  flight.at = run.first;
  flight.left = run.count;
}

void QueueingNetwork::pieceHop(Ticks now, std::int32_t id) {
  Flight& flight = m_flights[index(id)];
  const Piece& piece = m_pieces[index(flight.owner)];
  for (;;) {
    if (flight.at < 0) return landPart(id, now);
    Server& server = m_links[index(flight.at)];
    const ServiceInterval interval = pass(server, now, flight.tail, flight.bytes);
    nextLink(flight, piece);
    // A write also takes the latency of the memory channel. Parts queue there in order of arrival.
    const Ticks latency = rateOf(server).latency +
                          (flight.at < 0 && piece.way == Piece::Way::Write ? m_latency : Ticks{0});
    flight.tail = interval.finish + latency;
    now = interval.start + latency;
    // No other event comes before the head arrives, so the loop continues without the queue.
    if (now >= m_queue.nextTime()) break;
  }
  m_queue.push(now, EventKind::PieceHop, id);
}

void QueueingNetwork::landPart(std::int32_t id, Ticks head) {
  const Flight flight = m_flights[index(id)];
  Piece& piece = m_pieces[index(flight.owner)];
  ServiceInterval interval;
  if (piece.way == Piece::Way::Write) {
    interval = atChannel(m_writes, piece.far, head, flight.tail, flight.bytes);
  } else {
    interval = pass(serverOf(piece.port), head, flight.tail, flight.bytes);
    if (piece.port < m_cores) m_totals.localWrite += flight.bytes;
  }
  m_totals.landed += flight.bytes;
  const std::int32_t process = piece.process;
  endFlight(id, piece);
  finishPart(process, interval.finish);
}

void QueueingNetwork::finishPart(std::int32_t process, Ticks done) {
  Transfer& transfer = transferOf(process);
  transfer.done = std::max(transfer.done, done);
  if (--transfer.parts == 0) m_queue.push(transfer.done, EventKind::Process, process);
}

void QueueingNetwork::endFlight(std::int32_t flight, Piece& piece) {
  m_unusedFlights.push_back(flight);
  if (--piece.flying == 0 && piece.left <= 0) {
    m_unusedPieces.push_back(static_cast<std::int32_t>(&piece - m_pieces.data()));
  }
}

}  // namespace gridloom::network
