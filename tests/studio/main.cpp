// SPDX-License-Identifier: Apache-2.0

// One binary for all tests of the studio: `studio_test <part> [QtTest options]`.

#include <QApplication>
#include <QtTest>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "suites.h"
#include "window/studio_display.h"

namespace {

constexpr std::pair<const char*, QObject* (*)()> kParts[] = {
    {"models", makeModelTests},      {"theme", makeThemeTests},     {"window", makeWindowTests},
    {"editing", makeEditingTests},   {"results", makeResultTests},  {"exports", makeExportTests},
    {"scripts", makeScriptTests},    {"actions", makeActionTests},  {"figures", makeFigureTests},
    {"timeline", makeTimelineTests}, {"form", makeFormTests},       {"mesh", makeMeshEditTests},
    {"measured", makeMeasuredTests}, {"welcome", makeWelcomeTests}, {"walk", makeWalkTests},
    {"layout", makeLayoutTests},     {"display", makeDisplayTests}, {"pictures", makePictureTests},
    {"labels", makeLabelTests},      {"goldens", makeGoldenTests},  {"details", makeDetailTests}};

}  // namespace

int main(int argc, char** argv) {
  gridloom::widgets::prepareDisplay();
  QApplication app(argc, argv);
  QApplication::setCursorFlashTime(0);
  const std::string_view part = argc > 1 ? argv[1] : "";
  std::unique_ptr<QObject> tests;
  for (const auto& [name, make] : kParts) {
    if (part == name) tests.reset(make());
  }
  if (!tests) {
    std::fputs("usage: studio_test PART [QtTest options], with one of these parts:\n", stderr);
    for (const auto& [name, make] : kParts) std::fprintf(stderr, "  %s\n", name);
    return 2;
  }
  argv[1] = argv[0];
  return QTest::qExec(tests.get(), argc - 1, argv + 1);
}
