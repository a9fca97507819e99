// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exchange/air_place.h"
#include "schedule/resolved_code.h"

namespace gridloom::exchange {

/// One side of a copy: offsets, sizes and strides in elements; empty lists: all of a memref.
struct AirSide {
  std::vector<std::string> offsets, sizes, strides;
};

/// The tile of an operand that is one region of a tensor, as values.
struct AirRegion {
  std::vector<std::string> from, count;  ///< per dimension of the tensor
  /// Per dimension: elements of the slot before those of the region, where the region of a whole
  /// tile would begin outside of the tensor.
  std::vector<std::string> skipped;
  bool whole = true;  ///< it fills the slot
};

/// Whether a dimension's region is smaller at some tile: at an edge tile or at an edge of a tensor.
bool isCut(const kernel::RegionDim& dim, std::int64_t size, const mapping::Tiling& tiling);

/// Whether all tiles of a slot have one size: those of the loops inside its transfer.
bool isEqualInside(const AirContext& air, const kernel::Operand& operand, const SlotShape& slot);

/// Elements of tiles as values of a herd's region.
class AirShares {
 public:
  AirShares(AirCode& code, const AirContext& air, CorePlace& place)
      : m_code(code), m_air(air), m_place(place) {}

  /// The region of an operand's tile, within the tensor.
  AirRegion regionOf(const kernel::Operand& operand);
  /// Adds a dimension to a region.
  void addDim(AirRegion& region, const kernel::RegionDim& dim, std::int64_t size);
  /// Tiles of a slot along the loops inside its transfer.
  std::vector<std::string> countsOf(const SlotShape& slot);
  std::string product(const std::vector<std::string>& factors);
  /// What is divided into the shares of a slot: its tiles, if all have one size, else all of it.
  /// Places behind the end of a smaller tile then belong to some share, and hold nothing.
  std::vector<std::string> sharedSizes(const kernel::Operand& operand, const SlotShape& slot);

  /// The share of a tile that an instruction moves (schedule/rings.h): its first element and its
  /// number of elements, in the order of the tile's elements. They lie in this order in the slot.
  struct Share {
    std::string first, count;
  };
  Share shareOf(const schedule::Code& at, const std::string& elements);
  AirSide sideOf(const Share& share) {
    return {{share.first}, {share.count}, {m_code.constant(1)}};
  }

 private:
  AirCode& m_code;
  const AirContext& m_air;
  CorePlace& m_place;
};

}  // namespace gridloom::exchange
