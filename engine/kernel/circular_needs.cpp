// SPDX-License-Identifier: Apache-2.0
#include "kernel/circular_needs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"

namespace gridloom::kernel {

namespace {

class CycleFinder {
 public:
  CycleFinder(const Kernel& kernel, const std::vector<FlowDependence>& flows) : m_kernel(kernel) {
    for (const FlowDependence& flow : flows) {
      if (flow.reader != flow.writer && isSurelyNeeded(flow)) m_needs.push_back(&flow);
    }
  }

  std::vector<SameElementNeed> run() {
    for (const FlowDependence* first : m_needs) {
      if (!findShortest(first) || affine::isEmpty(commonElements())) continue;
      std::vector<SameElementNeed> needs;
      for (const FlowDependence* flow : m_path) needs.push_back({flow->reader, flow->read});
      return needs;
    }
    return {};
  }

 private:
  const Statement& at(StatementId id) const { return m_kernel.statements[id.index()]; }

  // Whether each element of the reader needs the one of the writer that has its indices.
  bool isSurelyNeeded(const FlowDependence& flow) const {
    const Statement& reader = at(flow.reader);
    return reader.reads[flow.read].indices == reader.target.indices && hasLoopPerIndex(reader) &&
           hasLoopPerIndex(at(flow.writer)) && !isChosen(reader, flow.read) &&
           !isInLimitedReduction(reader, flow.read);
  }

  static bool isChosen(const Statement& statement, std::size_t read) {
    return std::ranges::any_of(statement.expr, [&](const ExprNode& node) {
      return node.op == ExprOp::Select &&
             (isBelow(statement, node.rhs, read) || isBelow(statement, node.other, read));
    });
  }

  // A reduction with a limit may be empty: its reads are not needed then.
  static bool isInLimitedReduction(const Statement& statement, std::size_t read) {
    const auto around = enclosingReductions(statement);
    const auto isLimited = [&](LoopId loop) {
      return std::ranges::any_of(statement.constraints, [&](const affine::Constraint& c) {
        return c.expr.dependsOn(loop.index());
      });
    };
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const ExprNode& node = statement.expr[n];
      if (node.op == ExprOp::Read && static_cast<std::size_t>(node.read) == read &&
          std::ranges::any_of(around[n], isLimited))
        return true;
    }
    return false;
  }

  static bool isBelow(const Statement& statement, std::int32_t n, std::size_t read) {
    if (n < 0) return false;
    const ExprNode& node = nodeOf(statement, n);
    if (node.op == ExprOp::Read) return static_cast<std::size_t>(node.read) == read;
    return std::ranges::any_of(node.operands(),
                               [&](std::int32_t o) { return isBelow(statement, o, read); });
  }

  // The fewest needs that begin with one and lead back to its reader.
  bool findShortest(const FlowDependence* first) {
    std::map<std::size_t, const FlowDependence*> reached{{first->writer.index(), first}};
    std::vector<StatementId> open{first->writer};
    for (std::size_t n = 0; n < open.size(); ++n) {
      if (open[n] == first->reader) break;
      for (const FlowDependence* next : m_needs)
        if (next->reader == open[n] && reached.emplace(next->writer.index(), next).second)
          open.push_back(next->writer);
    }
    if (!reached.contains(first->reader.index())) return false;
    m_path.clear();
    StatementId back = first->reader;
    do {
      m_path.push_back(reached.at(back.index()));
      back = m_path.back()->reader;
    } while (back != first->reader);
    std::ranges::reverse(m_path);
    return true;
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
  return CycleFinder(kernel, flows).run();
}

}  // namespace gridloom::kernel
