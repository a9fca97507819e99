// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "service/workspace.h"

namespace gridloom::service {

/// A problem as texts: what the studio edits, and what a sweep varies.
struct InputTexts {
  base::SourceRef hardware;
  base::SourceRef kernel;  ///< recurrences, or MLIR by its name
  /// Values of parameters. Those that the kernel does not have are left out: an edit of its text
  /// may take a parameter away.
  std::map<std::string, std::int64_t> parameters = {};
  std::string dtype = {}, entry = {};    ///< as KernelOptions::dtype and name
  base::SourceRef directives = nullptr;  ///< null: none
  std::string mode = {};                 ///< the numeric mode; "" follows the element type
  int threads = 0;                       ///< of the searches; 0: one per processor
  SearchLimits search = {};
};

/// Values that a person may change, by name: parameters of a kernel, or of a file in MLIR those
/// that its arguments take.
using KernelValues = std::vector<std::pair<std::string, std::int64_t>>;

/// A hardware text, and what it describes; null where it has errors.
struct OpenedHardware {
  std::string name, text;
  HardwareRef hardware;
  base::Diagnostics problems;
};

/// Texts as the engine has them.
struct CheckedInputs {
  OpenedHardware hardware;
  KernelRef kernel;  ///< in the form that is mapped; null where it has errors
  KernelValues kernelValues;
  /// Null while any of the inputs has errors.
  std::shared_ptr<const mapping::Constraints> constraints;
  SearchLimits search;  ///< what the choice of a form has left
  base::Diagnostics kernelProblems, directiveProblems;
  /// Of all inputs: those of equal meanings have equal results. Empty while any has errors.
  std::string meaning;
};

/// `known`: hardware that is taken where its text is the same: that of a wafer takes as long as a
/// search. `like`: a machine of which another one takes what is the same; or null.
CheckedInputs checkInputs(const InputTexts& texts, const OpenedHardware& known,
                          const Hardware* like, base::Progress& progress);

}  // namespace gridloom::service
