// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "options.h"
#include "service/workspace.h"
#include "terminal.h"

namespace gridloom::cli {

/// What explore, simulate, explain and export work on: opened, checked, and possible together.
struct Inputs {
  service::HardwareRef hardware;
  service::KernelRef kernel;
  mapping::Constraints constraints;
  std::string mode;  ///< the numeric mode that --mode or the element type asks for
};

/// Opens everything the options name. Errors of all of them are printed in one run.
std::variant<Inputs, Exit> openInputs(const Options& options);

/// Which of a ranking --rerank and --simulate ask to simulate.
service::Reranking rerankingOf(const Options& options);
/// Where searches end. `openInputs` has checked them.
service::SearchLimits searchLimitsOf(const Options& options);

/// The mapping of --mapping, or the best one under the directives.
std::variant<mapping::Mapping, Exit> openMapping(const Options& options, const Inputs& inputs,
                                                 base::Progress& progress);

/// The kernel of --kernel, --entry, --set and --dtype.
base::Result<service::KernelRef> openKernel(const std::string& name, const Options& options);

service::SimulationLimits limitsOf(const Options& options);
/// What to end with after work that failed: what has a place in an input is wrong there, all else is a `no`.
Exit refused(const base::Diagnostics& errors);

/// `Internal` when a result shows what cannot be, which is said: nothing of it is to be written.
Exit checkSane(const service::Exploration& exploration);
Exit checkSane(const service::SimulationRun& run);

/// "2%" or "0.02"; "" is 0.
base::Result<double> toleranceOf(const std::string& text);
/// "100000:200000": cycles; a side left out is open.
base::Result<service::TraceWindow> traceWindowOf(const std::string& text);

/// The value, or the exit code that ends the verb.
template <class T> T* valueOf(std::variant<T, Exit>& result) { return std::get_if<T>(&result); }

}  // namespace gridloom::cli
