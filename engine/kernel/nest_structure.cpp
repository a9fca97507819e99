// SPDX-License-Identifier: Apache-2.0
#include "kernel/nest_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "kernel/carried_dependences.h"
#include "kernel/followed_states.h"
#include "kernel/inner_loops.h"
#include "kernel/loop_shares.h"
#include "kernel/statement_order.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

class StructureBuilder {
 public:
  explicit StructureBuilder(const Kernel& kernel) : m_kernel(kernel) {}

  base::Result<NestStructure> run() {
    m_out.flows = flowDependences(m_kernel);
    m_out.stepped.resize(m_kernel.statements.size());
    m_out.followed = followedStates(m_kernel);
    deriveConsumers();
    m_errors = placeCarried(m_kernel, m_consumers, m_out);
    if (!m_errors.empty()) return std::move(m_errors);
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const bool stepped = !m_out.stepped[s].empty() || m_out.followed[s].valid();
      m_out.ops.push_back(statementOps(m_kernel, m_kernel.statements[s], stepped));
    }
    checkAlignment();
    markReducedAndFree();
    markOutputs();
    markShiftedOutputs();
    markFastLoops();
    chooseInnerLoops(m_kernel, m_consumers, m_out);
    setContention();
    if (!m_errors.empty()) return std::move(m_errors);
    findShares(m_kernel, m_reducedAndFree, m_out);
    return std::move(m_out);
  }

 private:
  const Statement& at(StatementId id) const { return m_kernel.statements[id.index()]; }
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  const std::string& targetName(std::size_t s) const {
    return m_kernel.tensor(m_kernel.statements[s].target.tensor).name;
  }
  LoopKind kindOf(LoopId loop) const { return m_kernel.loop(loop).kind; }

  // Reports one reason per statement.
  void fail(base::Span span, const std::string& what, std::string hint) {
    if (std::ranges::find(m_errors, span.begin, [](const auto& d) { return d.span.begin; }) !=
        m_errors.end()) {
      return;
    }
    m_errors.push_back(
        base::errorAt(m_kernel.source, span, "not yet mapped: " + what, std::move(hint)));
  }

  bool markWhole(LoopId loop, std::string reason) {
    return m_out.markWhole(loop, std::move(reason));
  }

  // A tile may read only those elements of other statements that they define inside the tile.
  void checkAlignment() {
    const StatementOrder order(m_kernel, m_out.flows);
    for (const FlowDependence& flow : m_out.flows) {
      const Access& target = at(flow.writer).target;
      const Access& read = at(flow.reader).reads[flow.read];
      for (std::size_t d = 0; d < target.indices.size(); ++d) {
        alignDimension(flow, target.indices[d], read.indices[d]);
      }
      if (!order.keeps(flow)) failOrder(flow);
    }
  }

  void alignDimension(const FlowDependence& flow, const affine::LinearExpr& written,
                      const affine::LinearExpr& read) {
    if (written == read) return;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      if (written.dependsOn(l)) alignLoop(flow, LoopId::of(l), written, read);
    }
  }

  void alignLoop(const FlowDependence& flow, LoopId loop, const affine::LinearExpr& written,
                 const affine::LinearExpr& read) {
    const affine::LinearExpr offset = written - read;
    const bool sequential = kindOf(loop) == LoopKind::Sequential;
    if (sequential && offset.isConstant() && offset.constant > 0) return;
    const std::int64_t last = m_kernel.loop(loop).extent - 1 + written.constant;
    if (sequential && read.isConstant() && read.constant == last) return;
    if (sequential && isLast(flow, loop, read)) return;
    markWhole(loop, fmt::format("`{}` reads other elements of `{}` along {}",
                                targetName(flow.reader.index()), targetName(flow.writer.index()),
                                nameOf(loop)));
  }

  // Whether loop-carried state is read at the end of its loop, as the domains of both statements
  // bound it.
  bool isLast(const FlowDependence& flow, LoopId loop, const affine::LinearExpr& read) const {
    if (read.dependsOn(loop.index())) return false;
    affine::IntegerSet later = targetDomainOf(m_kernel, at(flow.writer));
    const affine::IntegerSet reads = readDomain(m_kernel, at(flow.reader), flow.read);
    for (std::size_t l = 0; l < later.extents.size(); ++l)
      later.extents[l] = std::max(later.extents[l], reads.extents[l]);
    std::ranges::copy(reads.constraints, std::back_inserter(later.constraints));
    const affine::LinearExpr behind =
        affine::LinearExpr::dim(loop.index()) - read - affine::LinearExpr::number(1);
    later.constraints.push_back({behind, false});
    return affine::isEmpty(later);
  }

  void failOrder(const FlowDependence& flow) {
    const Statement& reader = at(flow.reader);
    const std::string read = toString(m_kernel, reader.reads[flow.read]);
    if (flow.reader == flow.writer) {
      return fail(reader.span,
                  fmt::format("{} needs {}, at a later index than its own",
                              toString(m_kernel, reader.target), read),
                  "a recurrence is mapped where it needs earlier indices only");
    }
    // Statements were sorted as far as they can be: these need each other.
    const std::vector<LoopId> loops = targetLoops(at(flow.writer));
    const bool shareLoops = std::ranges::is_permutation(loops, targetLoops(reader));
    const TensorId written = at(flow.writer).target.tensor;
    const auto parts = std::ranges::count(m_kernel.statements, written,
                                          [](const Statement& s) { return s.target.tensor; });
    if (parts > 1 && !shareLoops) {
      return fail(reader.span,
                  fmt::format("{} and {} need each other and have different loops",
                              toString(m_kernel, reader.target),
                              toString(m_kernel, at(flow.writer).target)),
                  fmt::format("compute each part of `{}` in a `local` of its own",
                              m_kernel.tensor(written).name));
    }
    fail(reader.span,
         fmt::format("{} and {} need each other{}", toString(m_kernel, reader.target),
                     toString(m_kernel, at(flow.writer).target),
                     shareLoops ? ", at the same index" : " and have different loops"),
         shareLoops ? "one of them must read an earlier index of the other"
                    : fmt::format("run both over the loops of {}, of the same names",
                                  toString(m_kernel, reader.target)));
  }

  // m_consumers[s]: statements that need a value of s, directly or through others.
  void deriveConsumers() {
    const std::size_t count = m_kernel.statements.size();
    m_consumers.assign(count, std::vector<bool>(count, false));
    for (const FlowDependence& flow : m_out.flows) {
      m_consumers[flow.writer.index()][flow.reader.index()] = true;
    }
    for (std::size_t via = 0; via < count; ++via) {
      for (std::size_t from = 0; from < count; ++from) {
        for (std::size_t to = 0; m_consumers[from][via] && to < count; ++to) {
          m_consumers[from][to] = m_consumers[from][to] || m_consumers[via][to];
        }
      }
    }
  }

  void markReducedAndFree() {
    const std::vector<Statement>& all = m_kernel.statements;
    for (std::size_t r = 0; r < all.size(); ++r) {
      for (const LoopId loop : all[r].reductions) {
        for (std::size_t f = 0; f < all.size(); ++f) {
          // A producer of a reduction's operand can be tiled with the reduction; a consumer cannot.
          const bool conflict = kindOf(loop) != LoopKind::Reduction || m_consumers[r][f];
          if (contains(targetLoops(all[f]), loop) && conflict) {
            if (markWhole(loop, fmt::format("{} is reduced by `{}` and free in `{}`", nameOf(loop),
                                            targetName(r), targetName(f)))) {
              m_reducedAndFree.push_back(loop);
            }
          }
        }
      }
    }
  }

  void markOutputs() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      if (m_kernel.tensor(statement.target.tensor).role != TensorRole::Output) continue;
      for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
        const LoopId loop = LoopId::of(l);
        if (kindOf(loop) == LoopKind::Parallel && !contains(targetLoops(statement), loop)) {
          markWhole(loop, reasonWithout(s, loop));
        }
      }
    }
  }

  std::string reasonWithout(std::size_t s, LoopId loop) const {
    const TensorId output = m_kernel.statements[s].target.tensor;
    const bool isOfAnother = std::ranges::any_of(m_kernel.statements, [&](const Statement& other) {
      return other.target.tensor == output && contains(targetLoops(other), loop);
    });
    return isOfAnother
               ? fmt::format("only some statements of output `{}` run over {}: write them "
                             "with the same loops, of one extent",
                             targetName(s), nameOf(loop))
               : fmt::format("output `{}` does not run over {}", targetName(s), nameOf(loop));
  }

  // Statements that write one output at a constant distance share a window over both positions; one
  // tile's window would overlap the output of other tiles.
  void markShiftedOutputs() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Access& target = at(StatementId::of(s)).target;
      if (m_kernel.tensor(target.tensor).role != TensorRole::Output) continue;
      for (std::size_t t = 0; t < s; ++t) {
        const Access& other = at(StatementId::of(t)).target;
        if (other.tensor == target.tensor) markShifted(target, other, t);
      }
    }
  }

  void markShifted(const Access& target, const Access& other, std::size_t writer) {
    for (std::size_t d = 0; d < target.indices.size(); ++d) {
      const affine::LinearExpr apart = target.indices[d] - other.indices[d];
      if (!apart.isConstant() || apart.constant == 0) continue;
      for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
        // `Y[2 * i]` and `Y[2 * i + 1]` stay inside a tile.
        const std::int64_t factor = target.indices[d].coefficient(l);
        if (factor == 0 || std::abs(apart.constant) < std::abs(factor)) continue;
        markWhole(LoopId::of(l), fmt::format("`{}` is written at two positions along {}",
                                             targetName(writer), nameOf(LoopId::of(l))));
      }
    }
  }

  // Of several loops in one index, as in `Y[4*a + b]`, tiles of the slowest have no gaps.
  void markFastLoops() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      for (const affine::LinearExpr& index : m_kernel.statements[s].target.indices) {
        std::int64_t largest = 0;
        for (const std::int64_t c : index.coefficients) largest = std::max(largest, std::abs(c));
        for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
          if (!index.dependsOn(l) || std::abs(index.coefficient(l)) == largest) continue;
          markWhole(LoopId::of(l), fmt::format("tiles of {} would leave gaps in `{}`",
                                               nameOf(LoopId::of(l)), targetName(s)));
        }
      }
    }
  }

  // An output that is needed inside the inner loops has only its final phase.
  void setContention() {
    const std::vector<bool> inside = runInside(m_kernel, m_out.inner);
    const std::vector<bool> behind = endBehind(m_kernel, m_out.inner);
    for (std::size_t s = 0; s < inside.size(); ++s) {
      m_out.statementPhase.push_back(inside[s] ? Phase::Every : Phase::Epilogue);
      for (std::size_t c = 0; !inside[s] && c < inside.size(); ++c) {
        if (!m_consumers[s][c] || !inside[c] || behind[s]) continue;
        fail(m_kernel.statements[s].span,
             fmt::format("output `{}` is needed before the loop {} begins, by `{}`", targetName(s),
                         nameOf(m_out.inner.front()), targetName(c)),
             fmt::format("compute it in a `local`, which both `{}` and `{}` read", targetName(s),
                         targetName(c)));
        break;
      }
    }
  }

  const Kernel& m_kernel;
  NestStructure m_out;
  base::Diagnostics m_errors;
  std::vector<std::vector<bool>> m_consumers;
  Loops m_reducedAndFree;
};

}  // namespace

bool NestStructure::isWhole(LoopId loop) const {
  return std::ranges::find(whole, loop, &TileNest::Whole::loop) != whole.end();
}

bool NestStructure::markWhole(LoopId loop, std::string reason) {
  if (isWhole(loop)) return false;
  whole.push_back({loop, std::move(reason)});
  std::erase(inner, loop);
  return true;
}

Phase NestStructure::phaseOf(const Statement& statement, StatementId id,
                             const std::vector<LoopId>& under) const {
  const Loops reduced = commonLoops(statement.reductions, inner);
  const bool finished = !reduced.empty() && commonLoops(reduced, under).size() != reduced.size();
  return finished ? Phase::Epilogue : statementPhase[id.index()];
}

base::Result<NestStructure> nestStructure(const Kernel& kernel) {
  return StructureBuilder(kernel).run();
}

}  // namespace gridloom::kernel
