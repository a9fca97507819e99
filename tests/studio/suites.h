// SPDX-License-Identifier: Apache-2.0
#pragma once

class QObject;

/// The suites of the studio's test; main.cpp says which part each belongs to.
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
QObject* makeAnswerTests();
QObject* makeUndoTests();
QObject* makeCompletionTests();
QObject* makeMeshChannelTests();
QObject* makeMeshShapeTests();
QObject* makeRankedModelTests();
QObject* makeRowOrderTests();
QObject* makeProjectTests();
QObject* makeJobTests();
QObject* makePaperTests();
QObject* makeScatterTests();
QObject* makeComparisonTests();
QObject* makeStaleTests();
QObject* makeRecordingTests();
QObject* makeFollowTests();
QObject* makeTimelineComparisonTests();
QObject* makeUnsavedTests();
QObject* makeInputTests();
QObject* makeControlTests();
QObject* makeLargeMachineTests();
QObject* makeSweepTests();
