// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace gridloom::access {

/// A box of elements: its lowest corner and its widths. Empty when it has no widths.
struct Box {
  std::vector<std::int64_t> corner;
  std::vector<std::int64_t> widths;

  bool empty() const { return widths.empty(); }
  double elements() const;
  friend bool operator==(const Box&, const Box&) = default;
};

/// The part to fetch as a memory's tile moves through its tensor. A tile that does not move costs
/// nothing. One that slides along one axis, as a window over the input of a convolution does, costs
/// only the elements that it did not cover before. The pattern generators that fill a buffer follow
/// one stride: when the stride changes, the whole tile is fetched again (Timeloop's rule: Parashar
/// et al., 2019).
class TileWindow {
 public:
  explicit TileWindow(std::vector<std::int64_t> widths) : m_widths(std::move(widths)) {}

  /// Moves the tile to a lowest corner; returns the part to fetch.
  Box moveTo(const std::vector<std::int64_t>& corner);

 private:
  Box uncovered(const std::vector<std::int64_t>& corner,
                const std::vector<std::int64_t>& stride) const;

  std::vector<std::int64_t> m_widths;
  std::optional<std::vector<std::int64_t>> m_corner;
  std::optional<std::vector<std::int64_t>> m_stride;
};

}  // namespace gridloom::access
