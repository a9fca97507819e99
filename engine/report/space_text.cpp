// SPDX-License-Identifier: Apache-2.0
#include "report/space_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/exploration_text.h"
#include "report/numbers.h"
#include "report/table.h"

namespace gridloom::report {

namespace {

// Width in characters for the choices of one axis.
constexpr std::size_t kLongestList = 72;

std::string listText(const std::vector<std::string>& choices) {
  const bool spaced = std::ranges::any_of(
      choices, [](const std::string& c) { return c.find(' ') != std::string::npos; });
  std::string out;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0 && out.size() + choices[i].size() > kLongestList) {
      return out + ", ... " + std::to_string(choices.size() - i) + " more";
    }
    if (i > 0) out += spaced ? ", " : " ";
    out += choices[i];
  }
  return out;
}

const std::vector<std::string>* choicesOf(const search::SpaceSizes& space,
                                          const std::string& axis) {
  const auto at = std::ranges::find(space.axes, axis, &search::AxisChoices::axis);
  return at == space.axes.end() ? nullptr : &at->choices;
}

}  // namespace

std::string spaceText(const search::SpaceSizes& free, const search::SpaceSizes& narrowed) {
  Table table;
  table.columns = {{"axis", "axis", Align::Left},
                   {"free", "free", Align::Right},
                   {"left", "left", Align::Right},
                   {"choices left", "choices", Align::Left}};
  const auto addRow = [&](const std::string& axis, const std::vector<std::string>* before,
                          const std::vector<std::string>* after) {
    const auto count = [](const std::vector<std::string>* choices) {
      return textCell(choices ? grouped(static_cast<std::int64_t>(choices->size())) : "-");
    };
    table.rows.push_back(
        {textCell(axis), count(before), count(after), textCell(after ? listText(*after) : "-")});
  };
  for (const search::AxisChoices& axis : free.axes) {
    addRow(axis.axis, &axis.choices, choicesOf(narrowed, axis.axis));
  }
  // A directive may name a choice outside the free space, such as a hoist level that repeats a
  // transfer.
  for (const search::AxisChoices& axis : narrowed.axes) {
    if (!choicesOf(free, axis.axis)) addRow(axis.axis, nullptr, &axis.choices);
  }
  table.rows.push_back({textCell("points"), textCell(grouped(free.points)),
                        textCell(grouped(narrowed.points)),
                        textCell("combinations that are mappings; they may not all fit")});
  std::string out = tableText(table);
  for (const auto& [name, sizes] : {std::pair("free", &free), std::pair("left", &narrowed)}) {
    if (!sizes->whole.empty()) out += fmt::format("{}: {}\n", name, notTiledText(sizes->whole));
  }
  return out;
}

}  // namespace gridloom::report
