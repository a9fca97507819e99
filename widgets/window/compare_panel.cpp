// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/compare_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/report_table_model.h"
#include "models/selection_hub.h"
#include "window/fitted_table.h"
#include "window/line_label.h"
#include "window/when_shown.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostResources = 50;
constexpr int kButtonMargin = 12;  // between the button and the edge

}  // namespace

ComparePanel::ComparePanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hub(hub),
      m_verdict(new WrappedLabel),
      m_choices(new ReportTableModel(this)),
      m_bytes(new ReportTableModel(this)),
      m_resources(new ReportTableModel(this)),
      m_tabs(new QTabWidget),
      m_leave(new QPushButton(QStringLiteral("Leave"))),
      m_freeze(new QPushButton) {
  m_leave->setToolTip(QStringLiteral("Leave the comparison (Ctrl+Shift+B)"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_verdict->setObjectName(QStringLiteral("verdict"));
  m_verdict->setContentsMargins(12, 8, 12, 8);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(0, 0, kButtonMargin, 0);
  head->addWidget(m_verdict, 1);
  head->addWidget(m_leave);
  column->addLayout(head);
  m_tabs->setDocumentMode(true);
  addTable(QStringLiteral("Choices"), QStringLiteral("Choices that differ"), m_choices,
           report::choiceTable)
      ->setWrapped();
  addTable(QStringLiteral("Bytes"), QStringLiteral("Bytes moved, simulated"), m_bytes,
           report::byteTable);
  QTableView* links =
      addTable(QStringLiteral("Links"), QStringLiteral("Most changed links and channels"),
               m_resources, [](const report::RunDifference& difference) {
                 return report::resourceTable(difference, kMostResources);
               });
  column->addWidget(m_freeze, 0, Qt::AlignCenter);
  column->addWidget(m_tabs, 1);
  column->addStretch();
  connect(m_leave, &QPushButton::clicked, session, &Session::unfreeze);
  connect(links, &QTableView::clicked, this, [this](const QModelIndex& at) {
    const QString name =
        m_resources->index(at.row(), 0).data(ReportTableModel::ExactRole).toString();
    m_hub->selectResource(m_hub->resource() == name ? QString() : name);
  });
  connect(session, &Session::differenceChanged, this, &ComparePanel::reload);
  reload();
}

FittedTable* ComparePanel::addTable(const QString& tab, const QString& name,
                                    ReportTableModel* model, const Make& make) {
  auto* view = new FittedTable(model, 0, name);
  m_fills.push_back(new WhenShown(view, [this, model, make] {
    const auto& difference = m_session->difference();
    model->show(difference ? make(*difference) : report::Table{});
  }));
  m_tabs->addTab(view, tab);
  m_tabs->setTabToolTip(m_tabs->count() - 1, name);
  return view;
}

void ComparePanel::setFreezeAction(QAction* freeze) {
  m_freeze->setText(QStringLiteral("Freeze as A (%1)").arg(freeze->shortcut().toString()));
  connect(m_freeze, &QPushButton::clicked, freeze, &QAction::trigger);
}

void ComparePanel::reserveVerdict() {
  const int button = m_leave->isHidden() ? 0 : m_leave->sizeHint().width() + kButtonMargin;
  m_verdict->reserve(width() - button - kButtonMargin);
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  reserveVerdict();
}

/// Why nothing is compared.
QString ComparePanel::reasonForNone() const {
  if (!m_session->frozen().run)
    return QStringLiteral(
        "Freeze the selected mapping as A; then select another one, or edit, to compare");
  const auto& shown = m_session->exploration();
  if (shown && !m_session->compares(shown->kernel))
    return QStringLiteral(
        "A is another kernel, or has other sizes: their cycles say nothing about each other. "
        "Leave, or return to the kernel of A");
  return QStringLiteral("The selected mapping is not simulated yet");
}

void ComparePanel::reload() {
  const auto& difference = m_session->difference();
  const bool frozen = m_session->frozen().run != nullptr;
  m_leave->setVisible(frozen);
  m_freeze->setHidden(frozen);
  m_tabs->setVisible(difference != nullptr);
  m_verdict->setWords(difference ? shownText(report::verdict(*difference)) : reasonForNone());
  reserveVerdict();
  for (WhenShown* fill : m_fills) fill->request();
}

const ReportTableModel* ComparePanel::filled(const ReportTableModel* model) const {
  for (WhenShown* fill : m_fills) fill->now();
  return model;
}

}  // namespace gridloom::widgets
