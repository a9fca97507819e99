// SPDX-License-Identifier: Apache-2.0
#pragma once

class QObject;

/// The parts of the studio's test, by name.
QObject* makeModelTests();
QObject* makeThemeTests();
QObject* makeWindowTests();
QObject* makePictureTests();
QObject* makeEditingTests();
QObject* makeResultTests();
QObject* makeExportTests();
QObject* makeScriptTests();
QObject* makeActionTests();
QObject* makeFigureTests();
QObject* makeDetailTests();
QObject* makeTimelineTests();
QObject* makeFormTests();
QObject* makeMeshEditTests();
QObject* makeMeasuredTests();
QObject* makeWelcomeTests();
QObject* makeWalkTests();
QObject* makeLayoutTests();
QObject* makeDisplayTests();
QObject* makeGoldenTests();
QObject* makeLabelTests();
