// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mapping/known_dependences.h"
#include "mapping/space.h"

namespace gridloom::mapping {

/// Finds the mappings of a space that differ from one in a single choice.
class Neighbours {
 public:
  /// `axes`: of the same kernel, machine and constraints (makeAxes). All must outlive it.
  Neighbours(const kernel::Kernel& kernel, const kernel::TileNest& nest,
             const hardware::Topology& hw, const Axes& axes, const Constraints& constraints)
      : m_kernel(kernel),
        m_nest(nest),
        m_hw(hw),
        m_axes(axes),
        m_constraints(constraints),
        m_dependences(nest) {}

  /// In a fixed order, those that differ in
  /// - the movement of one operand, or the topology of one all-reduce;
  /// - the tile size of one loop, and of loops tied to it;
  /// - the order of two loops that follow each other in time;
  /// - the loop of one mesh dimension, or the tiling order of the dimensions.
  /// Where such a choice makes another one illegal, that takes its legal value nearest to the one
  /// before: a transfer keeps its kind, and as many loops inside it. Each is legal (checkMapping),
  /// fits into the memories, is admitted by the constraints, and appears once.
  std::vector<Mapping> of(const Mapping& mapping);

 private:
  class Search;

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const Axes& m_axes;
  const Constraints& m_constraints;
  KnownDependences m_dependences;
};

}  // namespace gridloom::mapping
