// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// The constraints on one operand; null where there are none.
template <class Constraint>
const Constraint* constraintOn(const std::map<int, Constraint>& all, std::size_t operand) {
  const auto at = all.find(static_cast<int>(operand));
  return at == all.end() ? nullptr : &at->second;
}

/// Whether the nearest-channel layout can help a tensor with one window: the busiest channel serves
/// at most twice its even share of the cores that load (store), those at coordinate 0 along
/// `sharing`.
bool nearestMayHelp(const kernel::TileNest& nest, kernel::TensorId tensor, const Mapping& mapping,
                    const hardware::Topology& hw, DimMask sharing, bool write);

/// The layouts that the search offers: the one that a directive names, or page-interleaved and,
/// where it may help, nearest-channel.
template <class Constraint>
std::vector<TensorLayout> layoutOptions(const Constraint* wanted, bool nearestHelps) {
  if (wanted && wanted->layout) return {*wanted->layout};
  if (nearestHelps) return {TensorLayout::PageInterleaved, TensorLayout::NearestChannel};
  return {TensorLayout::PageInterleaved};
}

/// An operand whose tensor has another layout in a former operand; null: there is none. A tensor
/// has one layout for all its windows.
const kernel::Operand* operandOfOtherLayout(const kernel::TileNest& nest, const Mapping& mapping);

}  // namespace gridloom::mapping
