// SPDX-License-Identifier: Apache-2.0
#include "kernel/inlined_neighbours.h"

#include <algorithm>
#include <utility>

#include "kernel/dependences.h"
#include "kernel/inlined_writers.h"
#include "kernel/scopes.h"

namespace gridloom::kernel {

namespace {

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
           isOneElement(writer) && writer.reductions.empty();
  }

  // Those with limits first: the last one defines what is left.
  std::vector<WriterAt> writersOf(const FlowDependence& flow,
                                  const std::vector<Statement>& statements) const {
    const Statement& reader = statements[flow.reader.index()];
    const affine::IntegerSet domain = readDomain(m_draft, reader, flow.read);
    std::vector<WriterAt> writers;
    for (const FlowDependence& each : m_flows) {
      if (!isSameRead(each, flow)) continue;
      writers.emplace_back(m_draft, statements[each.writer.index()], reader.reads[flow.read],
                           [](LoopId loop) { return loop; });
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
