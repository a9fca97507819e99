// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "report/reproduction.h"

namespace gridloom::study {

/// A study among the built-in ones (bench/studies) or the user's own ($GRIDLOOM_DATA/studies).
struct StudyEntry {
  std::string name;
  std::string title;
};
std::vector<StudyEntry> listStudies();

struct StudyOptions {
  int threads = 0;         ///< 0: all cores; results do not depend on it
  int samples = 100;       ///< random mappings (agreement) or ranked ones (ranking) per row
  std::uint64_t seed = 1;  ///< of the first of them
  bool ablate = false;     ///< agreement: also without each correction of the model
  /// Called before each row of a run, on the thread of runStudy; both count from 0.
  std::function<void(std::size_t row, std::size_t rows)> onRow = {};
};

/// Takes each table as soon as it is complete.
using TableSink = std::function<void(report::Reproduction)>;

/// Runs all rows of a study through search and simulator, and holds the results against its
/// measurements. `nameOrFile`: a built-in study, or a file of the same form. Errors: no such study;
/// located ones in its text, all of them before anything runs; a row that cannot run. Stops between
/// runs when cancelled, without an error.
base::Diagnostics runStudy(const std::string& nameOrFile, const StudyOptions& options,
                           const TableSink& sink, base::Progress& progress);

/// Every fault of the text of a study; nothing runs. Of a list: those of the list itself.
base::Diagnostics checkStudy(const std::string& nameOrFile);

/// Whether `samples` changes what the study does.
bool takesSamples(const std::string& nameOrFile);

/// Whether `ablate` does.
bool canAblate(const std::string& nameOrFile);

}  // namespace gridloom::study
