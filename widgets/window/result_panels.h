// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace gridloom::widgets {

class ExplainModel;
class ProblemModel;
class RankedModel;
class RejectionModel;
class SelectionHub;
class Session;

/// The ranked mappings with a filter.
class RankedPanel : public QWidget {
  Q_OBJECT
 public:
  RankedPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  RankedModel* model() const { return m_model; }
  QTableView* view() const { return m_view; }
  QLineEdit* filter() const { return m_filter; }
  /// Pins a row above the others, or frees it again.
  void pinRow(int candidate);
  /// Opens the menu that keeps or excludes choices of the selected mapping, at its row.
  void showChoices();

 Q_SIGNALS:
  void choicesKept(const QStringList& directives);
  void choiceExcluded(const QString& directive);

 private:
  void reload();
  void updateRow(int candidate);
  void showCandidate(int candidate);
  void brushSelected();
  void showBrush(const std::vector<int>& candidates);
  Session* m_session;
  SelectionHub* m_hub;
  RankedModel* m_model;
  QTableView* m_view;
  QLineEdit* m_filter;
  bool m_brushing = false;  ///< the brush comes from this table
};

/// What the selected mapping gains from more of a resource, and the terms of its prediction.
class ExplainPanel : public QWidget {
  Q_OBJECT
 public:
  ExplainPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  ExplainModel* model() const { return m_model; }

 private:
  void reload();
  Session* m_session;
  SelectionHub* m_hub;
  ExplainModel* m_model;
  QTableView* m_view;
};

/// The size of the mapping space and the reasons why points of it are infeasible.
class SpacePanel : public QWidget {
  Q_OBJECT
 public:
  explicit SpacePanel(Session* session, QWidget* parent = nullptr);
  RejectionModel* model() const { return m_model; }

 private:
  void reload();
  Session* m_session;
  QLabel* m_summary;
  RejectionModel* m_model;
  QTableView* m_view;
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
