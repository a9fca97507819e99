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

using affine::Constraint;
using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

// What is read from several neighbours is computed that many times.
constexpr int kMostInlined = 16;
constexpr std::size_t kMostInlinedNodes = 200;

bool isSameRead(const FlowDependence& a, const FlowDependence& b) {
  return a.reader == b.reader && a.read == b.read;
}

// Whether a loop that writer and reader share puts the element into an earlier step.
bool isEarlier(const FlowDependence& flow) {
  return std::ranges::any_of(flow.shared, [&](LoopId loop) {
    return flow.distance.perLoop[loop.index()].min.value_or(-1) >= 1;
  });
}

bool isLater(const FlowDependence& flow) {
  return std::ranges::any_of(flow.shared, [&](LoopId loop) {
    return flow.distance.perLoop[loop.index()].max.value_or(0) < 0;
  });
}

// Appends the value of an affine expression of loops.
std::int32_t addLinear(Nodes& nodes, const LinearExpr& expr) {
  std::int32_t total = -1;
  const auto add = [&](std::int32_t term) {
    total = total < 0 ? term : addNode(nodes, ExprOp::Add, total, term);
  };
  const auto number = [&](std::int64_t value) {
    const std::int32_t place = addNode(nodes, ExprOp::Constant);
    nodes.back().constant = static_cast<double>(value);
    return place;
  };
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (!expr.dependsOn(l)) continue;
    const std::int32_t loop = addNode(nodes, ExprOp::Index);
    nodes.back().loop = LoopId::of(l);
    const std::int64_t factor = expr.coefficients[l];
    add(factor == 1 ? loop : addNode(nodes, ExprOp::Mul, loop, number(factor)));
  }
  if (expr.constant != 0 || total < 0) add(number(expr.constant));
  return total;
}

/// What one statement computes, at the element that another one reads.
class WriterAt {
 public:
  WriterAt(const Kernel& kernel, const Statement& writer, const Access& read) : m_writer(&writer) {
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) m_values.push_back(LinearExpr::dim(l));
    const std::vector<LinearExpr>& target = writer.target.indices;
    for (std::size_t d = 0; d < target.size(); ++d) {
      if (target[d].isConstant()) {
        m_limits.push_back({read.indices[d] - target[d], true});
        continue;
      }
      for (std::size_t l = 0; l < m_values.size(); ++l) {
        if (!target[d].dependsOn(l)) continue;
        m_values[l] = read.indices[d];
        m_limits.push_back({m_values[l], false});
        const LinearExpr last = LinearExpr::number(kernel.loops[l].extent - 1);
        m_limits.push_back({last - m_values[l], false});
      }
    }
    for (const Constraint& limit : writer.constraints)
      m_limits.push_back({affine::substituted(limit.expr, m_values), limit.equality});
  }

  /// Leaves out limits that hold wherever the element is read.
  void dropImplied(const affine::IntegerSet& domain) {
    std::erase_if(m_limits, [&](const Constraint& limit) {
      const auto bounds = affine::boundsOf(domain, limit.expr);
      return bounds && bounds->min >= 0 && (!limit.equality || bounds->max == 0);
    });
  }

  bool isLimited() const { return !m_limits.empty(); }

  std::int32_t addValue(Nodes& nodes, std::vector<Access>& reads) const {
    const auto begin = static_cast<std::int32_t>(nodes.size());
    std::vector<std::int32_t> placeOf;
    for (ExprNode node : m_writer->expr) {
      for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
        if (*operand >= 0) *operand = placeOf[static_cast<std::size_t>(*operand)];
      }
      if (node.op == ExprOp::Index) {
        placeOf.push_back(addLinear(nodes, m_values[node.loop.index()]));
        continue;
      }
      if (node.op == ExprOp::Read) {
        const Access& access = m_writer->reads[static_cast<std::size_t>(node.read)];
        node.read = static_cast<std::int32_t>(reads.size());
        reads.push_back(withLoopsAt(access, m_values));
      }
      placeOf.push_back(addNode(nodes, std::move(node)));
    }
    return placeOf.empty() ? begin : placeOf.back();
  }

  std::int32_t addCondition(Nodes& nodes) const {
    std::int32_t all = -1;
    for (const Constraint& limit : m_limits) {
      const std::int32_t value = addLinear(nodes, limit.expr);
      const std::int32_t zero = addNode(nodes, ExprOp::Constant);
      const ExprOp op = limit.equality ? ExprOp::Equal : ExprOp::GreaterEqual;
      const std::int32_t one = addNode(nodes, op, value, zero);
      all = all < 0 ? one : addNode(nodes, ExprOp::And, all, one);
    }
    return all;
  }

 private:
  const Statement* m_writer;
  std::vector<LinearExpr> m_values;  ///< per loop of the writer: the index that is read
  std::vector<Constraint> m_limits;  ///< where the writer defines the element
};

/// Puts what statements compute into the place of a read of it: a choice, if there are several.
void inlineWriters(const std::vector<WriterAt>& writers, Statement& reader, std::size_t read) {
  const auto gone = static_cast<std::int32_t>(read);
  rebuildExpression(reader, [&](ExprNode node, Nodes& nodes) {
    if (node.op != ExprOp::Read || node.read != gone) return addNode(nodes, std::move(node));
    std::int32_t value = writers.back().addValue(nodes, reader.reads);
    for (std::size_t w = writers.size() - 1; w-- > 0;) {
      const std::int32_t chosen = writers[w].addValue(nodes, reader.reads);
      const std::int32_t condition = writers[w].addCondition(nodes);
      value = addNode(nodes, ExprOp::Select, condition, chosen, value);
    }
    return value;
  });
  reader.reads.erase(reader.reads.begin() + gone);
  for (ExprNode& node : reader.expr) {
    if (node.op == ExprOp::Read && node.read > gone) --node.read;
  }
}

// Whether a statement gives one element at a time: every index of its target is a number, or
// another loop.
bool isElementwise(const Statement& statement) {
  const std::vector<LinearExpr>& indices = statement.target.indices;
  std::vector<LoopId> loops;
  const bool isPlain = std::ranges::all_of(indices, [&](const LinearExpr& index) {
    if (index.isConstant()) return true;
    const auto at = std::ranges::find(index.coefficients, 1);
    loops.push_back(LoopId::of(static_cast<std::size_t>(at - index.coefficients.begin())));
    return isBareLoop(index) && std::ranges::count(loops, loops.back()) == 1;
  });
  return isPlain && statement.reductions.empty();
}

class NeighbourInliner {
 public:
  explicit NeighbourInliner(const Kernel& kernel) : m_draft(kernel) {}

  std::optional<Kernel> run() {
    int inlined = 0;
    while (const auto flow = nextFlow()) {
      Statement& reader = m_draft.statements[flow->reader.index()];
      // Writers are read while the reader changes.
      const std::vector<Statement> statements = m_draft.statements;
      const std::vector<WriterAt> writers = writersOf(*flow, statements);
      if (++inlined > kMostInlined) return std::nullopt;
      inlineWriters(writers, reader, flow->read);
      if (reader.expr.size() > kMostInlinedNodes) return std::nullopt;
      base::Diagnostics errors;
      takeScope(m_draft, reader, errors);
    }
    return inlined > 0 ? std::optional(std::move(m_draft)) : std::nullopt;
  }

 private:
  // The next read of a later neighbour that only elementwise statements define.
  std::optional<FlowDependence> nextFlow() {
    m_flows = flowDependences(m_draft);
    const auto found = std::ranges::find_if(m_flows, [&](const FlowDependence& flow) {
      return isLater(flow) && std::ranges::all_of(m_flows, [&](const FlowDependence& other) {
               return !isSameRead(flow, other) || (!isEarlier(other) && mayBeInlined(other));
             });
    });
    return found == m_flows.end() ? std::nullopt : std::optional(*found);
  }

  bool mayBeInlined(const FlowDependence& flow) const {
    const Statement& writer = m_draft.statements[flow.writer.index()];
    return flow.writer != flow.reader && !m_draft.tensor(writer.target.tensor).initial &&
           isElementwise(writer);
  }

  // Those with limits first: the last one defines what is left.
  std::vector<WriterAt> writersOf(const FlowDependence& flow,
                                  const std::vector<Statement>& statements) const {
    const Statement& reader = statements[flow.reader.index()];
    const affine::IntegerSet domain = readDomain(m_draft, reader, flow.read);
    std::vector<WriterAt> writers;
    for (const FlowDependence& each : m_flows) {
      if (!isSameRead(each, flow)) continue;
      writers.emplace_back(m_draft, statements[each.writer.index()], reader.reads[flow.read]);
      writers.back().dropImplied(domain);
    }
    std::ranges::stable_partition(writers, &WriterAt::isLimited);
    return writers;
  }

  Kernel m_draft;
  std::vector<FlowDependence> m_flows;  ///< of the draft
};

}  // namespace

std::optional<Kernel> withInlinedNeighbours(const Kernel& kernel) {
  return NeighbourInliner(kernel).run();
}

}  // namespace gridloom::kernel
