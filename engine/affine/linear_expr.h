// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridloom::affine {

/// constant + sum over d of coefficients[d] * x[d]. Dimensions past the end have coefficient 0.
struct LinearExpr {
  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;

  static LinearExpr dim(std::size_t d, std::int64_t coefficient = 1);
  static LinearExpr number(std::int64_t value);

  std::int64_t coefficient(std::size_t d) const {
    return d < coefficients.size() ? coefficients[d] : 0;
  }
  std::int64_t evaluate(std::span<const std::int64_t> point) const;
  bool dependsOn(std::size_t d) const { return coefficient(d) != 0; }
  bool isConstant() const;

  friend bool operator==(const LinearExpr& a, const LinearExpr& b);
};

LinearExpr operator+(const LinearExpr& a, const LinearExpr& b);
LinearExpr operator-(const LinearExpr& a, const LinearExpr& b);
LinearExpr operator*(const LinearExpr& a, std::int64_t factor);
/// `expr` with `values[d]` in the place of its dimension d.
LinearExpr substituted(const LinearExpr& expr, std::span<const LinearExpr> values);

/// `2 * i + j - 1`, with the given dimension names.
std::string toString(const LinearExpr& expr, std::span<const std::string> names);

}  // namespace gridloom::affine
