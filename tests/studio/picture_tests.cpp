// SPDX-License-Identifier: Apache-2.0

// The whole window as a picture, light and dark, in the build tree.

#include <QDir>
#include <QDockWidget>
#include <QTemporaryDir>
#include <QtTest>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "models/selection_hub.h"
#include "suites.h"
#include "timeline/timeline_canvas.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/timeline_panel.h"

using namespace gridloom::widgets;

class PictureTests : public QObject {
  Q_OBJECT

 private:
  /// Shows the example with all simulations and the explanation of the best mapping.
  static void settle(MainWindow& window) {
    window.resize(1500, 940);
    window.show();
    window.openFirst();
    QTRY_VERIFY_WITH_TIMEOUT(window.session()->explainedCandidate() == 0, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session()->busy(), 60000);
  }

  /// Shows the run at a cycle, with the timeline in front.
  static void replayed(MainWindow& window) {
    window.findChild<QDockWidget*>(QStringLiteral("timelineDock"))->raise();
    QTRY_VERIFY_WITH_TIMEOUT(window.replay()->recording() != nullptr, 60000);
    window.timelinePanel()->canvas()->showRange(0, 320000);
    window.replay()->goTo(38150);
    QTest::qWait(60);
  }

  /// Opaque, as small as PNG makes it.
  static bool saved(const QImage& image, const QString& name) {
    const QString path = QDir(QStringLiteral(GRIDLOOM_PICTURE_DIR)).filePath(name);
    return image.convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0);
  }

  /// How many different colours a picture has: a blank one has few.
  static qsizetype coloursOf(const QImage& image) {
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
      for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    }
    return colours.size();
  }

 private Q_SLOTS:
  void theStudioInBothThemes() {
    QTemporaryDir folder;
    MainWindow window(folder.filePath(QStringLiteral("settings.ini")));
    window.setScheme(Scheme::Light);
    settle(window);
    const QImage light = window.grab().toImage();
    QVERIFY(saved(light, QStringLiteral("studio.png")));
    window.setScheme(Scheme::Dark);
    QCoreApplication::processEvents();
    const QImage dark = window.grab().toImage();
    QVERIFY(saved(dark, QStringLiteral("studio_dark.png")));
    window.setScheme(Scheme::Light);
    replayed(window);
    QVERIFY(saved(window.grab().toImage(), QStringLiteral("replay.png")));
    QVERIFY(coloursOf(light) > 100);
    QVERIFY(coloursOf(dark) > 100);
    QVERIFY(qGray(light.pixel(4, light.height() / 2)) > 200);
    QVERIFY(qGray(dark.pixel(4, dark.height() / 2)) < 60);
  }
};

QObject* makePictureTests() { return new PictureTests; }

#include "picture_tests.moc"
