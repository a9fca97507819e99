// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "schedule/check_programs.h"
#include "schedule/demands.h"

namespace gridloom::schedule {
namespace {

using affine::LinearExpr;
using mapping::LoopId;

/// The domain of an access, and where along one spatial loop it is read and was made.
class CorePairs {
 public:
  CorePairs(const kernel::Kernel& kernel, const mapping::LoopTiling& loop) : m_loop(loop) {
    for (const kernel::Loop& each : kernel.loops) m_set.extents.push_back(each.extent);
  }

  void require(std::span<const affine::Constraint> constraints) {
    m_set.constraints.insert(m_set.constraints.end(), constraints.begin(), constraints.end());
  }

  // The position of the core among those of the loop that has element `x`.
  LinearExpr positionOf(const LinearExpr& x) {
    const LinearExpr tile = variable(m_loop.tiles), wave = variable(m_loop.trips);
    const LinearExpr position = variable(m_loop.unroll);
    atLeastZero(x - tile * m_loop.tileSize);
    atLeastZero(tile * m_loop.tileSize + LinearExpr::number(m_loop.tileSize - 1) - x);
    m_set.constraints.push_back({tile - wave * m_loop.unroll - position, true});
    return position;
  }

  bool canDiffer(const LinearExpr& reader, const LinearExpr& maker) const {
    return canBePositive(reader - maker) || canBePositive(maker - reader);
  }

 private:
  LinearExpr variable(std::int64_t extent) {
    m_set.extents.push_back(extent);
    return LinearExpr::dim(m_set.extents.size() - 1);
  }
  void atLeastZero(LinearExpr expr) { m_set.constraints.push_back({std::move(expr), false}); }
  bool canBePositive(const LinearExpr& expr) const {
    affine::IntegerSet set = m_set;
    set.constraints.push_back({expr - LinearExpr::number(1), false});
    return !affine::isEmpty(set);
  }

  const mapping::LoopTiling& m_loop;
  affine::IntegerSet m_set;
};

/// A read of a tensor that the kernel makes, by one statement.
struct Read {
  const kernel::Statement& statement;
  const kernel::Access& access;
  const std::vector<LoopId>& under;  ///< reductions around it
};

/// A stationary tile never leaves the core that made it, so whatever is read of it was made there.
/// Which core makes an element follows from the output's own tiles, independently of the
/// dependences by which mappings are chosen.
class StationaryCheck {
 public:
  StationaryCheck(const Schedule& schedule, const kernel::Kernel& kernel,
                  const kernel::TileNest& nest, Findings& findings)
      : m_schedule(schedule), m_kernel(kernel), m_nest(nest), m_findings(findings) {}

  void run() {
    for (const kernel::Statement& statement : m_kernel.statements) {
      const auto under = enclosingReductions(statement);
      for (std::size_t n = 0; n < statement.expr.size(); ++n) {
        if (statement.expr[n].op != kernel::ExprOp::Read) continue;
        const auto read = static_cast<std::size_t>(statement.expr[n].read);
        check({statement, statement.reads[read], under[n]});
        if (m_findings.hasError()) return;
      }
    }
  }

 private:
  void check(const Read& read) {
    const auto made =
        std::ranges::find(m_nest.outputs, read.access.tensor, &kernel::Operand::tensor);
    const int buffer = made != m_nest.outputs.end() ? stationaryBuffer(read.access) : -1;
    if (buffer < 0) return;
    for (const LoopId loop : m_schedule.mapping.space) {
      if (!loop.valid() || !crosses(read, *made, loop)) continue;
      m_findings.atBuffer(static_cast<std::size_t>(buffer),
                          fmt::format("{} is stationary, but cores along {} read tiles of others "
                                      "({})",
                                      made->name, m_kernel.loop(loop).name,
                                      toString(m_kernel, read.access)),
                          "forward these tiles, or load them from global memory");
      return;
    }
  }

  // The buffer of the windows that serve an access, where all of them are stationary; else -1.
  int stationaryBuffer(const kernel::Access& access) const {
    int found = -1;
    for (const std::size_t window : windowsFor(access, m_nest)) {
      const auto buffer = std::ranges::find_if(m_schedule.buffers, [&](const Buffer& b) {
        return b.use == Buffer::Use::Stationary && b.operand == static_cast<int>(window);
      });
      if (buffer == m_schedule.buffers.end()) return -1;
      found = static_cast<int>(buffer - m_schedule.buffers.begin());
    }
    return found;
  }

  bool crosses(const Read& read, const kernel::Operand& made, LoopId loop) const {
    const auto reader = readerOf(read, made, loop);
    if (!reader) return false;
    for (std::size_t d = 0; d < made.dims.size(); ++d) {
      const kernel::RegionDim& dim = made.dims[d];
      if (dim.index.coefficient(loop.index()) != 1 || dim.minOffset != dim.maxOffset) continue;
      // The output has `loop + constant` there, so this element of the loop made it.
      const LinearExpr maker = read.access.indices[d] - dim.index -
                               LinearExpr::number(dim.minOffset) + LinearExpr::dim(loop.index());
      if (maker != *reader && areApart(read, loop, *reader, maker)) return true;
    }
    return false;
  }

  // The element of a loop in whose tile a statement reads; none where it reads in every tile.
  std::optional<LinearExpr> readerOf(const Read& read, const kernel::Operand& made,
                                     LoopId loop) const {
    if (kernel::contains(targetLoops(read.statement), loop) || kernel::contains(read.under, loop)) {
      return LinearExpr::dim(loop.index());
    }
    const auto end = std::ranges::find(m_nest.ends, loop, &kernel::TileNest::End::sum);
    if (end != m_nest.ends.end()) return LinearExpr::dim(end->by.index());
    // `L[j, j]` of an output that the nest writes as L[i, j] is computed where i = j.
    if (read.statement.target.tensor != made.tensor) return std::nullopt;
    for (std::size_t d = 0; d < made.dims.size(); ++d) {
      if (made.dims[d].index == LinearExpr::dim(loop.index())) {
        return read.statement.target.indices[d] - LinearExpr::number(made.dims[d].minOffset);
      }
    }
    return std::nullopt;
  }

  bool areApart(const Read& read, LoopId loop, const LinearExpr& reader,
                const LinearExpr& maker) const {
    CorePairs pairs(m_kernel, m_schedule.tiling.loops[loop.index()]);
    pairs.require(domainInside(read.statement, read.under));
    return pairs.canDiffer(pairs.positionOf(reader), pairs.positionOf(maker));
  }

  const Schedule& m_schedule;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  Findings& m_findings;
};

}  // namespace

void findInStationary(const Schedule& schedule, const kernel::Kernel& kernel,
                      const kernel::TileNest& nest, Findings& findings) {
  StationaryCheck(schedule, kernel, nest, findings).run();
}

}  // namespace gridloom::schedule
