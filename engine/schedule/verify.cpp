// SPDX-License-Identifier: Apache-2.0
#include "schedule/verify.h"

#include <algorithm>
#include <iterator>

#include "schedule/check_programs.h"
#include "schedule/dry_run.h"

namespace gridloom::schedule {
namespace {

void findStatic(const Schedule& schedule, const kernel::Kernel& kernel,
                const kernel::TileNest& nest, const hardware::Topology& hw, Findings& findings) {
  findInTables(schedule, nest, hw, findings);
  if (findings.empty()) findInPlacement(schedule, nest, hw, findings);
  if (findings.empty()) findInPrograms(schedule, findings);
  if (findings.empty()) findInRings(schedule, hw, findings);
  if (findings.empty()) findInDmaConstraints(schedule, nest, hw, findings);
  if (!findings.hasError()) findInStationary(schedule, kernel, nest, findings);
}

}  // namespace

double instructionsToRun(const Schedule& schedule, const hardware::Topology& hw) {
  const Placement placement(schedule.mapping, schedule.tiling, hw);
  double all = 0;
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    const ProgramId program = schedule.programOfCore[static_cast<std::size_t>(core)];
    if (!program.valid()) continue;
    for (const Process& process : schedule.programs[program.index()].processes) {
      std::vector<double> trips{1};
      for (const Instruction& instruction : process.code) {
        if (instruction.op == Op::LoopBegin) {
          trips.push_back(trips.back() * placement.waves(core, instruction.arg));
        } else if (instruction.op == Op::LoopEnd) {
          trips.pop_back();
        } else {
          all += trips.back();
        }
      }
    }
  }
  return all;
}

base::Result<VerifiedSchedule> verify(Schedule schedule, const kernel::Kernel& kernel,
                                      const kernel::TileNest& nest, const hardware::Topology& hw,
                                      const SourceMap* places, const base::Progress* progress,
                                      VerifyEffort* effort) {
  Findings found(schedule, places);
  findStatic(schedule, kernel, nest, hw, found);
  if (found.hasError()) return found.take();
  base::Diagnostics findings = found.take();
  const auto placed =
      std::make_shared<const PlacedSchedule>(std::move(schedule), kernel, nest, hw, progress);
  Findings inRun(placed->schedule, places);
  VerifyEffort usual;
  VerifyEffort& of = effort != nullptr ? *effort : usual;
  of.steps = DryRun(*placed, progress).run(inRun, of.maxSteps);
  std::ranges::move(inRun.take(), std::back_inserter(findings));
  if (base::hasError(findings)) return findings;
  return {VerifiedSchedule(placed), std::move(findings)};
}

}  // namespace gridloom::schedule
