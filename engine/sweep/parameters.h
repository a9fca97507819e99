// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/sweep.h"
#include "service/checked_inputs.h"

namespace gridloom::sweep {

using report::SweepAxis;
using report::SweepFound;
using report::SweepParameter;
using report::SweepPoint;

/// The numbers that a sweep may vary: those of the kernel with the values that they have, then
/// those of the machine. A machine's number that has the name of a kernel's is `hardware.NAME`.
std::vector<SweepParameter> sweepParameters(const base::SourceRef& hardware,
                                            const service::KernelValues& kernelValues);

/// The texts with another value of a number. The text of a machine keeps all else.
service::InputTexts withValue(service::InputTexts texts, const SweepParameter& parameter,
                              double value);
/// The texts with all values of a point.
service::InputTexts textsAt(service::InputTexts texts, const std::vector<SweepAxis>& axes,
                            const SweepPoint& point);

/// Some `count` values from `from` to `to`, both with them: in equal ratios where `to` is at least
/// twice `from`, else in equal steps; whole ones, where the parameter is. The present one is among
/// them, in place of the nearest of those between the ends.
std::vector<double> sweepValues(const SweepParameter& parameter, double from, double to, int count);

}  // namespace gridloom::sweep
