// SPDX-License-Identifier: Apache-2.0
#include "kernel/carried_dependences.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

class CarriedDependences {
 public:
  CarriedDependences(const Kernel& kernel, const std::vector<std::vector<bool>>& consumers,
                     NestStructure& structure)
      : m_kernel(kernel),
        m_consumers(consumers),
        m_out(structure),
        m_forward(forwardLoops(kernel, structure.flows)) {}

  base::Diagnostics run() {
    for (const FlowDependence& flow : m_out.flows) {
      Loops carrying;
      std::ranges::copy_if(flow.shared, std::back_inserter(carrying),
                           [&](LoopId loop) { return flow.carriedBy(loop); });
      if (!carrying.empty()) place(flow, carrying);
    }
    stepInside();
    return std::move(m_errors);
  }

 private:
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  const std::string& targetName(StatementId s) const {
    return m_kernel.tensor(m_kernel.statements[s.index()].target.tensor).name;
  }
  static const affine::DependenceDistance::Range& rangeOf(const FlowDependence& flow, LoopId loop) {
    return flow.distance.perLoop[loop.index()];
  }

  // The loop along which the reader comes later, if there is any: one along which nothing needs a
  // later index, if there is any of those.
  Loops::const_iterator stepOf(const FlowDependence& flow, const Loops& carrying) const {
    const auto isLater = [&](LoopId loop) { return rangeOf(flow, loop).min.value_or(0) >= 1; };
    const auto forward = std::ranges::find_if(
        carrying, [&](LoopId loop) { return isLater(loop) && contains(m_forward, loop); });
    return forward != carrying.end() ? forward : std::ranges::find_if(carrying, isLater);
  }

  void place(const FlowDependence& flow, const Loops& carrying) {
    const auto step = stepOf(flow, carrying);
    // Statements of one cycle run together, index by index.
    const bool together =
        flow.reader != flow.writer && m_consumers[flow.reader.index()][flow.writer.index()];
    if (step == carrying.end() || (together && !contains(m_forward, *step))) {
      if (!isOrdered(flow, carrying)) {
        return step == carrying.end() ? fail(flow, carrying.front()) : failBackward(*step);
      }
      for (const LoopId loop : carrying) markCarried(flow, loop);
      return;
    }
    const bool uniform = rangeOf(flow, *step).min == rangeOf(flow, *step).max;
    if (carrying.size() == 1 && uniform) return;
    for (const LoopId loop : carrying) {
      if (loop != *step || !uniform) markCarried(flow, loop);
    }
    markStepped(flow, *step);
  }

  // Whether all of the writer can run before all of the reader, at one index of the loops that do
  // not carry the dependence: in the order of the statements, without a cycle that only loops among
  // `carrying` would break.
  bool isOrdered(const FlowDependence& flow, const Loops& carrying) const {
    if (flow.writer >= flow.reader) return false;
    std::vector<bool> reached(m_kernel.statements.size(), false);
    reached[flow.reader.index()] = true;
    for (std::size_t pass = 0; pass < reached.size(); ++pass) {
      for (const FlowDependence& other : m_out.flows) {
        if (!reached[other.writer.index()] || isCarriedBeside(other, carrying)) continue;
        reached[other.reader.index()] = true;
      }
    }
    return !reached[flow.writer.index()];
  }

  bool isCarriedBeside(const FlowDependence& flow, const Loops& loops) const {
    return std::ranges::any_of(flow.shared, [&](LoopId loop) {
      const auto& range = flow.distance.perLoop[loop.index()];
      return !contains(loops, loop) && range.min && *range.min >= 1;
    });
  }

  // A cycle runs along the loop, and some statement needs all indices of it, or later ones.
  void failBackward(LoopId loop) {
    for (const FlowDependence& flow : m_out.flows) {
      if (flow.carriedBy(loop) && rangeOf(flow, loop).min.value_or(-1) < 0) fail(flow, loop);
    }
  }

  void fail(const FlowDependence& flow, LoopId loop) {
    const Statement& reader = m_kernel.statements[flow.reader.index()];
    const bool known = std::ranges::any_of(
        m_errors, [&](const base::Diagnostic& d) { return d.span.begin == reader.span.begin; });
    if (known) return;
    const Access& read = reader.reads[flow.read];
    const bool backward = rangeOf(flow, loop).max.value_or(0) < 0;
    const std::string& name = nameOf(loop);
    m_errors.push_back(base::errorAt(
        m_kernel.source, reader.span,
        fmt::format("not yet mapped: {} needs {}, of {}", toString(m_kernel, reader.target),
                    toString(m_kernel, read),
                    backward ? "a later " + name : "any " + name + ", before it is complete"),
        backward ? fmt::format("count from the end: write `{} - {}` for `{}` in these statements",
                               m_kernel.loop(loop).extent - 1, name, name)
                 : fmt::format("name another loop for `{}` in the statement that reads all of `{}`",
                               name, m_kernel.tensor(read.tensor).name)));
  }

  void markCarried(const FlowDependence& flow, LoopId loop) {
    m_out.markWhole(loop,
                    fmt::format("`{}` reads other elements of `{}` along {}",
                                targetName(flow.reader), targetName(flow.writer), nameOf(loop)));
  }

  // All statements of the dependence's cycle.
  void markStepped(const FlowDependence& flow, LoopId loop) {
    const std::size_t reader = flow.reader.index(), writer = flow.writer.index();
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const bool between =
          (s == reader || m_consumers[reader][s]) && (s == writer || m_consumers[s][writer]);
      if (between && !contains(m_out.stepped[s], loop)) m_out.stepped[s].push_back(loop);
    }
  }

  // Where a statement advances index by index, so do the recurrences inside it.
  void stepInside() {
    for (const FlowDependence& flow : m_out.flows) {
      Loops& steps = m_out.stepped[flow.reader.index()];
      if (flow.reader != flow.writer || steps.empty()) continue;
      for (const LoopId loop : flow.shared) {
        const bool next = rangeOf(flow, loop).min.value_or(0) >= 1;
        if (next && !contains(steps, loop) && !flow.carriedBy(steps.front())) steps.push_back(loop);
      }
    }
  }

  const Kernel& m_kernel;
  const std::vector<std::vector<bool>>& m_consumers;
  NestStructure& m_out;
  Loops m_forward;
  base::Diagnostics m_errors;
};

}  // namespace

base::Diagnostics placeCarried(const Kernel& kernel,
                               const std::vector<std::vector<bool>>& consumers,
                               NestStructure& structure) {
  return CarriedDependences(kernel, consumers, structure).run();
}

}  // namespace gridloom::kernel
