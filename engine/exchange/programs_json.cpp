// SPDX-License-Identifier: Apache-2.0
#include "exchange/programs_json.h"

#include <nlohmann/json.hpp>
#include <string>

#include "schedule/herd_regions.h"
#include "schedule/op_names.h"
#include "schedule/process_roles.h"
#include "schedule/rings.h"

namespace gridloom::exchange {

namespace {

using nlohmann::ordered_json;
using schedule::Instruction;
using schedule::Op;

class ProgramsWriter {
 public:
  ProgramsWriter(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                 const kernel::TileNest& nest, const hardware::Topology& hw)
      : m_schedule(schedule), m_kernel(kernel), m_nest(nest), m_hw(hw) {}

  ordered_json run() const {
    ordered_json programs = {{"schema", "gridloom.programs/1"},
                             {"kernel", m_kernel.name},
                             {"hardware", m_hw.name()},
                             {"loops", loops()},
                             {"order", order()},
                             {"mesh", mesh()},
                             {"buffers", buffers()},
                             {"channels", channels()},
                             {"programs", ordered_json::array()}};
    for (std::size_t p = 0; p < m_schedule.programs.size(); ++p) {
      programs["programs"].push_back(program(p));
    }
    return programs;
  }

 private:
  ordered_json loops() const {
    ordered_json list = ordered_json::array();
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const mapping::LoopTiling& tiling = m_schedule.tiling.loops[l];
      ordered_json on = ordered_json::array();
      for (const std::uint8_t d : m_schedule.mapping.dimOrder) {
        if (m_schedule.mapping.space[d] == mapping::LoopId::of(l))
          on.push_back(m_hw.dims()[d].name);
      }
      list.push_back({{"name", m_kernel.loops[l].name},
                      {"extent", tiling.extent},
                      {"tile", tiling.tileSize},
                      {"unroll", tiling.unroll},
                      {"waves", tiling.trips},
                      {"on", on}});
    }
    return list;
  }

  ordered_json order() const {
    ordered_json names = ordered_json::array();
    for (const mapping::LoopId loop : m_schedule.order) {
      names.push_back(m_kernel.loop(loop).name);
    }
    return names;
  }

  ordered_json mesh() const {
    ordered_json dims = ordered_json::array();
    for (const auto& dim : m_hw.dims()) dims.push_back({{"name", dim.name}, {"size", dim.size}});
    return dims;
  }

  ordered_json buffers() const {
    ordered_json list = ordered_json::array();
    for (const schedule::Buffer& buffer : m_schedule.buffers) {
      list.push_back({{"name", buffer.name},
                      {"use", schedule::nameOf(buffer.use)},
                      {"operand", schedule::operandName(m_nest, buffer.use, buffer.operand)},
                      {"slots", buffer.slots},
                      {"bytes", buffer.bytes}});
    }
    return list;
  }

  ordered_json dimNames(mapping::DimMask along) const {
    ordered_json names = ordered_json::array();
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      if ((along >> d & 1U) != 0) names.push_back(m_hw.dims()[d].name);
    }
    return names;
  }

  ordered_json channels() const {
    ordered_json list = ordered_json::array();
    for (const schedule::Channel& channel : m_schedule.channels) {
      list.push_back({{"name", channel.name},
                      {"kind", schedule::nameOf(channel.kind)},
                      {"along", dimNames(channel.along)},
                      {"step", channel.step},
                      {"target", m_schedule.buffers[channel.target.index()].name},
                      {"depth", channel.depth}});
    }
    return list;
  }

  ordered_json program(std::size_t index) const {
    const schedule::Program& program = m_schedule.programs[index];
    ordered_json cores = ordered_json::array();
    for (const schedule::CoreBox& box :
         schedule::regionsOf(m_schedule, m_hw, schedule::ProgramId::of(index))) {
      cores.push_back({{"first", box.first}, {"last", box.last}});
    }
    ordered_json processes = ordered_json::array();
    for (const schedule::Process& process : program.processes) {
      std::size_t next = 0;
      ordered_json entry = {{"role", schedule::nameOf(process.role)}};
      if (process.role != schedule::Process::Role::Compute) {
        entry["operand"] = schedule::operandName(m_schedule, m_nest, process);
      }
      ordered_json roles = ordered_json::array();
      for (const mapping::DataflowRole role : schedule::rolesOf(m_schedule, process))
        roles.push_back(mapping::nameOf(role));
      entry["dataflow_roles"] = std::move(roles);
      entry["code"] = code(process.code, next);
      processes.push_back(std::move(entry));
    }
    return {{"name", program.name}, {"cores", cores}, {"processes", processes}};
  }

  ordered_json code(const std::vector<Instruction>& list, std::size_t& next) const {
    ordered_json out = ordered_json::array();
    while (next < list.size() && list[next].op != Op::LoopEnd) {
      const Instruction& at = list[next++];
      if (at.op != Op::LoopBegin) {
        out.push_back(instruction(at));
        continue;
      }
      const mapping::LoopId loop = m_schedule.order[static_cast<std::size_t>(at.arg)];
      ordered_json body = code(list, next);
      ++next;
      out.push_back({{"op", "for"}, {"loop", m_kernel.loop(loop).name}, {"body", body}});
    }
    return out;
  }

  ordered_json instruction(const Instruction& at) const {
    ordered_json out = {{"op", schedule::nameOf(at.op)}};
    if (at.buffer.valid() && schedule::namesBuffer(at.op)) {
      const schedule::Buffer& buffer = m_schedule.buffers[at.buffer.index()];
      out["buffer"] = buffer.name;
      if (buffer.use == schedule::Buffer::Use::Gather) out["of"] = at.arg;
      if (schedule::movesShare(at.op) && schedule::ringOf(m_schedule, at.buffer).valid()) {
        out["share"] = at.arg;
      }
    }
    if (schedule::namesChannel(at.op)) {
      out["channel"] = m_schedule.channels[at.channel.index()].name;
    }
    if (schedule::namesToken(at.op)) {
      out["token"] = m_schedule.tokens[static_cast<std::size_t>(at.arg)].name;
    }
    if (at.op == Op::Compute && at.arg != 0) out["part"] = at.arg;
    return out;
  }

  const schedule::Schedule& m_schedule;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
};

}  // namespace

std::string programsJson(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                         const kernel::TileNest& nest, const hardware::Topology& hw) {
  return ProgramsWriter(schedule, kernel, nest, hw).run().dump(1) + "\n";
}

}  // namespace gridloom::exchange
