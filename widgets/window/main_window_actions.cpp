// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "texts/presets.h"
#include "theme/tokens.h"
#include "window/main_window.h"
#include "window/number_box.h"

namespace gridloom::widgets {

/// A word before the next field of the tool bar.
void MainWindow::addCaption(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", QStringLiteral("muted"));
  label->setContentsMargins(10, 0, 2, 0);
  m_toolBar->addWidget(label);
}

/// The built-in machines or kernels.
QComboBox* MainWindow::addPresets(const QString& name, bool hardware) {
  auto* box = new QComboBox;
  box->setAccessibleName(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const texts::Preset& preset : hardware ? texts::listHardware() : texts::listKernels()) {
    box->addItem(text(preset.name));
    box->setItemData(box->count() - 1, text(preset.summary), Qt::ToolTipRole);
  }
  connect(box, &QComboBox::textActivated, this,
          [this, hardware](const QString& chosen) { choosePreset(chosen, hardware); });
  m_toolBar->addWidget(box);
  return box;
}

/// The numeric mode, and how many mappings are ranked.
void MainWindow::addSearchFields() {
  addCaption(QStringLiteral("Numeric mode"));
  m_modeBox = new QComboBox;
  m_modeBox->setAccessibleName(QStringLiteral("Numeric mode"));
  m_modeBox->setToolTip(
      QStringLiteral("Mode of the matrix unit; auto follows the element type of the kernel"));
  m_modeBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(m_modeBox, &QComboBox::textActivated, this, [this](const QString& mode) {
    m_session->setMode(mode == QLatin1String("auto") ? QString() : mode);
  });
  m_toolBar->addWidget(m_modeBox);
  addCaption(QStringLiteral("Best"));
  m_topBox = new NumberBox(QStringLiteral("Number of mappings to rank"), 1, kMostMappings);
  m_topBox->setObjectName(QStringLiteral("top"));
  m_topBox->setValue(m_session->project().top);
  m_topBox->setToolTip(QStringLiteral("How many of the best mappings are ranked and simulated"));
  connect(m_topBox, &QSpinBox::valueChanged, m_session, &Session::setTop);
  m_toolBar->addWidget(m_topBox);
}

void MainWindow::buildToolBar() {
  m_toolBar = addToolBar(QStringLiteral("Tools"));
  m_toolBar->setObjectName(QStringLiteral("tools"));
  m_toolBar->setMovable(false);
  m_toolBar->setIconSize(QSize(18, 18));
  addCaption(QStringLiteral("Hardware"));
  m_hardwareBox = addPresets(QStringLiteral("Hardware preset"), true);
  addCaption(QStringLiteral("Kernel"));
  m_kernelBox = addPresets(QStringLiteral("Kernel preset"), false);
  addSearchFields();
  m_toolBar->addSeparator();
  const QList<QAction*> placed{m_exploreAction, m_stopAction, m_undoAction, m_redoAction};
  for (QAction* each : placed) m_toolBar->addAction(each);
  auto* gap = new QWidget;
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_toolBar->addWidget(gap);
  for (QAction* each : m_actions) {
    const QString icon = each->data().toString();
    if (!icon.isEmpty() && !placed.contains(each)) m_toolBar->addAction(each);
  }
  refreshSearch();
}

/// The palette of commands says what it is where there is room.
void MainWindow::refreshSearch() {
  const auto found = std::ranges::find_if(m_actions, [](const QAction* each) {
    return each->data().toString() == QLatin1String("palette");
  });
  auto* button = qobject_cast<QToolButton*>(m_toolBar->widgetForAction(*found));
  const bool wide = width() >= kWidthForFullSides;
  const auto style = wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
  if (!button || button->toolButtonStyle() == style) return;
  button->setProperty("role", wide ? QStringLiteral("search") : QString());
  (*found)->setIconText(wide ? QStringLiteral("Find any command   ") +
                                   (*found)->shortcut().toString(QKeySequence::NativeText)
                             : QStringLiteral("Command palette"));
  button->setToolButtonStyle(style);
  button->style()->unpolish(button);
  button->style()->polish(button);
  button->updateGeometry();
  m_toolBar->layout()->invalidate();
  m_toolBar->layout()->activate();
}

void MainWindow::refreshIcons() {
  const Tokens& tokens = tokensFor(QApplication::palette());
  for (QAction* each : m_actions) {
    const QString icon = each->data().toString();
    if (!icon.isEmpty()) each->setIcon(themedIcon(icon, tokens));
  }
  // Actions that do not fit on the tool bar are behind this button, which Qt draws in dark ink on
  // any theme.
  if (auto* more = m_toolBar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(themedIcon(QStringLiteral("more"), tokens));
    more->setAccessibleName(QStringLiteral("More tools"));
  }
  setWindowIcon(themedIcon(QStringLiteral("gridloom"), tokens));
}

void MainWindow::refreshRecent() {
  m_recentMenu->clear();
  for (const QString& path : m_settings.recentProjects()) {
    QAction* each = m_recentMenu->addAction(QFileInfo(path).fileName());
    each->setToolTip(path);
    connect(each, &QAction::triggered, this, [this, path] {
      if (keepChanges()) openProject(path);
    });
  }
  m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
  if (m_recentMenu->isEmpty()) return;
  m_recentMenu->addSeparator();
  connect(m_recentMenu->addAction(QStringLiteral("Forget these")), &QAction::triggered, this,
          [this] {
            m_settings.forgetRecentProjects();
            refreshRecent();
          });
}

void MainWindow::refreshUndo() {
  const ProjectHistory& history = m_session->history();
  m_undoAction->setText(QStringLiteral("&Undo %1").arg(history.undoTitle()).trimmed());
  m_redoAction->setText(QStringLiteral("&Redo %1").arg(history.redoTitle()).trimmed());
}

void MainWindow::freezeSelected() {
  const int candidate = m_hub->candidate();
  if (!m_session->runOf(candidate)) {
    statusBar()->showMessage(QStringLiteral("Only a simulated mapping can be frozen"), 8000);
    return;
  }
  m_session->freeze(candidate);
  m_docks[CompareDock]->show();
  m_docks[CompareDock]->raise();
  statusBar()->showMessage(
      QStringLiteral("Mapping %1 is A; select another one, or edit, to compare. Ctrl+Shift+B "
                     "leaves the comparison")
          .arg(candidate + 1),
      8000);
}

/// Undoes the current typing in a field first, then the project's last edit.
void MainWindow::undo() {
  QWidget* focus = QApplication::focusWidget();
  auto* line = qobject_cast<QLineEdit*>(focus);
  auto* number = qobject_cast<NumberBox*>(focus);
  if (line && line->isUndoAvailable()) return line->undo();
  if (number && number->isBeingTyped()) return number->undoTyping();
  m_session->undo();
}

void MainWindow::redo() {
  auto* line = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  if (line && line->isRedoAvailable()) return line->redo();
  m_session->redo();
}

}  // namespace gridloom::widgets
