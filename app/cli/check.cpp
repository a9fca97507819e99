// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "base/message_limit.h"
#include "output.h"
#include "service/mapping_input.h"
#include "study/study.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// A study may name other files beside it, so it is opened by its name.
base::Diagnostics findingsOf(const std::string& path, base::SourceRef text) {
  return path.ends_with(".study") ? study::checkStudy(path) : service::checkText(std::move(text));
}

Exit checkOne(const std::string& path, std::string& answer) {
  auto text = service::loadText(path);
  if (!text) {
    printDiagnostics(text.diagnostics());
    answer += path + ": not readable\n";
    return Exit::BadInput;
  }
  const base::Diagnostics findings = findingsOf(path, *std::move(text));
  printDiagnostics(findings);
  const auto count = [&](base::Severity severity) {
    return std::ranges::count(findings, severity, &base::Diagnostic::severity);
  };
  const auto errors = count(base::Severity::Error);
  const auto warnings = count(base::Severity::Warning);
  answer += path + ": " + (errors == 0 ? "ok" : counted(errors, "error"));
  if (base::isFull(findings)) answer += " or more";
  if (warnings > 0) answer += ", " + counted(warnings, "warning");
  answer += "\n";
  return errors == 0 ? Exit::Done : Exit::No;
}

}  // namespace

Exit check(const Options& options) {
  Exit exit = Exit::Done;
  std::string answer;
  for (const std::string& path : options.names) exit = worse(exit, checkOne(path, answer));
  return worse(exit, printAnswer(answer));
}

}  // namespace gridloom::cli
