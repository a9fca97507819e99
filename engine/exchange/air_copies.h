// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "exchange/air_conditions.h"
#include "exchange/air_rings.h"
#include "exchange/air_shares.h"

namespace gridloom::exchange {

/// Copies between the slots that a process holds and tensors in global memory.
///
/// One copy brings a whole slot where all its tiles are whole; it has a dimension for every loop
/// inside. Otherwise a loop nest copies tile by tile. Tiles that are smaller at an edge fill the
/// first part of their place in the slot. A gather copies row by row, at the indices that it reads.
/// A ring copies a share row by row; the elements of its tile are contiguous in the slot.
class AirCopies {
 public:
  /// `suffix`: behind the names of tensors.
  AirCopies(AirCode& code, const AirContext& air, CorePlace& place, SlotRings& rings,
            AirConditions& conditions, std::string suffix)
      : m_code(code),
        m_air(air),
        m_place(place),
        m_rings(rings),
        m_conditions(conditions),
        m_shares(code, air, place),
        m_suffix(std::move(suffix)) {}

  void copy(std::size_t process, const schedule::Code& at);

 private:
  /// What is copied: an operand of a buffer, with its slot.
  struct Job {
    std::size_t process = 0;
    const schedule::Buffer& buffer;
    const kernel::Operand& operand;
    bool load = true;
    SlotShape slot;
  };
  void copySlot(const Job& job);
  void copyAtOnce(const Job& job);
  /// Calls `tile(offsets)` in a loop nest over the tiles of the slot; `offsets` are those of the
  /// loops inside.
  template <class Tile> void forTiles(const Job& job, const Tile& tile);
  void copyTile(const Job& job, const std::vector<std::string>& offsets);
  /// A dimension of a gather's tile: a loop, or a dimension of the tensor that no loop of the
  /// indices takes part in.
  struct GatherDim {
    std::size_t number = 0;
    bool isLoop = true;
  };
  static std::vector<GatherDim> gatherDims(const kernel::Operand& operand);
  void gatherTile(const Job& job, const std::vector<std::string>& offsets);
  /// `elements`: an element of every loop of the kernel; `offsets`: where the row is in the slot.
  void gatherRow(const Job& job, const std::vector<std::string>& elements, AirSide slot);
  /// An element of an integer tensor as an index.
  std::string indexAt(const kernel::Access& access, const std::vector<std::string>& elements);
  void copyShare(const Job& job, const schedule::Code& at);
  void copyRows(const Job& job, const AirShares::Share& share,
                const std::vector<std::string>& count);
  void copyRow(const Job& job, const std::string& first, const std::vector<std::string>& place,
               const std::string& elements);
  void copyPartOfRow(const Job& job, const std::string& begins,
                     const std::vector<std::string>& place, const std::string& elements);

  /// The copy itself.
  void dma(const Job& job, const AirSide& tensor, const AirSide& slot);
  std::vector<std::string> tensorStrides(const Job& job);
  std::vector<std::string> slotStrides(const Job& job);
  std::string tensorName(kernel::TensorId tensor) const;
  bool isWhole(const Job& job) const;

  AirCode& m_code;
  const AirContext& m_air;
  CorePlace& m_place;
  SlotRings& m_rings;
  AirConditions& m_conditions;
  AirShares m_shares;
  std::string m_suffix;
};

}  // namespace gridloom::exchange
