// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Where a memory has few DMA channels, each serves one transfer at a time: no level ends before
/// the busiest of them, tiles that are needed wait for others that hold their channel, and the
/// first tiles that share one arrive one after the other (see DmaChannels).
struct DmaLoad {
  static constexpr bool kMonotone = false;
  static constexpr Limit kLimit = Limit::Dma;

  static double beforeLevels(WholeCandidate& whole) {
    if (const DmaChannels* channels = channelsOf(whole)) {
      channels->assign(whole.transfers(), whole.scratch().dma);
    }
    return 0;
  }
  static double atLevel(WholeCandidate& whole, const LevelNow& now) {
    return channelsOf(whole) ? DmaChannels::busiest(whole.scratch().dma, now.level) : 0;
  }
  static double afterLevel(WholeCandidate& whole, const LevelNow& now) {
    if (!channelsOf(whole)) return 0;
    const double waits =
        DmaChannels::waitsForHeld(whole.scratch().dma, now.level, now.before);
    return std::max(0.0, now.inside + waits - now.time);
  }
  static double first(WholeCandidate& whole) { return firstTiles(whole).fill; }

  /// Where the channels do not limit transfers: 0.
  static DmaChannels::FirstTiles firstTiles(WholeCandidate& whole) {
    if (!channelsOf(whole)) return {};
    return DmaChannels::firstTiles(whole.scratch().dma);
  }

 private:
  static const DmaChannels* channelsOf(const WholeCandidate& whole);
};

}  // namespace gridloom::cost
