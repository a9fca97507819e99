// SPDX-License-Identifier: Apache-2.0

// A window in which nothing happens computes nothing.

#include <QApplication>
#include <QEvent>

#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "window/main_window.h"

using namespace gridloom::widgets;

namespace {

/// Counts requests for a layout and repaints, of all widgets.
class WorkCounter : public QObject {
 public:
  WorkCounter() { qApp->installEventFilter(this); }
  int count() const { return m_count; }
  QString last() const { return m_last; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Paint) {
      ++m_count;
      m_last = QLatin1String(watched->metaObject()->className());
    }
    return false;
  }

 private:
  int m_count = 0;
  QString m_last;
};

constexpr int kLook = 300;      // milliseconds
constexpr int kFewEvents = 20;  // a loop has hundreds in that time
constexpr int kSettled = 500;   // milliseconds until late layouts have ended

}  // namespace

class QuietTests : public QObject {
  Q_OBJECT

 private:
  static void expectQuiet(const char* what) {
    QTest::qWait(kSettled);
    const WorkCounter work;
    QTest::qWait(kLook);
    QVERIFY2(work.count() <= kFewEvents, qPrintable(QStringLiteral("%1: %2 events, the last of %3")
                                                        .arg(QLatin1String(what))
                                                        .arg(work.count())
                                                        .arg(work.last())));
  }

 private Q_SLOTS:
  void aWindowAtRestDoesNothing_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size :
         {QSize(880, 500), QSize(1280, 780), QSize(1400, 900), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void aWindowAtRestDoesNothing() {
    QFETCH(QSize, size);
    const StudioWindow studio(size);
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->explainedCandidate() == 0, StudioWindow::kPatience);
    expectQuiet("with a mapping");
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(2);
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->difference(), StudioWindow::kPatience);
    expectQuiet("in a comparison");
    studio.session()->unfreeze();
    studio->hub()->selectCore(3);
    expectQuiet("with a core");
    studio->showWelcome();
    expectQuiet("on the page of examples");
  }
};

QObject* makeQuietTests() { return new QuietTests; }

#include "quiet_tests.moc"
