// SPDX-License-Identifier: Apache-2.0
#include "affine/linear_expr.h"

#include <algorithm>

namespace gridloom::affine {

LinearExpr LinearExpr::dim(std::size_t d, std::int64_t coefficient) {
  LinearExpr expr;
  expr.coefficients.resize(d + 1);
  expr.coefficients[d] = coefficient;
  return expr;
}

LinearExpr LinearExpr::number(std::int64_t value) { return {{}, value}; }

std::int64_t LinearExpr::evaluate(std::span<const std::int64_t> point) const {
  std::int64_t sum = constant;
  const std::size_t count = std::min(coefficients.size(), point.size());
  for (std::size_t d = 0; d < count; ++d) {
    sum += coefficients[d] * point[d];
  }
  return sum;
}

bool LinearExpr::isConstant() const {
  return std::ranges::all_of(coefficients, [](std::int64_t c) { return c == 0; });
}

bool operator==(const LinearExpr& a, const LinearExpr& b) {
  const std::size_t count = std::max(a.coefficients.size(), b.coefficients.size());
  for (std::size_t d = 0; d < count; ++d) {
    if (a.coefficient(d) != b.coefficient(d)) {
      return false;
    }
  }
  return a.constant == b.constant;
}

LinearExpr operator+(const LinearExpr& a, const LinearExpr& b) {
  LinearExpr sum = a;
  sum.coefficients.resize(std::max(a.coefficients.size(), b.coefficients.size()));
  for (std::size_t d = 0; d < b.coefficients.size(); ++d) {
    sum.coefficients[d] += b.coefficients[d];
  }
  sum.constant += b.constant;
  return sum;
}

LinearExpr operator-(const LinearExpr& a, const LinearExpr& b) { return a + b * -1; }

LinearExpr operator*(const LinearExpr& a, std::int64_t factor) {
  LinearExpr product = a;
  for (std::int64_t& c : product.coefficients) {
    c *= factor;
  }
  product.constant *= factor;
  return product;
}

LinearExpr substituted(const LinearExpr& expr, std::span<const LinearExpr> values) {
  LinearExpr out = LinearExpr::number(expr.constant);
  for (std::size_t d = 0; d < std::min(values.size(), expr.coefficients.size()); ++d) {
    if (expr.coefficients[d] != 0) out = out + values[d] * expr.coefficients[d];
  }
  return out;
}

namespace {

void appendTerm(std::string& out, std::int64_t coefficient, const std::string& name) {
  if (coefficient < 0) {
    out += out.empty() ? "-" : " - ";
  } else if (!out.empty()) {
    out += " + ";
  }
  // Negates as unsigned, so that the most negative number has a magnitude, too.
  const auto raw = static_cast<std::uint64_t>(coefficient);
  const std::uint64_t magnitude = coefficient < 0 ? 0 - raw : raw;
  if (name.empty()) {
    out += std::to_string(magnitude);
  } else if (magnitude == 1) {
    out += name;
  } else {
    out += std::to_string(magnitude) + " * " + name;
  }
}

}  // namespace

std::string toString(const LinearExpr& expr, std::span<const std::string> names) {
  std::string out;
  for (std::size_t d = 0; d < expr.coefficients.size(); ++d) {
    if (expr.coefficients[d] != 0) {
      appendTerm(out, expr.coefficients[d], d < names.size() ? names[d] : "d" + std::to_string(d));
    }
  }
  if (expr.constant != 0 || out.empty()) {
    appendTerm(out, expr.constant, {});
  }
  return out;
}

}  // namespace gridloom::affine
