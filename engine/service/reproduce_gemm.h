// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "service/reproduce_case.h"
#include "service/reproduce_figures.h"

namespace gridloom::service {

/// A quantity by the model and by the simulator.
struct Pair {
  double predicted = 0;
  double simulated = 0;
};

/// The columns of a GEMM's size, for FigureFile.
inline constexpr std::array<FigureColumn, 3> kGemmColumns{{{"M"}, {"N"}, {"K"}}};

/// How many candidates TL profiles, of which it keeps the fastest (paper 000, 3.2).
inline constexpr int kProfiled = 5;

CaseRequest gemmCase(std::string hardware, const FigureFile& file, std::size_t row,
                     std::string directives = "", int top = 1);

/// Rows of bench/reference/tl_gemm_shapes of one family.
struct ShapeFamily {
  FigureFile file;
  std::vector<std::size_t> rows;
};
base::Result<ShapeFamily> openShapes(const std::string& family);

/// TL's baselines on one shape.
struct TemplateCase {
  CaseRequest request;
  CaseResult oneD;           ///< TT-1D in its faster direction
  CaseResult oneDAsWritten;  ///< the smaller input is what every core loads (paper 000, 3.2)
  CaseResult twoD;
  /// Speed of TT-1D in units of TT-2D's.
  Pair oneDOverTwoD() const;
};
base::Result<TemplateCase> runTemplates(CaseRunner& runner, const std::string& hardware,
                                        const FigureFile& file, std::size_t row);

/// How many times faster `a` is than `b`.
Pair speedup(const CaseResult& a, const CaseResult& b);

/// Geometric means.
Pair meanOf(const std::vector<Pair>& pairs);

}  // namespace gridloom::service
