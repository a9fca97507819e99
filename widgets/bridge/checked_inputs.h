// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "models/project.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// Values that a person may change, by name: parameters of a kernel, or of a file in MLIR those
/// that its arguments take.
using KernelValues = std::vector<std::pair<std::string, std::int64_t>>;

/// A hardware text, and what it describes; null where it has errors.
struct OpenedHardware {
  QString name, text;
  service::HardwareRef hardware;
  base::Diagnostics problems;
};

/// The inputs of a project as the engine has them.
struct CheckedInputs {
  OpenedHardware hardware;
  service::KernelRef kernel;  ///< in the form that is mapped; null where it has errors
  KernelValues kernelValues;
  /// Null while any of the inputs has errors.
  std::shared_ptr<const mapping::Constraints> constraints;
  service::SearchLimits search;  ///< what the choice of a form has left
  base::Diagnostics kernelProblems, directiveProblems;
  std::string meaning;  ///< of all inputs and options that a result depends on
};

/// `known`: hardware that is taken where its text is the same. `like`: a machine of which another
/// one takes what is the same; or null.
std::shared_ptr<const CheckedInputs> checkInputs(const Project& project,
                                                 const OpenedHardware& known,
                                                 const service::Hardware* like,
                                                 base::Progress& progress);

/// How a project is explored.
service::ExploreOptions exploreOptions(const Project& project, const service::SearchLimits& search);

}  // namespace gridloom::widgets
