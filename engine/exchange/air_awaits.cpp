// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_awaits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "schedule/herd_regions.h"
#include "schedule/op_names.h"

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Code;
using schedule::Op;

template <class Visit>
void AirAwaits::inIterations(std::size_t p, CorePlace& place, std::size_t position,
                             const Visit& visit) {
  const std::string trips = place.tripsOf(m_air.schedule.order[position].index());
  m_rings.inLoop(p, "tile", m_code.constant(0), trips, [&](const std::string& at) {
    place.enter(position, at);
    visit(at);
  });
  place.leave(position);
}

template <class Visit>
void AirAwaits::forWindows(std::size_t p, const AirAwaited& awaited, CorePlace& reader,
                           const Visit& visit) {
  const Buffer& buffer = bufferOf(awaited);
  const SlotShape slot = slotShapeOf(m_air, buffer);
  std::vector<std::string> offsets;
  const auto walk = [&](const auto& self, std::size_t n) -> void {
    if (n < slot.inner.size()) {
      return inIterations(p, reader, slot.inner[n].position, [&](const std::string& at) {
        offsets.push_back(at);
        self(self, n + 1);
        offsets.pop_back();
      });
    }
    std::string when;
    if (!slot.inner.empty()) when = AirConditions(m_code, m_air, reader).needed(buffer.need);
    std::string isAny;
    Window window = windowOf(awaited, reader, isAny);
    window.offsets = offsets;
    m_rings.inBranch(p, m_code.both(when, isAny), [&] { visit(window); });
  };
  walk(walk, 0);
}

// As schedule/window_tiles.h, but as values. `isAny`: whether there are elements at all.
AirAwaits::Window AirAwaits::windowOf(const AirAwaited& awaited, CorePlace& reader,
                                      std::string& isAny) {
  const kernel::Operand& operand = operandOf(m_air, bufferOf(awaited));
  const auto output = static_cast<std::size_t>(bufferOf(awaited).need.awaits);
  AirShares shares(m_code, m_air, reader);
  Window window;
  window.slotFrom = shares.regionOf(operand).from;
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    const mapping::LoopId loop = m_air.schedule.grids[output][d];
    const std::int64_t made = m_air.schedule.tiling.loops[loop.index()].extent;
    AirRegion region;
    shares.addDim(region, operand.dims[d], made);
    const std::string& from = region.from[0];
    const std::string end = m_code.affine("end", "d0 + d1", {from, region.count[0]});
    if (isCut(operand.dims[d], made, m_air.schedule.tiling)) {
      isAny = m_code.both(isAny, m_code.holds("d0 - 1", {region.count[0]}));
    }
    const std::int64_t size = tileSize(awaited, d);
    window.from.push_back(from);
    window.end.push_back(end);
    window.firstTile.push_back(m_code.affine("tile", fmt::format("d0 floordiv {}", size), {from}));
    window.endTiles.push_back(m_code.affine("tiles", fmt::format("d0 ceildiv {}", size), {end}));
  }
  return window;
}

void AirAwaits::get(std::size_t p, const Code& at) {
  const auto awaited =
      std::ranges::find(m_air.awaited, static_cast<std::size_t>(at.buffer), &AirAwaited::buffer);
  if (bufferOf(*awaited).need.passed != (at.op == Op::Take)) return;
  const std::string when = AirConditions(m_code, m_air, m_place).of(at);
  m_rings.inBranch(p, when, [&] {
    forWindows(p, *awaited, m_place, [&](const Window& window) {
      std::vector<std::string> tile;
      const auto visit = [&](const auto& self, std::size_t d) -> void {
        if (d == window.from.size()) return getTile(p, *awaited, window, tile);
        m_rings.inLoop(p, "tile", window.firstTile[d], window.endTiles[d],
                       [&](const std::string& number) {
                         tile.push_back(number);
                         self(self, d + 1);
                         tile.pop_back();
                       });
      };
      visit(visit, 0);
    });
  });
}

void AirAwaits::getTile(std::size_t p, const AirAwaited& awaited, const Window& window,
                        const std::vector<std::string>& tile) {
  AirPass pass{false, awaited.name, {numberOf(tile, awaited.tiles), coreOf(m_place)}, {}, {}, {}};
  const Buffer& buffer = bufferOf(awaited);
  if (buffer.need.passed) {
    pass.memref = m_rings.heldBy(p, awaited.buffer);
    pass.type = slotType(m_air, buffer);
    pass.part =
        partOf(window, awaited, tile, slotShapeOf(m_air, buffer), window.slotFrom, window.offsets);
  }
  this->pass(p, awaited, pass);
}

void AirAwaits::put(std::size_t p, const Code& at) {
  const Buffer& from = m_air.schedule.buffers[static_cast<std::size_t>(at.buffer)];
  const bool awaits = std::ranges::any_of(m_air.awaited, [&](const AirAwaited& awaited) {
    const schedule::TileDemand& need = bufferOf(awaited).need;
    return need.awaits == from.operand && need.passed == (at.op == Op::Publish);
  });
  if (!awaits || schedule::isOfAllReduce(from.use) || schedule::isOfInput(from.use)) return;
  if (at.op == Op::Publish && from.use != Buffer::Use::Output) return;
  CorePlace place = at.gate < 0 ? m_place : senderOf(m_air, m_code, m_place, at.gate, at.arg);
  std::swap(m_place, place);
  const SlotShape slot = slotShapeOf(m_air, from);
  std::vector<std::string> offsets;
  const auto walk = [&](const auto& self, std::size_t n) -> void {
    if (n < slot.inner.size()) {
      return inIterations(p, m_place, slot.inner[n].position, [&](const std::string& iteration) {
        offsets.push_back(iteration);
        self(self, n + 1);
        offsets.pop_back();
      });
    }
    for (const AirAwaited& awaited : m_air.awaited) {
      const schedule::TileDemand& need = bufferOf(awaited).need;
      if (need.awaits != from.operand || need.passed != (at.op == Op::Publish)) continue;
      for (const AirReader& reader : awaited.readers) {
        putToReaders(p, at, awaited, reader, offsets);
      }
    }
  };
  walk(walk, 0);
  std::swap(m_place, place);
}

void AirAwaits::putToReaders(std::size_t p, const Code& at, const AirAwaited& awaited,
                             const AirReader& reader, const std::vector<std::string>& offsets) {
  for (const schedule::CoreBox& box :
       schedule::regionsOf(m_air.schedule, m_air.hw, reader.program)) {
    std::vector<std::string> coordinates;
    const auto visit = [&](const auto& self, std::size_t d) -> void {
      if (d == box.first.size()) {
        CorePlace place = m_place;
        for (std::size_t n = 0; n < m_air.schedule.order.size(); ++n) place.leave(n);
        return putToReader(p, at, awaited, reader, place.at(coordinates), offsets);
      }
      const auto next = [&](const std::string& coordinate) {
        coordinates.push_back(coordinate);
        self(self, d + 1);
        coordinates.pop_back();
      };
      if (box.first[d] == box.last[d]) return next(m_code.constant(box.first[d]));
      m_rings.inLoop(p, "to", m_code.constant(box.first[d]), m_code.constant(box.last[d] + 1),
                     next);
    };
    visit(visit, 0);
  }
}

// All transfers of one core: those that read the tile get a put each.
void AirAwaits::putToReader(std::size_t p, const Code& at, const AirAwaited& awaited,
                            const AirReader& reader, CorePlace place,
                            const std::vector<std::string>& offsets) {
  const std::string core = coreOf(place);
  const auto walk = [&](const auto& self, std::size_t position) -> void {
    if (position < static_cast<std::size_t>(reader.code.depth)) {
      return inIterations(p, place, position,
                          [&](const std::string&) { self(self, position + 1); });
    }
    const std::string when = AirConditions(m_code, m_air, place).of(reader.code);
    m_rings.inBranch(p, when, [&] {
      forWindows(p, awaited, place,
                 [&](const Window& window) { putWindow(p, at, awaited, window, core, offsets); });
    });
  };
  walk(walk, 0);
}

void AirAwaits::putWindow(std::size_t p, const Code& at, const AirAwaited& awaited,
                          const Window& window, const std::string& core,
                          const std::vector<std::string>& offsets) {
  const auto output = static_cast<std::size_t>(bufferOf(awaited).need.awaits);
  std::vector<std::string> tile, slotFrom;
  std::string reads;
  for (std::size_t d = 0; d < window.from.size(); ++d) {
    const std::size_t loop = m_air.schedule.grids[output][d].index();
    slotFrom.push_back(m_place.origins()[loop]);
    tile.push_back(m_code.affine("tile", fmt::format("d0 floordiv {}", tileSize(awaited, d)),
                                 {slotFrom.back()}));
    reads = m_code.both(reads, m_code.holds("d0 - d1", {tile[d], window.firstTile[d]}));
    reads = m_code.both(reads, m_code.holds("d1 - d0 - 1", {tile[d], window.endTiles[d]}));
  }
  m_rings.inBranch(p, reads, [&] {
    AirPass pass{true, awaited.name, {numberOf(tile, awaited.tiles), core}, {}, {}, {}};
    if (bufferOf(awaited).need.passed) {
      const auto from = static_cast<std::size_t>(at.buffer);
      const Buffer& buffer = m_air.schedule.buffers[from];
      pass.memref = m_rings.heldBy(p, from);
      pass.type = slotType(m_air, buffer);
      pass.part = partOf(window, awaited, tile, slotShapeOf(m_air, buffer), slotFrom, offsets);
    }
    this->pass(p, awaited, pass);
  });
}

AirSide AirAwaits::partOf(const Window& window, const AirAwaited& awaited,
                          const std::vector<std::string>& tile, const SlotShape& slot,
                          const std::vector<std::string>& slotFrom,
                          const std::vector<std::string>& offsets) {
  AirSide part{offsets, std::vector<std::string>(offsets.size(), m_code.constant(1)), {}};
  for (std::size_t d = 0; d < tile.size(); ++d) {
    const std::int64_t size = tileSize(awaited, d);
    const std::string from =
        m_code.most("from", {"d0", fmt::format("d1 * {}", size)}, {window.from[d], tile[d]});
    const std::string end =
        m_code.least("end", {"d0", fmt::format("(d1 + 1) * {}", size)}, {window.end[d], tile[d]});
    part.offsets.push_back(m_code.affine("at", "d0 - d1", {from, slotFrom[d]}));
    part.sizes.push_back(m_code.affine("count", "d0 - d1", {end, from}));
  }
  const std::vector<std::int64_t> strides = stridesOf(slot.sizes());
  part.strides = m_code.constants(strides, strides.size());
  return part;
}

void AirAwaits::pass(std::size_t p, const AirAwaited& awaited, const AirPass& pass) {
  if (bufferOf(awaited).need.passed) return passThrough(m_code, m_rings, p, pass);
  AirPass token = pass;
  token.type = "memref<1xi8, 2 : i32>";
  if (m_flag.empty()) {
    m_flag = m_code.fresh("flag");
    m_code.top("{} = memref.alloc() : {}", m_flag, token.type);
  }
  token.memref = m_flag;
  passThrough(m_code, m_rings, p, token);
}

std::string AirAwaits::numberOf(const std::vector<std::string>& at,
                                const std::vector<std::int64_t>& sizes) {
  std::string number = "0";
  for (std::size_t d = 0; d < at.size(); ++d) {
    number = d == 0 ? "d0" : fmt::format("({}) * {} + d{}", number, sizes[d], d);
  }
  return m_code.affine("number", number, at);
}

std::string AirAwaits::coreOf(const CorePlace& place) {
  std::vector<std::int64_t> sizes;
  for (const auto& dim : m_air.hw.dims()) sizes.push_back(dim.size);
  return numberOf(place.coordinates(), sizes);
}

std::int64_t AirAwaits::tileSize(const AirAwaited& awaited, std::size_t d) const {
  const auto output = static_cast<std::size_t>(bufferOf(awaited).need.awaits);
  return m_air.schedule.tiling.loops[m_air.schedule.grids[output][d].index()].tileSize;
}

}  // namespace gridloom::exchange
