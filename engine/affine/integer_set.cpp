// SPDX-License-Identifier: Apache-2.0
#include "affine/integer_set.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

#include "affine/isl_set.h"
#include "affine/reduced_set.h"

namespace gridloom::affine {

namespace {

// The points of a set; isl sees what is left of it where it is no box.
class Points {
 public:
  explicit Points(const IntegerSet& set) : m_reduced(reduced(set)) {
    if (m_reduced.empty == true || m_reduced.set.constraints.empty()) return;
    m_ctx = makeCtx();
    m_set = universe(m_ctx, m_reduced.set.extents.size());
    addDomain(m_set, m_reduced.set);
    if (!m_reduced.empty) m_reduced.empty = isl_set_is_empty(m_set.get()) == isl_bool_true;
  }

  bool areNone() const { return *m_reduced.empty; }

  /// A form of the set's dimensions in the box around what is left of them.
  Bounds boxOf(const LinearExpr& expr) const {
    const LinearExpr form = substituted(expr, m_reduced.values);
    Bounds box{form.constant, form.constant};
    for (std::size_t d = 0; d < m_reduced.set.extents.size(); ++d) {
      const std::int64_t reach = form.coefficient(d) * (m_reduced.set.extents[d] - 1);
      (reach < 0 ? box.min : box.max) += reach;
    }
    return box;
  }

  DependenceDistance::Range rangeOf(const LinearExpr& expr) const {
    const LinearExpr form = substituted(expr, m_reduced.values);
    if (!m_set || form.isConstant()) {
      const Bounds box = boxOf(expr);
      return {box.min, box.max};
    }
    isl_aff* value =
        isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(m_set.get())));
    for (std::size_t d = 0; d < m_reduced.set.extents.size(); ++d) {
      value = isl_aff_set_coefficient_si(value, isl_dim_in, static_cast<int>(d),
                                         static_cast<int>(form.coefficient(d)));
    }
    auto min = number(isl_set_min_val(m_set.get(), value));
    auto max = number(isl_set_max_val(m_set.get(), value));
    isl_aff_free(value);
    if (min) *min += form.constant;
    if (max) *max += form.constant;
    return {min, max};
  }

 private:
  ReducedSet m_reduced;
  Ctx m_ctx;
  Set m_set;  ///< null for a box
};

}  // namespace

bool IntegerSet::contains(std::span<const std::int64_t> point) const {
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (point[d] < 0 || point[d] >= extents[d]) {
      return false;
    }
  }
  return std::ranges::all_of(constraints, [&](const Constraint& c) {
    const std::int64_t value = c.expr.evaluate(point);
    return c.equality ? value == 0 : value >= 0;
  });
}

bool isEmpty(const IntegerSet& set) { return Points(set).areNone(); }

std::optional<Bounds> boundsOf(const IntegerSet& set, const LinearExpr& expr) {
  const Points points(set);
  if (points.areNone()) return std::nullopt;
  const auto [min, max] = points.rangeOf(expr);
  const Bounds box = points.boxOf(expr);
  return Bounds{min.value_or(box.min), max.value_or(box.max)};
}

namespace {

// The same of dimensions that stand behind `others`.
LinearExpr behind(std::size_t others, const LinearExpr& expr) {
  LinearExpr moved = expr;
  moved.coefficients.insert(moved.coefficients.begin(), others, 0);
  return moved;
}

// Pairs of iterations, first those of the writer, that access the same element.
IntegerSet pairsOf(const IntegerSet& writer, std::span<const LinearExpr> write,
                   const IntegerSet& reader, std::span<const LinearExpr> read) {
  const std::size_t loops = writer.extents.size();
  IntegerSet pairs = writer;
  pairs.extents.insert(pairs.extents.end(), reader.extents.begin(), reader.extents.end());
  for (const Constraint& c : reader.constraints) {
    pairs.constraints.push_back({behind(loops, c.expr), c.equality});
  }
  for (std::size_t i = 0; i < write.size(); ++i) {
    pairs.constraints.push_back({write[i] - behind(loops, read[i]), true});
  }
  return pairs;
}

}  // namespace

DependenceDistance dependence(const IntegerSet& writerDomain, std::span<const LinearExpr> write,
                              const IntegerSet& readerDomain, std::span<const LinearExpr> read) {
  DependenceDistance result;
  const std::size_t loops = writerDomain.extents.size();
  result.perLoop.resize(loops);
  const Points pairs(pairsOf(writerDomain, write, readerDomain, read));
  result.exists = !pairs.areNone();
  for (std::size_t d = 0; d < loops && result.exists; ++d) {
    result.perLoop[d] = pairs.rangeOf(LinearExpr::dim(loops + d) - LinearExpr::dim(d));
  }
  return result;
}

}  // namespace gridloom::affine
