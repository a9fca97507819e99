// SPDX-License-Identifier: Apache-2.0
#include "affine/affine_map.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/units.h"

namespace gridloom::affine {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

// Sums and products saturate. A map result beyond 64 bits is out of every range that is checked,
// and must not wrap into one.
std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? Limits::min() : Limits::max();
}

std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? Limits::max() : Limits::min();
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
std::int64_t floorMod(std::int64_t a, std::int64_t b) { return a % b < 0 ? a % b + b : a % b; }

std::int64_t apply(AffineOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
  case AffineOp::Add:
    return saturatingAdd(a, b);
  case AffineOp::Mul:
    return saturatingMul(a, b);
  case AffineOp::Mod:
    return b > 0 ? floorMod(a, b) : 0;
  case AffineOp::FloorDiv:
    return b > 0 ? base::floorDiv(a, b) : 0;
  case AffineOp::CeilDiv:
    return b > 0 ? ceilDivide(a, b) : 0;
  case AffineOp::Constant:
  case AffineOp::Dim:
    break;
  }
  return 0;
}

std::int64_t evaluateNodes(const std::vector<AffineExpr::Node>& nodes,
                           std::span<const std::int64_t> dims, std::span<std::int64_t> values) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const AffineExpr::Node& node = nodes[i];
    if (node.op == AffineOp::Constant) {
      values[i] = node.value;
    } else if (node.op == AffineOp::Dim) {
      values[i] = dims[static_cast<std::size_t>(node.value)];
    } else {
      values[i] = apply(node.op, values[static_cast<std::size_t>(node.lhs)],
                        values[static_cast<std::size_t>(node.rhs)]);
    }
  }
  return values[nodes.size() - 1];
}

int precedence(AffineOp op) {
  switch (op) {
  case AffineOp::Add:
    return 1;
  case AffineOp::Mul:
  case AffineOp::Mod:
  case AffineOp::FloorDiv:
  case AffineOp::CeilDiv:
    return 2;
  case AffineOp::Constant:
  case AffineOp::Dim:
    break;
  }
  return 3;
}

const char* spelling(AffineOp op) {
  switch (op) {
  case AffineOp::Add:
    return " + ";
  case AffineOp::Mul:
    return " * ";
  case AffineOp::Mod:
    return " mod ";
  case AffineOp::FloorDiv:
    return " floordiv ";
  case AffineOp::CeilDiv:
    return " ceildiv ";
  case AffineOp::Constant:
  case AffineOp::Dim:
    break;
  }
  return "";
}

std::string parenthesised(const std::string& text, bool wanted) {
  return wanted ? "(" + text + ")" : text;
}

}  // namespace

AffineExpr AffineExpr::constant(std::int64_t value) {
  return AffineExpr{{{AffineOp::Constant, value, -1, -1}}};
}

AffineExpr AffineExpr::dim(std::int64_t d) { return AffineExpr{{{AffineOp::Dim, d, -1, -1}}}; }

AffineExpr AffineExpr::binary(AffineOp op, const AffineExpr& lhs, const AffineExpr& rhs) {
  AffineExpr result = lhs;
  const auto offset = static_cast<std::int32_t>(lhs.nodes.size());
  for (Node node : rhs.nodes) {
    if (node.lhs >= 0) node.lhs += offset;
    if (node.rhs >= 0) node.rhs += offset;
    result.nodes.push_back(node);
  }
  const auto rhsRoot = static_cast<std::int32_t>(result.nodes.size()) - 1;
  result.nodes.push_back({op, 0, offset - 1, rhsRoot});
  return result;
}

std::int64_t AffineExpr::evaluate(std::span<const std::int64_t> dims) const {
  if (nodes.empty()) return 0;
  std::array<std::int64_t, 32> few;
  if (nodes.size() <= few.size()) return evaluateNodes(nodes, dims, few);
  std::vector<std::int64_t> many(nodes.size());
  return evaluateNodes(nodes, dims, many);
}

std::int64_t AffineExpr::maxDim() const {
  std::int64_t highest = -1;
  for (const Node& node : nodes) {
    if (node.op == AffineOp::Dim) highest = std::max(highest, node.value);
  }
  return highest;
}

void AffineMap::evaluate(std::span<const std::int64_t> dims, std::span<std::int64_t> out) const {
  for (std::size_t i = 0; i < results.size(); ++i) out[i] = results[i].evaluate(dims);
}

std::string toString(const AffineExpr& expr) {
  std::vector<std::string> texts;
  texts.reserve(expr.nodes.size());
  for (const AffineExpr::Node& node : expr.nodes) {
    if (node.op == AffineOp::Constant) {
      texts.push_back(std::to_string(node.value));
    } else if (node.op == AffineOp::Dim) {
      texts.push_back("d" + std::to_string(node.value));
    } else {
      const auto lhs = static_cast<std::size_t>(node.lhs);
      const auto rhs = static_cast<std::size_t>(node.rhs);
      const int own = precedence(node.op);
      const std::string left = parenthesised(texts[lhs], precedence(expr.nodes[lhs].op) < own);
      const std::string right = parenthesised(texts[rhs], precedence(expr.nodes[rhs].op) <= own);
      const bool minus = node.op == AffineOp::Add && right.front() == '-';
      texts.push_back(minus ? left + " - " + right.substr(1) : left + spelling(node.op) + right);
    }
  }
  return texts.empty() ? "0" : texts.back();
}

std::string toString(const AffineMap& map) {
  std::string text = "affine_map<(";
  for (std::int64_t d = 0; d < map.numDims; ++d) {
    text += (d == 0 ? "d" : ", d") + std::to_string(d);
  }
  text += ") -> (";
  for (std::size_t i = 0; i < map.results.size(); ++i) {
    if (i != 0) text += ", ";
    text += toString(map.results[i]);
  }
  return text + ")>";
}

}  // namespace gridloom::affine
