// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "search/search.h"

namespace gridloom::ranking {

/// What a list of millions of mappings shows of each, by the model: under 200 bytes, where a whole
/// estimate takes thousands. The mapping itself is kept whole.
struct ListedFigures {
  double cycles = 0;
  double tflops = 0;
  double utilization = 0;
  std::int64_t localBytes = 0;
  std::uint32_t place = 0;       ///< in the ranking by the model, from 0
  std::uint32_t twins = 0;       ///< as Ranked::twins
  std::uint32_t bottleneck = 0;  ///< see ListedMappings::bottleneck
};

class ListedMappings {
 public:
  /// Of one kernel on one machine, as all before. `place`: in the ranking by the model.
  void add(const search::Candidate& candidate, std::size_t place);
  /// One more mapping is equivalent to this one, and is not listed.
  void addTwin(std::size_t at) { ++m_figures[at].twins; }
  /// Keeps the first `count`.
  void truncate(std::size_t count);

  std::size_t size() const { return m_figures.size(); }
  bool empty() const { return m_figures.empty(); }
  const ListedFigures& figures(std::size_t at) const { return m_figures[at]; }
  /// Name of the term, as cost::Estimate::bottleneck.
  const std::string& bottleneck(std::size_t at) const {
    return m_bottlenecks[m_figures[at].bottleneck];
  }
  mapping::Mapping mapping(std::size_t at) const;
  std::size_t bytes() const;  ///< of memory

 private:
  std::vector<ListedFigures> m_figures;
  std::vector<std::size_t> m_begins;   ///< of each mapping in `m_packed`
  std::vector<std::uint8_t> m_packed;  ///< each vector of a mapping as its length and its elements
  std::vector<std::string> m_bottlenecks;
};

}  // namespace gridloom::ranking
