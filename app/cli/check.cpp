// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "base/message_limit.h"
#include "exchange/junit.h"
#include "exchange/sarif.h"
#include "output.h"
#include "service/mapping_input.h"
#include "service/result_records.h"
#include "study/study.h"
#include "texts/presets.h"
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

Exit checkOne(const std::string& path, std::string& answer,
              std::vector<exchange::CheckedFile>& files) {
  auto text = texts::loadText(path);
  if (!text) {
    printDiagnostics(text.diagnostics());
    files.push_back({path, text.diagnostics()});
    answer += path + ": not readable\n";
    return Exit::BadInput;
  }
  const base::Diagnostics findings = findingsOf(path, *std::move(text));
  printDiagnostics(findings);
  files.push_back({path, findings});
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

std::vector<exchange::JunitCase> casesOf(const std::vector<exchange::CheckedFile>& files) {
  std::vector<exchange::JunitCase> cases;
  for (const exchange::CheckedFile& file : files) {
    const auto first =
        std::ranges::find(file.findings, base::Severity::Error, &base::Diagnostic::severity);
    cases.push_back({file.path, "check", first == file.findings.end() ? "" : first->message,
                     base::render(file.findings)});
  }
  return cases;
}

}  // namespace

Exit check(const Options& options) {
  Exit exit = Exit::Done;
  std::string answer;
  std::vector<exchange::CheckedFile> files;
  for (const std::string& path : options.names) exit = worse(exit, checkOne(path, answer, files));
  if (!options.sarif.empty()) {
    const std::string sarif = exchange::sarifText(files, std::string(service::version()));
    exit = worse(exit, writeOutput(options.sarif, sarif));
  }
  if (!options.junit.empty()) {
    exit = worse(exit,
                 writeOutput(options.junit, exchange::junitText("gridloom check", casesOf(files))));
  }
  if (options.sarif == "-" || options.junit == "-") return exit;
  return worse(exit, printAnswer(answer));
}

}  // namespace gridloom::cli
