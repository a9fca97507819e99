// SPDX-License-Identifier: Apache-2.0
#include "exchange/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exchange/quoted_text.h"
#include "report/recording.h"
#include "schedule/op_names.h"

namespace gridloom::exchange {

namespace {

using schedule::Process;

constexpr std::size_t kMostLinks = 12;  ///< counters of links; more would hide the others

class TraceWriter {
 public:
  TraceWriter(std::ostream& out, const schedule::Schedule& schedule, const kernel::TileNest& nest,
              const hardware::Topology& hw)
      : m_out(out), m_schedule(schedule), m_nest(nest), m_hw(hw) {}

  void write(const simulate::Simulation& simulation) {
    m_out << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"schema\":\"gridloom.trace/1\","
          << "\"axis\":\"1 us = 1 cycle\",\"truncated\":"
          << (simulation.trace.isTruncated() ? "true" : "false") << "},\n\"traceEvents\":[";
    writeNames();
    for (const simulate::Span& span : simulation.trace.spans) writeSpan(span);
    writeCounters(simulation);
    m_out << "\n]}\n";
  }

 private:
  const schedule::Program* programOf(std::size_t core) const {
    const schedule::ProgramId id = m_schedule.programOfCore[core];
    return id.valid() ? &m_schedule.programs[id.index()] : nullptr;
  }

  void event(const std::string& text) {
    m_out << (m_first ? "\n" : ",\n") << text;
    m_first = false;
  }

  void writeNames() {
    std::vector<std::int64_t> at(m_hw.dims().size());
    for (std::size_t core = 0; core < m_schedule.programOfCore.size(); ++core) {
      const schedule::Program* program = programOf(core);
      if (program == nullptr) continue;
      m_hw.coordinatesOf(hardware::CoreId::of(core), at);
      const std::string title = fmt::format("core ({}) {}", fmt::join(at, ","), program->name);
      nameProcess(core, title);
      for (std::size_t t = 0; t < program->processes.size(); ++t) {
        event(fmt::format(
            R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", core, t,
            quotedText(titleOf(program->processes[t]))));
      }
    }
  }

  /// Tracks stand in the order of the cores, the counters of the whole machine below them.
  void nameProcess(std::size_t pid, const std::string& title) {
    event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", pid,
                      quotedText(title)));
    event(fmt::format(
        R"({{"ph":"M","name":"process_sort_index","pid":{0},"args":{{"sort_index":{0}}}}})", pid));
  }

  /// Use over time in per cent: cores that compute, every memory channel, the busiest links.
  void writeCounters(const simulate::Simulation& simulation) {
    report::OverTimeRecord use = report::overTimeRecord(m_hw, simulation);
    if (use.channels.empty() && use.links.empty()) return;
    const std::size_t pid = m_schedule.programOfCore.size();
    nameProcess(pid, "memory channels and links: use in %");
    if (!use.cores.empty()) writeCounter(pid, meanOf(use.cores), use.binCycles);
    for (const report::UseRecord& channel : use.channels) {
      writeCounter(pid, channel, use.binCycles);
    }
    const auto total = [](const report::UseRecord& record) {
      return std::accumulate(record.shares.begin(), record.shares.end(), 0.0);
    };
    const std::size_t links = std::min(kMostLinks, use.links.size());
    std::partial_sort(use.links.begin(), use.links.begin() + static_cast<std::ptrdiff_t>(links),
                      use.links.end(), [&](const auto& a, const auto& b) {
                        return std::pair(-total(a), a.name) < std::pair(-total(b), b.name);
                      });
    for (std::size_t l = 0; l < links; ++l) writeCounter(pid, use.links[l], use.binCycles);
  }

  report::UseRecord meanOf(const std::vector<report::UseRecord>& cores) const {
    report::UseRecord mean{"cores that compute", std::vector<float>(cores.front().shares.size())};
    std::int64_t active = 0;
    for (std::size_t c = 0; c < m_schedule.programOfCore.size(); ++c) {
      if (programOf(c) != nullptr) ++active;
    }
    for (const report::UseRecord& core : cores) {
      for (std::size_t b = 0; b < mean.shares.size(); ++b) {
        mean.shares[b] += core.shares[b] / static_cast<float>(std::max<std::int64_t>(active, 1));
      }
    }
    return mean;
  }

  void writeCounter(std::size_t pid, const report::UseRecord& record, double binCycles) {
    for (std::size_t b = 0; b < record.shares.size(); ++b) {
      if (b > 0 && record.shares[b] == record.shares[b - 1]) continue;
      event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"%":{:.4g}}}}})",
                        quotedText(record.name), pid, static_cast<double>(b) * binCycles,
                        100 * record.shares[b]));
    }
    event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"%":0}}}})",
                      quotedText(record.name), pid,
                      static_cast<double>(record.shares.size()) * binCycles));
  }

  std::string titleOf(const Process& process) const {
    if (process.role == Process::Role::Compute) return "compute";
    return std::string(schedule::nameOf(process.role)) + " " +
           schedule::operandName(m_schedule, m_nest, process);
  }

  void writeSpan(const simulate::Span& span) {
    event(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{}}})",
                      quotedText(titleOf(span)), simulate::nameOf(span.state), span.core.value(),
                      span.process, span.begin, span.end - span.begin));
  }

  /// "load A", "compute": what is moved stands with it, as a reader sees one span at a time.
  std::string titleOf(const simulate::Span& span) const {
    std::string title(nameOf(span));
    const schedule::Program* program = programOf(span.core.index());
    const auto process = static_cast<std::size_t>(span.process);
    if (program == nullptr || process >= program->processes.size()) return title;
    const Process& of = program->processes[process];
    if (of.role == Process::Role::Compute) return title;
    return title + " " + schedule::operandName(m_schedule, m_nest, of);
  }

  std::string_view nameOf(const simulate::Span& span) const {
    static constexpr std::array<std::string_view, 3> work{"compute", "epilogue", "reduce"};
    static constexpr std::array<std::string_view, 4> moves{"load", "send", "receive", "store"};
    const schedule::Program* program = programOf(span.core.index());
    const auto process = static_cast<std::size_t>(span.process);
    const auto what = static_cast<std::size_t>(span.what);
    const bool computes = program == nullptr || process >= program->processes.size() ||
                          program->processes[process].role == Process::Role::Compute;
    if (!computes && what < moves.size()) return moves[what];
    if (span.state == simulate::State::Compute && what < work.size()) return work[what];
    return simulate::nameOf(span.state);
  }

  std::ostream& m_out;
  const schedule::Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  bool m_first = true;
};

}  // namespace

void writeTrace(std::ostream& out, const simulate::Simulation& simulation,
                const schedule::Schedule& schedule, const kernel::TileNest& nest,
                const hardware::Topology& hw) {
  TraceWriter(out, schedule, nest, hw).write(simulation);
}

}  // namespace gridloom::exchange
