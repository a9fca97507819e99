// SPDX-License-Identifier: Apache-2.0
//
// Memory that loops write at a stride, as unrolled ones, and others read element by element.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

// An extent that is a multiple of the size, with a bound where it was none.
bool Reader::roundUp(Loop loop, std::int64_t size) {
  const std::int64_t extent = m_program.loops.extent(loop);
  if (extent % size == 0) return true;
  if (isInStatement(loop)) return false;
  m_program.loops.setExtent(loop, (extent / size + 1) * size);
  const Linear within = Linear::of(extent - 1) - Linear::loop(loop);
  const auto limit = [&](MemoryAccess& access) {
    const std::vector<Loop> parts = partsOf(m_program.loops, access.loops);
    if (std::ranges::find(parts, loop) != parts.end()) access.where.push_back(within);
  };
  for (Flow::Store& store : m_flow->stores) limit(store.access);
  for (Flow::Load& load : m_flow->loads) limit(load.access);
  return true;
}

// Which iteration writes an element is an affine form where the loops of all that touch the memory
// are divided as those of a loop that steps are: at 4 i + j, j below 4, then at 4 k + l, too.
void Reader::divideLoops() {
  constexpr std::int64_t longest = 256;  // of the steps of loops that people write
  std::vector<const MemoryAccess*> all;
  for (const Flow::Store& store : m_flow->stores) all.push_back(&store.access);
  for (const Flow::Load& load : m_flow->loads) all.push_back(&load.access);
  std::map<std::pair<int, std::size_t>, std::set<std::int64_t>> steps;
  for (const MemoryAccess* access : all) {
    for (std::size_t d = 0; d < access->index.size(); ++d)
      for (const auto& [loop, c] : m_program.loops.normal(access->index[d]).terms)
        if (c > 1 && c <= longest) steps[{access->memory, d}].insert(c);
  }
  for (const MemoryAccess* access : all) {
    for (std::size_t d = 0; d < access->index.size(); ++d) {
      for (const std::int64_t step : steps[{access->memory, d}]) {
        const Linear form = m_program.loops.normal(access->index[d]);
        for (const auto& [loop, c] : form.terms)
          if (c == 1 && m_program.loops.extent(loop) > step && roundUp(loop, step))
            static_cast<void>(m_program.loops.divide(Linear::loop(loop), step));
      }
    }
  }
}

}  // namespace gridloom::importer
