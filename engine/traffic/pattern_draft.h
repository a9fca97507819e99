// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "traffic/collective_traffic.h"
#include "traffic/traffic.h"

namespace gridloom::traffic {

/// A pattern with the load of every resource, before it keeps those of the dominant ones only.
struct PatternDraft {
  std::uint64_t key;  ///< as TrafficPatterns looks it up
  Pattern pattern;
  std::shared_ptr<const Load> load;       ///< of an input's load, an output's store
  std::shared_ptr<const Load> kind = {};  ///< of transfers between cores; null: there is none

  /// Adds a step after the load.
  void addStep(const KnownPhase& phase);
  /// Of every tile, a core moves one share.
  void takeShares(double share);
  /// The cores that store move as many tiles.
  void scaleStore(double tiles);

 private:
  void scaleLoad(double factor);
};

/// Puts first those of the resources `kept` that can dominate a sum of whole patterns: most sums
/// add a load and the steps after it, and fewer resources can dominate these. `finishing`: some
/// cores reduce for others. Returns how many.
std::size_t putDecisiveSumsFirst(std::span<const PatternDraft> drafts, bool finishing,
                                 std::vector<std::size_t>& kept, const base::Progress* progress);

}  // namespace gridloom::traffic
