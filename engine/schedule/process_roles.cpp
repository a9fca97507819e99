// SPDX-License-Identifier: Apache-2.0
#include "schedule/process_roles.h"

#include <algorithm>
#include <optional>
#include <set>

#include "schedule/op_names.h"

namespace gridloom::schedule {

using mapping::DataflowRole;

namespace {

bool isOfReduction(const Schedule& schedule, const Instruction& at) {
  const Buffer& buffer = schedule.buffers[at.buffer.index()];
  const bool joins =
      at.channel.valid() && at.op == Op::Send &&
      isJoined(schedule.buffers[schedule.channels[at.channel.index()].target.index()].use);
  return joins || isJoined(buffer.use) || isOfAllReduce(buffer.use);
}

std::optional<DataflowRole> roleOf(const Schedule& schedule, const Process& process,
                                   const Instruction& at) {
  if (process.role == Process::Role::Compute) return DataflowRole::Element;
  const bool moves = at.op == Op::Load || at.op == Op::Take || at.op == Op::Store ||
                     at.op == Op::Send || at.op == Op::Receive;
  if (!moves || !at.buffer.valid()) return std::nullopt;
  const bool ofInput = isOfInput(schedule.buffers[at.buffer.index()].use);
  if (at.op == Op::Load) return DataflowRole::Loader;
  if (at.op == Op::Store) return DataflowRole::Unloader;
  if (at.op == Op::Take) return DataflowRole::Receiver;
  if (isOfReduction(schedule, at)) return DataflowRole::Reducer;
  if (at.op == Op::Send) return ofInput ? DataflowRole::Feeder : DataflowRole::Drainer;
  return ofInput ? DataflowRole::Receiver : DataflowRole::Collector;
}

}  // namespace

std::vector<DataflowRole> rolesOf(const Schedule& schedule, const Process& process) {
  std::set<DataflowRole> roles;
  for (const Instruction& at : process.code) {
    if (const auto role = roleOf(schedule, process, at)) roles.insert(*role);
  }
  // A core that passes a tile on has received it.
  if (roles.contains(DataflowRole::Feeder)) roles.erase(DataflowRole::Receiver);
  return {roles.begin(), roles.end()};
}

std::string roleNames(const Schedule& schedule, const Process& process) {
  std::string names;
  for (const DataflowRole role : rolesOf(schedule, process)) {
    if (!names.empty()) names += ", ";
    names += nameOf(role);
  }
  return names;
}

std::vector<RoleCount> roleCounts(const Schedule& schedule, const kernel::TileNest& nest) {
  std::vector<std::string> operands{""};
  std::vector<RoleCount> counts;
  for (const Program& program : schedule.programs) {
    std::set<std::pair<std::string, DataflowRole>> ofProgram;
    for (const Process& process : program.processes) {
      const bool computes = process.role == Process::Role::Compute;
      const std::string operand = computes ? "" : operandName(schedule, nest, process);
      if (std::ranges::find(operands, operand) == operands.end()) operands.push_back(operand);
      for (const DataflowRole role : rolesOf(schedule, process)) ofProgram.emplace(operand, role);
    }
    for (const auto& [operand, role] : ofProgram) {
      const auto same = std::ranges::find_if(
          counts, [&](const RoleCount& c) { return c.operand == operand && c.role == role; });
      if (same == counts.end()) {
        counts.push_back({role, operand, program.cores});
      } else {
        same->cores += program.cores;
      }
    }
  }
  const auto place = [&](const RoleCount& c) {
    return std::pair(std::ranges::find(operands, c.operand) - operands.begin(), c.role);
  };
  std::ranges::sort(counts, {}, place);
  return counts;
}

}  // namespace gridloom::schedule
