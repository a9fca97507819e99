// SPDX-License-Identifier: Apache-2.0
#include "kernel/circular_needs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernel/renumbered_loops.h"

namespace gridloom::kernel {

namespace {

class CircleFinder {
 public:
  CircleFinder(const Kernel& kernel, const std::vector<FlowDependence>& flows) : m_kernel(kernel) {
    for (const FlowDependence& flow : flows) {
      if (flow.reader != flow.writer && isSurelyNeeded(flow)) m_needs.push_back(&flow);
    }
  }

  std::vector<SameElementNeed> run() {
    for (std::size_t length = 2; length <= m_needs.size(); ++length) {
      for (const FlowDependence* first : m_needs) {
        m_path = {first};
        if (!extend(length)) continue;
        std::vector<SameElementNeed> needs;
        for (const FlowDependence* flow : m_path) needs.push_back({flow->reader, flow->read});
        return needs;
      }
    }
    return {};
  }

 private:
  const Statement& at(StatementId id) const { return m_kernel.statements[id.index()]; }

  // Whether each element of the reader needs the one of the writer that has its indices.
  bool isSurelyNeeded(const FlowDependence& flow) const {
    const Statement& reader = at(flow.reader);
    return reader.reads[flow.read].indices == reader.target.indices && hasLoopPerIndex(reader) &&
           hasLoopPerIndex(at(flow.writer)) && !isChosen(reader, flow.read);
  }

  static bool isChosen(const Statement& statement, std::size_t read) {
    return std::ranges::any_of(statement.expr, [&](const ExprNode& node) {
      return node.op == ExprOp::Select &&
             (isBelow(statement, node.rhs, read) || isBelow(statement, node.other, read));
    });
  }

  static bool isBelow(const Statement& statement, std::int32_t n, std::size_t read) {
    if (n < 0) return false;
    const ExprNode& node = nodeOf(statement, n);
    if (node.op == ExprOp::Read) return static_cast<std::size_t>(node.read) == read;
    return std::ranges::any_of(node.operands(),
                               [&](std::int32_t o) { return isBelow(statement, o, read); });
  }

  bool extend(std::size_t length) {
    const StatementId last = m_path.back()->writer;
    if (m_path.size() == length) {
      return last == m_path.front()->reader && !affine::isEmpty(commonElements());
    }
    for (const FlowDependence* next : m_needs) {
      const auto isIn = [&](const FlowDependence* f) { return f->reader == next->reader; };
      if (next->reader != last || std::ranges::any_of(m_path, isIn)) continue;
      m_path.push_back(next);
      if (extend(length)) return true;
      m_path.pop_back();
    }
    return false;
  }

  // The indices at which all statements of the path define an element, as those of the first.
  affine::IntegerSet commonElements() const {
    const Statement& first = at(m_path.front()->reader);
    const std::vector<LoopId> loops = loopPerIndex(first.target);
    affine::IntegerSet common = targetDomainOf(m_kernel, first);
    for (const FlowDependence* flow : m_path) {
      const std::vector<LoopId> theirs = loopPerIndex(at(flow->reader).target);
      for (std::size_t d = 0; d < loops.size(); ++d) {
        std::int64_t& extent = common.extents[loops[d].index()];
        extent = std::min(extent, m_kernel.loop(theirs[d]).extent);
      }
      for (affine::Constraint bound : targetDomainOf(m_kernel, at(flow->reader)).constraints) {
        bound.expr = renumbered(bound.expr, [&](LoopId loop) {
          const auto at = std::ranges::find(theirs, loop) - theirs.begin();
          return at < std::ssize(loops) ? loops[static_cast<std::size_t>(at)] : loop;
        });
        common.constraints.push_back(std::move(bound));
      }
    }
    return common;
  }

  const Kernel& m_kernel;
  std::vector<const FlowDependence*> m_needs;
  std::vector<const FlowDependence*> m_path;
};

}  // namespace

std::vector<SameElementNeed> circularNeeds(const Kernel& kernel,
                                           const std::vector<FlowDependence>& flows) {
  return CircleFinder(kernel, flows).run();
}

}  // namespace gridloom::kernel
