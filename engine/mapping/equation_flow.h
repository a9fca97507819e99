// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/message_limit.h"
#include "mapping/constraints.h"

namespace gridloom::mapping {

/// A logical iteration space with its loops resolved.
struct IterationSpace {
  std::string name;
  std::vector<LoopId> loops;
  base::Span span;
};

/// The point that an equation is about. Only where it is none of memory.
inline const PointValue& leftOf(const Directive& equation) {
  return std::get<PointValue>(equation.equation->left);
}

/// The iteration spaces of a text and what their loops lie on.
class SpaceTable {
 public:
  SpaceTable(const Directives& directives, const kernel::Kernel& kernel,
             const kernel::TileNest& nest, const hardware::Topology& hw, base::Diagnostics& errors)
      : m_directives(directives), m_kernel(kernel), m_nest(nest), m_hw(hw), m_errors(errors) {}

  /// Reads a map; the placements that are new become directives.
  void add(const Directive& map, std::vector<Directive>& out);
  /// `space(->d)` for every dimension that no map names.
  void leaveUnused(std::vector<Directive>& out) const;
  bool empty() const { return m_spaces.empty(); }

  /// The space of a value; null after a report. Its coordinates are then one per loop of the
  /// space, and `Same`, `Before` and `After` name the loop of their position.
  const IterationSpace* spaceOf(const PointValue& value);
  /// The space alone, with as many coordinates, whatever they name.
  const IterationSpace* spaceNamed(const PointValue& value);
  bool isPlaced(LoopId loop) const { return m_dims.contains(loop); }
  const std::vector<std::string>& dimsOf(LoopId loop) const { return m_dims.at(loop); }
  std::optional<LoopId> loopNamed(const std::string& name) const;
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  /// "(i, j - 1, k)" with some coordinates replaced, for help lines.
  std::string pointText(const IterationSpace& space, const PointValue& value,
                        const std::map<LoopId, std::string>& changed) const;

  void fail(base::Span span, std::string message, std::string hint = {});
  const kernel::Kernel& kernel() const { return m_kernel; }
  const kernel::TileNest& nest() const { return m_nest; }
  const Directives& directives() const { return m_directives; }

  /// "A[i, k]": where an operand's tile begins.
  std::string accessText(const kernel::Operand& operand) const;
  /// Reports an operand that one point has with several offsets (`U[i - 1]` and `U[i + 1]`), or
  /// from other tiles than the one of its own coordinates: a point is a tile, not an element.
  bool checkOffsets(const Directive& equation, const kernel::Operand& operand);
  /// Reports an element that is not the one of the operand.
  bool checkElement(const TensorElement& element, const kernel::Operand& operand);

 private:
  std::string indexText(const kernel::RegionDim& dim) const;

  const Directives& m_directives;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  base::Diagnostics& m_errors;
  std::vector<IterationSpace> m_spaces;
  std::map<LoopId, std::vector<std::string>> m_dims;
};

/// What the equations of one input say together.
class InputEquations {
 public:
  InputEquations(SpaceTable& spaces, const kernel::Operand& operand)
      : m_spaces(spaces), m_operand(operand) {}

  void add(const Directive& equation);
  /// The directives that they mean, once all are there.
  void lower(std::vector<Directive>& out);

 private:
  void addMove(const Directive& equation, const IterationSpace& space, const PointValue& from);
  void addProduced(const Directive& equation, const IterationSpace& space, const PointValue& from);
  std::map<LoopId, std::string> makingPoint() const;
  bool isComplete() const;
  void lowerKept(std::vector<Directive>& out) const;
  void lowerMoved(std::vector<Directive>& out) const;

  /// A value comes from another point along a loop.
  struct Move {
    const Directive* equation;
    LoopId loop;
    bool fromFirst;  ///< from the first point, else from the one before
  };
  SpaceTable& m_spaces;
  const kernel::Operand& m_operand;
  const Directive* m_load = nullptr;
  const IterationSpace* m_space = nullptr;
  std::vector<LoopId> m_firsts;  ///< loops at whose first point memory is read
  std::vector<Move> m_moves;
  /// Equations at the first point of a loop alone: another one moves the value along this loop.
  std::vector<Move> m_borders;
  const Directive* m_produced = nullptr;
};

}  // namespace gridloom::mapping
