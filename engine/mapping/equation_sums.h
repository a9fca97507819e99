// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/equation_flow.h"

namespace gridloom::mapping {

/// What the equations of one output say together: where its sum begins (`C(i, j, 0) = 0`), what
/// every point adds (`C(i, j, k) = C(i, j, k - 1) + A(i, j, k) * B(i, j, k)`), which space takes it
/// (`diag.C(i) = tri.C(i, last)`), and where it leaves (`C[i, j] = C(i, j, last)`).
class OutputEquations {
 public:
  OutputEquations(SpaceTable& spaces, const kernel::Operand& operand)
      : m_spaces(spaces), m_operand(operand) {}

  /// An equation with a point on the left.
  void add(const Directive& equation);
  void addResult(const Directive& equation, const TensorElement& element);
  /// The directives that they mean, once all are there.
  void lower(std::vector<Directive>& out);

 private:
  using Loops = std::vector<LoopId>;
  /// An equation, and the loops along which it begins a sum or moves it.
  struct Part {
    const Directive* equation = nullptr;
    const IterationSpace* space = nullptr;
    Loops loops;
  };

  void addInitial(const Directive& equation, const IterationSpace& space);
  void addRecurrence(const Directive& equation, const IterationSpace& space,
                     const PointValue& from);
  void addInterface(const Directive& equation, const IterationSpace& to, const PointValue& from);
  bool isFresh(const Part& part, const Directive& equation, const char* what);
  bool isOwnPoint(const IterationSpace& space, const PointValue& value);
  bool checkFactors(const Directive& equation, const IterationSpace& space);
  bool checkProduct(const Directive& equation, const IterationSpace& space);
  void lowerSum(std::vector<Directive>& out);

  SpaceTable& m_spaces;
  const kernel::Operand& m_operand;
  Part m_initial, m_recurrence, m_interface, m_result;
  std::optional<Directive> m_gather;
};

}  // namespace gridloom::mapping
