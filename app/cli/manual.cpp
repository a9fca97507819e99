// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.h"
#include "completion_words.h"
#include "service/result_records.h"

namespace gridloom::cli {

namespace {

/// A line of roff text: no requests, no hyphens that are minus signs.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return !out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" + out : out;
}

std::string optionHead(const OptionRow& row) {
  std::string head;
  for (const std::string& name : namesOf(row)) {
    head += (head.empty() ? "" : ", ") + ("\\fB" + plain(name) + "\\fR");
  }
  if (!takesValue(row)) return head;
  return fmt::format("{}{}\\fI{}\\fR", head, head.empty() ? "" : " ", plain(row.value));
}

std::string verbSection(std::string_view name, std::string_view summary,
                        const std::vector<OptionRow>& rows, unsigned verb = 0) {
  std::string text = fmt::format(".SS {}\n{}.\n", plain(name), plain(summary));
  for (const OptionRow& row : rows) {
    text += fmt::format(".TP\n{}\n{}", optionHead(row), plain(row.help));
    if (!row.choices.empty()) {
      text += fmt::format("\n(one of: {})", fmt::join(wordsIn(row.choices), ", "));
    }
    if ((row.required & verb) != 0) text += "\n(required)";
    if ((row.bare & verb) != 0) text += "\n(the value alone will do)";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string manualPage() {
  std::string text =
      fmt::format(".TH GRIDLOOM 1 \"\" \"gridloom {}\" \"User commands\"\n", service::version());
  text += ".SH NAME\ngridloom \\- map tensor kernels onto spatial dataflow accelerators\n"
          ".SH SYNOPSIS\n.B gridloom\n.I verb\n.RI [ option ...]\n.SH DESCRIPTION\n"
          "Finds, ranks, simulates and explains mappings of tile\\-based tensor kernels onto "
          "meshes of cores with local memories, a network and DRAM channels.\n"
          "Hardware is described in .hw files, kernels as recurrences in .rec files or in MLIR.\n"
          ".SH VERBS\n";
  for (const VerbRow& verb : verbTable())
    text += verbSection(verb.name, verb.summary, rowsOf(verb.verb), verb.verb);
  text += verbSection("export chart", "Draw a result as SVG, PNG or PDF", chartRows());
  text += ".SH EXIT STATUS\n";
  for (const StatusRow& row : statusTable()) {
    text += fmt::format(".TP\n.B {}\n{}\n", row.status, plain(row.meaning));
  }
  text += ".SH ENVIRONMENT\n.TP\n.B GRIDLOOM_DATA\n"
          "A folder with hwpresets, kernels and studies of your own; they hide the built\\-in ones "
          "of the same name.\n.TP\n.B NO_COLOR\nNo colours, also on a terminal.\n"
          ".SH EXAMPLES\n.TP\n.B gridloom explore \\-H wormhole_8x8 \\-K gemm\n"
          "The best mappings of a matrix product.\n.TP\n"
          ".B gridloom explain \\-H wormhole_8x8 \\-K gemm\nWhere the cycles of the best one go.\n"
          ".TP\n.B gridloom check my.hw my.rec\nEvery error in two files.\n";
  return text;
}

}  // namespace gridloom::cli
