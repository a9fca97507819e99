// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_programs.h"

#include <fmt/format.h>

#include <algorithm>

#include "mapping/all_reduce.h"
#include "schedule/op_names.h"
#include "schedule/rings.h"

namespace gridloom::syntax {

namespace {

using schedule::BufferId;
using schedule::Op;
using schedule::PortId;
using schedule::ProgramId;

class ProgramBinder {
 public:
  ProgramBinder(const ScheduleText& text, ScheduleScope& scope, const kernel::TileNest& nest,
                const hardware::Topology& hw, BoundSchedule& out)
      : m_text(text),
        m_scope(scope),
        m_hw(hw),
        m_splitAllReduces(mapping::splitAllReduces(nest, out.schedule.mapping)),
        m_out(out) {}

  void run() {
    m_out.schedule.programOfCore.assign(static_cast<std::size_t>(m_hw.coreCount()), {});
    for (const ScheduleText::Herd& herd : m_text.herds) {
      schedule::Program program;
      program.name = herd.name.text;
      const ProgramId id = ProgramId::of(m_out.schedule.programs.size());
      for (const ScheduleText::Region& region : herd.at) program.cores += place(region, id);
      m_out.places.programs.push_back(herd.span);
      m_out.places.instructions.emplace_back();
      for (const ScheduleText::Process& process : herd.processes) {
        program.processes.push_back(bind(process));
      }
      m_out.schedule.programs.push_back(std::move(program));
    }
  }

 private:
  /// Assigns the program to the cores of a box and returns their number.
  std::int64_t place(const ScheduleText::Region& region, ProgramId program) {
    const auto dims = m_hw.dims();
    if (region.ranges.size() != dims.size()) {
      m_scope.fail(region.span, fmt::format("a core has {} coordinates here, got {}", dims.size(),
                                            region.ranges.size()));
      return 0;
    }
    std::vector<std::int64_t> at;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const auto& [begin, end] = region.ranges[d];
      at.push_back(begin.value);
      if (end.value < dims[d].size) continue;
      m_scope.fail(end.span, fmt::format("coordinates along {} go from 0 to {}", dims[d].name,
                                         dims[d].size - 1));
      return 0;
    }
    std::int64_t cores = 0;
    do {
      ProgramId& own = m_out.schedule.programOfCore[m_hw.coreAt(at).index()];
      if (own.valid()) {
        m_scope.fail(region.span,
                     fmt::format("core ({}) is in two herds: `{}` and `{}`", fmt::join(at, ", "),
                                 m_text.herds[own.index()].name.text,
                                 m_text.herds[program.index()].name.text));
        return cores;
      }
      own = program;
      ++cores;
    } while (next(region, at));
    return cores;
  }

  static bool next(const ScheduleText::Region& region, std::vector<std::int64_t>& at) {
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] <= region.ranges[d].second.value) return true;
      at[d] = region.ranges[d].first.value;
    }
    return false;
  }

  schedule::Process bind(const ScheduleText::Process& from) {
    schedule::Process to{from.role, -1, {}};
    auto& spans = m_out.places.instructions.back().emplace_back();
    m_depth = 0;
    for (const ScheduleText::Instruction& instruction : from.code) {
      to.code.push_back(bind(instruction));
      spans.push_back(instruction.span);
    }
    if (from.role != schedule::Process::Role::Compute) to.operand = operandOf(from, to);
    return to;
  }

  // A mover of an output carries other cores' partial results or finished tiles. Where an operand
  // is both read and written, the process's buffers tell which one is meant.
  int operandOf(const ScheduleText::Process& from, const schedule::Process& to) {
    for (const schedule::Instruction& instruction : to.code) {
      if (instruction.buffer.valid()) {
        const schedule::Buffer& buffer = m_out.schedule.buffers[instruction.buffer.index()];
        if (auto found = m_scope.operand(buffer.use, from.operand)) return static_cast<int>(*found);
        return -1;
      }
    }
    const bool input = from.role == schedule::Process::Role::Mover && m_scope.isInput(from.operand);
    const auto found = m_scope.operand(
        input ? schedule::Buffer::Use::Input : schedule::Buffer::Use::Output, from.operand);
    return found ? static_cast<int>(*found) : -1;
  }

  schedule::Instruction bind(const ScheduleText::Instruction& from) {
    schedule::Instruction to;
    to.op = from.op;
    to.arg = static_cast<std::int32_t>(from.of.value);
    if (from.op == Op::LoopBegin || from.op == Op::LoopEnd) {
      to.arg = position(from);
      return to;
    }
    const bool takes = from.op == Op::Await && m_scope.isToken(from.buffer);
    if (takes || from.op == Op::Signal) {
      checkSender(from, to);
      const auto token = m_scope.token(takes ? from.buffer : from.token);
      to.op = takes ? Op::AwaitToken : Op::Signal;
      to.arg = token ? static_cast<std::int32_t>(*token) : 0;
      return to;
    }
    if (!from.channel.text.empty()) {
      if (const auto channel = m_scope.channel(from.channel)) {
        to.channel = PortId::of(*channel);
        to.buffer = m_out.schedule.channels[*channel].target;
      }
    }
    if (!from.buffer.text.empty()) {
      if (const auto buffer = m_scope.buffer(from.buffer)) to.buffer = BufferId::of(*buffer);
    }
    checkSender(from, to);
    if (from.op == Op::Compute) to.arg = part(from);
    if (from.op == Op::Reduce && to.buffer.valid()) {
      to.arg = m_out.schedule.buffers[to.buffer.index()].operand;
    }
    checkShare(from, to);
    return to;
  }

  /// The number of the all-reduce that ends a `compute`; the last part has none.
  std::int32_t part(const ScheduleText::Instruction& from) {
    if (from.until.text.empty()) return static_cast<std::int32_t>(m_splitAllReduces.size());
    const auto reduce = m_scope.operand(schedule::Buffer::Use::Contribution, from.until);
    if (!reduce) return 0;
    const auto at = std::ranges::find(m_splitAllReduces, *reduce);
    if (at == m_splitAllReduces.end()) {
      m_scope.fail(from.until.span,
                   fmt::format("every core reduces `{}` by itself here", from.until.text),
                   "leave `until` out, or deal the loop it is reduced over to several cores");
    }
    return static_cast<std::int32_t>(at - m_splitAllReduces.begin());
  }

  /// `of 3` selects one of the gathered tiles; no other instruction has several.
  void checkSender(const ScheduleText::Instruction& from, const schedule::Instruction& to) {
    const bool given = from.of.span.end > 0;
    const bool gathers = to.buffer.valid() && m_out.schedule.buffers[to.buffer.index()].use ==
                                                  schedule::Buffer::Use::Gather;
    if (!given || gathers) return;
    m_scope.fail(from.of.span, "`of` tells from which core a gathered tile is",
                 "leave it out: this statement is not on a gathered buffer");
  }

  /// `share 2` selects a part of a tile that goes around a ring.
  void checkShare(const ScheduleText::Instruction& from, schedule::Instruction& to) {
    const bool given = from.share.span.end > 0;
    const bool wanted = schedule::movesShare(to.op) && to.buffer.valid() &&
                        schedule::ringOf(m_out.schedule, to.buffer).valid();
    if (wanted) to.arg = static_cast<std::int32_t>(from.share.value);
    if (given == wanted) return;
    if (given) {
      m_scope.fail(from.share.span, "only tiles that go around a ring are moved in shares",
                   "leave `share` out");
    } else {
      m_scope.fail(from.span, "this tile goes around a ring in shares",
                   "say which one is moved: `share 0` is the core's own");
    }
  }

  std::int32_t position(const ScheduleText::Instruction& from) {
    const auto& order = m_out.schedule.mapping.order;
    if (from.op == Op::LoopEnd) return --m_depth;
    const std::int32_t here = m_depth++;
    const auto loop = m_scope.loop(from.loop);
    if (!loop) return here;
    const auto at = static_cast<std::size_t>(here);
    if (at < order.size() && order[at] == mapping::LoopId::of(*loop)) return here;
    m_scope.fail(
        from.loop.span,
        fmt::format("loop `{}` cannot stand inside {} other loops here", from.loop.text, here),
        at < order.size() ? "loops nest in the order of the launch"
                          : "the order of the launch names no more loops");
    return here;
  }

  const ScheduleText& m_text;
  ScheduleScope& m_scope;
  const hardware::Topology& m_hw;
  std::vector<std::size_t> m_splitAllReduces;
  BoundSchedule& m_out;
  std::int32_t m_depth = 0;
};

}  // namespace

void bindPrograms(const ScheduleText& text, ScheduleScope& scope, const kernel::TileNest& nest,
                  const hardware::Topology& hw, BoundSchedule& out) {
  ProgramBinder(text, scope, nest, hw, out).run();
}

}  // namespace gridloom::syntax
