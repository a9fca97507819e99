// SPDX-License-Identifier: Apache-2.0

// Actions, menus and names of the window; random edits.

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QTimer>
#include <QtTest>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "charts/scatter_plot.h"
#include "editors/code_editor.h"
#include "models/quantity_text.h"
#include "suites.h"
#include "texts/presets.h"
#include "window/command_palette.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window/mesh_panel.h"
#include "window/ranked_panel.h"
#include "window_fixture.h"

using namespace gridloom;
using namespace gridloom::widgets;

class ControlTests : public WindowFixture {
  Q_OBJECT

 private Q_SLOTS:
  void themesSwitchWhileOpen() {
    for (const Scheme scheme : {Scheme::Dark, Scheme::Light, Scheme::System, Scheme::Dark}) {
      m_window->setScheme(scheme);
      QCoreApplication::processEvents();
      QVERIFY(!m_window->grab().isNull());
    }
    QVERIFY(m_window->palette().color(QPalette::Window).lightness() < 100);
    QCOMPARE(StudioSettings(path("settings.ini")).scheme(), Scheme::Dark);
    m_window->setScheme(Scheme::Light);
  }

  void everyActionCanBeFired() {
    // Dialogs close as soon as they open.
    QTimer closer;
    connect(&closer, &QTimer::timeout, this, [] {
      if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
        dialog->reject();
    });
    closer.start(20);
    int fired = 0;
    const QList<QAction*> actions = m_window->findChildren<QAction*>();
    for (QAction* action : actions) {
      if (action->menu() || action->isSeparator() || action->text().isEmpty()) continue;
      if (action->text().contains(QStringLiteral("Quit"))) continue;
      action->trigger();
      QCoreApplication::processEvents();
      ++fired;
    }
    closer.stop();
    QVERIFY(fired > 25);
    m_window->resetLayout();
    m_window->setScheme(Scheme::Light);
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) QVERIFY(!dock->isHidden());
    QVERIFY(m_window->isVisible());
  }

  /// In a menu, a letter chooses one entry.
  void lettersOfAMenuChooseOneEntry() {
    for (const QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) {
      QStringList letters;
      for (const QAction* action : menu->actions()) {
        const qsizetype at = action->text().indexOf(QLatin1Char('&'));
        if (at >= 0) letters << action->text().mid(at + 1, 1).toLower();
      }
      QStringList each = letters;
      each.removeDuplicates();
      QVERIFY2(each.size() == letters.size(),
               qPrintable(menu->title() + QLatin1Char(' ') + letters.join(QLatin1Char(' '))));
    }
  }

  /// No empty room below the commands that match.
  void thePaletteIsAsHighAsItsCommands() {
    CommandPalette palette(m_window->findChildren<QAction*>(), m_window.get());
    palette.show();
    const auto* list = palette.findChild<QListWidget*>();
    auto* words = palette.findChild<QLineEdit*>();
    const auto room = [&] {
      return list->viewport()->height() - list->sizeHintForRow(0) * list->count();
    };
    const int whole = palette.height();
    for (const char* typed : {"high contrast", "high contrast, dark"}) {
      words->setText(QLatin1String(typed));
      QCoreApplication::processEvents();
      QVERIFY(list->count() > 0 && palette.height() < whole);
      QVERIFY2(std::abs(room()) < 8, typed);
    }
    words->setText(QStringLiteral("zzz"));
    QCOMPARE(list->count(), 1);
    QTest::keyClick(words, Qt::Key_Return);
    QVERIFY(palette.isVisible());
    words->clear();
    QCoreApplication::processEvents();
    QCOMPARE(palette.height(), whole);
  }

  void everyControlHasANameForScreenReaders() {
    for (QWidget* widget : m_window->findChildren<QWidget*>()) {
      const bool control = qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                           qobject_cast<QAbstractItemView*>(widget) ||
                           qobject_cast<QSpinBox*>(widget) || qobject_cast<CodeEditor*>(widget) ||
                           qobject_cast<MeshCanvas*>(widget);
      // Parts of a combo or spin box speak through their owner.
      const bool inner = qobject_cast<QComboBox*>(widget->parentWidget()) ||
                         qobject_cast<QSpinBox*>(widget->parentWidget()) ||
                         widget->inherits("QComboBoxListView") || widget->inherits("QHeaderView");
      if (control && !inner)
        QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }
  }

  void randomEditsNeverBreakIt() {
    CodeEditor* editor = m_window->hardwareEditor();
    const QString good = editor->toPlainText();
    quint32 state = 99;
    for (int i = 0; i < 60; ++i) {
      state = state * 1664525U + 1013904223U;
      QString bad = good;
      const auto at = static_cast<qsizetype>(state % static_cast<quint32>(bad.size()));
      bad.replace(at, static_cast<qsizetype>(state >> 28),
                  QString(QChar('!' + static_cast<int>(state >> 18) % 90)));
      editor->replaceText(bad);
      if (i % 6 == 0) QTest::qWait(200);
    }
    editor->replaceText(good);
    rest();
    QCOMPARE(m_window->session()->exploration()->top.size(), std::size_t{4});
  }

  void manyPresetsOpen() {
    for (const char* name : {"wormhole_1x8", "wormhole_n150", "spyre_ring"}) {
      const auto loaded = texts::loadHardwareText(name);
      QVERIFY(loaded.ok());
      m_window->session()->setHardware(QString::fromLatin1(name), text((*loaded)->text()));
      QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy(), kPatience);
      QVERIFY(m_window->meshPanel()->canvas()->scene().coreCount() > 0);
      QVERIFY(!m_window->grab().isNull());
    }
  }
};

QObject* makeControlTests() { return new ControlTests; }

#include "control_tests.moc"
