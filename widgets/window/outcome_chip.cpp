// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/outcome_chip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/selection_hub.h"

namespace gridloom::widgets {

namespace {

constexpr double kSeen = 0.0005;  // half of what is printed

}  // namespace

OutcomeChip::OutcomeChip(const RankedModel* model, SelectionHub* hub, QWidget* parent)
    : QFrame(parent),
      m_model(model),
      m_hub(hub),
      m_words(new QLabel),
      m_show(new QPushButton(QStringLiteral("Show"))) {
  setObjectName(QStringLiteral("outcome"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 1, 10, 1);
  row->setSpacing(8);
  row->addWidget(m_words);
  row->addWidget(m_show);
  m_show->setProperty("role", QStringLiteral("chip"));
  m_show->setAccessibleName(QStringLiteral("Show the fastest simulated mapping"));
  setToolTip(QStringLiteral("The mappings in the table are simulated one after the other; the "
                            "fewest simulated cycles win, which may be another one than the "
                            "model's first"));
  connect(m_show, &QPushButton::clicked, this,
          [this] { m_hub->selectCandidate(m_model->fastest()); });
  connect(model, &RankedModel::simulatedChanged, this, &OutcomeChip::refresh);
  connect(model, &QAbstractItemModel::modelReset, this, &OutcomeChip::refresh);
  connect(hub, &SelectionHub::candidateChanged, this, &OutcomeChip::refresh);
  refresh();
}

QString OutcomeChip::words() const { return isHidden() ? QString() : m_words->text(); }

void OutcomeChip::refresh() {
  const int best = m_model->fastest(), shown = m_hub->candidate();
  const RankedRows& rows = m_model->rows();
  const bool known = best >= 0 && shown >= 0 && static_cast<std::size_t>(shown) < rows.size() &&
                     rows.simulated(static_cast<std::size_t>(shown)) > 0;
  setVisible(known);
  if (!known) return;
  const double faster = rows.simulated(static_cast<std::size_t>(shown)) /
                            rows.simulated(static_cast<std::size_t>(best)) -
                        1;
  const bool isBest = shown == best || faster < kSeen;
  m_words->setText(
      isBest ? QStringLiteral("✓ Fastest of %1 simulated").arg(countText(m_model->simulated()))
             : QStringLiteral("⚠ Simulation prefers #%1: %2 faster")
                   .arg(best + 1)
                   .arg(percentText(faster)));
  m_show->setVisible(!isBest);
  const QString state = isBest ? QStringLiteral("good") : QStringLiteral("warning");
  if (property("state") == state) return;
  setProperty("state", state);
  style()->unpolish(this);
  style()->polish(this);
}

}  // namespace gridloom::widgets
