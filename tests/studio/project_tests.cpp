// SPDX-License-Identifier: Apache-2.0

// Projects and settings in files.

#include <QTemporaryDir>
#include <QtTest>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/project.h"
#include "models/quantity_text.h"
#include "studio_helpers.h"
#include "suites.h"
#include "theme/apply_theme.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"
#include "window/studio_settings.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

Project someProject() {
  Project project;
  project.hardwareName = QStringLiteral("mesh");
  project.hardwareText = QStringLiteral("%x = df.spatial_dim 8 // größer\n");
  project.kernelName = QStringLiteral("gemm");
  project.kernelText = QStringLiteral("kernel gemm(M = 4) {\n}\n");
  project.parameters = {{QStringLiteral("M"), 4096}};
  project.directives = QStringLiteral("tile(i, 128)");
  project.mode = QStringLiteral("hifi4");
  project.top = 7;
  project.simulate = false;
  return project;
}

}  // namespace

class ProjectTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void projectRoundTrip() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("p.gridloom"));
    QVERIFY(saveProject(someProject(), path).ok());
    const auto loaded = loadProject(path);
    QVERIFY(loaded.ok());
    QVERIFY(*loaded == someProject());
    QCOMPARE(projectJson(*loaded), projectJson(someProject()));
  }

  void badProjectsAreRefusedWithTheirPlace_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("part");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("not a project file");
    QTest::newRow("cut off") << QByteArray("{\"schema\": \"gridloom.proj")
                             << QStringLiteral("not a project file");
    QTest::newRow("an array") << QByteArray("[]") << QStringLiteral("not an object");
    QTest::newRow("another schema")
        << QByteArray("{\"schema\": \"x\"}") << QStringLiteral("gridloom.project/1");
    QTest::newRow("wrong kind") << QByteArray(
                                       "{\"schema\": \"gridloom.project/1\",\n \"kernel\": 3}")
                                << QStringLiteral(":2:2: error: `kernel` in a project is a string");
    QTest::newRow("out of range") << QByteArray(
                                         "{\"schema\": \"gridloom.project/1\", \"top\": 1e9}")
                                  << QStringLiteral("from 1 to 1000000");
    QTest::newRow("parameter")
        << QByteArray("{\"schema\": \"gridloom.project/1\", \"parameters\": {\"M\": 1.5}}")
        << QStringLiteral("`M` in a project is a whole number");
    QTest::newRow("binary") << QByteArray("\x00\xff\xfe{}", 5)
                            << QStringLiteral("not a project file");
  }

  void badProjectsAreRefusedWithTheirPlace() {
    QFETCH(QByteArray, json);
    QFETCH(QString, part);
    const auto project = projectFromJson(QStringLiteral("p.gridloom"), json);
    QVERIFY(!project.ok());
    const QString message = text(base::render(project.diagnostics()));
    QVERIFY2(message.contains(part), qPrintable(message));
  }

  void missingProjectAndFolderAreMessages() {
    QTemporaryDir folder;
    QVERIFY(!loadProject(folder.filePath(QStringLiteral("none.gridloom"))).ok());
    QVERIFY(!loadProject(folder.path()).ok());
    QVERIFY(
        !saveProject(someProject(), folder.filePath(QStringLiteral("no/such/folder/p.gridloom")))
             .ok());
  }

  void settingsThatMakeNoSenseAreDefaults() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromHex("0001") +
               "[[[\ntheme=\"purple\nversion=seven\nrecent=@Invalid(");
    file.close();
    StudioSettings settings(path);
    QCOMPARE(settings.scheme(), Scheme::System);
    QVERIFY(settings.recentProjects().isEmpty());
    settings.setScheme(Scheme::Dark);
    settings.addRecentProject(QStringLiteral("/a.gridloom"));
    settings.addRecentProject(QStringLiteral("/b.gridloom"));
    settings.addRecentProject(QStringLiteral("/a.gridloom"));
    QCOMPARE(settings.recentProjects(),
             QStringList({QStringLiteral("/a.gridloom"), QStringLiteral("/b.gridloom")}));
    QCOMPARE(StudioSettings(path).scheme(), Scheme::Dark);
  }
};

QObject* makeProjectTests() { return new ProjectTests; }

#include "project_tests.moc"
