// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "hardware/topology.h"
#include "schedule/placed_schedule.h"

namespace gridloom::simulate {

/// Which loops around an instruction are at a core's short last tile: bit p for Mapping::order[p].
using EdgeMask = std::uint32_t;

/// Cycles and bytes of every instruction, by tile shape of the core and edge mask. Loops inside the
/// hoist level of a transfer are summed over, tile by tile.
class TileWork {
 public:
  static constexpr std::size_t kMaxTemporal = 12;

  /// Errors: an operation that no unit of the hardware performs; more than kMaxTemporal temporal
  /// loops.
  static base::Result<TileWork> make(const schedule::PlacedSchedule& placed,
                                     const hardware::ComputeModel& compute);

  EdgeMask edges(std::int32_t shape, std::span<const std::int32_t> waves, int depth) const;
  /// Cycles of a part of the body. All-reduces inside compute split it into parts
  /// (schedule::Op::Compute).
  double bodyCycles(std::size_t part, std::int32_t shape, EdgeMask edges) const {
    return of(m_body[part], shape, edges);
  }
  double epilogueCycles(std::int32_t shape, EdgeMask edges) const {
    return of(m_epilogue, shape, edges);
  }
  double combineCycles(std::size_t output, std::int32_t shape, EdgeMask edges) const {
    return of(m_reduction[output], shape, edges);
  }
  std::int64_t inputBytes(std::size_t input, std::int32_t shape, EdgeMask edges) const {
    return of(m_input[input], shape, edges);
  }
  /// Bytes that an input loads into the shared buffer at once.
  /// Of a transfer into a shared buffer, by its level of Topology::sharedBuffers.
  std::int64_t sharedBytes(std::size_t input, std::size_t level, std::int32_t shape,
                           EdgeMask edges) const {
    return of(m_shared[input][level], shape, edges);
  }
  /// Cycles to reduce another core's share into an all-reduce; then the bytes of a share.
  double joinCycles(std::size_t reduce, std::int32_t shape, EdgeMask edges) const {
    return of(m_join[reduce], shape, edges);
  }
  std::int64_t contributionBytes(std::size_t reduce, std::int32_t shape, EdgeMask edges) const {
    return of(m_contribution[reduce], shape, edges);
  }
  /// Bytes of an output's partial results of one scope, where its reduction is split.
  std::int64_t partialBytes(std::size_t output, std::int32_t shape, EdgeMask edges) const {
    return of(m_partial[output], shape, edges);
  }
  std::int64_t outputBytes(std::size_t output, std::int32_t shape, EdgeMask edges) const {
    return of(m_output[output], shape, edges);
  }

 private:
  template <class T> struct Table {
    std::size_t width = 1;  ///< 2 to the power of the number of surrounding loops
    std::vector<T> values;  ///< [shape][edges]
  };
  template <class T> static T of(const Table<T>& table, std::int32_t shape, EdgeMask edges) {
    return table.values[static_cast<std::size_t>(shape) * table.width + edges];
  }
  friend class TileWorkBuilder;

  Table<double> m_epilogue;
  std::vector<Table<double>> m_body, m_reduction, m_join;
  std::vector<Table<std::int64_t>> m_input, m_output, m_partial, m_contribution;
  std::vector<std::array<Table<std::int64_t>, hardware::kMostSharedBuffers>> m_shared;
  /// Per shape: the temporal loops with an edge tile, and its wave.
  struct Edge {
    int position;
    std::int32_t wave;
  };
  std::vector<std::vector<Edge>> m_edges;
};

}  // namespace gridloom::simulate
