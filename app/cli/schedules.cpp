// SPDX-License-Identifier: Apache-2.0
#include "schedules.h"

#include <utility>

#include "base/interrupt.h"
#include "base/progress.h"
#include "service/schedule_input.h"
#include "service/schedule_passes.h"
#include "texts/presets.h"

namespace gridloom::cli {

std::variant<schedule::VerifiedSchedule, Exit>
openSchedule(const Options& options, const Inputs& inputs, base::Progress& progress) {
  base::Result<schedule::VerifiedSchedule> schedule = base::plainError("");
  Exit otherwise = Exit::BadInput;
  if (options.schedule.empty()) {
    auto mapping = openMapping(options, inputs, progress);
    if (valueOf(mapping) == nullptr) return std::get<Exit>(mapping);
    schedule = service::scheduleOf(*valueOf(mapping), *inputs.kernel, *inputs.hardware, progress);
    otherwise = Exit::Internal;
  } else {
    auto text = texts::loadText(options.schedule);
    schedule = text ? service::openSchedule(*std::move(text), *inputs.kernel, *inputs.hardware)
                    : base::Result<schedule::VerifiedSchedule>(text.takeDiagnostics());
  }
  if (schedule && !options.pass.empty()) {
    schedule = service::applyPasses(options.pass, *std::move(schedule), options.mode, progress);
    otherwise = Exit::No;
  }
  printDiagnostics(schedule.diagnostics());
  if (schedule) return *std::move(schedule);
  return progress.cancelled() ? base::stoppedStatus() : otherwise;
}

}  // namespace gridloom::cli
