// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "simulate/fabric.h"

namespace gridloom::simulate {

/// Writes what is under way, each piece and cast at the first event that knows it.
class Fabric::StateWriter {
 public:
  StateWriter(const Fabric& fabric, std::vector<std::int64_t>& words, Ticks now, Ticks base)
      : m_fabric(fabric),
        m_words(words),
        m_now(now),
        m_base(base),
        m_pieceNumber(fabric.m_pieces.size(), -1),
        m_castNumber(fabric.m_casts.size(), -1) {}

  void write(const Event& event) {
    m_words.push_back(event.time - m_now);
    m_words.push_back(static_cast<std::int64_t>(event.what()));
    switch (event.what()) {
    case Happening::Process:
    case Happening::Arrived:
      m_words.push_back(event.who());
      return;
    case Happening::ReadNext:
    case Happening::WriteNext:
      return writePiece(event.who());
    case Happening::PieceHop:
      return writePiece(writeFlight(event.who()));
    case Happening::SendNext:
      return writeCast(event.who());
    case Happening::CastHop:
      return writeCast(writeFlight(event.who()));
    }
  }

 private:
  // Returns the piece or cast it belongs to.
  std::int32_t writeFlight(std::int32_t id) {
    const Flight& flight = m_fabric.m_flights[index(id)];
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
    const Piece& piece = m_fabric.m_pieces[index(id)];
    m_words.insert(m_words.end(), {piece.process, piece.far, static_cast<int>(piece.way),
                                   piece.left, piece.chunk, piece.flying, piece.pace(piece.chunk)});
  }

  void writeCast(std::int32_t id) {
    std::int32_t& number = m_castNumber[index(id)];
    m_words.push_back(number);
    if (number >= 0) return;
    number = m_numbers++;
    const Cast& cast = m_fabric.m_casts[index(id)];
    m_words.insert(m_words.end(), {cast.process, cast.channel, cast.left, cast.chunk, cast.flying});
    for (const Cast::Leg& leg : cast.legs) {
      m_words.push_back(leg.parts);
      if (leg.parts > 0) m_words.push_back(std::max(leg.done, m_base) - m_now);
    }
  }

  const Fabric& m_fabric;
  std::vector<std::int64_t>& m_words;
  Ticks m_now, m_base;
  std::vector<std::int32_t> m_pieceNumber, m_castNumber;
  std::int32_t m_numbers = 0;
};

void Fabric::appendState(std::vector<std::int64_t>& words, std::span<const Event> events, Ticks now,
                         Ticks base) const {
  // A server that was free before now is free.
  const auto free = [&](Ticks until) { words.push_back(std::max(until - now, Ticks{0})); };
  for (const Server& link : m_links) free(link.free);
  for (const Server& port : m_ports) free(port.free);
  for (const Ticks channel : m_channelFree) free(channel);
  if (m_hw.global().duplex) {
    for (const auto* direction : {&m_reads, &m_writes}) {
      for (const Server& channel : *direction) free(channel.free);
    }
  }
  for (const Transfer& transfer : m_transfers) {
    words.push_back(transfer.parts);
    for (const Ticks moment : {transfer.done, transfer.first, transfer.served}) {
      words.push_back(std::max(moment, base) - now);
    }
  }
  StateWriter writer(*this, words, now, base);
  for (const Event& event : events) writer.write(event);
}

}  // namespace gridloom::simulate
