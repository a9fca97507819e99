// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "report/reproduction.h"

namespace gridloom::service {

/// A set of published results that can be worked through anew.
struct Study {
  const char* name;
  const char* summary;
};
std::span<const Study> studies();

struct ReproduceOptions {
  int threads = 0;         ///< 0: all cores; results do not depend on it
  int samples = 100;       ///< random mappings (agreement) or ranked ones (ranking) per case
  std::uint64_t seed = 1;  ///< of the first of them
};

/// Takes each table as soon as it is complete.
using ReproductionSink = std::function<void(report::Reproduction)>;

/// Runs every case of a study through search and simulator, and sets the results beside the published
/// figures (bench/reference). Nothing is fitted here: constants belong to the hardware descriptions.
/// Errors: no study of that name, reference files or cases that cannot be read, a case without a mapping.
/// Stops between cases when cancelled, without an error.
base::Diagnostics reproduce(const std::string& study, const ReproduceOptions& options,
                            const ReproductionSink& sink, base::Progress& progress);

}  // namespace gridloom::service
