// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>
#include <utility>

#include "bridge/session.h"
#include "editors/code_editor.h"
#include "models/examples.h"
#include "window/main_window.h"

/// A window with settings of its own for each test, on a small GEMM that is explored.
class WindowFixture : public QObject {
  Q_OBJECT

 protected:
  static constexpr int kPatience = 60000;  // milliseconds a slow machine may take

  QTemporaryDir m_folder;
  std::unique_ptr<gridloom::widgets::MainWindow> m_window;

  void rest() {
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->session()->busy() && !m_window->session()->stale(),
                             kPatience);
  }
  QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
  static void type(gridloom::widgets::CodeEditor* editor, const QString& needle,
                   const QString& replacement) {
    QString changed = editor->toPlainText();
    QVERIFY(changed.contains(needle));
    editor->replaceText(changed.replace(needle, replacement));
  }

 private Q_SLOTS:
  void init() {
    QFile::remove(path("settings.ini"));
    for (const char* name : {"unsaved.gridloom", "unsaved-1.gridloom", "unsaved-7.gridloom"})
      QFile::remove(path(name));
    m_window = std::make_unique<gridloom::widgets::MainWindow>(path("settings.ini"));
    m_window->resize(1400, 900);
    m_window->show();
    gridloom::widgets::Project project = *gridloom::widgets::exampleProject();
    project.top = 4;
    for (const char* size : {"M", "N", "K"}) project.parameters.emplace(QLatin1String(size), 1024);
    m_window->session()->setProject(std::move(project));
    rest();
  }
  void cleanup() { m_window.reset(); }
};
