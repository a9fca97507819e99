// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace gridloom::service {

/// An option of the program that draws charts. The command completes and explains them, too.
struct ChartOption {
  const char* names;  ///< "--hardware,-H"
  const char* value;  ///< name of its value; empty: it has none
  const char* help;
  const char* otherwise = "";     ///< its value where it is left out
  std::string_view choices = {};  ///< the only values allowed
};

constexpr std::string_view kChartNames =
    "mesh scatter breakdown waterfall timeline roofline traffic links cores";

constexpr auto kChartOptions = std::to_array<ChartOption>({
    {"--hardware,-H", "H", "Hardware preset or .hw file"},
    {"--kernel,-K", "K", "Kernel preset or .rec file"},
    {"--set", "P=N", "Parameter of the kernel; may be repeated"},
    {"--directives,-d", "F", "Directives (.sched) that narrow the space"},
    {"--mode", "M", "Numeric mode; the default follows the dtype"},
    {"--chart", "C", "What is drawn", "mesh", kChartNames},
    {"--out,-o", "F", "File to write: .svg, .png or .pdf"},
    {"--rank", "N", "Mapping drawn by all but scatter and roofline", "1"},
    {"--top", "N", "Mappings ranked, for scatter and roofline", "12"},
    {"--theme", "T", "Colours", "light", "light dark"},
    {"--width", "W", "Width in pixels of 1/96 inch, or as 3.5in (a column of a paper) or 89mm",
     "7in"},
    {"--height", "W", "Height, in the same units; by default what the chart asks for"},
    {"--sweep", "F", "Draw the sweep that `gridloom sweep --json F` wrote, and no mapping"},
    {"--no-simulate", "", "Draw the prediction alone"},
});

}  // namespace gridloom::service
