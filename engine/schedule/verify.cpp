// SPDX-License-Identifier: Apache-2.0
#include "schedule/check_programs.h"
#include "schedule/dry_run.h"

namespace gridloom::schedule {
namespace {

/// About two seconds; ordinary schedules need a hundredth of it.
constexpr std::int64_t kMaxSteps = 20'000'000;

void findStatic(const Schedule& schedule, const kernel::TileNest& nest,
                const hardware::Topology& hw, Findings& findings) {
  findInTables(schedule, nest, hw, findings);
  if (findings.empty()) findInPlacement(schedule, nest, hw, findings);
  if (findings.empty()) findInPrograms(schedule, findings);
  if (findings.empty()) findInBonds(schedule, nest, hw, findings);
}

}  // namespace

base::Diagnostics checkPrograms(const Schedule& schedule, const kernel::TileNest& nest,
                                const hardware::Topology& hw) {
  Findings findings(schedule, nullptr);
  findStatic(schedule, nest, hw, findings);
  return findings.take();
}

base::Diagnostics verify(const Schedule& schedule, const kernel::Kernel& kernel,
                         const kernel::TileNest& nest, const hardware::Topology& hw,
                         const SourceMap* places, const base::Progress* progress) {
  Findings findings(schedule, places);
  findStatic(schedule, nest, hw, findings);
  if (findings.hasError()) return findings.take();
  const Placement placement(schedule.mapping, schedule.tiling, hw);
  DryRun(schedule, kernel, nest, placement, progress).run(findings, kMaxSteps);
  return findings.take();
}

}  // namespace gridloom::schedule
