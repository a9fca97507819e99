// SPDX-License-Identifier: Apache-2.0
#include "exchange/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/xml_text.h"

namespace gridloom::exchange {

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
