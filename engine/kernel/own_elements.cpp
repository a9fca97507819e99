// SPDX-License-Identifier: Apache-2.0
#include "kernel/own_elements.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/read_pieces.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::Image;
using affine::LinearExpr;

/// Elements of a tensor that an element of the first one needs.
struct Needed {
  TensorId tensor;
  Image elements;
  int steps = 0;  ///< statements on the way to them
};

LinearExpr shifted(const LinearExpr& expr, std::size_t dims) {
  LinearExpr out = LinearExpr::number(expr.constant);
  for (std::size_t d = 0; d < expr.coefficients.size(); ++d) {
    if (expr.coefficient(d) != 0) out = out + LinearExpr::dim(dims + d, expr.coefficient(d));
  }
  return out;
}

class NeedWalk {
 public:
  NeedWalk(const Kernel& kernel, TensorId tensor)
      : m_kernel(kernel), m_tensor(tensor), m_cycles(kernel) {}

  bool run() {
    if (!m_cycles.isBetween(m_tensor, m_tensor)) return false;
    for (const Statement& statement : m_kernel.statements) {
      if (statement.target.tensor == m_tensor) addReads(statement, {{}, {}}, 1);
    }
    for (std::size_t n = 0; n < m_needed.size(); ++n) {
      const Needed needed = m_needed[n];
      if (needed.steps > kMostSteps || n > kMostSets) return true;
      if (needed.tensor == m_tensor && isDefined(needed.elements)) return true;
      if (needed.tensor != m_tensor) addWriters(needed);
    }
    return false;
  }

 private:
  static constexpr int kMostSteps = 4;
  static constexpr std::size_t kMostSets = 32;

  // Whether statements define one of the elements, or it takes too long to find out.
  bool isDefined(const Image& elements) const {
    return std::ranges::any_of(definitionsOf(m_kernel, m_tensor), [&](const Image& defined) {
      const affine::FoundElement shared = affine::sharedElement(elements, defined);
      return shared.element || shared.gaveUp;
    });
  }

  void addWriters(const Needed& needed) {
    for (const Statement& statement : m_kernel.statements) {
      if (statement.target.tensor == needed.tensor) {
        addReads(statement, needed.elements, needed.steps + 1);
      }
    }
  }

  // What the statement reads where it defines the elements; everywhere, if these have no indices.
  void addReads(const Statement& statement, const Image& elements, int steps) {
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      const Access& read = statement.reads[r];
      if (!m_cycles.isBetween(read.tensor, m_tensor)) continue;
      for (const affine::IntegerSet& piece : readPieces(m_kernel, statement, r)) {
        Image reached = joined(elements, piece, statement.target.indices);
        const std::size_t before = elements.domain.extents.size();
        reached.indices.clear();
        for (const LinearExpr& index : read.indices) {
          reached.indices.push_back(shifted(index, before));
        }
        if (affine::isEmpty(reached.domain)) continue;
        m_needed.push_back({read.tensor, std::move(reached), steps});
      }
    }
  }

  // The points of `elements` and of `piece` at which the statement defines the element.
  static Image joined(const Image& elements, const affine::IntegerSet& piece,
                      const std::vector<LinearExpr>& target) {
    Image out = elements;
    const std::size_t before = elements.domain.extents.size();
    std::vector<std::int64_t>& extents = out.domain.extents;
    extents.insert(extents.end(), piece.extents.begin(), piece.extents.end());
    for (const affine::Constraint& c : piece.constraints) {
      out.domain.constraints.push_back({shifted(c.expr, before), c.equality});
    }
    for (std::size_t d = 0; d < elements.indices.size(); ++d) {
      out.domain.constraints.push_back({elements.indices[d] - shifted(target[d], before), true});
    }
    return out;
  }

  const Kernel& m_kernel;
  TensorId m_tensor;
  TensorCycles m_cycles;
  std::vector<Needed> m_needed;
};

}  // namespace

bool needsOwnElements(const Kernel& kernel, TensorId tensor) {
  return NeedWalk(kernel, tensor).run();
}

}  // namespace gridloom::kernel
