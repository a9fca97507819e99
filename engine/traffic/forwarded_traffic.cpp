// SPDX-License-Identifier: Apache-2.0
#include "traffic/forwarded_traffic.h"

#include <algorithm>

#include "traffic/active_cores.h"
#include "traffic/collective_traffic.h"

namespace gridloom::traffic {

using hardware::CoreId;
using hardware::Topology;
using mapping::DimMask;

namespace {

// On long lines, so many source cores represent all.
constexpr std::int64_t kMostSources = 16;

class ForwardedBuilder {
 public:
  ForwardedBuilder(const Topology& hw, const std::vector<std::int64_t>& active,
                   const base::Progress* progress)
      : m_hw(hw),
        m_active(active),
        m_progress(progress),
        m_resources(hw),
        m_wide(wideDims(active)) {}

  std::vector<ForwardedTraffic> run() {
    std::vector<ForwardedTraffic> all;
    for (DimMask along = 0; along <= m_wide; ++along) {
      if ((along & ~m_wide) != 0) continue;
      all.push_back(make(along, kAnywhere));
      if (along == 0) continue;  // nothing is forwarded, from wherever
      for (const int where : {int{kBelow}, int{kAbove}, kBelow | kAbove, kBelow | kWraps,
                              kAbove | kWraps, kBelow | kAbove | kWraps}) {
        all.push_back(make(along, static_cast<std::uint8_t>(where)));
      }
    }
    return all;
  }

 private:
  ForwardedTraffic make(DimMask along, std::uint8_t where) {
    // A cancelled run never uses the pattern, but looks it up.
    if (m_progress != nullptr && m_progress->cancelled()) return {along, where, {}, {}};
    ForwardedTraffic made{along, where, {}, m_resources.empty()};
    m_made = &made;
    m_alone = along == 0 ? 0 : m_resources.portRate();
    m_takers = 0;
    m_latencies = 0;
    forCores(
        m_active, m_wide, [&](std::vector<std::int64_t>& at) { takeAt(at); }, m_progress);
    Pattern& p = made.pattern;
    p.transfers = 0;
    p.loaders = m_wide;
    if (where != kAnywhere && m_takers > 0) p.loadLatency = m_latencies / m_takers;
    p.loadPeak = made.load.peak();
    p.together.assign(std::size_t{1} << m_active.size(), m_alone);
    // Where all cores of the lines take theirs at one moment, the fullest link decides.
    for (std::size_t mask = 0; mask < p.together.size(); ++mask) {
      if ((mask & along) == along) p.together[mask] = std::max(m_alone, p.loadPeak);
    }
    return made;
  }

  void takeAt(const std::vector<std::int64_t>& at) {
    std::vector<std::vector<std::int64_t>> sources;
    if (m_made->where == kAnywhere) {
      anywhere(at, 0, at, sources);
    } else {
      beside(at, sources);
    }
    double longest = 0;
    for (const auto& from : sources) {
      longest = std::max(longest, take(at, from, 1.0 / static_cast<double>(sources.size())));
    }
    m_made->pattern.loadLatency = std::max(m_made->pattern.loadLatency, longest);
    m_latencies += longest;
    m_takers += sources.empty() ? 0 : 1;
  }

  void anywhere(const std::vector<std::int64_t>& at, std::size_t d, std::vector<std::int64_t> from,
                std::vector<std::vector<std::int64_t>>& sources) const {
    if (d == at.size()) return sources.push_back(std::move(from));
    if (!(m_made->along >> d & 1)) return anywhere(at, d + 1, std::move(from), sources);
    const std::int64_t step = base::ceilDiv(m_active[d], kMostSources);
    for (std::int64_t c = at[d] % step; c < m_active[d]; c += step) {
      from[d] = c;
      anywhere(at, d + 1, from, sources);
    }
  }

  void beside(const std::vector<std::int64_t>& at,
              std::vector<std::vector<std::int64_t>>& sources) const {
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (!(m_made->along >> d & 1)) continue;
      for (const int side : {-1, 1}) {
        if (!(m_made->where & (side < 0 ? kBelow : kAbove))) continue;
        std::vector<std::int64_t> from = at;
        from[d] += side;
        if (m_made->where & kWraps) from[d] = (from[d] + m_active[d]) % m_active[d];
        if (from[d] >= 0 && from[d] < m_active[d]) sources.push_back(std::move(from));
      }
    }
  }

  // Returns the latency of the route.
  double take(const std::vector<std::int64_t>& at, const std::vector<std::int64_t>& from,
              double bytes) {
    if (at == from) return 0;
    const CoreId source = m_hw.coreAt(from), target = m_hw.coreAt(at);
    m_hw.route(m_hw.readPlane(), m_hw.nodeOf(source), m_hw.nodeOf(target), m_route);
    Pattern& p = m_made->pattern;
    double latency = 0;
    for (const hardware::LinkId id : m_route) {
      const hardware::Link link = m_hw.links()[id.index()];
      m_resources.link(m_made->load, id) += bytes / link.bandwidth;
      // Parts from several cores share the last link of their routes.
      m_alone = std::max(m_alone, 1 / link.bandwidth);
      latency += link.latency;
      if (link.kind == hardware::Link::Kind::Hop) p.network += bytes;
    }
    m_resources.port(m_made->load, source) += bytes * m_resources.portRate();
    m_resources.port(m_made->load, target) += bytes * m_resources.portRate();
    p.localOut += bytes;
    p.localIn += bytes;
    return latency;
  }

  const Topology& m_hw;
  const std::vector<std::int64_t>& m_active;
  const base::Progress* m_progress;
  Resources m_resources;
  DimMask m_wide;
  double m_alone = 0;
  double m_latencies = 0, m_takers = 0;  ///< sum over cores that take tiles, and their number
  ForwardedTraffic* m_made = nullptr;
  hardware::Route m_route;
};

}  // namespace

std::vector<ForwardedTraffic> forwardedTraffic(const Topology& hw,
                                               const std::vector<std::int64_t>& active,
                                               const base::Progress* progress) {
  return ForwardedBuilder(hw, active, progress).run();
}

}  // namespace gridloom::traffic
