// SPDX-License-Identifier: Apache-2.0

// The page at the start, the tour, and the help pages.

#include <QDir>
#include <QDockWidget>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTabWidget>
#include <QTextBlock>

#include "bridge/example_looks.h"
#include "cut_off.h"
#include "canvas/mesh_canvas.h"
#include "models/examples.h"
#include "models/tour_steps.h"
#include "studio_window.h"
#include "suites.h"
#include "texts/presets.h"
#include "theme/tokens.h"
#include "window/gallery.h"
#include "window/help_browser.h"
#include "window/help_window.h"
#include "window/mesh_panel.h"
#include "window/tour.h"
#include "window/welcome_cards.h"
#include "window/welcome_page.h"

using namespace gridloom;
using namespace gridloom::widgets;

class WelcomeTests : public QObject {
  Q_OBJECT

 private:
  /// Headings of a page by their anchors, and the links of its text.
  struct Page {
    QStringList anchors, links;
  };
  static Page pageOf(const QString& name) {
    Page page;
    QFile file(QStringLiteral(":/studio/docs/") + name);
    if (!file.open(QIODevice::ReadOnly)) return page;
    QTextDocument document;
    document.setMarkdown(QString::fromUtf8(file.readAll()), QTextDocument::MarkdownDialectGitHub);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
      if (block.blockFormat().headingLevel() > 0)
        page.anchors << HelpBrowser::anchorOf(block.text());
      for (auto at = block.begin(); !at.atEnd(); ++at) {
        const QString link = at.fragment().charFormat().anchorHref();
        if (!link.isEmpty()) page.links << link;
      }
    }
    return page;
  }

 private Q_SLOTS:
  void everyExampleMaps() {
    QCOMPARE(examples().size(), std::size_t{4});
    QCOMPARE(*exampleProject(), *projectOf(examples().front()));
    for (const Example& example : examples()) {
      const auto project = projectOf(example);
      QVERIFY2(project.ok(), qPrintable(example.title));
      QVERIFY(!sizesOf(*project).isEmpty());
      QCOMPARE(subjectOf(*project),
               QStringLiteral("%1 on %2").arg(example.kernel, example.hardware));
    }
    QCOMPARE(sizesOf(*exampleProject()), QStringLiteral("M 4096, N 4096, K 4096"));
    Project broken = *exampleProject();
    broken.kernelText = QStringLiteral("kernel");
    QCOMPARE(sizesOf(broken), QStringLiteral("its kernel has mistakes"));
    broken.kernelText = QStringLiteral("// ours\nmodule {\n}\n");
    QCOMPARE(sizesOf(broken), QStringLiteral("MLIR"));
  }

  void cardsShowWhatTheEngineFinds() {
    ExampleLooks looks;
    QSignalSpy found(&looks, &ExampleLooks::found);
    QVERIFY(!looks.look(0));
    looks.start({280, 128}, 2);
    QTRY_COMPARE_WITH_TIMEOUT(found.count(), 4, StudioWindow::kPatience);
    for (std::size_t i = 0; i < examples().size(); ++i) {
      const ExampleLook* look = looks.look(i);
      QVERIFY(look != nullptr);
      QCOMPARE(look->light.size(), QSize(560, 256));
      QVERIFY(look->light != look->dark);
      QVERIFY(look->rate.endsWith(QStringLiteral("TFLOP/s")));
      QVERIFY(look->machine.startsWith(examples()[i].hardware));
    }
    QCOMPARE(looks.look(0)->share, QStringLiteral("58.6% of peak"));
  }

  void theWelcomePageOpensAndLeaves() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QVERIFY(!studio->welcomePage());
    studio->showWelcome();
    WelcomePage* page = studio->welcomePage();
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    QVERIFY(page->isVisible());
    // Panels that are raised stay below.
    studio->findChild<QDockWidget*>(QStringLiteral("peakDock"))->raise();
    QTRY_VERIFY(page->isAncestorOf(studio->childAt(studio->width() - 60, studio->height() / 2)));
    for (int i = 0; i < 40; ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QVERIFY(page->isAncestorOf(QApplication::focusWidget()));
    }
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(page->isHidden());
    studio.session()->setParameter(QStringLiteral("K"), 1024);
    QVERIFY(studio->saveProjectAs(studio.path("mine.gridloom")));
    studio->showWelcome();
    QTest::keyClick(page->cards().front(), Qt::Key_3);
    QVERIFY(page->isHidden());
    QCOMPARE(studio.session()->project().kernelName, QStringLiteral("conv2d"));
    studio->showWelcome();
    const auto* row = page->findChild<RecentRow*>();
    QVERIFY(row && row->text() == QStringLiteral("mine"));
    const_cast<RecentRow*>(row)->click();
    QVERIFY(page->isHidden());
    QCOMPARE(studio.session()->project().kernelName, QStringLiteral("gemm"));
    QFile::remove(studio.path("mine.gridloom"));
    studio->showWelcome();
    QVERIFY(!page->findChild<RecentRow*>()->isEnabled());
  }

  void theGalleryShowsAndOpensEveryPreset() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio->showGallery();
    auto* gallery = studio->findChild<Gallery*>();
    QVERIFY(gallery && gallery->isVisible());
    for (const auto kind : {PresetLooks::Kind::Hardware, PresetLooks::Kind::Kernel}) {
      const bool hardware = kind == PresetLooks::Kind::Hardware;
      const PresetLooks& looks = gallery->looks(kind);
      QCOMPARE(looks.presets().size(),
               hardware ? texts::listHardware().size() : texts::listKernels().size());
      for (std::size_t i = 0; i < looks.presets().size(); ++i) {
        QTRY_VERIFY2_WITH_TIMEOUT(looks.look(i), looks.presets()[i].name.c_str(),
                                  StudioWindow::kPatience);
        QVERIFY2(!looks.look(i)->lines.isEmpty(), looks.presets()[i].name.c_str());
        QCOMPARE(looks.look(i)->light.isNull(), !hardware);
      }
    }
    const auto lineOf = [gallery](const char* kernel) {
      const QListWidget* list = gallery->list(PresetLooks::Kind::Kernel);
      const int row = list->row(list->findItems(QLatin1String(kernel), Qt::MatchExactly).front());
      return gallery->looks(PresetLooks::Kind::Kernel).look(static_cast<std::size_t>(row))->lines;
    };
    QCOMPARE(lineOf("gemm"), QStringList{QStringLiteral("C[i, j] = sum(k) A[i, k] * B[k, j]")});
    // Words narrow the cards, and Return opens the first that is left.
    gallery->words()->setText(QStringLiteral("matrix vector"));
    QTest::keyClick(gallery->words(), Qt::Key_Return);
    QVERIFY(!gallery->isVisible());
    QCOMPARE(studio.session()->project().kernelName, QStringLiteral("gemv"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    // A click opens a machine, too.
    studio->showGallery();
    gallery = studio->findChild<Gallery*>();
    QListWidget* machines = gallery->list(PresetLooks::Kind::Hardware);
    qobject_cast<QTabWidget*>(machines->parentWidget()->parentWidget())->setCurrentWidget(machines);
    QListWidgetItem* item =
        machines->findItems(QStringLiteral("blackhole_p150"), Qt::MatchExactly).front();
    machines->scrollToItem(item);
    QTest::mouseClick(machines->viewport(), Qt::LeftButton, {},
                      machines->visualItemRect(item).center());
    QCOMPARE(studio.session()->project().hardwareName, QStringLiteral("blackhole_p150"));
    STUDIO_IDLE(studio);
  }

  void theWelcomePageIsWhole() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio->showWelcome();
    for (const QSize size : {QSize(880, 500), QSize(1280, 800), QSize(1920, 1080)}) {
      studio->resize(size);
      QTest::qWait(50);
      const QStringList cut = cutOffWidgets(*studio->welcomePage()->widget());
      QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
      QCOMPARE(studio->welcomePage()->width(), studio->width());
      QVERIFY(studio->welcomePage()->widget()->width() <= studio->width());
    }
  }

  /// Nothing of the panels behind it shows, not through its scroll bar either.
  void nothingShowsThroughTheWelcomePage() {
    const StudioWindow studio({900, 600});
    STUDIO_RESTS(studio);
    studio->showWelcome();
    QTest::qWait(100);
    const QScrollBar* bar = studio->welcomePage()->verticalScrollBar();
    QVERIFY(bar->isVisible());
    const QImage window = studio->grab().toImage();
    const double scale = window.devicePixelRatio();
    // Below the handle of the bar.
    for (int y = bar->height() * 9 / 10; y < bar->height() - 2; ++y) {
      const QPointF at = bar->mapTo(studio.operator->(), QPoint(bar->width() / 2, y));
      const QColor seen = window.pixelColor((at * scale).toPoint());
      QCOMPARE(seen.name(), tokensFor(studio->palette()).window.name());
    }
  }

  void theTourLeadsThroughThePanels() {
    const StudioWindow studio({1280, 800});
    STUDIO_RESTS(studio);
    studio->showWelcome();
    studio->welcomePage()->findChild<QPushButton*>(QStringLiteral("startTour"))->click();
    QVERIFY(studio->welcomePage()->isHidden());
    QSet<const QWidget*> targets;
    for (int step = 0; step < static_cast<int>(tourSteps().size()); ++step) {
      const Tour* tour = studio->tour();
      QVERIFY(tour != nullptr);
      QCOMPARE(tour->step(), step);
      QTRY_VERIFY(studio->rect().intersects(tour->target()->geometry()));
      targets << tour->target();
      QTest::qWait(20);
      QVERIFY(studio->rect().contains(tour->geometry()));
      const auto* ring = studio->findChild<QWidget*>(QStringLiteral("tourRing"));
      QVERIFY(ring->geometry().contains(
          QRect(tour->target()->mapTo(studio.operator->(), QPoint()), tour->target()->size())));
      const QStringList cut = cutOffWidgets(*tour);
      QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
      tour->findChild<QPushButton*>(QStringLiteral("tourNext"))->click();
    }
    QCOMPARE(targets.size(), qsizetype{5});
    QTRY_VERIFY(!studio->tour());
    QVERIFY(!studio->findChild<QWidget*>(QStringLiteral("tourRing")));
    studio->startTour();
    QTest::keyClick(studio->tour(), Qt::Key_Escape);
    QTRY_VERIFY(!studio->tour());
  }

  /// Where the panels leave room, the card does not lie over what it speaks of.
  void theCardOfTheTourStandsBesideTheMesh() {
    for (const QSize size : {QSize(900, 600), QSize(960, 540), QSize(1280, 800)}) {
      const StudioWindow studio(size);
      STUDIO_RESTS(studio);
      studio->startTour();
      const MeshCanvas* canvas = studio->meshPanel()->canvas();
      const QRect mesh(canvas->mapTo(studio.operator->(), QPoint()), canvas->size());
      QTRY_VERIFY(!studio->tour()->geometry().intersects(mesh));
    }
  }

  /// Cards fill the width of the gallery, and Ctrl+Tab goes to its other tab.
  void theGalleryHasNoEmptyColumn() {
    const StudioWindow studio({900, 600});
    STUDIO_RESTS(studio);
    studio->showGallery();
    auto* gallery = studio->findChild<Gallery*>();
    for (const int width : {700, 880, 980, 1400}) {
      gallery->resize(width, 560);
      for (int tab = 0; tab < 2; ++tab) {
        const auto* tabs = gallery->findChild<QTabWidget*>();
        const auto* list = static_cast<QListWidget*>(tabs->currentWidget());
        const auto unused = [list] {
          int right = 0;
          for (int row = 0; row < list->count(); ++row)
            right = std::max(right, list->visualItemRect(list->item(row)).right());
          return list->viewport()->width() - right;
        };
        QTRY_VERIFY2(unused() >= 0 && unused() < 12, qPrintable(QString::number(unused())));
        QTest::keyClick(gallery->words(), Qt::Key_Tab, Qt::ControlModifier);
      }
    }
    gallery->close();
  }

  void theHelpWindowFitsTheScreen() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio->showHelp(QStringLiteral("studio.md"));
    const auto* help = studio->findChild<HelpWindow*>();
    const QSize screen = help->screen()->availableSize();
    QVERIFY(help->width() <= screen.width() && help->height() <= screen.height());
  }

  void everyLinkOfTheHelpLeadsSomewhere() {
    const QStringList pages =
        QDir(QStringLiteral(":/studio/docs")).entryList({QStringLiteral("*.md")});
    QVERIFY(pages.size() > 8);
    for (const QString& page : pages) {
      for (const QString& link : pageOf(page).links) {
        if (link.contains(QStringLiteral("://"))) continue;
        const QString to = link.section(QLatin1Char('#'), 0, 0);
        const QString anchor = link.section(QLatin1Char('#'), 1);
        if (!to.isEmpty() && !to.endsWith(QStringLiteral(".md"))) continue;
        const QString target = to.isEmpty() ? page : to;
        QVERIFY2(HelpBrowser::isPage(target), qPrintable(page + QStringLiteral(": ") + link));
        if (!anchor.isEmpty())
          QVERIFY2(pageOf(target).anchors.contains(anchor),
                   qPrintable(page + QStringLiteral(": ") + link));
      }
    }
  }

  void helpFollowsLinksAndSearches() {
    const StudioWindow studio;
    studio->showHelp(QStringLiteral("studio.md"));
    HelpWindow* help = studio->helpWindow();
    HelpBrowser* browser = help->browser();
    QCOMPARE(browser->page(), QStringLiteral("studio.md"));
    QVERIFY(browser->document()->blockCount() > 50);
    QVERIFY(browser->showPage(QStringLiteral("command.md#explain")));
    QCOMPARE(browser->page(), QStringLiteral("command.md"));
    QCOMPARE(HelpBrowser::anchorOf(browser->textCursor().block().text()),
             QStringLiteral("explain"));
    QCOMPARE(help->pages()->currentItem()->data(Qt::UserRole).toString(),
             QStringLiteral("command.md"));
    browser->backward();
    QCOMPARE(browser->page(), QStringLiteral("studio.md"));
    QVERIFY(!browser->showPage(QStringLiteral("nothing.md")));
    QCOMPARE(browser->page(), QStringLiteral("studio.md"));
    help->search()->setText(QStringLiteral("lexicographically no page says this"));
    QTest::keyClick(help->search(), Qt::Key_Return);
    QVERIFY(!browser->textCursor().hasSelection());
    help->search()->setText(QStringLiteral("squares"));
    help->search()->setText(QStringLiteral("scatter"));
    QTest::keyClick(help->search(), Qt::Key_Return);
    QCOMPARE(browser->textCursor().selectedText().toLower(), QStringLiteral("scatter"));
    help->pages()->setCurrentRow(2);
    QCOMPARE(browser->page(), QStringLiteral("kernel.md"));
    QVERIFY(help->isVisible());
  }
};

QObject* makeWelcomeTests() { return new WelcomeTests; }

#include "welcome_tests.moc"
