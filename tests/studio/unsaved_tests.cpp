// SPDX-License-Identifier: Apache-2.0

// Projects, unsaved work and exports of the window.

#include <QAbstractButton>
#include <QMessageBox>
#include <QPushButton>
#include <QtTest>

#include "bridge/session.h"
#include "editors/code_editor.h"
#include "models/ranked_model.h"
#include "suites.h"
#include "window/inputs_panel.h"
#include "window/main_window.h"
#include "window_fixture.h"

using namespace gridloom;
using namespace gridloom::widgets;

class UnsavedTests : public WindowFixture {
  Q_OBJECT

 private Q_SLOTS:
  void workLeftByACrashComesBack() {
    Project kept = m_window->session()->project();
    kept.top = 3;
    QVERIFY(saveProject(kept, path("unsaved-7.gridloom")).ok());
    m_window->openFirst();
    QVERIFY(m_window->session()->project() == kept);
    QVERIFY(m_window->isWindowModified());
    QVERIFY2(QFile::exists(path("unsaved.gridloom")), "it is now this studio's own");
    QVERIFY(!QFile::exists(path("unsaved-7.gridloom")));
  }

  void anotherStudiosWorkIsLeftAlone() {
    QVERIFY(saveProject(m_window->session()->project(), path("unsaved.gridloom")).ok());
    QVERIFY(saveProject(m_window->session()->project(), path("open.gridloom")).ok());
    MainWindow second(path("settings.ini"));
    QVERIFY(second.openProject(path("open.gridloom")));
    second.offerAbandoned();
    QVERIFY2(!second.findChild<QMessageBox*>(QStringLiteral("abandonedBox")),
             "the first studio still runs");
    QVERIFY(second.close());
    QVERIFY(QFile::exists(path("unsaved.gridloom")));
  }

  void aProjectGivenAtTheStartDoesNotCostTheWorkOfACrash() {
    Project kept = m_window->session()->project();
    QVERIFY(saveProject(kept, path("open.gridloom")).ok());
    kept.top = 3;
    QVERIFY(saveProject(kept, path("unsaved-7.gridloom")).ok());
    const auto answer = [this](MainWindow& window, QMessageBox::StandardButton button) {
      QVERIFY(window.openProject(path("open.gridloom")));
      window.offerAbandoned();
      auto* box = window.findChild<QMessageBox*>(QStringLiteral("abandonedBox"));
      QVERIFY(box);
      box->button(button)->click();
    };
    {
      MainWindow window(path("settings.ini"));
      answer(window, QMessageBox::Ignore);
      QCOMPARE(window.session()->project().top, 4);
      QVERIFY(window.close());
    }
    QVERIFY(QFile::exists(path("unsaved-7.gridloom")));
    MainWindow window(path("settings.ini"));
    answer(window, QMessageBox::Open);
    QCOMPARE(window.session()->project().top, 3);
    QVERIFY(window.isWindowModified());
  }

  void projectsSaveOpenAndRefuse() {
    m_window->session()->setParameter(QStringLiteral("K"), 512);
    rest();
    const Project saved = m_window->session()->project();
    QVERIFY(m_window->saveProjectAs(path("a.gridloom")));
    QVERIFY(!m_window->isWindowModified());
    m_window->session()->setProject(*exampleProject());
    QVERIFY(m_window->openProject(path("a.gridloom")));
    QVERIFY(m_window->session()->project() == saved);
    rest();
    QFile bad(path("bad.gridloom"));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("{\"schema\": \"gridloom.project/1\", \"top\": \"many\"}");
    bad.close();
    QVERIFY(!m_window->openProject(path("bad.gridloom")));
    QVERIFY(m_window->lastMessage().contains(QStringLiteral("bad.gridloom:1:")));
    QVERIFY(m_window->session()->project() == saved);
    for (QMessageBox* box : m_window->findChildren<QMessageBox*>()) box->close();
  }

  void everythingExports() {
    for (const char* name : {"mesh.svg", "mesh.png", "mesh.pdf"})
      QVERIFY(m_window->exportMesh(path(name)));
    for (const char* name : {"chart.svg", "chart.png", "chart.pdf"})
      QVERIFY(m_window->exportChart(path(name)));
    QVERIFY(m_window->exportTable(path("table.csv")));
    QFile svg(path("mesh.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray bytes = svg.readAll();
    QVERIFY(bytes.contains("wormhole_8x8"));
    QVERIFY(!bytes.contains("href=\"http"));
    QFile table(path("table.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll().count('\n'), 5);
    QVERIFY(!m_window->exportMesh(path("no/such/folder/mesh.svg")));
    for (QMessageBox* box : m_window->findChildren<QMessageBox*>()) box->close();
  }

  void undoneEditsGiveBackTheProject() {
    CodeEditor* editor = m_window->kernelPanel()->editor();
    const QByteArray before = projectJson(m_window->session()->project());
    quint32 state = 7;
    for (int i = 0; i < 200; ++i) {
      state = state * 1664525U + 1013904223U;
      QTextCursor cursor = editor->textCursor();
      cursor.setPosition(
          static_cast<int>(state % static_cast<quint32>(editor->document()->characterCount())));
      if (state & 0x10000U)
        cursor.insertText(QString(QChar('!' + static_cast<int>(state >> 20) % 90)));
      else
        cursor.deletePreviousChar();
    }
    QVERIFY(projectJson(m_window->session()->project()) != before);
    while (m_window->session()->history().canUndo()) m_window->session()->undo();
    QCOMPARE(projectJson(m_window->session()->project()), before);
    rest();
  }
};

QObject* makeUnsavedTests() { return new UnsavedTests; }

#include "unsaved_tests.moc"
