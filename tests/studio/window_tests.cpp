// SPDX-License-Identifier: Apache-2.0
#include "suites.h"
#include <QtTest>
class WindowTests : public QObject {
  Q_OBJECT
};
QObject* makeWindowTests() { return new WindowTests; }
#include "window_tests.moc"
