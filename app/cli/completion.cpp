// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion_words.h"
#include "output.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

/// For use between single quotes of a shell.
std::string shellString(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string verbNames() {
  std::string names;
  for (const VerbRow& verb : verbTable())
    names += (names.empty() ? "" : " ") + std::string(verb.name);
  return names;
}

/// A shell function that sets `parameters` to the parameters of the kernel that the line names.
std::string parameterCases() {
  std::string text = "  case \"$kernel\" in\n";
  for (const KernelParameters& entry : kernelParameters()) {
    if (entry.names.empty()) continue;
    text +=
        fmt::format("    {}) parameters='{}=' ;;\n", entry.kernel, fmt::join(entry.names, "= "));
  }
  return text + "  esac\n";
}

std::string bashValueCase(const OptionRow& row, const std::string& pattern) {
  const ValueWords value = valueWords(row);
  std::string body;
  if (value.parameters) {
    body = "_gridloom_parameters; COMPREPLY=($(compgen -W \"$parameters\" -- \"$cur\")); "
           "compopt -o nospace";
  } else {
    body = fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))",
                       shellString(fmt::format("{}", fmt::join(value.words, " "))));
    if (value.files) body += "; _gridloom_files";
  }
  return fmt::format("    {}) {}; return ;;\n", pattern, body);
}

/// What follows a verb, of which `bare` values may stand without their names.
std::string bashVerbCase(std::string_view name, const std::vector<OptionRow>& rows,
                         unsigned bare = 0) {
  std::string options = "--help";
  std::string values;
  std::string positional;
  for (const OptionRow& row : rows) {
    if (isPositional(row)) {
      positional = bashValueCase(row, "*");
      continue;
    }
    if ((row.bare & bare) != 0) positional = bashValueCase(row, "*");
    const std::vector<std::string> names = namesOf(row);
    options += " " + names.front();
    if (takesValue(row)) values += bashValueCase(row, fmt::format("{}", fmt::join(names, "|")));
  }
  if (positional.empty()) positional = "    *) _gridloom_files; return ;;\n";
  return fmt::format("  {})\n    case \"$prev\" in\n{}    esac\n"
                     "    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$cur\")); "
                     "return; fi\n    case x in\n{}    esac ;;\n",
                     name, values, shellString(options), positional);
}

std::string zshValue(const OptionRow& row) {
  const ValueWords value = valueWords(row);
  if (value.parameters) return ":parameter:_gridloom_parameters";
  if (value.words.empty()) return value.files ? ":file:_files" : ": :";
  const std::string words = fmt::format("{}", fmt::join(value.words, " "));
  if (value.files) {
    return fmt::format(":value:{{ compadd -- {}; _files }}", words);
  }
  return fmt::format(":value:({})", words);
}

/// Help texts stand in brackets of a specification.
std::string zshHelp(std::string_view help) {
  std::string out;
  for (const char c : help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zshVerbCase(std::string_view name, const std::vector<OptionRow>& rows,
                        unsigned bare = 0) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", name);
  for (const OptionRow& row : rows) {
    if (isPositional(row) || (row.bare & bare) != 0) {
      text += fmt::format("        {} \\\n", shellString("*" + zshValue(row)));
    }
    if (isPositional(row)) continue;
    for (const std::string& option : namesOf(row)) {
      const std::string repeat =
          std::holds_alternative<std::vector<std::string> Options::*>(row.target) ? "*" : "";
      text += fmt::format("        {} \\\n",
                          shellString(fmt::format("{}{}[{}]{}", repeat, option, zshHelp(row.help),
                                                  takesValue(row) ? zshValue(row) : "")));
    }
  }
  return text + "        '--help[Show help]' ;;\n";
}

constexpr const char* kBashHead =
    R"(# Completion of gridloom for bash. Made by `gridloom completion bash`.
_gridloom_files() {
  local IFS=$'\n'
  compopt -o filenames
  COMPREPLY+=($(compgen -f -- "$cur"))
}
_gridloom_parameters() {
  local kernel= i
  parameters=
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${COMP_WORDS[i]}" in -K|--kernel) kernel="${COMP_WORDS[i + 1]}" ;; esac
  done
)";

// Behind `export` stands `chart`, or a first word of `export` alone.
constexpr const char* kBashFoot = R"(_gridloom() {
  _gridloom_words
  if ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == export ]]; then
    COMPREPLY+=($(compgen -W chart -- "${COMP_WORDS[2]}"))
  fi
}
complete -F _gridloom gridloom
)";

constexpr const char* kZshHead = R"(#compdef gridloom
# Completion of gridloom for zsh. Made by `gridloom completion zsh`.
_gridloom_parameters() {
  local kernel= parameters= i
  for ((i = 1; i < CURRENT; ++i)); do
    case "${words[i]}" in -K|--kernel) kernel="${words[i + 1]}" ;; esac
  done
)";

}  // namespace

std::string bashCompletion() {
  std::string text = kBashHead + parameterCases() + "}\n_gridloom_words() {\n";
  text += "  local cur prev verb parameters\n  COMPREPLY=()\n"
          "  cur=\"${COMP_WORDS[COMP_CWORD]}\"\n  prev=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
          "  verb=\"${COMP_WORDS[1]}\"\n  if ((COMP_CWORD == 1)); then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W '{} --help --version' -- \"$cur\"))\n"
                      "    return\n  fi\n"
                      "  if [[ $verb == export ]] && ((COMP_CWORD > 2)); then\n"
                      "    [[ ${{COMP_WORDS[2]}} == chart ]] && verb='export chart'\n  fi\n"
                      "  case \"$verb\" in\n",
                      verbNames());
  for (const VerbRow& verb : verbTable())
    text += bashVerbCase(verb.name, rowsOf(verb.verb), verb.verb);
  text += bashVerbCase("'export chart'", chartRows());
  return text + "  esac\n}\n" + kBashFoot;
}

std::string zshCompletion() {
  std::string text = kZshHead + parameterCases() +
                     "  compadd -S '' -- ${=parameters}\n}\n_gridloom() {\n"
                     "  if ((CURRENT == 2)); then\n    local -a verbs\n    verbs=(\n";
  for (const VerbRow& verb : verbTable()) {
    text += fmt::format("      {}\n",
                        shellString(std::string(verb.name) + ":" + zshHelp(verb.summary)));
  }
  text += "    )\n    _describe verb verbs\n    return\n  fi\n  local verb=${words[2]}\n"
          "  shift words; ((--CURRENT))\n  if [[ $verb == export ]]; then\n"
          "    if ((CURRENT == 2)); then compadd chart\n"
          "    elif [[ ${words[2]} == chart ]]; then\n"
          "      verb='export chart'; shift words; ((--CURRENT))\n    fi\n  fi\n"
          "  case $verb in\n";
  for (const VerbRow& verb : verbTable())
    text += zshVerbCase(verb.name, rowsOf(verb.verb), verb.verb);
  text += zshVerbCase("'export chart'", chartRows());
  return text + "  esac\n}\n_gridloom \"$@\"\n";
}

Exit completion(const Options& options) {
  const std::string& which = options.names.front();
  if (which == "bash") return writeOutput("", bashCompletion());
  if (which == "zsh") return writeOutput("", zshCompletion());
  if (which == "man") return writeOutput("", manualPage());
  printError("there is no completion for `" + which + "`", "known are: bash, zsh, man");
  return Exit::BadInput;
}

}  // namespace gridloom::cli
