// SPDX-License-Identifier: Apache-2.0

// One binary for all tests of the studio: `studio_test <part> [QtTest options]`. A part has one or
// more suites; a test that is named runs in the one that has it.

#include <QApplication>
#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "suites.h"
#include "window/studio_display.h"

namespace {

constexpr std::pair<const char*, QObject* (*)()> kParts[] = {
    {"models", makeModelTests},
    {"theme", makeThemeTests},
    {"window", makeWindowTests},
    {"editing", makeEditingTests},
    {"results", makeResultTests},
    {"exports", makeExportTests},
    {"exports", makePaperTests},
    {"scripts", makeScriptTests},
    {"actions", makeActionTests},
    {"figures", makeFigureTests},
    {"timeline", makeTimelineTests},
    {"form", makeFormTests},
    {"mesh", makeMeshEditTests},
    {"measured", makeMeasuredTests},
    {"welcome", makeWelcomeTests},
    {"walk", makeWalkTests},
    {"layout", makeLayoutTests},
    {"display", makeDisplayTests},
    {"pictures", makePictureTests},
    {"labels", makeLabelTests},
    {"goldens", makeGoldenTests},
    {"details", makeDetailTests},
    {"editing", makeAnswerTests},
    {"editing", makeUndoTests},
    {"form", makeCompletionTests},
    {"mesh", makeMeshChannelTests},
    {"mesh", makeMeshShapeTests},
    {"models", makeRankedModelTests},
    {"models", makeRowOrderTests},
    {"models", makeProjectTests},
    {"models", makeJobTests},
    {"models", makeScatterTests},
    {"results", makeComparisonTests},
    {"results", makeStaleTests},
    {"timeline", makeRecordingTests},
    {"timeline", makeFollowTests},
    {"timeline", makeTimelineComparisonTests},
    {"window", makeUnsavedTests},
    {"window", makeInputTests},
    {"window", makeControlTests},
    {"editing", makeLargeMachineTests},
    {"sweep", makeSweepTests},
    {"layout", makeQuietTests},
    {"results", makeNoMappingTests},
    {"welcome", makeWelcomePictureTests}};

/// Whether a suite has one of the tests that the arguments name.
bool hasNamed(const QObject& suite, int argc, char** argv) {
  return std::any_of(argv + 2, argv + argc, [&](const char* argument) {
    const QByteArray name = QByteArray(argument).split(':').front();
    return suite.metaObject()->indexOfMethod(name + "()") >= 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  gridloom::widgets::prepareDisplay();
  QApplication app(argc, argv);
  QApplication::setCursorFlashTime(0);
  const std::string_view part = argc > 1 ? argv[1] : "";
  std::vector<std::unique_ptr<QObject>> suites;
  for (const auto& [name, make] : kParts) {
    if (part == name) suites.emplace_back(make());
  }
  if (suites.empty()) {
    std::fputs("usage: studio_test PART [QtTest options], with one of these parts:\n", stderr);
    std::set<std::string_view> parts;
    for (const auto& [name, make] : kParts) parts.insert(name);
    for (const std::string_view name : parts) std::fprintf(stderr, "  %s\n", name.data());
    return 2;
  }
  const auto has = [&](const auto& suite) { return hasNamed(*suite, argc, argv); };
  if (std::ranges::any_of(suites, has))
    std::erase_if(suites, [&](const auto& suite) { return !has(suite); });
  argv[1] = argv[0];
  int failed = 0;
  for (const auto& suite : suites) failed += QTest::qExec(suite.get(), argc - 1, argv + 1);
  return failed;
}
