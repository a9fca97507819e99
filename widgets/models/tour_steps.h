// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>

namespace gridloom::widgets {

/// Where a step of the tour happens.
enum class TourPlace : std::uint8_t { Mesh, Peak, Timeline, Form, Compare };

struct TourStep {
  TourPlace place = TourPlace::Mesh;
  QString title;
  QString summary;  ///< one sentence, for the welcome page
  QString text;     ///< what to do, and what one sees
};

/// From the first look to a figure in the clipboard.
const std::array<TourStep, 5>& tourSteps();

}  // namespace gridloom::widgets
