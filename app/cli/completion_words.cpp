// SPDX-License-Identifier: Apache-2.0
#include "completion_words.h"

#include <algorithm>
#include <iterator>

#include "kernel/dtype.h"
#include "service/chart_options.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::cli {

namespace {

std::vector<std::string> namesOf(const std::vector<texts::Preset>& presets) {
  std::vector<std::string> names;
  for (const texts::Preset& preset : presets) names.push_back(preset.name);
  return names;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<std::string> wordsIn(std::string_view list, char separator) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (end > 0) words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

std::vector<std::string> namesOf(const OptionRow& row) {
  if (isPositional(row)) return {};
  return wordsIn(row.names, ',');
}

bool isPositional(const OptionRow& row) { return row.names[0] != '-'; }

bool takesValue(const OptionRow& row) {
  return !std::holds_alternative<bool Options::*>(row.target);
}

ValueWords valueWords(const OptionRow& row) {
  if (!row.choices.empty()) return {wordsIn(row.choices), false, false};
  if (std::holds_alternative<int Options::*>(row.target)) return {};
  const std::string_view name(row.names);
  const std::string_view value(row.value);
  if (name.starts_with("--hardware")) return {namesOf(texts::listHardware()), true, false};
  if (name.starts_with("--kernel")) return {namesOf(texts::listKernels()), true, false};
  if (name.starts_with("--directives")) return {namesOf(texts::listDirectives()), true, false};
  if (name == "studies") return {namesOf(texts::listStudies()), true, false};
  if (name.starts_with("--set") || name.starts_with("--vary")) return {{}, false, true};
  if (name.starts_with("--dtype")) {
    const auto names = kernel::dtypeNames();
    return {{names.begin(), names.end()}, false, false};
  }
  if (name == "what" && value.find('|') != std::string_view::npos) {
    return {wordsIn(value, '|'), false, false};
  }
  if (name == "what") {
    ValueWords words{namesOf(texts::listHardware()), true, false};
    append(words.words, namesOf(texts::listKernels()));
    return words;
  }
  return {{}, value.find('F') != std::string_view::npos || isPositional(row), false};
}

std::vector<OptionRow> rowsOf(Verb verb) {
  std::vector<OptionRow> rows;
  std::ranges::copy_if(optionTable(), std::back_inserter(rows),
                       [&](const OptionRow& row) { return (row.verbs & verb) != 0; });
  return rows;
}

std::vector<OptionRow> chartRows() {
  std::vector<OptionRow> rows;
  for (const service::ChartOption& option : service::kChartOptions) {
    // Only the type of the target counts: whether it takes a value, and how often.
    const bool isSwitch = *option.value == '\0';
    const bool repeats = std::string_view(option.names) == "--set";
    const Target target = isSwitch  ? Target(&Options::simulate)
                          : repeats ? Target(&Options::set)
                                    : Target(&Options::output);
    rows.push_back({option.names, option.value, option.help, 0, target, 0, 0, 0, option.choices});
  }
  return rows;
}

std::vector<KernelParameters> kernelParameters() {
  std::vector<KernelParameters> all;
  for (const texts::Preset& preset : texts::listKernels()) {
    auto text = texts::loadText(preset.path);
    if (!text) continue;
    auto kernel = service::openKernel(*std::move(text), {});
    if (!kernel) continue;
    KernelParameters entry{preset.name, {}};
    for (const auto& parameter : (*kernel)->kernel.parameters) {
      entry.names.push_back(parameter.name);
    }
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace gridloom::cli
