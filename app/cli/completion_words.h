// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "option_table.h"

namespace gridloom::cli {

/// What may stand as the value of an option.
struct ValueWords {
  std::vector<std::string> words;  ///< fixed ones, such as the names of presets
  bool files = false;              ///< or the name of a file
  bool parameters = false;         ///< or NAME=, a parameter of the kernel
};

std::vector<std::string> wordsIn(std::string_view list, char separator = ' ');
/// "--hardware,-H" -> {"--hardware", "-H"}; empty for a positional argument.
std::vector<std::string> namesOf(const OptionRow& row);
bool takesValue(const OptionRow& row);
bool isPositional(const OptionRow& row);
ValueWords valueWords(const OptionRow& row);

/// The options of a verb.
std::vector<OptionRow> rowsOf(Verb verb);
/// Those of `export chart`, as rows.
std::vector<OptionRow> chartRows();

/// The kernels that are presets, with the names of their parameters.
struct KernelParameters {
  std::string kernel;
  std::vector<std::string> names;
};
std::vector<KernelParameters> kernelParameters();

}  // namespace gridloom::cli
