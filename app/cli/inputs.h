// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "options.h"
#include "service/workspace.h"
#include "terminal.h"

namespace gridloom::cli {

/// The inputs of explore, simulate, explain and export: opened, checked, and compatible.
struct Inputs {
  service::HardwareRef hardware;
  service::KernelRef kernel;
  mapping::Constraints constraints;
  std::string mode;  ///< the numeric mode of --mode or of the element type
  /// What is left of --work-limit and --time-limit, of which the choice of a form takes a part.
  service::SearchLimits search;
};

/// Opens everything the options name. Errors of all of them are printed in one run.
std::variant<Inputs, Exit> openInputs(const Options& options);

/// The candidates that --rerank and --simulate select for simulation.
ranking::Reranking rerankingOf(const Options& options);

/// The mapping of --mapping, or the best one under the directives.
/// `ranking`: where the exploration that ranks refer to is kept for the next one; or null.
std::variant<mapping::Mapping, Exit> openMapping(const Options& options, const Inputs& inputs,
                                                 base::Progress& progress,
                                                 service::ExplorationRef* ranking = nullptr);
/// The rank that a name such as `3` is; nothing for the name of a file.
std::optional<std::int64_t> rankNamed(const std::string& name);

/// The parameters and values of --set.
using Settings = std::vector<std::pair<std::string, std::int64_t>>;
base::Result<Settings> settingsOf(const Options& options);
/// The kernel of --kernel, --entry, --set and --dtype.
base::Result<service::KernelRef> openKernel(const std::string& name, const Options& options);

/// The line that asks `verb` about the same problem, within the same limits of the search.
std::string commandOf(const std::string& verb, const Options& options);

/// Those of --work-limit, --time-limit and --margin, which were checked before.
service::SearchLimits searchLimitsOf(const Options& options);
service::SimulationLimits limitsOf(const Options& options);
/// Exit code after failed work: bad input for errors with a location in an input, the answer no for
/// all others.
Exit refused(const base::Diagnostics& errors);

/// `Internal`, with a message, when a result has impossible figures; such a result is not written.
Exit checkSane(const service::Exploration& exploration);
Exit checkSane(const service::SimulationRun& run);
Exit checkSane(const service::Explanation& explanation);

/// The value, or the exit code that ends the verb.
template <class T> T* valueOf(std::variant<T, Exit>& result) { return std::get_if<T>(&result); }

}  // namespace gridloom::cli
