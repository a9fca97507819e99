// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "base/progress.h"
#include "models/project.h"
#include "service/checked_inputs.h"

namespace gridloom::widgets {

using service::CheckedInputs;
using service::KernelValues;
using service::OpenedHardware;

/// The inputs of a project as the engine has them, as service::checkInputs. Their meaning is that
/// of all options, too, that a result depends on.
std::shared_ptr<const CheckedInputs> checkInputs(const Project& project,
                                                 const OpenedHardware& known,
                                                 const service::Hardware* like,
                                                 base::Progress& progress);

/// How a project is explored.
service::ExploreOptions exploreOptions(const Project& project, const service::SearchLimits& search);

}  // namespace gridloom::widgets
