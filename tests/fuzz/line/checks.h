// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "line/problem.h"

namespace gridloom::fuzz {

/// One thing that must not be, in words: which check, and what was seen.
struct Failure {
  std::string check;
  std::string seen;
};

/// The whole line on one problem: explore gives the same on one thread and two; every listed
/// mapping verifies, has one prediction whoever asks, is simulated no faster than its bound,
/// computes the interpreter's values, and comes back from its schedule's text with the same cycles.
/// So does every mapping that is listed when an input is to rotate.
/// A problem that the engine refuses with a reason passes.
std::vector<Failure> checkLine(const Inputs& inputs);

/// The first of a ranking by simulation.
struct Best {
  mapping::Mapping mapping;
  double cycles = 0;  ///< simulated
  double predicted = 0;
};
std::optional<Best> bestOf(const Inputs& inputs);

/// Simulated cycles of a mapping on another machine; 0 where it does not fit there.
double cyclesOf(const Inputs& inputs, const mapping::Mapping& mapping);

}  // namespace gridloom::fuzz
