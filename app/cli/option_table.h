// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "options.h"

namespace gridloom::cli {

enum Verb : unsigned {
  Explore = 1U << 0U,
  Simulate = 1U << 1U,
  Explain = 1U << 2U,
  Compare = 1U << 3U,
  Export = 1U << 4U,
  Check = 1U << 5U,
  List = 1U << 6U,
  Show = 1U << 7U,
  Study = 1U << 8U,
  Count = 1U << 9U,
  Replay = 1U << 10U,
  Reproduce = 1U << 11U,  ///< another name of Study
  Interpret = 1U << 12U,
  Import = 1U << 13U,
  Completion = 1U << 14U,
  Lsp = 1U << 15U,
  Sweep = 1U << 16U,
};

struct VerbRow {
  Verb verb;
  const char* name;
  const char* summary;
};
std::span<const VerbRow> verbTable();

struct StatusRow {
  int status;
  const char* meaning;
};
std::span<const StatusRow> statusTable();

using Target = std::variant<std::string Options::*, int Options::*, bool Options::*,
                            std::vector<std::string> Options::*>;

/// When an option has an effect; an option without effect is an error.
struct Effect {
  bool (*possible)(const Options& options) = nullptr;  ///< null: always
  const char* otherwise = "";  ///< rest of the message "--tolerance has no effect ..."
  const char* hint = "";
};

/// One option with all its properties: parsing and `--help` both use this.
struct OptionRow {
  const char* names;  ///< "--hardware,-H"; without dashes: a positional argument
  const char* value;  ///< name of its value in the help
  const char* help;
  unsigned verbs;  ///< which verbs have it
  Target target;
  unsigned required = 0;  ///< verbs that require it
  int least = 0;          ///< least and most of a number, or of the count of positional arguments
  int most = 0;
  std::string_view choices;  ///< "csv json dot": the only values allowed
  Effect effect = {};
  unsigned bare = 0;  ///< verbs for which the value may stand without the name
};
std::span<const OptionRow> optionTable();

}  // namespace gridloom::cli
