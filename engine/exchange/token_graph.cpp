// SPDX-License-Identifier: Apache-2.0
#include "exchange/token_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exchange/quoted_text.h"
#include "schedule/op_names.h"

namespace gridloom::exchange {

namespace {

using schedule::Instruction;
using schedule::Op;
using schedule::Process;

class GraphWriter {
 public:
  GraphWriter(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
              const kernel::TileNest& nest)
      : m_schedule(schedule), m_kernel(kernel), m_nest(nest) {}

  std::string run() {
    m_out = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded, "
                        "fontname=\"DejaVu Sans\", fontsize=10];\n  edge [fontname=\"DejaVu "
                        "Sans\", fontsize=8];\n",
                        quotedText(m_kernel.name));
    for (std::size_t p = 0; p < m_schedule.programs.size(); ++p) writeProgram(p);
    for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) writeChannel(c);
    return m_out + "}\n";
  }

 private:
  static std::string node(std::size_t program, std::size_t process) {
    return fmt::format("p{}_{}", program, process);
  }

  std::string titleOf(const Process& process) const {
    if (process.role == Process::Role::Compute) return "compute";
    return std::string(schedule::nameOf(process.role)) + " " +
           schedule::operandName(m_schedule, m_nest, process);
  }

  template <class Match>
  static std::vector<std::size_t> processesWith(const schedule::Program& program,
                                                const Match& match) {
    std::vector<std::size_t> found;
    for (std::size_t t = 0; t < program.processes.size(); ++t) {
      if (std::any_of(program.processes[t].code.begin(), program.processes[t].code.end(), match)) {
        found.push_back(t);
      }
    }
    return found;
  }

  void edge(const std::string& from, const std::string& to, const std::string& label,
            std::string_view style) {
    m_out += fmt::format("  {} -> {} [label={}{}];\n", from, to, quotedText(label), style);
  }

  void writeProgram(std::size_t p) {
    const schedule::Program& program = m_schedule.programs[p];
    m_out += fmt::format("  subgraph cluster_{} {{\n    label={};\n    color=\"#BCC5D1\";\n", p,
                         quotedText(fmt::format("{} ({} {})", program.name, program.cores,
                                                program.cores == 1 ? "core" : "cores")));
    for (std::size_t t = 0; t < program.processes.size(); ++t) {
      m_out += fmt::format("    {} [label={}];\n", node(p, t),
                           quotedText(titleOf(program.processes[t])));
    }
    m_out += "  }\n";
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) writeBuffer(p, b);
    for (std::size_t t = 0; t < m_schedule.tokens.size(); ++t) writeToken(p, t);
  }

  void writeBuffer(std::size_t p, std::size_t b) {
    const schedule::Program& program = m_schedule.programs[p];
    const schedule::Buffer& buffer = m_schedule.buffers[b];
    const auto having = [&](Op op) {
      return processesWith(program, [&](const Instruction& at) {
        return at.op == op && at.buffer.valid() && at.buffer.index() == b;
      });
    };
    const std::string label =
        buffer.slots == 1 ? buffer.name : fmt::format("{} x{}", buffer.name, buffer.slots);
    for (const std::size_t from : having(Op::Publish)) {
      for (const std::size_t to : having(Op::WaitFull)) {
        if (from == to) continue;
        edge(node(p, from), node(p, to), label, "");
        edge(node(p, to), node(p, from), "free", ", style=dashed, color=\"#6B7A90\"");
      }
    }
  }

  void writeToken(std::size_t p, std::size_t token) {
    const schedule::Program& program = m_schedule.programs[p];
    const auto having = [&](Op op) {
      return processesWith(program, [&](const Instruction& at) {
        return at.op == op && static_cast<std::size_t>(at.arg) == token;
      });
    };
    for (const std::size_t from : having(Op::Signal)) {
      for (const std::size_t to : having(Op::AwaitToken)) {
        edge(node(p, from), node(p, to), m_schedule.tokens[token].name, ", style=dotted");
      }
    }
  }

  void writeChannel(std::size_t c) {
    const auto having = [&](Op op) {
      std::vector<std::string> nodes;
      for (std::size_t p = 0; p < m_schedule.programs.size(); ++p) {
        for (const std::size_t t :
             processesWith(m_schedule.programs[p], [&](const Instruction& at) {
               return at.op == op && at.channel.index() == c;
             })) {
          nodes.push_back(node(p, t));
        }
      }
      return nodes;
    };
    for (const std::string& from : having(Op::Send)) {
      for (const std::string& to : having(Op::Receive)) {
        edge(from, to, m_schedule.channels[c].name, ", penwidth=2, color=\"#B58410\"");
      }
    }
  }

  const schedule::Schedule& m_schedule;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  std::string m_out;
};

}  // namespace

std::string tokenGraph(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                       const kernel::TileNest& nest) {
  return GraphWriter(schedule, kernel, nest).run();
}

}  // namespace gridloom::exchange
