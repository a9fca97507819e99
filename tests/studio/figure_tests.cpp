// SPDX-License-Identifier: Apache-2.0

// The figures above the mesh.

#include <QLabel>
#include <set>

#include "canvas/mesh_canvas.h"
#include "models/selection_hub.h"
#include "studio_window.h"
#include "suites.h"
#include "window/figure_strip.h"
#include "window/line_label.h"
#include "window/mesh_panel.h"

using namespace gridloom::widgets;

namespace {

constexpr QSize kRoomy{1500, 940};
constexpr QSize kNarrow{900, 600};

}  // namespace

class FigureTests : public QObject {
  Q_OBJECT

 private:
  /// The heights at which figures stand.
  static std::set<int> rowsOf(const FigureStrip& strip) {
    std::set<int> rows;
    for (const QLabel* label : strip.findChildren<QLabel*>()) {
      if (!label->accessibleName().isEmpty()) rows.insert(label->mapTo(&strip, QPoint()).y());
    }
    return rows;
  }

 private Q_SLOTS:
  void theFiguresTakeOneRowInASmallWindow() {
    const StudioWindow studio(kNarrow);
    for (const char* name : {"M", "N", "K"})
      studio.session()->setParameter(QLatin1String(name), 4096);
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    const FigureStrip* strip = studio->meshPanel()->figures();
    QTRY_COMPARE(rowsOf(*strip).size(), std::size_t{1});
    // Those without a change from A stand on the line of the others.
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY(!strip->change(0).isEmpty());
    studio->resize(kRoomy);
    QTRY_COMPARE(rowsOf(*strip).size(), std::size_t{1});
  }

  /// Comparing takes no second row from the mesh.
  void theFiguresOfAComparisonTakeOneRow() {
    const StudioWindow studio(kNarrow);
    for (const char* name : {"M", "N", "K"})
      studio.session()->setParameter(QLatin1String(name), 4096);
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(1), StudioWindow::kPatience);
    const FigureStrip* strip = studio->meshPanel()->figures();
    studio.session()->freeze(0);
    studio->hub()->selectCandidate(1);
    QTRY_VERIFY(strip->change(0).endsWith(QLatin1Char('%')));
    QVERIFY2(!strip->change(0).startsWith(QLatin1Char('A')), qPrintable(strip->change(0)));
    QCOMPARE(rowsOf(*strip).size(), std::size_t{1});
    studio->resize({1280, 800});
    QTRY_COMPARE(rowsOf(*strip).size(), std::size_t{1});
    QVERIFY2(strip->change(0).endsWith(QLatin1Char('%')), qPrintable(strip->change(0)));
    studio->resize(kRoomy);
    QTRY_VERIFY(strip->change(0).startsWith(QLatin1String("A ")));
  }

  /// Beside its value, each figure says what it is worth; the notes go before a second row comes.
  void notesStandBesideTheFigures() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(0), StudioWindow::kPatience);
    const FigureStrip* strip = studio->meshPanel()->figures();
    QVERIFY2(strip->note(1).endsWith(QStringLiteral("% off")), qPrintable(strip->note(1)));
    // The bottleneck keeps its evidence in any width, and its tooltip has the whole.
    QVERIFY2(strip->note(4).contains(QStringLiteral("% busy; next ")), qPrintable(strip->note(4)));
    QVERIFY(!strip->shownNote(4).isEmpty());
    QVERIFY2(strip->note(3).endsWith(QStringLiteral("of bound")), qPrintable(strip->note(3)));
    QVERIFY2(strip->note(4).contains(QStringLiteral("busy; next")), qPrintable(strip->note(4)));
    const auto shown = [&] {
      int count = 0;
      for (const QLabel* label : strip->findChildren<QLabel*>())
        count += label->isVisible() && label->text().contains(QStringLiteral("of bound")) ? 1 : 0;
      return count;
    };
    QTRY_COMPARE(shown(), 1);
    studio->resize(kNarrow);
    QTRY_COMPARE(shown(), 0);
    QTRY_COMPARE(rowsOf(*strip).size(), std::size_t{1});
  }

  /// In the lowest window, and at 200% on a small screen, the mesh has the room.
  void theLowestWindowHasRoomForTheMesh() {
    const StudioWindow studio(QSize(880, 500));
    STUDIO_RESTS(studio);
    const MeshCanvas* canvas = studio->meshPanel()->canvas();
    QTRY_VERIFY2(canvas->height() >= 95, qPrintable(QString::number(canvas->height())));
    for (const MeshAxis axis : {MeshAxis::Columns, MeshAxis::Rows}) {
      for (const MemoryBlock& block : canvas->scene().memories)
        QVERIFY(!canvas->handle(axis).intersects(canvas->viewport().rectOf(block.box)));
    }
  }

  /// Where there is no room beside its value, the caption of the bottleneck says how busy it is.
  void theBottleneckHasItsEvidenceInEveryWidth() {
    const StudioWindow studio(QSize(1280, 800));
    STUDIO_RESTS(studio);
    const FigureStrip* strip = studio->meshPanel()->figures();
    for (const QSize size : {QSize(1280, 800), kNarrow, QSize(1600, 1000), QSize(1920, 1080)}) {
      studio->resize(size);
      QTRY_VERIFY2((strip->caption(4) + strip->shownNote(4)).contains(QLatin1Char('%')),
                   qPrintable(strip->caption(4)));
      QTRY_COMPARE(rowsOf(*strip).size(), std::size_t{1});
    }
  }

  /// The mesh stays where it is when something is selected: the line below it is never empty.
  void theLineBelowTheMeshSaysWhatIsSelected() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session()->runOf(0), StudioWindow::kPatience);
    const auto* line = studio->findChild<LineLabel*>(QStringLiteral("coreLine"));
    const QSize before = studio->meshPanel()->canvas()->size();
    QVERIFY2(line->line().startsWith(QStringLiteral("Click a core")), qPrintable(line->line()));
    studio->hub()->selectResource(QStringLiteral("drams 0"));
    QVERIFY2(line->line().contains(QStringLiteral("drams 0: utilization")),
             qPrintable(line->line()));
    studio->hub()->selectResource(QStringLiteral("noc_v (4,1)->(4,2)"));
    QVERIFY2(line->line().contains(QStringLiteral("(4,2): utilization")), qPrintable(line->line()));
    studio->hub()->selectResource({});
    studio->hub()->selectCore(9);
    QVERIFY2(line->line().startsWith(QStringLiteral("Core (")), qPrintable(line->line()));
    QCoreApplication::processEvents();
    QCOMPARE(studio->meshPanel()->canvas()->size(), before);
  }
};

QObject* makeFigureTests() { return new FigureTests; }

#include "figure_tests.moc"
