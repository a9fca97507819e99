// SPDX-License-Identifier: Apache-2.0
//
// Operations of mlir-air in their generic form: launches, segments and herds are parallel loops,
// and DMA transfers copies. Names of operations and of their operands are those of its AIR dialect.
#include <fmt/format.h>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

// The operands in their segments.
std::vector<llvm::SmallVector<mlir::Value>> segmentsOf(mlir::Operation& op) {
  auto sizes = op.getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes) {
    if (const auto all =
            llvm::dyn_cast_or_null<mlir::DictionaryAttr>(op.getPropertiesAsAttribute()))
      sizes = all.getAs<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
  }
  std::vector<llvm::SmallVector<mlir::Value>> segments;
  if (!sizes) return segments;
  unsigned next = 0;
  for (const std::int32_t size : sizes.asArrayRef()) {
    segments.emplace_back();
    for (std::int32_t n = 0; n < size && next < op.getNumOperands(); ++n)
      segments.back().push_back(op.getOperand(next++));
  }
  return segments;
}

constexpr std::size_t kHerdSegments = 3, kDmaSegments = 9;

}  // namespace

bool Reader::readAir(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (!name.starts_with("air.")) return false;
  if (name.ends_with("_terminator") || name == "air.wait_all") {
    for (const mlir::Value token : op.getResults()) set(token, Value{});
    return true;
  }
  if (name == "air.launch" || name == "air.segment" || name == "air.herd") {
    readHerd(op);
  } else if (name == "air.dma_memcpy_nd") {
    readDma(op);
  } else if (name == "air.execute" && op.getNumRegions() == 1 && !op.getRegion(0).empty()) {
    mlir::Block& body = op.getRegion(0).front();
    readBlock(body);
    const unsigned tokens = op.getNumResults() - body.getTerminator()->getNumOperands();
    for (unsigned n = tokens; n < op.getNumResults(); ++n)
      set(op.getResult(n), get(body.getTerminator()->getOperand(n - tokens)));
  } else {
    refuse(&op, fmt::format("`{}` is not imported", name.str()),
           "of AIR, launches, segments, herds and DMA transfers are; channels have no place in "
           "one function's values");
  }
  return true;
}

void Reader::readHerd(mlir::Operation& op) {
  const auto segments = segmentsOf(op);
  if (segments.size() != kHerdSegments || op.getNumRegions() != 1 || op.getRegion(0).empty())
    refuse(&op, "it has not the operands and the region of an AIR hierarchy",
           "operands are dependences, sizes and memory");
  mlir::Block& body = op.getRegion(0).front();
  const auto& sizes = segments[1];
  if (body.getNumArguments() != 2 * sizes.size() + segments[2].size())
    refuse(&op, "its region has other arguments than places, sizes and operands",
           "give the region one argument for each");
  const std::size_t scope = m_scope.size(), where = m_where.size();
  for (unsigned n = 0; n < segments[2].size(); ++n) {
    const auto known = m_values.find(segments[2][n].getAsOpaquePointer());
    if (known != m_values.end())
      set(body.getArgument(static_cast<unsigned>(2 * sizes.size()) + n), known->second);
  }
  enterLoops(body, where);
  for (unsigned d = 0; d < sizes.size(); ++d) {
    const std::int64_t size = constant(sizes[d]);
    m_scope.push_back(m_program.loops.add(size));
    if (m_flow) m_flow->parallel.insert(m_scope.back());
    set(body.getArgument(d), Integer(Linear::loop(m_scope.back())));
    set(body.getArgument(static_cast<unsigned>(sizes.size()) + d), Integer(Linear::of(size)));
  }
  readBlock(body);
  leaveLoops(scope, where);
}

// Element x of a side of a transfer is number sum of (offset + x) * stride of the memory.
View Reader::dmaSide(mlir::Value memory, llvm::ArrayRef<mlir::Value> offsets,
                     llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<mlir::Value> strides) const {
  const View whole = view(memory);
  if (offsets.empty()) return whole;
  if (!whole.where.empty() || whole.memory->isFlat || sizes.size() != offsets.size() ||
      strides.size() != offsets.size())
    refuse(m_at, "a transfer has offsets, sizes and strides of different numbers",
           "give one of each per dimension");
  View side{whole.memory, false, {Linear{}}, {}, {}, {}, std::make_shared<View>(whole)};
  for (std::size_t d = 0; d < offsets.size(); ++d) {
    const std::int64_t stride = constant(strides[d]);
    side.offset[0] = side.offset[0] + exact(offsets[d]) * stride;
    side.step.push_back({stride});
    side.sizes.push_back(constant(sizes[d]));
  }
  return side;
}

void Reader::readDma(mlir::Operation& op) {
  const auto segments = segmentsOf(op);
  if (segments.size() != kDmaSegments || segments[1].size() != 1 || segments[5].size() != 1)
    refuse(&op, "it has not the operands of an AIR transfer",
           "operands are dependences, and memory, offsets, sizes and strides of both sides");
  const View to = dmaSide(segments[1][0], segments[2], segments[3], segments[4]);
  const View from = dmaSide(segments[5][0], segments[6], segments[7], segments[8]);
  // One side may have more dimensions of size 1.
  const auto flat = [&](const View& side, const std::vector<Linear>& index) {
    Linear number;
    for (std::size_t d = 0; d < side.sizes.size(); ++d) number = number * side.sizes[d] + index[d];
    return number;
  };
  Tile value{newVars(to.sizes), nullptr};
  const std::vector<Linear> index = formsOf(value.vars);
  value.body =
      loaded(from, to.sizes == from.sizes ? index : unflattened(flat(to, index), from.sizes));
  write(to, value);
  for (const mlir::Value token : op.getResults()) set(token, Value{});
}

}  // namespace gridloom::importer
