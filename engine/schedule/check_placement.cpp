// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "schedule/check_programs.h"
#include "schedule/placement.h"
#include "schedule/process_names.h"

namespace gridloom::schedule {
namespace {

/// The epilogue runs where partial results end. Other cores lack the values for it.
class EpilogueCheck {
 public:
  EpilogueCheck(const Schedule& schedule, const kernel::TileNest& nest)
      : m_wanted(kernel::hasEpilogue(nest)), m_splits(mapping::splitDims(nest, schedule.mapping)) {
    const auto runs = [](const Process& process) {
      return std::ranges::find(process.code, Op::Epilogue, &Instruction::op) != process.code.end();
    };
    for (const Program& program : schedule.programs) {
      m_runs.push_back(std::ranges::any_of(program.processes, runs));
    }
  }

  bool check(std::size_t program, std::int32_t core, const Placement& placement,
             Findings& findings) const {
    const bool finishes = m_wanted && placement.rootOf(core, m_splits) == core;
    if (finishes == m_runs[program]) return true;
    if (finishes) {
      findings.atProgram(program, "the epilogue of the reduction is never computed here",
                         "write `epilogue` behind the loops of the reduction, before `publish`");
    } else {
      findings.atProgram(program,
                         m_wanted ? "the epilogue runs on partial results here"
                                  : "nothing follows the reduction in this kernel",
                         "leave `epilogue` out");
    }
    return false;
  }

 private:
  bool m_wanted = false;
  mapping::DimMask m_splits = 0;
  std::vector<bool> m_runs;  ///< per program
};

}  // namespace

void findInPlacement(const Schedule& schedule, const kernel::TileNest& nest,
                     const hardware::Topology& hw, Findings& findings) {
  const Placement placement(schedule.mapping, schedule.tiling, hw);
  const EpilogueCheck epilogues(schedule, nest);
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    const ProgramId program = schedule.programOfCore[static_cast<std::size_t>(core)];
    if (program.valid() == placement.active(core)) {
      if (program.valid() && !epilogues.check(program.index(), core, placement, findings)) return;
      continue;
    }
    const std::string at = placeOf(placement, core);
    if (program.valid()) {
      findings.atProgram(
          program.index(), fmt::format("core ({}) has a program, but no tile to work on", at),
          "tiles are assigned cyclically from coordinate 0, along the dimensions of the loops");
    } else {
      findings.whole(fmt::format("core ({}) has tiles to work on, but no program", at));
    }
    return;
  }
}

}  // namespace gridloom::schedule
