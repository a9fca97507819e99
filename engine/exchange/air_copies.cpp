// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_copies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridloom::exchange {

using schedule::Buffer;
using schedule::Code;

void AirCopies::copy(std::size_t p, const Code& at) {
  const Buffer& buffer = m_air.schedule.buffers[static_cast<std::size_t>(at.buffer)];
  const Job job{p, buffer, operandOf(m_air, buffer), at.op == schedule::Op::Load,
                slotShapeOf(m_air, buffer)};
  if (at.ring >= 0) return copyShare(job, at);
  if (at.gate < 0) return copySlot(job);
  // The tile is the sender's.
  CorePlace place = senderOf(m_air, m_code, m_place, at.gate, at.arg);
  std::swap(m_place, place);
  copySlot(job);
  std::swap(m_place, place);
}

void AirCopies::copySlot(const Job& job) {
  if (isWhole(job)) return copyAtOnce(job);
  forTiles(job, [&](const std::vector<std::string>& offsets) {
    job.operand.gather ? gatherTile(job, offsets) : copyTile(job, offsets);
  });
}

// Whether one copy with a dimension for every loop inside says it all.
bool AirCopies::isWhole(const Job& job) const {
  if (job.operand.gather || (!job.slot.inner.empty() && !job.buffer.need.guard.always())) {
    return false;
  }
  if (job.slot.inner.empty()) return true;
  for (const InnerLoop& inner : job.slot.inner) {
    const auto& tiling = m_air.schedule.tiling.loops[m_air.schedule.order[inner.position].index()];
    if (tiling.extent % (tiling.tileSize * tiling.unroll) != 0) return false;
  }
  const auto& shape = m_air.kernel.tensor(job.operand.tensor).shape;
  for (std::size_t d = 0; d < job.operand.dims.size(); ++d) {
    if (isCut(job.operand.dims[d], shape[d], m_air.schedule.tiling)) return false;
  }
  return true;
}

void AirCopies::copyAtOnce(const Job& job) {
  if (job.slot.inner.empty()) return copyTile(job, {});
  const AirRegion region = m_shares.regionOf(job.operand);
  const auto strides = stridesOf(m_air.kernel.tensor(job.operand.tensor).shape);
  AirSide tensor;
  for (const InnerLoop& inner : job.slot.inner) {
    const std::size_t loop = m_air.schedule.order[inner.position].index();
    const mapping::LoopTiling& tiling = m_air.schedule.tiling.loops[loop];
    std::int64_t stride = 0;
    for (std::size_t d = 0; d < job.operand.dims.size(); ++d) {
      stride += job.operand.dims[d].index.coefficient(loop) * tiling.unroll * tiling.tileSize *
                strides[d];
    }
    tensor.offsets.push_back(m_code.constant(0));
    tensor.sizes.push_back(m_code.constant(inner.trips));
    tensor.strides.push_back(m_code.constant(stride));
  }
  const std::vector<std::string> inside = m_code.constants(strides, strides.size());
  tensor.offsets.insert(tensor.offsets.end(), region.from.begin(), region.from.end());
  tensor.sizes.insert(tensor.sizes.end(), region.count.begin(), region.count.end());
  tensor.strides.insert(tensor.strides.end(), inside.begin(), inside.end());
  dma(job, tensor, {});
}

template <class Tile> void AirCopies::forTiles(const Job& job, const Tile& tile) {
  std::vector<std::string> offsets;
  const auto visit = [&](const auto& self, std::size_t n) -> void {
    if (n == job.slot.inner.size()) {
      const std::string when = job.slot.inner.empty() ? "" : m_conditions.needed(job.buffer.need);
      return m_rings.inBranch(job.process, when, [&] { tile(offsets); });
    }
    const std::size_t position = job.slot.inner[n].position;
    const std::string trips = m_place.tripsOf(m_air.schedule.order[position].index());
    m_rings.inLoop(job.process, "tile", m_code.constant(0), trips, [&](const std::string& at) {
      m_place.enter(position, at);
      offsets.push_back(at);
      self(self, n + 1);
      offsets.pop_back();
    });
    m_place.leave(position);
  };
  visit(visit, 0);
}

void AirCopies::copyTile(const Job& job, const std::vector<std::string>& offsets) {
  const AirRegion region = m_shares.regionOf(job.operand);
  const AirSide tensor{region.from, region.count, tensorStrides(job)};
  if (region.whole && offsets.empty()) return dma(job, tensor, {});
  AirSide slot{offsets, std::vector<std::string>(offsets.size(), m_code.constant(1)),
               slotStrides(job)};
  slot.offsets.insert(slot.offsets.end(), region.skipped.begin(), region.skipped.end());
  slot.sizes.insert(slot.sizes.end(), region.count.begin(), region.count.end());
  dma(job, tensor, slot);
}

void AirCopies::copyShare(const Job& job, const Code& at) {
  const std::vector<std::string> count = m_shares.sharedSizes(job.operand, job.slot);
  copyRows(job, m_shares.shareOf(at, m_shares.product(count)), count);
}

// Row by row: a share begins and ends anywhere in a tile.
void AirCopies::copyRows(const Job& job, const AirShares::Share& share,
                         const std::vector<std::string>& count) {
  const std::string& length = count.back();
  const std::string end = m_code.affine("end", "d0 + d1", {share.first, share.count});
  const std::string firstRow = m_code.fresh("row"), lastRow = m_code.fresh("row");
  m_code.line("{} = arith.divsi {}, {} : index", firstRow, share.first, length);
  m_code.line("{} = arith.ceildivsi {}, {} : index", lastRow, end, length);
  m_rings.inLoop(job.process, "row", firstRow, lastRow, [&](const std::string& row) {
    const std::string begins = m_code.fresh("at");
    m_code.line("{} = arith.muli {}, {} : index", begins, row, length);
    const std::string first = m_code.most("first", {"d0", "d1"}, {share.first, begins});
    const std::string last = m_code.least("end", {"d0", "d1 + d2"}, {end, begins, length});
    // The row's place in the slot's loops and in the tensor, from the inside out.
    std::vector<std::string> place(count.size());
    place.back() = m_code.affine("at", "d0 - d1", {first, begins});
    std::string left = row;
    for (std::size_t d = count.size() - 1; d-- > 0;) {
      const std::string at = m_code.fresh("at"), next = m_code.fresh("left");
      m_code.line("{} = arith.remsi {}, {} : index", at, left, count[d]);
      m_code.line("{} = arith.divsi {}, {} : index", next, left, count[d]);
      place[d] = at;
      left = next;
    }
    for (std::size_t n = 0; n < job.slot.inner.size(); ++n) {
      m_place.enter(job.slot.inner[n].position, place[n]);
    }
    place.erase(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(job.slot.inner.size()));
    const std::string elements = m_code.affine("count", "d0 - d1", {last, first});
    if (isEqualInside(m_air, job.operand, job.slot)) {
      copyRow(job, first, place, elements);
    } else {
      copyPartOfRow(job, begins, place, elements);
    }
  });
  for (const InnerLoop& inner : job.slot.inner) m_place.leave(inner.position);
}

void AirCopies::copyRow(const Job& job, const std::string& first,
                        const std::vector<std::string>& place, const std::string& elements) {
  const AirRegion region = m_shares.regionOf(job.operand);
  AirSide tensor;
  for (std::size_t d = 0; d < place.size(); ++d) {
    tensor.offsets.push_back(m_code.affine("at", "d0 + d1", {region.from[d], place[d]}));
    tensor.sizes.push_back(m_code.constant(1));
  }
  tensor.strides = tensorStrides(job);
  tensor.sizes.back() = elements;
  dma(job, tensor, {{first}, {elements}, {m_code.constant(1)}});
}

// Of a row of a slot with room for whole tiles, the elements that its tile has: none, where the row
// is behind its end.
void AirCopies::copyPartOfRow(const Job& job, const std::string& begins,
                              const std::vector<std::string>& place, const std::string& elements) {
  const AirRegion region = m_shares.regionOf(job.operand);
  const std::size_t inner = place.size() - 1;
  AirSide tensor;
  for (std::size_t d = 0; d < inner; ++d) {
    const std::string isThere = m_code.least("there", {"1", "d0 + d1 - d2", "d2 - d1 + 1"},
                                             {region.count[d], region.skipped[d], place[d]});
    tensor.sizes.push_back(m_code.most("count", {"d0", "0"}, {isThere}));
    tensor.offsets.push_back(
        m_code.affine("at", "d0 + d1 - d2", {region.from[d], place[d], region.skipped[d]}));
  }
  const std::string first =
      m_code.most("first", {"d0", "d1"}, {place[inner], region.skipped[inner]});
  const std::string last =
      m_code.least("end", {"d0 + d1", "d2 + d3"},
                   {place[inner], elements, region.skipped[inner], region.count[inner]});
  tensor.offsets.push_back(
      m_code.affine("at", "d0 + d1 - d2", {region.from[inner], first, region.skipped[inner]}));
  tensor.sizes.push_back(m_code.most("count", {"d0 - d1", "0"}, {last, first}));
  tensor.strides = tensorStrides(job);
  const std::string at = m_code.affine("at", "d0 + d1", {begins, first});
  dma(job, tensor, {{at}, {m_shares.product(tensor.sizes)}, {m_code.constant(1)}});
}

std::vector<std::string> AirCopies::tensorStrides(const Job& job) {
  const auto strides = stridesOf(m_air.kernel.tensor(job.operand.tensor).shape);
  return m_code.constants(strides, strides.size());
}

std::vector<std::string> AirCopies::slotStrides(const Job& job) {
  const std::vector<std::int64_t> strides = stridesOf(job.slot.sizes());
  return m_code.constants(strides, strides.size());
}

std::string AirCopies::tensorName(kernel::TensorId tensor) const {
  return "%" + mlirName(m_air.kernel.tensor(tensor).name) + m_suffix;
}

void AirCopies::dma(const Job& job, const AirSide& tensor, const AirSide& slot) {
  const auto at = static_cast<std::size_t>(&job.buffer - m_air.schedule.buffers.data());
  const std::string memref = m_rings.heldBy(job.process, at);
  const std::string name = tensorName(job.operand.tensor);
  const std::string type =
      memrefType(m_air.kernel.tensor(job.operand.tensor).shape, job.operand.dtype, 0);
  const std::string slotT = slotType(m_air, job.buffer);
  const AirSide& to = job.load ? slot : tensor;
  const AirSide& from = job.load ? tensor : slot;
  std::vector<std::string> operands = m_rings.tokensOf(job.process);
  std::vector<std::string> types(operands.size(), kAirToken);
  const std::size_t deps = operands.size();
  const auto add = [&](const std::string& memory, const std::string& of, const AirSide& side) {
    operands.push_back(memory);
    types.push_back(of);
    for (const auto* list : {&side.offsets, &side.sizes, &side.strides}) {
      operands.insert(operands.end(), list->begin(), list->end());
      types.insert(types.end(), list->size(), "index");
    }
  };
  add(job.load ? memref : name, job.load ? slotT : type, to);
  add(job.load ? name : memref, job.load ? type : slotT, from);
  const std::string token = m_code.fresh(job.load ? "loaded" : "stored");
  m_code.line(
      "{} = \"air.dma_memcpy_nd\"({}) {{operandSegmentSizes = array<i32: {}, 1, {}, {}, {}, 1, "
      "{}, {}, {}>}} : ({}) -> {}",
      token, fmt::join(operands, ", "), deps, to.offsets.size(), to.sizes.size(), to.strides.size(),
      from.offsets.size(), from.sizes.size(), from.strides.size(), fmt::join(types, ", "),
      kAirToken);
  m_rings.tokensOf(job.process) = {token};
}

}  // namespace gridloom::exchange
