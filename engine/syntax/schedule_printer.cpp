// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_printer.h"

#include <fmt/format.h>

#include <algorithm>

#include "mapping/all_reduce.h"
#include "mapping/units.h"
#include "schedule/herd_regions.h"
#include "schedule/op_names.h"
#include "schedule/placement.h"
#include "schedule/process_roles.h"
#include "schedule/rings.h"
#include "syntax/schedule_domain.h"

namespace gridloom::syntax {

namespace {

using schedule::Buffer;
using schedule::Channel;
using schedule::Op;
using schedule::ProgramId;

class Printer {
 public:
  Printer(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
          const kernel::TileNest& nest, const hardware::Topology& hw)
      : m_schedule(schedule),
        m_kernel(kernel),
        m_nest(nest),
        m_hw(hw),
        m_splitAllReduces(mapping::splitAllReduces(nest, schedule.mapping)) {}

  std::string run() {
    printHead();
    printLoops();
    printMesh();
    for (const Buffer& buffer : m_schedule.buffers) print(buffer);
    for (const Channel& channel : m_schedule.channels) print(channel);
    for (const schedule::Token& token : m_schedule.tokens) print(token);
    for (const schedule::DmaConstraint& dmaConstraint : m_schedule.dmaConstraints)
      print(dmaConstraint);
    for (std::size_t p = 0; p < m_schedule.programs.size(); ++p) printHerd(ProgramId::of(p));
    m_out += "  }\n}\n";
    return std::move(m_out);
  }

 private:
  template <class... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(m_out), format, std::forward<Args>(args)...);
  }

  void printHead() {
    add("launch {}(", spelledName(m_kernel.name));
    const char* between = "";
    for (const kernel::Parameter& parameter : m_kernel.parameters) {
      add("{}{} = {}", std::exchange(between, ", "), parameter.name, parameter.value);
    }
    add(") on {} {{\n", spelledName(m_hw.name()));
    const std::string dtype = commonDType(m_kernel);
    if (!dtype.empty()) add("  dtype {}\n", dtype);
  }

  const std::string& dimName(std::size_t d) const { return m_hw.dims()[d].name; }
  const std::string& loopName(mapping::LoopId loop) const { return m_kernel.loop(loop).name; }

  std::string dimNames(mapping::DimMask along) const {
    std::string names;
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      if ((along >> d & 1U) != 0) names += (names.empty() ? "" : ", ") + spelledName(dimName(d));
    }
    return names;
  }

  void printLoops() {
    const mapping::Mapping& mapping = m_schedule.mapping;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      mapping::DimMask dims = 0;
      for (std::size_t d = 0; d < mapping.space.size(); ++d) {
        if (mapping.space[d] == mapping::LoopId::of(l)) dims |= mapping::DimMask{1} << d;
      }
      add("  loop {} = {} by {}{}{}\n", m_kernel.loops[l].name, m_kernel.loops[l].extent,
          mapping.tileSize[l], dims == 0 ? "" : " on ", dimNames(dims));
    }
    const char* between = "  order ";
    for (const mapping::LoopId loop : mapping.order) {
      add("{}{}", std::exchange(between, ", "), loopName(loop));
    }
    if (!mapping.order.empty()) add("\n");
    for (const auto& [tensor, unit] : mapping::pinnedUnits(m_kernel, m_nest))
      add("  unit {} {}\n", spelledName(tensor), kernel::nameOf(unit));
    if (!m_schedule.work.always()) add("  where {}\n", domainText(m_schedule.work, m_kernel));
  }

  void printMesh() {
    const char* between = "  segment ";
    for (const std::uint8_t d : m_schedule.mapping.dimOrder) {
      add("{}{} = {}", std::exchange(between, ", "), spelledName(dimName(d)), m_hw.dims()[d].size);
    }
    add(" {{\n");
  }

  void print(const Buffer& buffer) {
    add("    buffer {}: {} {}", spelledName(buffer.name), schedule::nameOf(buffer.use),
        spelledName(schedule::operandName(m_nest, buffer.use, buffer.operand)));
    if (schedule::isInSharedBuffer(buffer.use) && m_hw.sharedBuffers().size() > 1)
      add(" in {}", spelledName(m_hw.sharedBuffer(buffer.sharedLevel).name));
    const int level = levelOf(buffer);
    if (level > 0) {
      add(" per {}", loopName(m_schedule.mapping.order[static_cast<std::size_t>(level) - 1]));
    }
    const mapping::TensorLayout place = placeOf(buffer);
    if (place != mapping::TensorLayout::PageInterleaved) {
      add(" layout {}", mapping::kLayoutNames[static_cast<std::size_t>(place)]);
    }
    printNeed(buffer);
    add(", {} {} of {} B\n", buffer.slots, buffer.slots == 1 ? "slot" : "slots", buffer.bytes);
  }

  void printNeed(const Buffer& buffer) {
    if (buffer.need.awaits >= 0) {
      const auto operand = static_cast<std::size_t>(buffer.operand);
      add(" {} {}", buffer.need.passed ? "takes" : "awaits",
          awaitedText(m_nest.inputs[operand], m_kernel));
    }
    if (!buffer.need.guard.always()) add(" where {}", domainText(buffer.need.guard, m_kernel));
  }

  /// Temporal loops outside the transfer that fills a buffer; 0 for one tile in total.
  int levelOf(const Buffer& buffer) const {
    if (!schedule::isOfInput(buffer.use) || buffer.use == Buffer::Use::Resident) return 0;
    const auto& movement = m_schedule.mapping.inputs[static_cast<std::size_t>(buffer.operand)];
    return buffer.use == Buffer::Use::SharedInput ? movement.sharedBuffers[buffer.sharedLevel].level
                                                  : movement.level;
  }

  mapping::TensorLayout placeOf(const Buffer& buffer) const {
    const auto operand = static_cast<std::size_t>(buffer.operand);
    if (buffer.use == Buffer::Use::Input) return m_schedule.mapping.inputs[operand].layout;
    if (buffer.use == Buffer::Use::Output) return m_schedule.mapping.outputs[operand].layout;
    return mapping::TensorLayout::PageInterleaved;
  }

  const std::string& nameOf(schedule::BufferId buffer) const {
    return m_schedule.buffers[buffer.index()].name;
  }

  void print(const Channel& channel) {
    add("    channel {}: {} to {}", spelledName(channel.name), schedule::nameOf(channel.kind),
        spelledName(nameOf(channel.target)));
    if (channel.along != 0) add(" along {}", dimNames(channel.along));
    if ((channel.along & (channel.along - 1)) != 0)
      add(" first {}", spelledName(dimName(channel.first)));
    if (channel.step != 0) add(" step {}", channel.step);
    add(", depth {}\n", channel.depth);
  }

  void print(const schedule::Token& token) {
    add("    token {}", spelledName(token.name));
    if (token.atStart > 0) add(", {} at start", token.atStart);
    add("\n");
  }

  void print(const schedule::DmaConstraint& dmaConstraint) {
    const char* between = " ";
    add("    {}", schedule::nameOf(dmaConstraint.kind));
    for (const schedule::DmaConstraint::Member& member : dmaConstraint.members) {
      const auto o = static_cast<std::size_t>(member.operand);
      add("{}{} {}", std::exchange(between, ", "), member.writes ? "writer" : "mover",
          spelledName((member.ofInput ? m_nest.inputs : m_nest.outputs)[o].name));
    }
    add("\n");
  }

  void printHerd(ProgramId id) {
    const schedule::Program& program = m_schedule.programs[id.index()];
    add("    herd {} at {} {{\n", spelledName(program.name), regionsOf(id));
    for (const schedule::Process& process : program.processes) print(process);
    add("    }}\n");
  }

  void print(const schedule::Process& process) {
    add("      {}", schedule::nameOf(process.role));
    if (process.role != schedule::Process::Role::Compute) {
      add(" {}", spelledName(operandName(m_schedule, m_nest, process)));
    }
    add(" {{");
    if (const std::string roles = schedule::roleNames(m_schedule, process); !roles.empty())
      add("  // {}", roles);
    add("\n");
    m_indent = 8;
    for (const schedule::Instruction& instruction : process.code) print(instruction);
    add("      }}\n");
  }

  void print(const schedule::Instruction& at) {
    if (at.op == Op::LoopEnd) m_indent -= 2;
    add("{:{}}{}", "", m_indent, schedule::nameOf(at.op));
    if (at.op == Op::LoopBegin) {
      const auto position = static_cast<std::size_t>(at.arg);
      add(" {} {{", loopName(m_schedule.mapping.order[position]));
      m_indent += 2;
    } else if (schedule::namesChannel(at.op) && at.op != Op::Send) {
      add(" {}", spelledName(m_schedule.channels[at.channel.index()].name));
    } else if (schedule::namesToken(at.op)) {
      add(" {}", spelledName(m_schedule.tokens[static_cast<std::size_t>(at.arg)].name));
    } else if (schedule::namesBuffer(at.op)) {
      add(" {}", spelledName(nameOf(at.buffer)));
    }
    const auto part = static_cast<std::size_t>(at.arg);
    if (at.op == Op::Compute && part < m_splitAllReduces.size()) {
      add(" until {}", m_nest.allReduces[m_splitAllReduces[part]].name);
    }
    if (at.op == Op::Send) add(" to {}", spelledName(m_schedule.channels[at.channel.index()].name));
    const bool ofOther =
        at.buffer.valid() && m_schedule.buffers[at.buffer.index()].use == Buffer::Use::Gather;
    if (ofOther) add(" of {}", at.arg);
    const bool inShares = at.buffer.valid() && schedule::movesShare(at.op) &&
                          schedule::ringOf(m_schedule, at.buffer).valid();
    if (inShares) add(" share {}", at.arg);
    add("\n");
  }

  std::string regionsOf(ProgramId program);

  const schedule::Schedule& m_schedule;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  std::vector<std::size_t> m_splitAllReduces;
  std::string m_out;
  int m_indent = 0;
};

std::string Printer::regionsOf(ProgramId program) {
  std::string out;
  for (const schedule::CoreBox& box : schedule::regionsOf(m_schedule, m_hw, program)) {
    out += out.empty() ? "(" : ", (";
    for (std::size_t d = 0; d < box.first.size(); ++d) {
      out += fmt::format("{}{}", d == 0 ? "" : ", ", box.first[d]);
      if (box.last[d] > box.first[d]) out += fmt::format(" to {}", box.last[d]);
    }
    out += ")";
  }
  return out;
}

}  // namespace

std::string printSchedule(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                          const kernel::TileNest& nest, const hardware::Topology& hw) {
  return Printer(schedule, kernel, nest, hw).run();
}

}  // namespace gridloom::syntax
