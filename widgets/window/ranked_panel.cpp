// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/ranked_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <limits>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "window/chip_delegate.h"
#include "window/choice_menu.h"
#include "window/fitted_table.h"
#include "window/nothing_fits.h"
#include "window/ranked_source.h"
#include "window/stale_notice.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kInlineRows = 5000;  // longer tables are prepared in the background

}  // namespace

RankedPanel::RankedPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub), m_model(new RankedModel(this)) {
  m_view =
      new FittedTable(m_model, indexOf(RankedColumn::Operands), QStringLiteral("Ranked mappings"));
  m_view->setObjectName(QStringLiteral("ranked"));
  m_view->setSortingEnabled(true);
  m_view->sortByColumn(indexOf(RankedColumn::Rank), Qt::AscendingOrder);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setItemDelegate(new CellDelegate(m_view));
  auto* chips = new ChipDelegate(m_view);
  for (const RankedColumn column :
       {RankedColumn::Space, RankedColumn::Tiles, RankedColumn::Operands})
    m_view->setItemDelegateForColumn(indexOf(column), chips);
  buildFilter();
  buildColumns();
  std::vector<int> importance;
  for (const RankedColumn each :
       {RankedColumn::Rank, RankedColumn::Simulated, RankedColumn::Space, RankedColumn::Tiles,
        RankedColumn::Operands, RankedColumn::Predicted, RankedColumn::Utilization,
        RankedColumn::Error, RankedColumn::Memory, RankedColumn::Rate, RankedColumn::Order,
        RankedColumn::Bottleneck})
    importance.push_back(indexOf(each));
  m_view->setImportance(std::move(importance));
  connect(m_view, &FittedTable::columnsChosen, this, [this] {
    const QString title = QStringLiteral("Columns of the table");
    m_columnsButton->setToolTip(
        m_view->missing() == 0
            ? title
            : title + QStringLiteral("; %1 more in a wider window").arg(m_view->missing()));
  });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(8, 6, 8, 6);
  head->addWidget(m_filter);
  head->addWidget(m_count);
  head->addWidget(m_columnsButton);
  head->addWidget(m_pinButton);
  column->addWidget(new StaleNotice(session));
  column->addLayout(head);
  column->addWidget(m_view);
  column->addWidget(new NothingFits(session, m_view), 1);
  refreshIcons();

  connect(m_filter, &QLineEdit::textChanged, this,
          [this](const QString& words) { m_model->setFilter(words); });
  // Other rows are shown: a view that starts anew has no selection.
  connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
    showBrush(m_hub->brush());
    showCount();
  });
  // Rows enter and leave a filter of simulated figures as simulations end.
  connect(m_model, &QAbstractItemModel::layoutChanged, this, &RankedPanel::showCount);
  connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& at) {
            if (at.isValid()) m_hub->selectCandidate(m_model->candidateAt(at.row()));
          });
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_view, &QWidget::customContextMenuRequested, this,
          [this](QPoint at) { showChoicesAt(m_view->viewport()->mapToGlobal(at)); });
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RankedPanel::brushSelected);
  connect(hub, &SelectionHub::brushChanged, this, &RankedPanel::showBrush);
  connect(session, &Session::explorationChanged, this, &RankedPanel::reload);
  connect(session, &Session::runChanged, this, &RankedPanel::updateRow);
  connect(session, &Session::differenceChanged, this, &RankedPanel::compare);
  connect(session, &Session::staleChanged, m_view,
          [this](bool stale) { m_view->setEnabled(!stale); });
  connect(hub, &SelectionHub::candidateChanged, this, &RankedPanel::markCompared);
  connect(hub, &SelectionHub::candidateChanged, this, &RankedPanel::showCandidate);
}

QTableView* RankedPanel::view() const { return m_view; }

void RankedPanel::buildFilter() {
  m_filter = new QLineEdit;
  m_filter->setPlaceholderText(
      QStringLiteral("Filter: words of the mapping, simulated<3.6M, error>1%, memory<1MiB"));
  m_filter->setToolTip(QStringLiteral(
      "Words that the mapping or the bottleneck contains, and ranges without spaces: "
      "#, predicted, simulated, error, tflops, util, memory with < <= > >= =; "
      "k M G % KiB MiB GiB"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(QStringLiteral("Filter mappings"));
  m_count = new QLabel;
  m_count->setObjectName(QStringLiteral("filtered"));
  m_count->setProperty("role", QStringLiteral("faint"));
  m_count->hide();
  m_pinButton = new QToolButton;
  m_pinButton->setToolTip(QStringLiteral("Keep the selected row on top, or free it (Ctrl+T)"));
  m_pinButton->setAccessibleName(QStringLiteral("Keep the row on top"));
  connect(m_pinButton, &QToolButton::clicked, this, [this] { pinRow(m_hub->candidate()); });
}

/// The same menu at the button and at the header.
void RankedPanel::buildColumns() {
  m_columns = new QMenu(this);
  m_columns->setObjectName(QStringLiteral("columns"));
  for (int i = indexOf(RankedColumn::Rank) + 1; i < kRankedColumns; ++i) {
    const auto column = static_cast<RankedColumn>(i);
    QAction* each = m_columns->addAction(titleOf(column));
    each->setData(keyOf(column));
    each->setCheckable(true);
    each->setChecked(true);
    connect(each, &QAction::toggled, this, [this, i](bool shown) { m_view->setWanted(i, shown); });
    connect(each, &QAction::triggered, this, [this] { Q_EMIT columnsChosen(hiddenColumns()); });
  }
  m_columnsButton = new QToolButton;
  m_columnsButton->setToolTip(QStringLiteral("Columns of the table"));
  m_columnsButton->setAccessibleName(QStringLiteral("Columns of the table"));
  m_columnsButton->setPopupMode(QToolButton::InstantPopup);
  m_columnsButton->setMenu(m_columns);
  QHeaderView* header = m_view->horizontalHeader();
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this,
          [this, header](QPoint at) { m_columns->popup(header->mapToGlobal(at)); });
}

void RankedPanel::setHiddenColumns(const QStringList& keys) {
  for (QAction* each : m_columns->actions())
    each->setChecked(!keys.contains(each->data().toString()));
}

QStringList RankedPanel::hiddenColumns() const {
  QStringList hidden;
  for (const QAction* each : m_columns->actions()) {
    if (!each->isChecked()) hidden << each->data().toString();
  }
  return hidden;
}

void RankedPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refreshIcons();
}

void RankedPanel::refreshIcons() {
  const Tokens& tokens = tokensFor(palette());
  m_columnsButton->setIcon(themedIcon(QStringLiteral("columns"), tokens));
  m_pinButton->setIcon(themedIcon(QStringLiteral("pin"), tokens));
}

/// From the keyboard: below the row.
void RankedPanel::showChoices() {
  const int row = m_model->viewRowOf(m_hub->candidate());
  if (row < 0) return;
  const QModelIndex at = m_model->index(row, indexOf(RankedColumn::Rank));
  m_view->scrollTo(at);
  showChoicesAt(m_view->viewport()->mapToGlobal(m_view->visualRect(at).bottomLeft()));
}

void RankedPanel::showChoicesAt(QPoint place) {
  const auto& exploration = m_session->exploration();
  if (!exploration || m_session->stale() || m_model->viewRowOf(m_hub->candidate()) < 0) return;
  auto* menu = new ChoiceMenu(choicesOf(*exploration, m_hub->candidate()), this);
  menu->setObjectName(QStringLiteral("choices"));
  connect(menu, &ChoiceMenu::kept, this, &RankedPanel::choicesKept);
  connect(menu, &ChoiceMenu::excluded, this, &RankedPanel::choiceExcluded);
  menu->popup(place);
}

void RankedPanel::pinRow(int candidate) {
  m_model->togglePin(candidate);
  showCandidate(candidate);
}

/// The column of errors becomes one of changes to A.
void RankedPanel::compare() {
  const auto& exploration = m_session->exploration();
  const bool compares = exploration && m_session->compares(exploration->kernel);
  m_model->setReference(compares ? m_session->frozen().run->simulated.cycles
                                 : std::numeric_limits<double>::quiet_NaN());
  markCompared();
  showCandidate(m_hub->candidate());
}

/// A is in the table while it is of this result.
void RankedPanel::markCompared() {
  const auto& frozen = m_session->frozen().run;
  const auto& exploration = m_session->exploration();
  if (!frozen || !exploration || !m_session->compares(exploration->kernel))
    return m_model->setCompared(-1, -1);
  int a = -1;
  for (int candidate = 0; a < 0 && candidate < static_cast<int>(m_model->rows().size());
       ++candidate) {
    if (m_session->runOf(candidate) == frozen) a = candidate;
  }
  m_model->setCompared(a, m_hub->candidate());
}

void RankedPanel::reload() {
  const service::ExplorationRef exploration = m_session->exploration();
  if (!exploration || exploration->listed() <= kInlineRows) {
    m_rowsJob.drop();
    return adopt(exploration ? rowsOf(*exploration) : std::make_shared<const RankedRows>());
  }
  adopt(std::make_shared<const RankedRows>());
  m_rowsJob.start<RankedRows>(
      [exploration](base::Progress& progress) -> Job::Answer<RankedRows> {
        return rowsOf(*exploration, &progress);
      },
      [this](Job::Answer<RankedRows> answer) {
        if (answer && *answer) adopt(std::move(*answer));
      });
}

void RankedPanel::adopt(std::shared_ptr<const RankedRows> rows) {
  const auto count = static_cast<int>(rows->size());
  m_model->setRows(std::move(rows));
  // Those that were simulated while a long table was prepared.
  for (int candidate = 0; candidate < count; ++candidate) {
    if (m_session->runOf(candidate)) updateRow(candidate);
  }
  markCompared();
  showCandidate(m_hub->candidate());
}

void RankedPanel::updateRow(int candidate) {
  if (m_rowsJob.running()) return;
  m_model->updateRow(candidate,
                     rowOf(*m_session->exploration(), static_cast<std::size_t>(candidate),
                           m_session->runOf(candidate).get()));
}

void RankedPanel::showCandidate(int candidate) {
  const int row = m_model->viewRowOf(candidate);
  if (row < 0) {
    const QSignalBlocker quiet(m_view->selectionModel());
    m_view->clearSelection();
    return;
  }
  const auto& brush = m_hub->brush();
  if (std::ranges::binary_search(brush, candidate)) {
    // The brush stays while one of its mappings is looked at.
    m_view->selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                              QItemSelectionModel::NoUpdate);
    m_view->scrollTo(m_model->index(row, 0));
    return;
  }
  if (m_view->currentIndex().row() != row || !m_view->selectionModel()->hasSelection())
    m_view->selectRow(row);
}

/// Where the filter leaves out rows, how many are left.
void RankedPanel::showCount() {
  const std::size_t shown = m_model->shown().size(), all = m_model->sharedRows()->size();
  m_count->setText(
      QStringLiteral("%1 of %2")
          .arg(countText(static_cast<double>(shown)), countText(static_cast<double>(all))));
  m_count->setVisible(shown < all);
}

/// Several rows selected in the table are a brush in every view.
void RankedPanel::brushSelected() {
  std::vector<int> candidates;
  for (const QModelIndex& at : m_view->selectionModel()->selectedRows())
    candidates.push_back(m_model->candidateAt(at.row()));
  if (candidates.size() < 2) candidates.clear();
  std::ranges::sort(candidates);
  m_brushing = true;
  m_hub->selectBrush(candidates);
  m_brushing = false;
}

void RankedPanel::showBrush(const std::vector<int>& candidates) {
  if (m_brushing) return;
  QItemSelection rows;
  const int last = m_model->columnCount() - 1;
  for (int row = 0; !candidates.empty() && row < m_model->rowCount(); ++row) {
    if (!std::ranges::binary_search(candidates, m_model->candidateAt(row))) continue;
    const bool joins = !rows.empty() && rows.back().bottom() == row - 1;
    const int first = joins ? rows.back().top() : row;
    const QItemSelectionRange range(m_model->index(first, 0), m_model->index(row, last));
    if (joins)
      rows.back() = range;
    else
      rows.push_back(range);
  }
  {
    const QSignalBlocker quiet(m_view->selectionModel());
    m_view->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  }
  m_view->viewport()->update();
  if (rows.empty())
    showCandidate(m_hub->candidate());
  else
    m_view->scrollTo(m_model->index(rows.front().top(), 0));
}

}  // namespace gridloom::widgets
