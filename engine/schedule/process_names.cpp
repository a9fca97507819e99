// SPDX-License-Identifier: Apache-2.0
#include "schedule/process_names.h"

#include <fmt/format.h>

#include "schedule/op_names.h"
#include "schedule/token_machine.h"

namespace gridloom::schedule {

std::string placeOf(const Placement& placement, std::int32_t core) {
  std::string place;
  for (int d = 0; d < placement.dims(); ++d) {
    place += fmt::format("{}{}", d == 0 ? "" : ",", placement.coordinate(core, d));
  }
  return place;
}

std::string nameOf(const TokenMachine& machine, std::int32_t process) {
  const std::string place = placeOf(machine.placed().placement, machine.coreOf(process));
  const Process& of = machine.processOf(process);
  if (of.role == Process::Role::Compute) return fmt::format("compute on core ({})", place);
  const std::string_view role = of.role == Process::Role::Mover ? "mover" : "writer";
  // The operand is that of the first buffer that the process uses.
  for (const Instruction& instruction : of.code) {
    if (!instruction.buffer.valid()) continue;
    const Buffer& buffer = machine.placed().schedule.buffers[instruction.buffer.index()];
    return fmt::format("{} of {} on core ({})", role, buffer.name, place);
  }
  return fmt::format("{} on core ({})", role, place);
}

std::string describeWait(const TokenMachine& machine, std::int32_t process) {
  const Schedule& schedule = machine.placed().schedule;
  const Code& code = machine.at(process);
  if (code.end) return nameOf(machine, process) + " (finished)";
  std::string text = fmt::format("{} at `{}", nameOf(machine, process), nameOf(code.op));
  if (code.buffer >= 0) text += " " + schedule.buffers[index(code.buffer)].name;
  if (namesToken(code.op)) text += " " + schedule.tokens[index(code.arg)].name;
  if (code.channel >= 0) text += " via " + schedule.channels[index(code.channel)].name;
  return text + "`";
}

InstructionPlace instructionPlace(const TokenMachine& machine, std::int32_t process) {
  const PlacedSchedule& placed = machine.placed();
  const std::int32_t core = machine.coreOf(process);
  const ProgramId program = placed.schedule.programOfCore[index(core)];
  const std::size_t number = index(process - placed.wiring.firstProcess(core));
  const std::int32_t entry = placed.code.entries(program)[number];
  return {program.index(), number, index(machine.process(process).pc - entry)};
}

}  // namespace gridloom::schedule
