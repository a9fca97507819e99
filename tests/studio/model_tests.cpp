// SPDX-License-Identifier: Apache-2.0
#include "suites.h"
#include <QtTest>
class ModelTests : public QObject {
  Q_OBJECT
};
QObject* makeModelTests() { return new ModelTests; }
#include "model_tests.moc"
