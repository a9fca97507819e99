// SPDX-License-Identifier: Apache-2.0

// The pictures of the page of examples.

#include <QLabel>

#include "bridge/example_looks.h"
#include "models/examples.h"
#include "studio_window.h"
#include "suites.h"
#include "window/welcome_cards.h"
#include "window/welcome_page.h"

using namespace gridloom::widgets;

class WelcomePictureTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// Another size costs no search: the pictures are drawn anew.
  void anotherSizeIsDrawnAnew() {
    ExampleLooks looks;
    QSignalSpy found(&looks, &ExampleLooks::found);
    looks.start({280, 128}, 1);
    QTRY_COMPARE_WITH_TIMEOUT(found.count(), 4, StudioWindow::kPatience);
    const auto scene = looks.look(0)->scene;
    QVERIFY(scene && looks.look(2)->scene && !looks.look(3)->scene);
    const QString rate = looks.look(0)->rate;
    looks.start({280, 128}, 1);
    QTest::qWait(50);
    QCOMPARE(found.count(), 4);
    looks.start({400, 300}, 2);
    QTRY_COMPARE_WITH_TIMEOUT(found.count(), 8, StudioWindow::kPatience);
    for (std::size_t i = 0; i < examples().size(); ++i)
      QCOMPARE(looks.look(i)->light.size(), QSize(800, 600));
    QVERIFY(looks.look(0)->scene == scene);
    QCOMPARE(looks.look(0)->rate, rate);
  }

  /// Cards take the room of the page, on a large screen too, and no more.
  void thePageIsFilled() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio->showWelcome();
    const WelcomePage* page = studio->welcomePage();
    for (const QSize size : {QSize(1280, 780), QSize(1600, 900), QSize(1920, 1060)}) {
      studio->resize(size);
      QTest::qWait(50);
      int bottom = 0;
      for (const QLabel* label : page->widget()->findChildren<QLabel*>()) {
        if (label->isVisible())
          bottom = std::max(bottom, label->mapTo(page, QPoint(0, label->height())).y());
      }
      QVERIFY2(bottom <= page->height(), qPrintable(QString::number(bottom)));
      QVERIFY2(bottom >= page->height() * 3 / 4, qPrintable(QString::number(bottom)));
    }
  }
};

QObject* makeWelcomePictureTests() { return new WelcomePictureTests; }

#include "welcome_picture_tests.moc"
