// SPDX-License-Identifier: Apache-2.0
#include "exchange/junit.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::exchange {

std::string escapedXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      const bool allowed = byte >= 0x20 || c == '\t' || c == '\n';
      out += allowed && byte != 0x7F ? c : '?';
    }
    }
  }
  return out;
}

std::string junitText(const std::string& suite, const std::vector<JunitCase>& cases) {
  const auto failures = std::count_if(cases.begin(), cases.end(),
                                      [](const JunitCase& c) { return !c.failure.empty(); });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites tests=\"{0}\" failures=\"{1}\">\n  <testsuite name=\"{2}\" "
                      "tests=\"{0}\" failures=\"{1}\">\n",
                      cases.size(), failures, escapedXml(suite));
  for (const JunitCase& test : cases) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\">", escapedXml(test.group),
                        escapedXml(test.name));
    if (!test.failure.empty()) {
      text += fmt::format("\n      <failure message=\"{}\">{}</failure>\n    ",
                          escapedXml(test.failure), escapedXml(test.details));
    } else if (!test.details.empty()) {
      text += fmt::format("\n      <system-out>{}</system-out>\n    ", escapedXml(test.details));
    }
    text += "</testcase>\n";
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace gridloom::exchange
