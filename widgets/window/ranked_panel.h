// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "bridge/job.h"

class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
class QToolButton;

namespace gridloom::widgets {

class FittedTable;
class RankedModel;
class RankedRows;
class SelectionHub;
class Session;

/// The ranked mappings with a filter, and a choice of their columns.
class RankedPanel : public QWidget {
  Q_OBJECT
 public:
  RankedPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  RankedModel* model() const { return m_model; }
  QTableView* view() const;
  QLineEdit* filter() const { return m_filter; }
  /// Pins a row above the others, or frees it again.
  void pinRow(int candidate);
  /// Opens the menu that keeps or excludes choices of the selected mapping, at its row.
  void showChoices();
  /// The menu that shows and hides columns; all but the rank can be hidden.
  QMenu* columns() const { return m_columns; }
  /// Hidden columns by `keyOf`; unknown names are ignored.
  void setHiddenColumns(const QStringList& keys);
  QStringList hiddenColumns() const;

 Q_SIGNALS:
  void choicesKept(const QStringList& directives);
  void choiceExcluded(const QString& directive);
  void columnsChosen(const QStringList& hidden);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showChoicesAt(QPoint place);  ///< of the screen
  void buildFilter();
  void buildColumns();
  void refreshIcons();
  void reload();
  void compare();
  void markCompared();
  void adopt(std::shared_ptr<const RankedRows> rows);
  void updateRow(int candidate);
  void showCandidate(int candidate);
  void brushSelected();
  void showCount();
  void showBrush(const std::vector<int>& candidates);
  Session* m_session;
  SelectionHub* m_hub;
  RankedModel* m_model;
  FittedTable* m_view;
  QLineEdit* m_filter;
  QLabel* m_count;  ///< of those that the filter leaves
  QMenu* m_columns;
  QToolButton* m_columnsButton;
  QToolButton* m_pinButton;
  Job m_rowsJob;
  bool m_brushing = false;  ///< the brush comes from this table
};

}  // namespace gridloom::widgets
