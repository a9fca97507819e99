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
    m_linkRates.push_back({Pace::of(group.bandwidth), ticksOf(group.latency)});
  }
  if (progress.cancelled()) return;
  m_corePace = Pace::of(hw.local().bandwidth);
  for (const hardware::SharedBuffer& buffer : hw.sharedBuffers()) {
    m_instancePaces.insert(m_instancePaces.end(), buffer.nodes.size(), Pace::of(buffer.bandwidth));
  }
  m_ports.resize(index(m_cores) + m_instancePaces.size());
  m_latency = ticksOf(hw.global().latency);
  m_channelFree.resize(static_cast<std::size_t>(hw.global().channels));
  m_readPace = Pace::of(hw.global().readBandwidth);
  m_writePace = Pace::of(hw.global().writeBandwidth);
  m_reads.resize(m_channelFree.size());
  m_writes.resize(m_channelFree.size());
  placeTransfers(*schedule);
  for (const hardware::Network& network : hw.networks()) {
    m_packet = std::max(m_packet, network.packet);
  }
}

void QueueingNetwork::placeTransfers(const schedule::PlacedSchedule& placed) {
  const auto moves = [&](const schedule::Process& process) {
    return std::any_of(process.code.begin(), process.code.end(), [&](const auto& instruction) {
      if (instruction.op == schedule::Op::Take) return true;
      if (instruction.op != schedule::Op::Load && instruction.op != schedule::Op::Store)
        return false;
      const schedule::Buffer& buffer = placed.schedule.buffers[instruction.buffer.index()];
      return layoutOf(placed.schedule, buffer) != hardware::TensorLayout::Local;
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
  const std::int32_t id = m_transferOf[index(process)];
  Transfer& transfer = m_transfers[index(id)];
  transfer = {0, now, now + m_latency, now, process};
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
    startPiece(now, id, port, static_cast<std::int32_t>(channel), piece,
               stores ? Piece::Kind::Write : Piece::Kind::Read, Pace::of(rate * share));
  }
  finishPart(id, now);
}

void QueueingNetwork::take(Ticks now, std::int32_t process, std::int32_t core,
                           std::span<const Taken> parts) {
  const std::int32_t id = m_transferOf[index(process)];
  m_transfers[index(id)] = {1, now, now, now, process};
  for (const Taken& part : parts) {
    m_totals.issued += part.bytes;
    startPiece(now, id, core, part.from, part.bytes, Piece::Kind::Between);
  }
  finishPart(id, now);
}

void QueueingNetwork::startPiece(Ticks now, std::int32_t transfer, std::int32_t port,
                                 std::int32_t far, std::int64_t bytes, Piece::Kind kind,
                                 Pace pace) {
  const std::int32_t id = slotIn(m_pieces, m_unusedPieces);
  Piece& piece = m_pieces[index(id)];
  piece.transfer = transfer;
  piece.port = port;
  piece.far = far;
  piece.kind = kind;
  piece.left = bytes;
  piece.chunk = partOf(bytes);
  piece.flying = 0;
  piece.pace = pace;
  m_transfers[index(transfer)].parts += base::ceilDiv(bytes, piece.chunk);
  if (kind == Piece::Kind::Read) {
    piece.path = m_routes.read(far, port);
    m_queue.push(now + m_latency, EventKind::ReadNext, id);
  } else {
    const bool stores = kind == Piece::Kind::Write;
    piece.path = stores ? m_routes.write(port, far) : m_routes.between(far, port);
    m_queue.push(now, EventKind::WriteNext, id);
  }
}

ServiceInterval QueueingNetwork::atChannel(Server& server, const Pace& pace, std::int32_t channel,
                                           Ticks head, Ticks tail, std::int64_t bytes) {
  if (m_hw.global().duplex) return server.pass(head, tail, bytes, pace(bytes));
  server.free = m_channelFree[index(channel)];
  const ServiceInterval interval = server.pass(head, tail, bytes, pace(bytes));
  m_channelFree[index(channel)] = server.free;
  return interval;
}

// The channel reads the next part after it has served this one, so that transfers interleave.
void QueueingNetwork::readNext(Ticks now, std::int32_t id) {
  Piece& piece = m_pieces[index(id)];
  const std::int64_t bytes = std::min(piece.left, piece.chunk);
  const ServiceInterval interval =
      atChannel(m_reads[index(piece.far)], m_readPace, piece.far, now, now, bytes);
  piece.left -= bytes;
  ++piece.flying;
  Transfer& transfer = m_transfers[index(piece.transfer)];
  transfer.served = std::max(transfer.served, interval.finish);
  const Ticks through = std::max(interval.finish, interval.start + piece.pace(bytes));
  if (piece.left > 0) m_queue.push(through, EventKind::ReadNext, id);
  startFlight(interval.start, id, through, bytes);
}

void QueueingNetwork::writeNext(Ticks now, std::int32_t id) {
  Piece& piece = m_pieces[index(id)];
  const std::int64_t bytes = std::min(piece.left, piece.chunk);
  const ServiceInterval interval = passPort(piece.source(), now, now, bytes);
  if (piece.source() < m_cores) m_totals.localRead += bytes;
  piece.left -= bytes;
  ++piece.flying;
  const Ticks through = std::max(interval.finish, interval.start + piece.pace(bytes));
  if (piece.left > 0) {
    const auto& path = piece.path;
    const Ticks pace =
        path.begin == path.end ? 0 : m_linkRates[m_routes.run(path.begin).group].pace(bytes);
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

void QueueingNetwork::nextLink(Flight& flight, const LinkRun& run, std::int32_t lastRun) const {
  if (--flight.left > 0) {
    flight.at += run.step;
    return;
  }
  flight.at = -1;
  if (++flight.run == lastRun) return;
  const LinkRun& next = m_routes.run(flight.run);
  flight.at = next.first;
  flight.left = next.count;
}

void QueueingNetwork::pieceHop(Ticks now, std::int32_t id) {
  Flight& flight = m_flights[index(id)];
  const Piece& piece = m_pieces[index(flight.owner)];
  for (;;) {
    if (flight.at < 0) return landPart(id, now);
    const LinkRun& run = m_routes.run(flight.run);
    const ServiceRate& rate = m_linkRates[run.group];
    const ServiceInterval interval =
        m_links[index(flight.at)].pass(now, flight.tail, flight.bytes, rate.pace(flight.bytes));
    Ticks latency = rate.latency;
    nextLink(flight, run, piece.path.end);
    // A write also takes the latency of the memory channel. Parts queue there in order of arrival.
    if (flight.at < 0 && piece.kind == Piece::Kind::Write) latency += m_latency;
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
  if (piece.kind == Piece::Kind::Write) {
    interval = atChannel(m_writes[index(piece.far)], m_writePace, piece.far, head, flight.tail,
                         flight.bytes);
  } else {
    interval = passPort(piece.port, head, flight.tail, flight.bytes);
    if (piece.port < m_cores) m_totals.localWrite += flight.bytes;
  }
  m_totals.landed += flight.bytes;
  const std::int32_t transfer = piece.transfer;
  endFlight(id);
  finishPart(transfer, interval.finish);
}

void QueueingNetwork::finishPart(std::int32_t id, Ticks done) {
  Transfer& transfer = m_transfers[index(id)];
  transfer.done = std::max(transfer.done, done);
  if (--transfer.parts == 0) m_queue.push(transfer.done, EventKind::Process, transfer.process);
}

void QueueingNetwork::endFlight(std::int32_t flight) {
  m_unusedFlights.push_back(flight);
  const std::int32_t id = m_flights[index(flight)].owner;
  Piece& piece = m_pieces[index(id)];
  if (--piece.flying == 0 && piece.left <= 0) m_unusedPieces.push_back(id);
}

}  // namespace gridloom::network
