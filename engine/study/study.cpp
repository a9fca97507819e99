// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <algorithm>

#include "service/workspace.h"
#include "study/statements.h"
#include "syntax/spelling.h"
#include "texts/presets.h"

namespace gridloom::study {

namespace {

base::Result<std::pair<StudyFile, const Kind*>> openStudy(const std::string& nameOrFile) {
  auto text = texts::loadStudyText(nameOrFile);
  if (!text) return text.takeDiagnostics();
  auto file = readStudy(*std::move(text));
  if (!file) return file.takeDiagnostics();
  const Kind* kind = kindOf(file->bodyOf("kind", "cases"));
  if (kind != nullptr) return std::pair(*std::move(file), kind);
  const auto at = std::ranges::find(file->statements, "kind", &Statement::word);
  return base::errorAt(file->source, at->body, "there is no such kind of study",
                       syntax::spellingHint(file->textOf(at->body), kindNames()));
}

base::Diagnostics faultsOf(const StudyFile& file, const Kind& kind, Runner& runner) {
  base::Diagnostics faults;
  workThrough(file, kind, runner, true, faults);
  return faults;
}

base::Diagnostics runWith(Runner& runner, const std::string& nameOrFile, const TableSink& sink,
                          int depth) {
  auto opened = openStudy(nameOrFile);
  if (!opened) return opened.takeDiagnostics();
  const auto& [file, kind] = *opened;
  if (kind->run == nullptr) {
    for (const auto& row : file.rows.rows) {
      if (depth > 0) return {base::plainError(nameOrFile + ": a list of lists of studies")};
      auto errors = runWith(runner, row.front(), sink, depth + 1);
      if (!errors.empty() || runner.progress().cancelled()) return errors;
    }
    return {};
  }
  auto faults = faultsOf(file, *kind, runner);
  if (!faults.empty() || runner.progress().cancelled()) return faults;
  report::Reproduction table = workThrough(file, *kind, runner, false, faults);
  if (runner.progress().cancelled()) return {};
  if (faults.empty()) sink(std::move(table));
  return faults;
}

}  // namespace

std::vector<StudyEntry> listStudies() {
  std::vector<StudyEntry> out;
  for (const texts::Preset& preset : texts::listStudies()) {
    const auto opened = openStudy(preset.path);
    out.push_back({preset.name, opened ? std::string(opened->first.bodyOf("title")) : ""});
  }
  return out;
}

base::Diagnostics runStudy(const std::string& nameOrFile, const StudyOptions& options,
                           const TableSink& sink, base::Progress& progress) {
  Runner runner(options, progress);
  return runWith(runner, nameOrFile, sink, 0);
}

base::Diagnostics checkStudy(const std::string& nameOrFile) {
  const StudyOptions options;
  base::Progress progress;
  Runner runner(options, progress);
  const auto opened = openStudy(nameOrFile);
  return opened ? faultsOf(opened->first, *opened->second, runner) : opened.diagnostics();
}

bool takesSamples(const std::string& nameOrFile) {
  const auto opened = openStudy(nameOrFile);
  if (!opened) return true;  // to be told what is wrong with it
  const std::string_view kind = opened->second->name;
  return kind == "agreement" || kind == "ranking";
}

bool canAblate(const std::string& nameOrFile) {
  const auto opened = openStudy(nameOrFile);
  return !opened || opened->second->name == "agreement";
}

}  // namespace gridloom::study
