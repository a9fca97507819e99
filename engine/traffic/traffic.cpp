// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "mapping/space.h"
#include "traffic/active_cores.h"
#include "traffic/channel_traffic.h"
#include "traffic/collective_traffic.h"
#include "traffic/dominant_resources.h"
#include "traffic/forwarded_traffic.h"
#include "traffic/shared_buffer_traffic.h"

namespace gridloom::traffic {

using hardware::ChannelId;
using hardware::CoreId;
using hardware::Link;
using hardware::LinkId;
using hardware::Route;
using hardware::Topology;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::MovementKind;
using mapping::OutputMovement;
using mapping::ReductionTopology;
using mapping::TensorLayout;
using Kind = mapping::TransferStep::Kind;

namespace {

/// Where the tiles of an operand live. Tiles in the nearest channel that several cores load are
/// near to the one at coordinate 0 along `shared`. Pages lie in all channels, or in the window of a
/// number from 1.
struct Home {
  TensorLayout layout = TensorLayout::PageInterleaved;
  DimMask shared = 0;
  std::size_t window = 0;
  int gather = -1;  ///< the core at coordinate 0 along it also moves the tiles of the others
  std::uint64_t key() const {
    return static_cast<std::uint64_t>(layout) << 16 | static_cast<std::uint64_t>(shared) << 18 |
           window << 34 | static_cast<std::uint64_t>(window > 0 ? gather + 1 : 0) << 50;
  }
};

}  // namespace

class PatternBuilder {
 public:
  PatternBuilder(const Topology& hw, const std::vector<std::int64_t>& active,
                 const base::Progress* progress, PatternScope scope, const WantedPatterns* wanted,
                 const std::vector<ChannelWindow>& windows)
      : m_hw(hw),
        m_active(active),
        m_windows(windows),
        m_progress(progress),
        m_scope(scope),
        m_wanted(wanted),
        m_resources(hw),
        m_sends(hw, active, progress),
        m_wide(wideDims(active)) {
    m_all.resize(static_cast<std::size_t>(hw.global().channels));
    std::iota(m_all.begin(), m_all.end(), 0);
  }

  void build(TrafficPatterns& out) {
    out.m_wide = m_wide;
    for (DimMask finishing = 0; finishing <= m_wide; ++finishing) {
      if ((finishing & ~(m_wide & m_scope.without)) != 0) continue;
      m_users = m_wide & ~finishing;
      inputs();
    }
    outputs();
    throughSharedBuffer();
    if (m_scope.allReduces) allReduces();
    if (m_scope.passes && (m_wanted == nullptr || m_wanted->passes())) betweenCores();
    keepDominantResources(out);
    out.m_complete = !isCancelled();
  }

 private:
  struct Draft {
    TrafficPatterns::Key key;
    Pattern pattern;
    Load load;       ///< of an input's load, an output's store
    Load kind = {};  ///< of transfers between cores; empty where there is none
  };

  bool isCancelled() const { return m_progress != nullptr && m_progress->cancelled(); }

  ChannelId nearestTo(CoreId core, DimMask shared, bool write) const {
    std::vector<std::int64_t> at(m_active.size());
    m_hw.coordinatesOf(core, at);
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (shared >> d & 1) at[d] = 0;
    }
    return m_hw.nearestChannel(m_hw.coreAt(at), write);
  }

  ChannelChoice choiceFor(Home home, bool write) const {
    if (home.layout == TensorLayout::NearestChannel)
      return {{0}, [=, this](CoreId core) { return nearestTo(core, home.shared, write); }};
    if (home.window == 0) return {m_all, {}};
    const ChannelWindow& window = m_windows[home.window - 1];
    ChannelChoice choice{window.offsets, {}};
    if (home.gather >= 0) choice.offsets = gatheredOffsets(window, home.gather);
    const bool common = std::ranges::all_of(window.step, [](auto step) { return step == 0; });
    if (common) return choice;
    choice.first = [&](CoreId core) {
      std::vector<std::int64_t> at(m_active.size());
      m_hw.coordinatesOf(core, at);
      std::int64_t first = 0;
      for (std::size_t d = 0; d < at.size(); ++d) first += window.step[d] * at[d];
      return ChannelId(static_cast<std::int32_t>(first % m_hw.global().channels));
    };
    return choice;
  }

  // Of a core that also moves the tiles of the others along a dimension.
  std::vector<std::int64_t> gatheredOffsets(const ChannelWindow& window, int along) const {
    const auto d = static_cast<std::size_t>(along);
    std::set<std::int64_t> offsets;
    for (std::int64_t n = 0; n < m_active[d]; ++n) {
      for (const std::int64_t offset : window.offsets)
        offsets.insert((offset + n * window.step[d]) % m_hw.global().channels);
    }
    return {offsets.begin(), offsets.end()};
  }

  // Every core of `mask` moves one byte per byte of a tile between itself and the channels where it
  // lies.
  Phase global(DimMask mask, bool write, Home home, Pattern& pattern) {
    Phase phase{m_resources.empty()};
    const double rate = write ? m_hw.global().writeBandwidth : m_hw.global().readBandwidth;
    std::vector<CoreId> cores;
    const auto add = [&](std::vector<std::int64_t>& at) { cores.push_back(m_hw.coreAt(at)); };
    forCores(m_active, mask, add, m_progress);
    const ChannelChoice choice = choiceFor(home, write);
    const ChannelTraffic traffic =
        channelTraffic(m_hw, cores, write, choice, m_progress, [&](LinkId id, double bytes) {
          m_resources.addLink(phase, id, bytes, pattern);
        });
    std::size_t channel = firstChannelResource(m_hw, write);
    for (const double bytes : traffic.channels) phase.load[channel++] = bytes / rate;
    for (const CoreId core : cores) m_resources.port(phase.load, core) += m_resources.portRate();
    const double share = 1 / static_cast<double>(choice.offsets.size());
    phase.alone = std::max({traffic.alone, m_resources.loneRate(), share / rate});
    phase.latency = traffic.latency;
    pattern.transfers = static_cast<double>(cores.size());
    (write ? pattern.localOut : pattern.localIn) += pattern.transfers;
    return phase;
  }

  std::vector<double> together(bool write, Home home, double alone) {
    std::vector<double> peaks(std::size_t{1} << m_active.size(), alone);
    for (DimMask mask = 1; mask < peaks.size(); ++mask) {
      if ((mask & ~m_wide) != 0 || isCancelled()) continue;
      double& known = m_together[write ? 1 : 0][{mask, home.key()}];
      if (known == 0) {
        Pattern unused;
        known = peakOf(global(mask, write, home, unused).load);
      }
      peaks[mask] = std::max(alone, known);
    }
    return peaks;
  }

  static double peakOf(const Load& load) { return *std::max_element(load.begin(), load.end()); }

  static void join(Load& sum, const Load& load) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += load[i];
  }

  void addStep(Draft& draft, const Phase& phase) const {
    Pattern& p = draft.pattern;
    p.stepPeak.push_back(std::max(peakOf(phase.load), phase.alone));
    p.stepAlone.push_back(phase.alone);
    p.stepLatency.push_back(phase.latency);
    ++p.stepCount;
    if (draft.kind.empty()) draft.kind = m_resources.empty();
    join(draft.kind, phase.load);
  }

  // Transfers between global memory and the cores of `mask`; none for tiles in local layout.
  Draft moved(DimMask mask, bool write, Home home) {
    Draft draft{};
    Pattern& p = draft.pattern;
    p.loaders = mask;
    if (home.layout == TensorLayout::Local) {
      p.together.assign(std::size_t{1} << m_active.size(), 0.0);
      p.transfers = 0;
      draft.load = m_resources.empty();
      return draft;
    }
    Phase phase = global(mask, write, home, p);
    p.loadPeak = peakOf(phase.load);
    p.together = together(write, home, phase.alone);
    p.loadLatency = phase.latency;
    draft.load = std::move(phase.load);
    return draft;
  }

  void input(MovementKind kind, DimMask along, std::uint8_t first) {
    for (std::size_t window = 0; window <= m_windows.size(); ++window) {
      input(kind, along, first, {TensorLayout::PageInterleaved, 0, window});
    }
    if (m_scope.places == LayoutScope::Pages || kind == MovementKind::AllGather) return;
    const DimMask others = m_users & ~along;
    for (DimMask shared = 0; shared <= others; ++shared) {
      if ((shared & ~others) != 0) continue;
      input(kind, along, first, {TensorLayout::NearestChannel, shared});
      if (m_scope.places == LayoutScope::Search) return;
    }
    input(kind, along, first, {TensorLayout::Local, 0});
  }

  // Adds an empty pattern: it is looked up but never used.
  void leaveOut(TrafficPatterns::Key key) {
    Draft draft{key, {}, {}};
    Pattern& p = draft.pattern;
    p.together.assign(std::size_t{1} << m_active.size(), 0.0);
    p.stepPeak = p.stepAlone = p.stepLatency = {0.0, 0.0};
    p.transfers = 0;
    m_drafts.push_back(std::move(draft));
  }

  void input(MovementKind kind, DimMask along, std::uint8_t first, Home home) {
    InputMovement movement{kind, along, first};
    movement.layout = home.layout;
    if (m_wanted != nullptr && !m_wanted->has(movement)) return;
    const TrafficPatterns::Key key =
        TrafficPatterns::key(movement, home.shared, m_wide & ~m_users, home.window);
    if (isCancelled()) return leaveOut(key);
    const mapping::TransferSteps steps = mapping::inputSteps(movement, m_wide & ~m_users);
    Draft draft = moved(m_wide & ~steps[0].zero, false, home);
    draft.key = key;
    if (kind == MovementKind::AllGather)
      takeShares(draft, 1 / static_cast<double>(m_active[first]));
    const double network = draft.pattern.network;
    for (const mapping::TransferStep& step : steps) {
      if (step.kind == Kind::Load) continue;
      addStep(draft, m_sends.of(step, draft.pattern));
      if (step.kind == Kind::Stream || step.kind == Kind::AllGather)
        draft.pattern.hops = static_cast<double>(m_active[step.first] - 1);
      if (step.kind != Kind::Rotate) continue;
      // Several of them follow a load.
      draft.pattern.partialNetwork = draft.pattern.network - network;
      draft.pattern.partialIn = draft.pattern.partialOut = draft.pattern.transfers;
    }
    m_drafts.push_back(std::move(draft));
  }

  void inputs() {
    for (const InputMovement& m : mapping::movementsAlong(m_users, m_hw))
      input(m.kind, m.along, m.first);
    for (std::uint8_t d = 0; d < m_active.size(); ++d) {
      if (m_users >> d & 1) input(MovementKind::Rotate, DimMask{1} << d, d, Home{});
    }
  }

  void output(ReductionTopology reduction, std::int8_t gather, DimMask split) {
    for (std::size_t window = 0; window <= m_windows.size(); ++window) {
      output(reduction, gather, split, {TensorLayout::PageInterleaved, 0, window, gather});
    }
    if (m_scope.places != LayoutScope::Pages)
      output(reduction, gather, split, {TensorLayout::NearestChannel});
    if (m_scope.places == LayoutScope::Every)
      output(reduction, gather, split, {TensorLayout::Local});
  }

  void output(ReductionTopology reduction, std::int8_t gather, DimMask split, Home home) {
    const OutputMovement movement{reduction, gather, 1, home.layout};
    if (m_wanted != nullptr && !m_wanted->has(movement)) return;
    const TrafficPatterns::Key key = TrafficPatterns::key(movement, split, home.window);
    if (isCancelled()) return leaveOut(key);
    const mapping::TransferSteps steps = mapping::outputSteps(movement, split, m_hw);
    Draft draft = moved(m_wide & ~steps.back().zero, true, home);
    draft.key = key;
    if (reduction == ReductionTopology::ReduceScatter)
      takeShares(draft, 1 / static_cast<double>(m_active[steps[0].first]));
    addReduction(draft, steps);
    for (const mapping::TransferStep& step : steps) {
      if (step.kind != Kind::Gather) continue;
      draft.pattern.hops = static_cast<double>(m_active[step.first] - 1);
      // The root writes its own tile and one of every other core, one after the other.
      scaleStore(draft, static_cast<double>(m_active[step.first]));
      addStep(draft, m_sends.of(step, draft.pattern));
    }
    m_drafts.push_back(std::move(draft));
  }

  void addReduction(Draft& draft, const mapping::TransferSteps& steps) {
    Pattern& p = draft.pattern;
    const double network = p.network, in = p.localIn, out = p.localOut;
    for (const mapping::TransferStep& step : steps) {
      if (!step.reduces()) continue;
      p.joins.push_back(static_cast<double>(m_active[step.first] - 1));
      addStep(draft, m_sends.of(step, p));
    }
    p.partialNetwork = p.network - network;
    p.partialIn = p.localIn - in;
    p.partialOut = p.localOut - out;
  }

  void allReduces() {
    for (DimMask dims = 1; dims <= m_wide; ++dims) {
      if ((dims & ~m_wide) != 0) continue;
      for (const ReductionTopology how : {ReductionTopology::Chain, ReductionTopology::Tree}) {
        if (m_wanted == nullptr || m_wanted->has(how)) allReduce(how, dims);
      }
    }
  }

  void allReduce(ReductionTopology how, DimMask dims) {
    const TrafficPatterns::Key key = TrafficPatterns::key(how, dims);
    if (isCancelled()) return leaveOut(key);
    Draft draft{key, {}, m_resources.empty()};
    Pattern& p = draft.pattern;
    p.together.assign(std::size_t{1} << m_active.size(), 0.0);
    p.transfers = 0;
    const mapping::TransferSteps steps = mapping::allReduceSteps(how, dims, m_hw);
    addReduction(draft, steps);
    for (const mapping::TransferStep& step : steps) {
      if (!step.reduces()) addStep(draft, m_sends.of(step, p));
    }
    m_drafts.push_back(std::move(draft));
  }

  // Of every tile, a core moves one share.
  static void takeShares(Draft& draft, double share) {
    Pattern& p = draft.pattern;
    for (double& x : draft.load) x *= share;
    for (double& x : p.together) x *= share;
    for (double* x : {&p.loadPeak, &p.network, &p.localIn, &p.localOut, &p.transfers}) *x *= share;
  }

  static void scaleStore(Draft& draft, double tiles) {
    for (double& x : draft.load) x *= tiles;
    draft.pattern.network *= tiles;
    draft.pattern.localOut *= tiles;
    draft.pattern.transfers *= tiles;
  }

  void outputs() {
    output(ReductionTopology::None, -1, 0);
    for (std::size_t d = 0; d < m_active.size(); ++d) {
      if (!(m_wide >> d & 1)) continue;
      output(ReductionTopology::None, static_cast<std::int8_t>(d), 0);
    }
    for (DimMask split = 1; m_scope.splits && split <= m_wide; ++split) {
      if ((split & ~m_wide) != 0) continue;
      output(ReductionTopology::Chain, -1, split);
      output(ReductionTopology::Tree, -1, split);
      if ((split & (split - 1)) == 0) reduceScatter(split);
      if (m_scope.finishing) output(ReductionTopology::None, -1, split);
    }
  }

  void reduceScatter(DimMask split) {
    for (std::size_t window = 0; window <= m_windows.size(); ++window) {
      output(ReductionTopology::ReduceScatter, -1, split,
             {TensorLayout::PageInterleaved, 0, window, -1});
    }
  }

  void betweenCores() {
    for (ForwardedTraffic& made : forwardedTraffic(m_hw, m_active, m_progress)) {
      m_drafts.push_back(
          {TrafficPatterns::key({MovementKind::Forwarded, made.along, made.where}, 0),
           std::move(made.pattern), std::move(made.load)});
    }
  }

  void throughSharedBuffer() {
    for (SharedBufferTraffic& made : sharedBufferTraffic(m_hw, m_active)) {
      m_drafts.push_back(
          {TrafficPatterns::key(made.step), std::move(made.pattern), std::move(made.load)});
    }
  }

  void keepDominantResources(TrafficPatterns& out) {
    std::vector<const Load*> loads;
    for (const Draft& d : m_drafts) {
      loads.push_back(&d.load);
      if (!d.kind.empty()) loads.push_back(&d.kind);
    }
    std::vector<std::size_t> kept = dominantResources(loads, m_progress);
    out.m_sumResources = putDecisiveSumsFirst(kept);
    for (const std::size_t r : kept) out.m_resourceNames.push_back(resourceName(m_hw, r));
    for (Draft& d : m_drafts) {
      Pattern& p = d.pattern;
      for (const std::size_t r : kept) p.resourceLoads.push_back(d.load[r]);
      if (!d.kind.empty()) {
        p.transferLoads = p.resourceLoads;
        for (std::size_t n = 0; n < kept.size(); ++n) p.resourceLoads[n] += d.kind[kept[n]];
      }
      out.m_patterns.emplace(d.key, std::move(p));
    }
  }

  // Most sums add a load and the steps after it; fewer resources can dominate these. Returns how
  // many.
  std::size_t putDecisiveSumsFirst(std::vector<std::size_t>& kept) const {
    std::vector<Load> sums;
    const auto add = [&](const auto& load) {
      Load& sum = sums.emplace_back();
      for (const std::size_t r : kept) sum.push_back(load(r));
    };
    for (const Draft& d : m_drafts) {
      // Partial results and tiles that rotate move other numbers of bytes than loads and stores.
      const bool reduces = !d.pattern.joins.empty();
      const bool rotates = !reduces && d.pattern.partialIn > 0;
      const bool apart = d.kind.empty() || rotates || (m_scope.finishing && reduces);
      if (apart) add([&](std::size_t r) { return d.load[r]; });
      if (d.kind.empty()) continue;
      if (apart) add([&](std::size_t r) { return d.kind[r]; });
      if (!apart) add([&](std::size_t r) { return d.load[r] + d.kind[r]; });
    }
    std::vector<const Load*> each;
    for (const Load& sum : sums) each.push_back(&sum);
    const std::vector<std::size_t> first = dominantResources(each, m_progress);
    std::vector<std::size_t> ordered;
    for (const std::size_t n : first) ordered.push_back(kept[n]);
    for (std::size_t n = 0; n < kept.size(); ++n) {
      if (std::ranges::find(first, n) == first.end()) ordered.push_back(kept[n]);
    }
    kept = std::move(ordered);
    return first.size();
  }

  const Topology& m_hw;
  const std::vector<std::int64_t>& m_active;
  const std::vector<ChannelWindow>& m_windows;
  std::vector<std::int64_t> m_all;  ///< channels
  const base::Progress* m_progress;
  PatternScope m_scope;
  const WantedPatterns* m_wanted;  ///< null: all
  Resources m_resources;
  CollectiveTraffic m_sends;
  DimMask m_wide;
  DimMask m_users = 0;  ///< those of them along which every core uses the operand at hand
  std::map<std::pair<DimMask, std::uint64_t>, double> m_together[2];
  std::vector<Draft> m_drafts;
};

TrafficPatterns::TrafficPatterns(const Topology& hw, std::vector<std::int64_t> active,
                                 const base::Progress* progress, PatternScope scope,
                                 const WantedPatterns* wanted, std::vector<ChannelWindow> windows)
    : m_windows(std::move(windows)) {
  PatternBuilder(hw, active, progress, scope, wanted, m_windows).build(*this);
}

}  // namespace gridloom::traffic
