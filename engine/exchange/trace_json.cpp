// SPDX-License-Identifier: Apache-2.0
#include "exchange/trace_json.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/op_names.h"

namespace gridloom::exchange {

namespace {

using schedule::Process;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

class TraceWriter {
 public:
  TraceWriter(std::ostream& out, const schedule::Schedule& schedule, const kernel::TileNest& nest,
              const hardware::Topology& hw)
      : m_out(out), m_schedule(schedule), m_nest(nest), m_hw(hw) {}

  void write(const simulate::Simulation& simulation) {
    m_out << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"schema\":\"gridloom.trace/1\","
          << "\"axis\":\"1 us = 1 cycle\",\"truncated\":"
          << (simulation.traceTruncated ? "true" : "false") << "},\n\"traceEvents\":[";
    writeNames();
    for (const simulate::Span& span : simulation.trace) writeSpan(span);
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
      event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", core,
                        quoted(title)));
      for (std::size_t t = 0; t < program->processes.size(); ++t) {
        event(fmt::format(
            R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", core, t,
            quoted(titleOf(program->processes[t]))));
      }
    }
  }

  std::string titleOf(const Process& process) const {
    if (process.role == Process::Role::Compute) return "compute";
    return std::string(schedule::nameOf(process.role)) + " " +
           schedule::operandName(m_schedule, m_nest, process);
  }

  void writeSpan(const simulate::Span& span) {
    event(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{}}})",
                      quoted(nameOf(span)), simulate::nameOf(span.state), span.core.value(),
                      span.process, span.begin, span.end - span.begin));
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
