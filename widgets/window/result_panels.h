// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "window/when_shown.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace gridloom::widgets {

class ExplainModel;
class ProblemModel;
class RejectionModel;
class SelectionHub;
class Session;

/// What the selected mapping gains from more of a resource, and the terms of its prediction.
class ExplainPanel : public QWidget {
  Q_OBJECT
 public:
  ExplainPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  ExplainModel* model() const {
    m_fill->now();
    return m_model;
  }

 private:
  void fill();
  Session* m_session;
  SelectionHub* m_hub;
  ExplainModel* m_model;
  QTableView* m_view;
  WhenShown* m_fill;
};

/// The size of the mapping space and the reasons why points of it are infeasible.
class SpacePanel : public QWidget {
  Q_OBJECT
 public:
  explicit SpacePanel(Session* session, QWidget* parent = nullptr);
  RejectionModel* model() const { return m_model; }
  QTableView* view() const { return m_view; }
  QPushButton* openButton() const { return m_open; }

 Q_SIGNALS:
  /// The nearest infeasible mapping is to be looked at, as directives.
  void exampleWanted(const QString& directives);

 private:
  void reload();
  void openRow(int row);
  void refreshButton();
  Session* m_session;
  QLabel* m_summary;
  RejectionModel* m_model;
  QTableView* m_view;
  QPushButton* m_open;
};

/// Problems of the inputs; activating a row goes to its location.
class ProblemPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ProblemPanel(Session* session, QWidget* parent = nullptr);
  ProblemModel* model() const { return m_model; }

 Q_SIGNALS:
  void activated(int row);

 private:
  ProblemModel* m_model;
  QTableView* m_view;
  QStackedWidget* m_stack;
};

}  // namespace gridloom::widgets
