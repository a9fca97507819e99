// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/progress.h"
#include "hardware/topology.h"
#include "mapping/constraints.h"
#include "ranking/subject.h"
#include "search/search.h"

namespace gridloom::service {

/// What is known before a search: mappings of an earlier one that are still legal, under the
/// directives of now, as the model predicts them for the inputs of now; best first. After some
/// milliseconds no further ones are looked at: their predictions are wanted at once.
search::Outcome stillLegal(std::span<const mapping::Mapping> earlier,
                           const ranking::Subject& subject, const hardware::ComputeModel& compute,
                           const mapping::Constraints& constraints, const base::Progress& progress);

}  // namespace gridloom::service
