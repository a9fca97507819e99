// SPDX-License-Identifier: GPL-3.0-or-later

// Problems of the inputs in the window, and what the shown ranking covers.

#include <QDockWidget>
#include <QLabel>
#include <QStatusBar>
#include <QStyle>
#include <QTabWidget>

#include "bridge/session.h"
#include "editors/code_editor.h"
#include "models/problem_model.h"
#include "models/rejection_model.h"
#include "window/inputs_panel.h"
#include "window/line_label.h"
#include "window/main_window.h"
#include "window/result_panels.h"

namespace gridloom::widgets {

void MainWindow::showProblems() {
  base::Diagnostics hardware, kernel, directives;
  for (const Problem& problem : m_session->problems()) {
    switch (problem.subject) {
    case Subject::Hardware:
      hardware.push_back(problem.diagnostic);
      break;
    case Subject::Kernel:
      kernel.push_back(problem.diagnostic);
      break;
    case Subject::Directives:
      directives.push_back(problem.diagnostic);
      break;
    case Subject::Exploration:
      break;
    }
  }
  m_hardware->setProblems(hardware);
  m_kernel->editor()->setProblems(kernel);
  m_directives->editor()->setProblems(directives);
  const int errors = m_problems->model()->errorCount();
  m_docks[ProblemsDock]->setWindowTitle(errors > 0 ? QStringLiteral("Problems (%1)").arg(errors)
                                                   : QStringLiteral("Problems"));
  if (errors > 0)
    statusBar()->showMessage(
        errors == 1
            ? QStringLiteral("One problem; what is grey belongs to earlier inputs")
            : QStringLiteral("%1 problems; what is grey belongs to earlier inputs").arg(errors));
  else
    statusBar()->clearMessage();
}

void MainWindow::goToProblem(int row) {
  const Problem& problem = m_problems->model()->problemAt(row);
  if (!problem.diagnostic.source) return;
  CodeEditor* editor = nullptr;
  QDockWidget* owner = nullptr;
  switch (problem.subject) {
  case Subject::Hardware:
    editor = m_hardware;
    owner = m_docks[HardwareDock];
    m_hardwareTabs->setCurrentWidget(m_hardware);
    break;
  case Subject::Kernel:
    editor = m_kernel->editor();
    owner = m_docks[KernelDock];
    break;
  case Subject::Directives:
    editor = m_directives->editor();
    owner = m_docks[DirectivesDock];
    break;
  case Subject::Exploration:
    return;
  }
  owner->show();
  owner->raise();
  editor->goTo(problem.diagnostic.span.begin);
}

/// What the shown ranking is out of, while no message covers it.
void MainWindow::refreshFound() {
  const auto& exploration = m_session->exploration();
  const bool current = exploration && !m_session->stale();
  m_found->setLine(current ? extentText(exploration->space) : QString());
}

/// In one word whether the results are those of the inputs.
void MainWindow::refreshState() {
  struct Shown {
    const char* words;
    const char* role;
  };
  const service::ExplorationRef exploration = m_session->exploration();
  const bool isPartial = exploration && exploration->space.stopped != search::Stop::None;
  const Shown shown = !exploration && !m_session->staleReason().isEmpty()
                          ? Shown{"✕ Not explored", "error"}
                      : !m_session->staleReason().isEmpty() ? Shown{"✕ Of earlier inputs", "error"}
                      : m_session->stale()                  ? Shown{"◌ Exploring", "warning"}
                      : m_session->busy()                   ? Shown{"◐ Simulating", "good"}
                      : isPartial                           ? Shown{"◌ Stopped early", "warning"}
                                                            : Shown{"● Up to date", "good"};
  m_state->setText(QString::fromUtf8(shown.words));
  m_state->setProperty("role", QLatin1String(shown.role));
  m_state->style()->unpolish(m_state);
  m_state->style()->polish(m_state);
  m_state->setMinimumWidth(m_state->sizeHint().width());
}

}  // namespace gridloom::widgets
