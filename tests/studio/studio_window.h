// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "window/main_window.h"

/// A studio with settings of its own, on a small GEMM.
class StudioWindow {
 public:
  static constexpr int kPatience = 60000;  // milliseconds a slow machine may take

  explicit StudioWindow(QSize size = {1400, 900}) {
    m_window = std::make_unique<gridloom::widgets::MainWindow>(path("settings.ini"));
    m_window->resize(size);
    m_window->show();
    auto project = gridloom::widgets::exampleProject();
    project->top = 4;
    for (const char* name : {"M", "N", "K"}) project->parameters.emplace(QLatin1String(name), 1024);
    session()->setProject(std::move(*project));
  }

  gridloom::widgets::MainWindow* operator->() const { return m_window.get(); }
  gridloom::widgets::MainWindow& operator*() const { return *m_window; }
  gridloom::widgets::Session* session() const { return m_window->session(); }
  QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

  /// Nothing runs and the result is that of the inputs.
  bool rests() const { return !session()->busy() && !session()->stale(); }
  void choose(const char* box, const char* preset) const {
    for (QComboBox* each : m_window->findChildren<QComboBox*>()) {
      if (each->accessibleName() == QLatin1String(box))
        Q_EMIT each->textActivated(QString::fromLatin1(preset));
    }
  }
  /// Fires the command of this title.
  void trigger(const char* title) const {
    for (QAction* each : m_window->findChildren<QAction*>()) {
      if (each->text().remove(QLatin1Char('&')) == QLatin1String(title)) return each->trigger();
    }
    QFAIL(title);
  }
  void chooseHardware(const char* preset) const { choose("Hardware preset", preset); }
  void chooseKernel(const char* preset) const { choose("Kernel preset", preset); }

 private:
  QTemporaryDir m_folder;
  std::unique_ptr<gridloom::widgets::MainWindow> m_window;
};

#define STUDIO_RESTS(studio) QTRY_VERIFY_WITH_TIMEOUT((studio).rests(), StudioWindow::kPatience)
#define STUDIO_IDLE(studio)                                                                        \
  QTRY_VERIFY_WITH_TIMEOUT(!(studio).session()->busy(), StudioWindow::kPatience)
