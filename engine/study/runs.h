// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "report/reproduction.h"
#include "service/workspace.h"
#include "study/study.h"

namespace gridloom::study {

/// What one run of one row is told, by name: `kernel`, `hardware`, `sizes`, `directives`, ...
using Settings = std::map<std::string, std::string, std::less<>>;

/// What one run gives: quantities of the kind, predicted and simulated (kNone where there is none),
/// and texts.
struct RunResult {
  std::map<std::string, std::array<double, 2>, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;
  std::vector<report::Agreement> agreements = {};
};

/// One run of one row, with its inputs opened.
struct Run {
  const StudyOptions& options;
  base::Progress& progress;
  const Settings& settings;
  service::HardwareRef hardware = {};
  service::KernelRef kernel = {};  ///< null for kinds without the setting `kernel`
  base::Diagnostics errors = {};   ///< of `number`

  const hardware::Topology& hw() const { return hardware->topology; }
  /// A setting; "" when it is not there.
  const std::string& setting(std::string_view name) const;
  /// A setting as a number from `least` to `most`; `otherwise` when it is not there. Sets `errors`
  /// when it is none.
  double number(std::string_view name, double otherwise = 0, double least = -1e15,
                double most = 1e15);
};

/// A kind of study: what its runs are told, what they give.
struct Kind {
  std::string_view name;
  std::vector<std::string_view> settings;
  std::vector<std::string_view> quantities;
  std::vector<std::string_view> texts;
  base::Result<RunResult> (*run)(Run run);
};
/// Null when there is none of that name.
const Kind* kindOf(std::string_view name);
std::vector<std::string_view> kindNames();

/// Runs every combination of settings once, and reads every hardware once.
class Runner {
 public:
  Runner(const StudyOptions& options, base::Progress& progress)
      : m_options(options), m_progress(progress) {}

  base::Result<RunResult> run(const Kind& kind, const Settings& settings);
  base::Progress& progress() { return m_progress; }
  const StudyOptions& options() const { return m_options; }

 private:
  base::Result<service::HardwareRef> hardware(const std::string& name, const std::string& changes);

  const StudyOptions& m_options;
  base::Progress& m_progress;
  std::map<std::pair<std::string, std::string>, service::HardwareRef> m_hardware;
  std::map<std::pair<const Kind*, Settings>, RunResult> m_results;
};

/// The `top` best predicted under directives, all of them simulated: the fastest first, at least
/// one.
base::Result<service::ExplorationRef> exploreFirst(const Run& run, const std::string& directives,
                                                   int top);

base::Result<RunResult> runCase(Run run);
base::Result<RunResult> runCount(Run run);
base::Result<RunResult> runUnicast(Run run);
base::Result<RunResult> runStreams(Run run);
base::Result<RunResult> runLoad(Run run);
base::Result<RunResult> runAgreement(Run run);
base::Result<RunResult> runRanking(Run run);

}  // namespace gridloom::study
