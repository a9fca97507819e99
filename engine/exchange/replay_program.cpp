// SPDX-License-Identifier: Apache-2.0
#include "exchange/replay_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "exchange/signal_pairs.h"

namespace gridloom::exchange {

namespace {

using Kind = NocEvent::Kind;
using Step = network::TransferStep;

constexpr std::size_t kMostFaults = 20;
// An inline write and a semaphore increment carry one word (noc_trace_format.md, dataflow_api.h).
constexpr std::int64_t kWord = 4;

using ProcessorKey = std::tuple<int, int, int>;  ///< x, y, kind: the order of the format

bool isTransfer(Kind kind) {
  return kind == Kind::Read || kind == Kind::Write || kind == Kind::Inline ||
         kind == Kind::SemaphoreIncrement;
}

/// What a barrier waits for; 0 for other kinds.
std::uint8_t waitsOf(Kind kind) {
  switch (kind) {
  case Kind::ReadBarrierStart:
  case Kind::ReadBarrier:
    return Step::Reads;
  case Kind::WriteBarrierStart:
  case Kind::WriteBarrier:
  case Kind::AtomicBarrier:
    return Step::Writes;
  case Kind::WriteFlush:
    return Step::Departures;
  case Kind::FullBarrier:
    return Step::Reads | Step::Writes;
  case Kind::Zone:
  case Kind::Read:
  case Kind::Write:
  case Kind::Inline:
  case Kind::Multicast:
  case Kind::State:
  case Kind::ReadBarrierEnd:
  case Kind::WriteBarrierEnd:
  case Kind::SemaphoreIncrement:
  case Kind::SemaphoreWait:
  case Kind::Local:
    break;
  }
  return 0;
}

class ProgramMaker {
 public:
  ProgramMaker(const NocTrace& trace, const hardware::Topology& hw)
      : m_trace(trace), m_hw(hw), m_first(firstCycle()) {
    findChannels();
  }

  base::Result<ReplayProgram> run();

 private:
  /// Destination and size that transfers "with state" take from the last state.
  struct Remembered {
    std::array<std::int16_t, 2> to{-1, -1};
    std::int64_t bytes = -1;
  };
  using Events = std::vector<const NocEvent*>;

  std::int64_t firstCycle() const;
  double cycle(const NocEvent& event) const { return static_cast<double>(event.cycle - m_first); }
  void findChannels();
  void fail(const NocEvent& event, std::string message, std::string hint = {});
  bool inside(const NocEvent& event, std::array<std::int16_t, 2> at);
  std::int32_t nodeAt(std::array<std::int16_t, 2> at) const {
    return static_cast<std::int32_t>(at[0] * m_hw.nodeGrid()[1] + at[1]);
  }
  void addProcessor(const ProcessorKey& key, Events events);
  void addStep(const NocEvent& event, Remembered& remembered, std::vector<Step>& steps);
  void addTransfer(const NocEvent& event, const Remembered& remembered, Step& step);
  void addMulticast(const NocEvent& event, Step& step);
  static void setWork(std::vector<Step>& steps);
  double recordingCost() const;

  const NocTrace& m_trace;
  const hardware::Topology& m_hw;
  std::int64_t m_first = 0;
  std::vector<std::int32_t> m_channelOf;  ///< per router, -1: none
  ReplayProgram m_out;
  base::Diagnostics m_errors;
};

std::int64_t ProgramMaker::firstCycle() const {
  std::int64_t first = m_trace.events.empty() ? 0 : m_trace.events.front().cycle;
  for (const NocEvent& event : m_trace.events) first = std::min(first, event.cycle);
  return first;
}

/// A router that serves several channels represents the first one that names it.
void ProgramMaker::findChannels() {
  m_channelOf.assign(static_cast<std::size_t>(m_hw.nodeCount()), -1);
  std::vector<int> rank(m_channelOf.size(), 0);
  std::vector<int> position(static_cast<std::size_t>(m_hw.global().channels), 0);
  for (const hardware::Link& link : m_hw.links()) {
    if (link.kind != hardware::Link::Kind::ReadPort) continue;
    const int place = position[link.channel.index()]++;
    const std::size_t node = link.to.index();
    if (m_channelOf[node] >= 0 && rank[node] <= place) continue;
    m_channelOf[node] = link.channel.value();
    rank[node] = place;
  }
}

void ProgramMaker::fail(const NocEvent& event, std::string message, std::string hint) {
  if (m_errors.size() >= kMostFaults) return;
  m_errors.push_back(
      base::errorAt(m_trace.source, event.span, std::move(message), std::move(hint)));
}

bool ProgramMaker::inside(const NocEvent& event, std::array<std::int16_t, 2> at) {
  const auto grid = m_hw.nodeGrid();
  if (at[0] >= 0 && at[1] >= 0 && at[0] < grid[0] && at[1] < grid[1]) return true;
  fail(event,
       fmt::format("({}, {}) is not a router of {}: they are {} x {}", at[0], at[1], m_hw.name(),
                   grid[0], grid[1]),
       "traces name physical coordinates: replay them on the machine that they were recorded on");
  return false;
}

void ProgramMaker::addMulticast(const NocEvent& event, Step& step) {
  const bool fits = inside(event, {event.area[0], event.area[1]}) &&
                    inside(event, {event.area[2], event.area[3]});
  if (!fits) return;
  // NoC 1 runs in the opposite direction, and so do its rectangles: they start at the corner with
  // the larger coordinates.
  network::TransferArea area;
  const bool turned = event.plane == 1;
  for (std::size_t d = 0; d < 2; ++d) {
    area.first.push_back(event.area[turned ? d + 2 : d]);
    area.last.push_back(event.area[turned ? d : d + 2]);
  }
  step.kind = Step::Kind::Multicast;
  step.bytes = std::max<std::int64_t>(event.bytes, kWord);
  step.peer = static_cast<std::int32_t>(m_out.program.areas.size());
  m_out.program.areas.push_back(std::move(area));
}

void ProgramMaker::addTransfer(const NocEvent& event, const Remembered& remembered, Step& step) {
  const bool remembers = event.withState;
  const auto to = remembers && event.to[0] < 0 ? remembered.to : event.to;
  std::int64_t bytes = event.bytes;
  if (remembers && bytes <= 0) bytes = remembered.bytes;
  const bool word = event.kind == Kind::Inline || event.kind == Kind::SemaphoreIncrement;
  if (word && bytes <= 0) bytes = kWord;
  if (to[0] < 0 || bytes < 0) {
    return fail(event, "a transfer with state, but no state names its destination and size",
                "a `..._SET_STATE` event of the same processor comes first");
  }
  if (!inside(event, to)) return;
  step.kind = event.kind == Kind::Read ? Step::Kind::Read : Step::Kind::Write;
  if (event.kind == Kind::SemaphoreIncrement) step.kind = Step::Kind::Signal;
  step.peer = nodeAt(to);
  step.channel = m_channelOf[static_cast<std::size_t>(step.peer)];
  step.bytes = bytes;
}

void ProgramMaker::addStep(const NocEvent& event, Remembered& remembered,
                           std::vector<Step>& steps) {
  Step step;
  step.start = step.end = cycle(event);
  step.plane = event.plane;
  const bool ends = event.kind == Kind::ReadBarrierEnd || event.kind == Kind::WriteBarrierEnd;
  if (ends && !steps.empty() && steps.back().kind == Step::Kind::Wait) {
    steps.back().end = step.start;
    return;
  }
  if (event.kind == Kind::State) {
    if (event.to[0] >= 0) remembered.to = event.to;
    if (event.bytes > 0) remembered.bytes = event.bytes;
  } else if (event.kind == Kind::Multicast) {
    addMulticast(event, step);
  } else if (event.kind == Kind::SemaphoreWait) {
    step.kind = Step::Kind::Await;
  } else if (step.waitsFor = waitsOf(event.kind); step.waitsFor != 0) {
    step.kind = Step::Kind::Wait;
  } else if (isTransfer(event.kind)) {
    addTransfer(event, remembered, step);
  }
  steps.push_back(step);
}

/// A barrier without a recorded end lasts until the next event.
void ProgramMaker::setWork(std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    const double next = i + 1 < steps.size() ? steps[i + 1].start : step.end;
    if (step.kind == Step::Kind::Wait && step.end == step.start) step.end = next;
    const bool waits = step.kind == Step::Kind::Wait;
    step.work = std::max(0.0, next - (waits ? step.end : step.start));
  }
}

void ProgramMaker::addProcessor(const ProcessorKey& key, Events events) {
  const auto [x, y, kind] = key;
  std::ranges::stable_sort(events, {}, [](const NocEvent* event) { return event->cycle; });
  if (!inside(*events.front(), {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)}))
    return;
  Remembered remembered;
  network::TransferProcessor processor;
  for (const NocEvent* event : events) {
    if (event->plane >= m_hw.planes()) {
      fail(*event, fmt::format("`NOC_{}`, but {} has one network", event->plane, m_hw.name()));
      return;
    }
    addStep(*event, remembered, processor.steps);
  }
  if (processor.steps.empty()) return;
  setWork(processor.steps);
  report::ReplayedProcessor recorded;
  recorded.core = fmt::format("({}, {})", x, y);
  recorded.processor = m_trace.processors[static_cast<std::size_t>(kind)];
  recorded.recorded = {processor.steps.front().start, processor.steps.back().end};
  processor.name = recorded.processor + " " + recorded.core;
  processor.node =
      hardware::NodeId(nodeAt({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)}));
  m_out.program.processors.push_back(std::move(processor));
  m_out.recorded.push_back(std::move(recorded));
}

/// Cycles that recording costs a processor per event: the least time between two transfers, less
/// their issue overhead.
double ProgramMaker::recordingCost() const {
  double least = -1;
  for (const network::TransferProcessor& processor : m_out.program.processors) {
    for (std::size_t i = 0; i + 1 < processor.steps.size(); ++i) {
      const Step& step = processor.steps[i];
      const bool read = step.kind == Step::Kind::Read;
      if ((!read && step.kind != Step::Kind::Write) || processor.steps[i + 1].kind != step.kind) {
        continue;
      }
      const hardware::CoreInterface& core = m_hw.coreInterface();
      const double cost = step.work - (read ? core.readIssue : core.writeIssue);
      if (least < 0 || cost < least) least = std::max(0.0, cost);
    }
  }
  return std::max(0.0, least);
}

base::Result<ReplayProgram> ProgramMaker::run() {
  if (m_hw.nodeGrid().size() != 2) {
    return base::plainError(fmt::format("{} has no grid of routers with x and y", m_hw.name()));
  }
  std::map<ProcessorKey, Events> processors;
  for (const NocEvent& event : m_trace.events) {
    if (event.kind == Kind::Zone) continue;
    processors[{event.from[0], event.from[1], event.processor}].push_back(&event);
  }
  for (auto& [key, events] : processors) addProcessor(key, std::move(events));
  if (!m_errors.empty()) return std::move(m_errors);
  pairSignals(m_out.program);
  double end = 0;
  for (const auto& processor : m_out.recorded) end = std::max(end, processor.recorded.end);
  m_out.cycles = end;
  m_out.eventCost = recordingCost();
  return std::move(m_out);
}

}  // namespace

base::Result<ReplayProgram> replayProgram(const NocTrace& trace, const hardware::Topology& hw) {
  return ProgramMaker(trace, hw).run();
}

}  // namespace gridloom::exchange
