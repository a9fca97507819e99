// SPDX-License-Identifier: Apache-2.0
//
// Copies of operands that are read through indices: row by row.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/air_copies.h"

namespace gridloom::exchange {

// As kernel/operand_window.cpp lays them out: the loops of the indices, then, per dimension of the
// tensor, the dimension itself or the further loops in its index.
std::vector<AirCopies::GatherDim> AirCopies::gatherDims(const kernel::Operand& operand) {
  const kernel::Access& access = operand.gather->access;
  std::vector<GatherDim> dims;
  const auto counts = [&](std::size_t loop) {
    return std::ranges::any_of(dims, [&](const GatherDim& d) { return d.number == loop; });
  };
  for (const kernel::IndexRead& read : access.gathers) {
    for (const kernel::LoopId loop : kernel::loopsOf(read.access)) {
      if (!counts(loop.index())) dims.push_back({loop.index(), true});
    }
  }
  const std::size_t counted = dims.size();
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    std::vector<std::size_t> others;
    bool alone = true;
    for (std::size_t l = 0; l < access.indices[d].coefficients.size(); ++l) {
      if (!access.indices[d].dependsOn(l)) continue;
      const auto end = dims.begin() + static_cast<std::ptrdiff_t>(counted);
      const bool isCounted =
          std::any_of(dims.begin(), end, [&](const GatherDim& dim) { return dim.number == l; });
      alone = alone && !isCounted;
      if (!isCounted) others.push_back(l);
    }
    const bool gathered =
        std::ranges::find(access.gathers, d, &kernel::IndexRead::dim) != access.gathers.end();
    if (!gathered && alone) dims.push_back({d, false});
    if (gathered || !alone) {
      for (const std::size_t loop : others) dims.push_back({loop, true});
    }
  }
  return dims;
}

void AirCopies::gatherTile(const Job& job, const std::vector<std::string>& offsets) {
  const std::vector<GatherDim> dims = gatherDims(job.operand);
  std::vector<std::string> elements = m_place.origins();
  AirSide slot{offsets, std::vector<std::string>(offsets.size(), m_code.constant(1)),
               slotStrides(job)};
  slot.offsets.resize(offsets.size() + dims.size());
  slot.sizes.resize(slot.offsets.size(), m_code.constant(1));
  const auto visit = [&](const auto& self, std::size_t n) -> void {
    if (n == dims.size()) return gatherRow(job, elements, slot);
    if (!dims[n].isLoop) return self(self, n + 1);
    const std::size_t loop = dims[n].number;
    const std::string from = m_place.origins()[loop];
    const std::string end = m_place.plus(m_place.lastOf(loop), 1);
    m_rings.inLoop(job.process, "row", from, end, [&](const std::string& element) {
      elements[loop] = element;
      slot.offsets[offsets.size() + n] = m_code.affine("at", "d0 - d1", {element, from});
      self(self, n + 1);
    });
  };
  visit(visit, 0);
}

// Indices outside of the tensor may stand where no iteration uses them.
void AirCopies::gatherRow(const Job& job, const std::vector<std::string>& elements, AirSide slot) {
  const kernel::Access& access = job.operand.gather->access;
  const std::vector<std::int64_t>& shape = m_air.kernel.tensor(job.operand.tensor).shape;
  AirSide tensor;
  for (const affine::LinearExpr& index : access.indices) {
    tensor.offsets.push_back(m_place.valueOf(index, elements));
  }
  tensor.sizes.assign(access.indices.size(), m_code.constant(1));
  tensor.strides = tensorStrides(job);
  std::string inside;
  for (const kernel::IndexRead& read : access.gathers) {
    const std::string index = indexAt(read.access, elements), within = m_code.fresh("if");
    m_code.line("{} = arith.cmpi ult, {}, {} : index", within, index,
                m_code.constant(shape[read.dim]));
    inside = m_code.both(inside, within);
    tensor.offsets[read.dim] = index;
  }
  const std::vector<GatherDim> dims = gatherDims(job.operand);
  const std::size_t first = slot.offsets.size() - dims.size();
  AirRegion row;
  for (std::size_t n = 0; n < dims.size(); ++n) {
    if (dims[n].isLoop) continue;
    const std::size_t d = dims[n].number;
    m_shares.addDim(row, job.operand.dims[n], shape[d]);
    tensor.offsets[d] = row.from.back();
    slot.offsets[first + n] = row.skipped.back();
    tensor.sizes[d] = slot.sizes[first + n] = row.count.back();
  }
  m_rings.inBranch(job.process, inside, [&] { dma(job, tensor, slot); });
}

std::string AirCopies::indexAt(const kernel::Access& access,
                               const std::vector<std::string>& elements) {
  std::vector<std::string> at;
  for (const affine::LinearExpr& index : access.indices) {
    at.push_back(m_place.valueOf(index, elements));
  }
  const kernel::Tensor& tensor = m_air.kernel.tensor(access.tensor);
  const std::string value = m_code.fresh("index"), cast = m_code.fresh("at");
  m_code.line("{} = memref.load {}[{}] : {}", value, tensorName(access.tensor), fmt::join(at, ", "),
              memrefType(tensor.shape, tensor.dtype, 0));
  m_code.line("{} = arith.index_cast {} : {} to index", cast, value, mlirType(tensor.dtype));
  return cast;
}

}  // namespace gridloom::exchange
