// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic.h"

#include <algorithm>
#include <unordered_set>

#include "mapping/space.h"
#include "traffic/collective_traffic.h"
#include "traffic/dominant_resources.h"
#include "traffic/forwarded_traffic.h"
#include "traffic/global_traffic.h"
#include "traffic/pattern_draft.h"
#include "traffic/shared_buffer_traffic.h"

namespace gridloom::traffic {

using hardware::Topology;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::MovementKind;
using mapping::OutputMovement;
using mapping::ReductionTopology;
using mapping::TensorLayout;
using Kind = mapping::TransferStep::Kind;

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
        m_nothing(std::make_shared<const Load>(Resources(hw).empty())),
        m_global(hw, active, windows, progress, m_nothing),
        m_sends(hw, active, progress),
        m_wide(wideDims(active)) {}

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
  using Draft = PatternDraft;

  bool isCancelled() const { return m_progress != nullptr && m_progress->cancelled(); }

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
    Draft draft{key, {}, m_nothing};
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
    Draft draft = m_global.of(m_wide & ~steps[0].zero, false, home);
    draft.key = key;
    if (kind == MovementKind::AllGather) draft.takeShares(1 / static_cast<double>(m_active[first]));
    const double network = draft.pattern.network;
    for (const mapping::TransferStep& step : steps) {
      if (step.kind == Kind::Load) continue;
      draft.addStep(m_sends.of(step));
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
    Draft draft = m_global.of(m_wide & ~steps.back().zero, true, home);
    draft.key = key;
    if (reduction == ReductionTopology::ReduceScatter)
      draft.takeShares(1 / static_cast<double>(m_active[steps[0].first]));
    addReduction(draft, steps);
    for (const mapping::TransferStep& step : steps) {
      if (step.kind != Kind::Gather) continue;
      draft.pattern.hops = static_cast<double>(m_active[step.first] - 1);
      // The root writes its own tile and one of every other core, one after the other.
      draft.scaleStore(static_cast<double>(m_active[step.first]));
      draft.addStep(m_sends.of(step));
    }
    m_drafts.push_back(std::move(draft));
  }

  void addReduction(Draft& draft, const mapping::TransferSteps& steps) {
    Pattern& p = draft.pattern;
    const double network = p.network, in = p.localIn, out = p.localOut;
    for (const mapping::TransferStep& step : steps) {
      if (!step.reduces()) continue;
      p.joins.push_back(static_cast<double>(m_active[step.first] - 1));
      draft.addStep(m_sends.of(step));
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
    Draft draft{key, {}, m_nothing};
    Pattern& p = draft.pattern;
    p.together.assign(std::size_t{1} << m_active.size(), 0.0);
    p.transfers = 0;
    const mapping::TransferSteps steps = mapping::allReduceSteps(how, dims, m_hw);
    addReduction(draft, steps);
    for (const mapping::TransferStep& step : steps) {
      if (!step.reduces()) draft.addStep(m_sends.of(step));
    }
    m_drafts.push_back(std::move(draft));
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
           std::move(made.pattern), std::make_shared<const Load>(std::move(made.load))});
    }
  }

  void throughSharedBuffer() {
    for (SharedBufferTraffic& made : sharedBufferTraffic(m_hw, m_active)) {
      m_drafts.push_back({TrafficPatterns::key(made.step), std::move(made.pattern),
                          std::make_shared<const Load>(std::move(made.load))});
    }
  }

  void keepDominantResources(TrafficPatterns& out) {
    std::vector<const Load*> loads;
    std::unordered_set<const Load*> known;  // patterns share many of them
    for (const Draft& d : m_drafts) {
      for (const Load* load : {d.load.get(), d.kind.get()})
        if (load != nullptr && known.insert(load).second) loads.push_back(load);
    }
    std::vector<std::size_t> kept = dominantResources(loads, m_progress);
    out.m_sumResources = putDecisiveSumsFirst(m_drafts, m_scope.finishing, kept, m_progress);
    for (const std::size_t r : kept) out.m_resourceNames.push_back(resourceName(m_hw, r));
    for (Draft& d : m_drafts) {
      Pattern& p = d.pattern;
      for (const std::size_t r : kept) p.resourceLoads.push_back((*d.load)[r]);
      if (d.kind != nullptr) {
        p.transferLoads = p.resourceLoads;
        for (std::size_t n = 0; n < kept.size(); ++n) p.resourceLoads[n] += (*d.kind)[kept[n]];
      }
      out.m_patterns.emplace(d.key, std::move(p));
    }
  }

  const Topology& m_hw;
  const std::vector<std::int64_t>& m_active;
  const std::vector<ChannelWindow>& m_windows;
  const base::Progress* m_progress;
  PatternScope m_scope;
  const WantedPatterns* m_wanted;         ///< null: all
  std::shared_ptr<const Load> m_nothing;  ///< no load
  GlobalTraffic m_global;
  CollectiveTraffic m_sends;
  DimMask m_wide;
  DimMask m_users = 0;  ///< those of them along which every core uses the operand at hand
  std::vector<Draft> m_drafts;
};

TrafficPatterns::TrafficPatterns(const Topology& hw, std::vector<std::int64_t> active,
                                 const base::Progress* progress, PatternScope scope,
                                 const WantedPatterns* wanted, std::vector<ChannelWindow> windows)
    : m_windows(std::move(windows)) {
  PatternBuilder(hw, active, progress, scope, wanted, m_windows).build(*this);
}

}  // namespace gridloom::traffic
