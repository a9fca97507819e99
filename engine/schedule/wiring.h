// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The processes at both ends of every channel.
///
/// A channel connects a hub with its leaves. The hub of a multicast sends and its leaves receive;
/// the hub of a gather receives and its leaves send; neighbours and pairs have one leaf, the
/// receiver. Credits and arrivals are counted per leaf.
class Wiring {
 public:
  /// After `progress` is cancelled, the object is incomplete and must not be used.
  Wiring(const Schedule& schedule, const Placement& placement,
         const base::Progress* progress = nullptr);

  /// Cores at the far ends of a channel for `sender`; a sender of a gather is its own leaf.
  std::span<const std::int32_t> leavesOf(int channel, std::int32_t sender) const;
  std::int32_t senderOf(int channel, std::int32_t leaf) const;
  std::int32_t receiverOf(int channel, std::int32_t leaf) const;
  /// The leaf of a gather for coordinate `sender`, seen from the hub.
  std::int32_t gatherLeaf(int channel, std::int32_t hub, std::int32_t coordinate) const;
  bool gathers(int channel) const {
    return m_schedule->channels[static_cast<std::size_t>(channel)].kind == Channel::Kind::ToRoot;
  }

  const Placement& placement() const { return *m_placement; }

  /// Index of a process among all processes of all cores; -1 when the core has none.
  std::int32_t processAt(std::int32_t core, int processOfProgram) const {
    return processOfProgram < 0 ? -1 : m_firstProcess[index(core)] + processOfProgram;
  }
  std::int32_t processCount() const { return m_firstProcess.back(); }
  std::int32_t firstProcess(std::int32_t core) const { return m_firstProcess[index(core)]; }
  std::int32_t sendingProcess(int channel, std::int32_t core) const;
  std::int32_t receivingProcess(int channel, std::int32_t core) const;
  /// The process that publishes a buffer on a core, and those that release it.
  std::int32_t publisher(int buffer, std::int32_t core) const;

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::int32_t programOf(std::int32_t core) const {
    return m_schedule->programOfCore[index(core)].value();
  }
  bool joins(const Channel& wire) const;  ///< whether it carries partial results
  void indexPrograms();
  void joinLeaves(const Placement& placement, std::size_t channel);

  const Schedule* m_schedule;
  const Placement* m_placement;
  std::size_t m_cores;
  base::LargeVector<std::int32_t> m_firstProcess;  ///< per core, then the total
  /// [program][channel] or [program][buffer] -> process of the program, -1.
  std::vector<std::vector<std::int32_t>> m_sends, m_receives, m_publishes;
  std::vector<base::LargeVector<std::int32_t>> m_leafStart;  ///< [channel][core]
  std::vector<base::LargeVector<std::int32_t>> m_leaves;     ///< [channel]
};

/// Mesh dimension of a channel along one dimension.
int dimOf(mapping::DimMask along);

}  // namespace gridloom::schedule
