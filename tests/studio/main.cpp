// SPDX-License-Identifier: Apache-2.0

// One binary for all tests of the studio: `studio_test
// models|window|editing|results|timeline|form|layout|pictures|display [QtTest options]`.

#include <QApplication>
#include <QtTest>
#include <cstdio>
#include <cstring>
#include <memory>

#include "suites.h"
#include "window/studio_display.h"

int main(int argc, char** argv) {
  gridloom::widgets::prepareDisplay();
  QApplication app(argc, argv);
  QApplication::setCursorFlashTime(0);
  const char* part = argc > 1 ? argv[1] : "";
  std::unique_ptr<QObject> tests;
  if (std::strcmp(part, "models") == 0) tests.reset(makeModelTests());
  if (std::strcmp(part, "window") == 0) tests.reset(makeWindowTests());
  if (std::strcmp(part, "editing") == 0) tests.reset(makeEditingTests());
  if (std::strcmp(part, "results") == 0) tests.reset(makeResultTests());
  if (std::strcmp(part, "timeline") == 0) tests.reset(makeTimelineTests());
  if (std::strcmp(part, "form") == 0) tests.reset(makeFormTests());
  if (std::strcmp(part, "measured") == 0) tests.reset(makeMeasuredTests());
  if (std::strcmp(part, "layout") == 0) tests.reset(makeLayoutTests());
  if (std::strcmp(part, "display") == 0) tests.reset(makeDisplayTests());
  if (std::strcmp(part, "pictures") == 0) tests.reset(makePictureTests());
  if (!tests) {
    std::fputs("usage: studio_test "
               "models|window|editing|results|timeline|form|measured|layout|pictures|display "
               "[QtTest options]\n",
               stderr);
    return 2;
  }
  argv[1] = argv[0];
  return QTest::qExec(tests.get(), argc - 1, argv + 1);
}
