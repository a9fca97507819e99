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

class Runner;

/// A kind of study: what its runs are told, what they give.
struct Kind {
  std::string_view name;
  std::vector<std::string_view> settings;
  std::vector<std::string_view> quantities;
  std::vector<std::string_view> texts;
  base::Result<RunResult> (*run)(Runner& runner, const Settings& settings);
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
  /// As `hardware` and `vary` of the settings say.
  base::Result<service::HardwareRef> hardware(const Settings& settings);
  base::Result<service::KernelRef> kernel(const Settings& settings);
  const StudyOptions& options() const { return m_options; }
  base::Progress& progress() { return m_progress; }

 private:
  const StudyOptions& m_options;
  base::Progress& m_progress;
  std::map<std::pair<std::string, std::string>, service::HardwareRef> m_hardware;
  std::map<std::pair<const Kind*, Settings>, RunResult> m_results;
};

/// A setting; "" when it is not there.
const std::string& setting(const Settings& settings, std::string_view name);
/// A setting as a number: an error when it is none. `otherwise` when it is not there.
base::Result<double> numberSetting(const Settings& settings, std::string_view name,
                                   double otherwise = 0);

/// The `top` best predicted under directives, all of them simulated: the fastest first, at least
/// one.
base::Result<service::ExplorationRef> exploreFirst(Runner& runner, const Settings& settings,
                                                   const std::string& directives, int top);

base::Result<RunResult> runCase(Runner& runner, const Settings& settings);
base::Result<RunResult> runCount(Runner& runner, const Settings& settings);
base::Result<RunResult> runUnicast(Runner& runner, const Settings& settings);
base::Result<RunResult> runStreams(Runner& runner, const Settings& settings);
base::Result<RunResult> runLoad(Runner& runner, const Settings& settings);
base::Result<RunResult> runAgreement(Runner& runner, const Settings& settings);
base::Result<RunResult> runRanking(Runner& runner, const Settings& settings);

}  // namespace gridloom::study
