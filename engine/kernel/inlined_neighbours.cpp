// SPDX-License-Identifier: Apache-2.0
#include "kernel/inlined_neighbours.h"

#include <algorithm>
#include <utility>

#include "kernel/dependences.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

// What is read from several neighbours is computed that many times.
constexpr int kMostInlined = 16;
constexpr std::size_t kMostNodes = 200;

bool isSameRead(const FlowDependence& a, const FlowDependence& b) {
  return a.reader == b.reader && a.read == b.read;
}

// Whether the reader needs a later neighbour, which no loop puts into an earlier step.
bool needsLater(const FlowDependence& flow) {
  const auto rangeOf = [&](LoopId loop) { return flow.distance.perLoop[loop.index()]; };
  const auto isEarlier = [&](LoopId loop) { return rangeOf(loop).min.value_or(-1) >= 1; };
  const auto isLater = [&](LoopId loop) { return rangeOf(loop).max.value_or(0) < 0; };
  return std::ranges::none_of(flow.shared, isEarlier) && std::ranges::any_of(flow.shared, isLater);
}

/// Puts what a statement computes into the place of a read of it.
class Inlining {
 public:
  Inlining(const Kernel& kernel, const Statement& writer, const Access& read) : m_writer(writer) {
    const std::vector<LoopId> loops = loopPerIndex(writer.target);
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) m_values.push_back(LinearExpr::dim(l));
    for (std::size_t d = 0; d < loops.size(); ++d) m_values[loops[d].index()] = read.indices[d];
  }

  void run(Statement& reader, std::size_t read) {
    const auto gone = static_cast<std::int32_t>(read);
    const auto first = static_cast<std::int32_t>(reader.reads.size());
    for (const Access& access : m_writer.reads)
      reader.reads.push_back(withLoopsAt(access, m_values));
    rebuildExpression(reader, [&](ExprNode node, Nodes& nodes) {
      if (node.op != ExprOp::Read || node.read != gone) return addNode(nodes, std::move(node));
      return addWriter(nodes, first);
    });
    reader.reads.erase(reader.reads.begin() + gone);
    for (ExprNode& node : reader.expr) {
      if (node.op == ExprOp::Read && node.read > gone) --node.read;
    }
  }

 private:
  std::int32_t addWriter(Nodes& nodes, std::int32_t firstRead) const {
    const auto begin = static_cast<std::int32_t>(nodes.size());
    for (ExprNode node : m_writer.expr) {
      for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
        if (*operand >= 0) *operand += begin;
      }
      if (node.op == ExprOp::Read) node.read += firstRead;
      nodes.push_back(std::move(node));
    }
    return static_cast<std::int32_t>(nodes.size()) - 1;
  }

  const Statement& m_writer;
  std::vector<LinearExpr> m_values;  ///< per loop of the writer: the index that is read
};

// Whether a statement gives one element at a time, whatever its loops are called.
bool isElementwise(const Statement& statement) {
  return statement.reductions.empty() && hasLoopPerIndex(statement) &&
         std::ranges::none_of(statement.expr,
                              [](const ExprNode& node) { return node.op == ExprOp::Index; });
}

class NeighbourInliner {
 public:
  explicit NeighbourInliner(const Kernel& kernel) : m_draft(kernel) {}

  std::optional<Kernel> run() {
    int inlined = 0;
    while (const auto flow = nextFlow()) {
      Statement& reader = m_draft.statements[flow->reader.index()];
      const Statement writer = m_draft.statements[flow->writer.index()];
      if (++inlined > kMostInlined || reader.expr.size() + writer.expr.size() > kMostNodes)
        return std::nullopt;
      const Access read = reader.reads[flow->read];
      Inlining(m_draft, writer, read).run(reader, flow->read);
      base::Diagnostics errors;
      takeScope(m_draft, reader, errors);
    }
    return inlined > 0 ? std::optional(std::move(m_draft)) : std::nullopt;
  }

 private:
  std::optional<FlowDependence> nextFlow() const {
    const std::vector<FlowDependence> flows = flowDependences(m_draft);
    const auto found = std::ranges::find_if(flows, [&](const FlowDependence& flow) {
      const Tensor& tensor = m_draft.tensor(m_draft.statements[flow.writer.index()].target.tensor);
      const auto isIts = [&](const FlowDependence& other) { return isSameRead(flow, other); };
      return flow.writer != flow.reader && needsLater(flow) && !tensor.initial &&
             isElementwise(m_draft.statements[flow.writer.index()]) &&
             std::ranges::count_if(flows, isIts) == 1;
    });
    return found == flows.end() ? std::nullopt : std::optional(*found);
  }

  Kernel m_draft;
};

}  // namespace

std::optional<Kernel> withInlinedNeighbours(const Kernel& kernel) {
  return NeighbourInliner(kernel).run();
}

}  // namespace gridloom::kernel
