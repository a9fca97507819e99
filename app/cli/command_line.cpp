// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "completion_words.h"
#include "option_table.h"
#include "service/result_records.h"
#include "terminal.h"

namespace gridloom::cli {

namespace {

/// Adds one row of the table to a verb's parser.
class OptionAdder {
 public:
  OptionAdder(CLI::App& app, Options& options, const OptionRow& row, Verb verb)
      : m_app(app), m_options(options), m_row(row), m_verb(verb) {}

  void operator()(bool Options::*target) const {
    m_app.add_flag(m_row.names, m_options.*target, m_row.help);
  }

  void operator()(int Options::*target) const {
    finish(m_app.add_option(m_row.names, m_options.*target, m_row.help))
        ->check(CLI::Range(m_row.least, m_row.most).description(""));
  }

  void operator()(std::string Options::*target) const {
    CLI::Option* option = finish(m_app.add_option(names(), m_options.*target, m_row.help));
    option->check(CLI::Validator(
        [](const std::string& text) { return text.empty() ? "the value is empty" : ""; }, ""));
    if (!m_row.choices.empty()) {
      option->check(CLI::IsMember(wordsIn(m_row.choices)).description(""));
    }
  }

  void operator()(std::vector<std::string> Options::*target) const {
    CLI::Option* option = finish(m_app.add_option(m_row.names, m_options.*target, m_row.help));
    const bool standsAlone = m_row.names[0] != '-';
    if (standsAlone) {
      option->expected(m_row.least, m_row.most);
    } else {
      option->allow_extra_args(false)->type_size(1);
    }
  }

 private:
  CLI::Option* finish(CLI::Option* option) const {
    option->type_name(m_row.value);
    if ((m_row.required & m_verb) != 0) option->required();
    return option;
  }

  // A further name without dashes makes an option positional, too.
  std::string names() const {
    const std::string dashed(m_row.names);
    if ((m_row.bare & m_verb) == 0) return dashed;
    return dashed + "," + dashed.substr(2, dashed.find(',') - 2);
  }

  CLI::App& m_app;
  Options& m_options;
  const OptionRow& m_row;
  Verb m_verb;
};

/// Shows a positional argument by its value: `A.json B.json`, `[S...]`.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name =
        option->get_type_name() + (option->get_expected_max() > 2 ? "..." : "");
    return option->get_required() ? name : "[" + name + "]";
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_positional() ? " " + option->get_type_name()
                                    : Formatter::make_option_opts(option);
  }
};

/// "Exit status: 0 done, 1 ..." in lines of the help's width.
std::string exitStatusText() {
  constexpr std::size_t kWidth = 92;
  std::string text;
  std::string line = "Exit status:";
  for (const StatusRow& row : statusTable()) {
    const bool last = &row == &statusTable().back();
    const std::string entry = std::to_string(row.status) + " " + row.meaning + (last ? "." : ",");
    if (line.size() + 1 + entry.size() > kWidth) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + entry;
  }
  return text + line;
}

constexpr const char* kStart =
    "`gridloom <verb> --help` tells more. A first one: gridloom explore -H wormhole_8x8 -K gemm";

constexpr const char* kCharts =
    "`gridloom export chart --help`: charts as SVG, PNG or PDF, for papers.";

void addVerbs(CLI::App& app, Options& options) {
  for (const VerbRow& verb : verbTable()) {
    CLI::App* sub = app.add_subcommand(verb.name, verb.summary);
    sub->footer(verb.verb == Export ? kCharts + ("\n" + exitStatusText()) : exitStatusText());
    sub->callback([&options, &verb] { options.verb = verb.name; });
    for (const OptionRow& row : optionTable()) {
      if ((row.verbs & verb.verb) != 0) {
        std::visit(OptionAdder(*sub, options, row, verb.verb), row.target);
      }
    }
  }
  app.require_subcommand(1);
}

/// CLI11 itself would only report a missing verb.
bool isUnknownVerb(int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  return std::ranges::none_of(
      verbTable(), [&](const VerbRow& row) { return std::string_view(row.name) == argv[1]; });
}

int reportUnknownVerb(const char* verb) {
  std::string known;
  for (const VerbRow& row : verbTable())
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  printError("there is no verb `" + std::string(verb) + "`", "known are: " + known);
  return static_cast<int>(Exit::BadInput);
}

int reportUsage(const CLI::App& app, const CLI::ParseError& error) {
  std::string verb;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub->get_name() + " ";
  printError(error.what(), "`gridloom " + verb + "--help` shows what is expected");
  return static_cast<int>(Exit::BadInput);
}

/// Reports options that would be ignored as errors.
bool reportWithoutEffect(const CLI::App& app, const Options& options) {
  bool any = false;
  const auto verb = std::ranges::find(verbTable(), std::string_view(options.verb), &VerbRow::name);
  for (const OptionRow& row : optionTable()) {
    // Verbs may have options of one name with different conditions.
    if ((row.verbs & verb->verb) == 0) continue;
    const std::string_view names(row.names);
    const std::string name(names.substr(0, names.find(',')));
    const CLI::Option* option = app.get_subcommand(options.verb)->get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    if (row.effect.possible == nullptr || row.effect.possible(options)) continue;
    printError(name + " has no effect " + row.effect.otherwise, row.effect.hint);
    any = true;
  }
  return any;
}

/// Maps the names of stdout as a file to one stream, so that the answer does not overwrite it.
void nameStdout(Options& options) {
  for (std::string Options::*file :
       {&Options::json, &Options::trace, &Options::csv, &Options::junit, &Options::sarif,
        &Options::html, &Options::output}) {
    std::string& name = options.*file;
    if (name == "/dev/stdout" || name == "/dev/fd/1" || name == "/proc/self/fd/1") name = "-";
  }
}

}  // namespace

std::variant<Options, int> parseCommandLine(int argc, const char* const* argv) {
  if (isUnknownVerb(argc, argv)) return reportUnknownVerb(argv[1]);
  Options options;
  CLI::App app("Explores how tile-based tensor kernels map onto spatial dataflow accelerators.",
               "gridloom");
  const auto format = std::make_shared<HelpFormat>();
  format->label("SUBCOMMAND", "VERB");
  format->label("Subcommands", "Verbs");
  app.formatter(format);
  app.footer(exitStatusText() + "\n" + kStart);
  app.set_version_flag("--version", "gridloom " + std::string(service::version()));
  addVerbs(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return reportUsage(app, error);
  }
  nameStdout(options);
  if (reportWithoutEffect(app, options)) return static_cast<int>(Exit::BadInput);
  return options;
}

}  // namespace gridloom::cli
