// SPDX-License-Identifier: Apache-2.0
#include "access/tile_window.h"

#include <cstdlib>

namespace gridloom::access {

double Box::elements() const {
  if (widths.empty()) return 0;
  double out = 1;
  for (const std::int64_t width : widths) out *= static_cast<double>(width);
  return out;
}

Box TileWindow::moveTo(const std::vector<std::int64_t>& corner) {
  Box fetched{corner, m_widths};
  if (m_corner) {
    std::vector<std::int64_t> stride(corner.size());
    for (std::size_t d = 0; d < corner.size(); ++d) stride[d] = corner[d] - (*m_corner)[d];
    const bool changed = m_stride && *m_stride != stride;
    if (!changed) fetched = uncovered(corner, stride);
    m_stride = changed ? std::nullopt : std::optional(std::move(stride));
  }
  m_corner = corner;
  return fetched;
}

/// A slab when the tile slides along one axis; the whole tile when it moves along several axes or
/// away.
Box TileWindow::uncovered(const std::vector<std::int64_t>& corner,
                          const std::vector<std::int64_t>& stride) const {
  Box box{corner, m_widths};
  std::size_t moved = 0;
  std::size_t axis = 0;
  for (std::size_t d = 0; d < stride.size(); ++d) {
    if (stride[d] == 0) continue;
    ++moved;
    axis = d;
  }
  if (moved == 0) return {};
  const std::int64_t step = std::abs(stride[axis]);
  if (moved > 1 || step >= m_widths[axis]) return box;
  if (stride[axis] > 0) box.corner[axis] += m_widths[axis] - step;
  box.widths[axis] = step;
  return box;
}

}  // namespace gridloom::access
