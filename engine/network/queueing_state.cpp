// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "network/queueing_network.h"

namespace gridloom::network {

/// Writes the transfers in flight; each piece and multicast at the first event that refers to it.
class QueueingNetwork::StateWriter {
 public:
  StateWriter(const QueueingNetwork& fabric, std::vector<std::int64_t>& words, Ticks now,
              Ticks base)
      : m_network(fabric),
        m_words(words),
        m_now(now),
        m_base(base),
        m_pieceNumber(fabric.m_pieces.size(), -1),
        m_castNumber(fabric.m_multicasts.size(), -1) {}

  void write(const Event& event) {
    m_words.push_back(event.time - m_now);
    m_words.push_back(static_cast<std::int64_t>(event.what()));
    switch (event.what()) {
    case EventKind::Process:
    case EventKind::Arrived:
      m_words.push_back(event.who());
      return;
    case EventKind::ReadNext:
    case EventKind::WriteNext:
      return writePiece(event.who());
    case EventKind::PieceHop:
      return writePiece(writeFlight(event.who()));
    case EventKind::SendNext:
      return writeCast(event.who());
    case EventKind::CastHop:
      return writeCast(writeFlight(event.who()));
    }
  }

 private:
  // Returns the piece or multicast that it belongs to.
  std::int32_t writeFlight(std::int32_t id) {
    const Flight& flight = m_network.m_flights[index(id)];
    m_words.push_back(flight.at);
    m_words.push_back(flight.run);
    m_words.push_back(flight.left);
    m_words.push_back(flight.tail - m_now);
    m_words.push_back(flight.bytes);
    return flight.owner;
  }

  void writePiece(std::int32_t id) {
    std::int32_t& number = m_pieceNumber[index(id)];
    m_words.push_back(number);
    if (number >= 0) return;
    number = m_numbers++;
    const Piece& piece = m_network.m_pieces[index(id)];
    m_words.insert(m_words.end(), {piece.transfer, piece.far, static_cast<int>(piece.kind),
                                   piece.left, piece.chunk, piece.flying, piece.pace(piece.chunk),
                                   std::llround(piece.longer * 1024)});
  }

  void writeCast(std::int32_t id) {
    std::int32_t& number = m_castNumber[index(id)];
    m_words.push_back(number);
    if (number >= 0) return;
    number = m_numbers++;
    const Multicast& cast = m_network.m_multicasts[index(id)];
    m_words.insert(m_words.end(), {cast.process, cast.channel, cast.left, cast.chunk, cast.flying});
    for (const Multicast::Branch& branch : cast.branches) {
      m_words.push_back(branch.parts);
      if (branch.parts > 0) m_words.push_back(std::max(branch.done, m_base) - m_now);
    }
  }

  const QueueingNetwork& m_network;
  std::vector<std::int64_t>& m_words;
  Ticks m_now, m_base;
  std::vector<std::int32_t> m_pieceNumber, m_castNumber;
  std::int32_t m_numbers = 0;
};

void QueueingNetwork::appendState(std::vector<std::int64_t>& words, std::span<const Event> events,
                                  Ticks now, Ticks base) const {
  // All times before now count as now: the server is free.
  const auto free = [&](Ticks until) { words.push_back(std::max(until - now, Ticks{0})); };
  for (const Server& link : m_links) free(link.free);
  for (const Server& port : m_ports) free(port.free);
  for (const Ticks channel : m_channelFree) free(channel);
  if (m_hw.global().duplex) {
    for (const auto* direction : {&m_reads, &m_writes}) {
      for (const Server& channel : *direction) free(channel.free);
    }
  }
  for (std::int32_t process = 0; index(process) < m_transferOf.size(); ++process) {
    const Transfer& transfer = transferOf(process);
    words.push_back(transfer.parts);
    for (const Ticks moment : {transfer.done, transfer.first, transfer.served}) {
      words.push_back(std::max(moment, base) - now);
    }
  }
  StateWriter writer(*this, words, now, base);
  for (const Event& event : events) writer.write(event);
}

}  // namespace gridloom::network
