// SPDX-License-Identifier: GPL-3.0-or-later

// Below the mesh: its operands, and what the colours say.

#include <QBoxLayout>
#include <QComboBox>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "canvas/mesh_canvas.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/flow_layout.h"
#include "window/heat_scale.h"
#include "window/mesh_panel.h"
#include "window/mesh_title.h"
#include "window/state_legend.h"
#include "window/tab_order.h"

namespace gridloom::widgets {

namespace {

constexpr int kWidthForLegend = 860;  // of the panel, for a legend beside the mesh

QPixmap swatch(const QColor& colour) {
  // Three operands stand beside each other in a legend at the side.
  QPixmap pixmap(12, 16);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(QRectF(0, 5, 12, 6), 3, 3);
  return pixmap;
}

}  // namespace

QWidget* MeshPanel::makeLegend() {
  m_legend = new QWidget;
  m_legendRows = new FlowLayout({6, 4, 6}, m_legend);
  m_legendRows->setContentsMargins(12, 4, 12, 6);
  m_heat = new QComboBox;
  m_heat->setObjectName(QStringLiteral("heat"));
  m_heat->setAccessibleName(QStringLiteral("What the colour of a core says"));
  for (int i = 0; i < kHeats; ++i) {
    m_heat->addItem(titleOf(static_cast<Heat>(i)));
    m_heat->setItemData(i, meaningOf(static_cast<Heat>(i)), Qt::ToolTipRole);
  }
  m_heat->setCurrentIndex(static_cast<int>(Heat::States));
  connect(m_heat, &QComboBox::currentIndexChanged, this, &MeshPanel::refresh);
  m_title->addControl(m_heat);
  m_scale = new HeatScale(m_canvas);
  m_linkScale = new LinkScale(m_canvas);
  m_states = new StateLegend(m_canvas);
  arrangeLegend();
  return m_legend;
}

/// Operands at the left, the scale at the right; keeps the widgets and changes only their order.
void MeshPanel::arrangeLegend() {
  while (QLayoutItem* item = m_legendRows->takeAt(0)) delete item;
  for (QToolButton* chip : m_chipButtons) m_legendRows->addWidget(chip);
  m_legendRows->addStretch();
  m_legendRows->addWidget(m_linkScale);
  m_legendRows->addWidget(m_scale);
  m_legendRows->addWidget(m_states);
  m_legendRows->invalidate();
  reserveRows();
}

/// Beside the mesh where the panel is wide: height is what a mesh lacks on such screens.
void MeshPanel::placeLegend() {
  const bool beside = width() >= kWidthForLegend;
  m_middle->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  const QMargins around = m_legendRows->contentsMargins();
  m_states->setRoom(beside ? 0 : std::max(1, width() - around.left() - around.right()));
  reserveRows();
}

/// Layouts around this panel use minimum sizes only, and not the height for a given width.
void MeshPanel::reserveRows() {
  const QMargins around = m_legendRows->contentsMargins();
  const bool beside = m_middle->direction() == QBoxLayout::LeftToRight;
  const int wide = kSideLegend + around.left() + around.right();
  m_legend->setMinimumWidth(beside ? wide : 0);
  m_legend->setMaximumWidth(beside ? wide : QWIDGETSIZE_MAX);
  m_legend->setMinimumHeight(beside ? 0 : m_legendRows->heightForWidth(width()));
}

void MeshPanel::rebuildChips() {
  for (QToolButton* button : m_chipButtons) button->deleteLater();
  m_chipButtons.clear();
  const Tokens& tokens = tokensFor(palette());
  for (const Flow& flow : m_canvas->scene().flows) {
    auto* chip = new QToolButton;
    chip->setText(flow.operand);
    chip->setIcon(QIcon(swatch(tokens.operand(flow.colour))));
    chip->setIconSize({12, 16});
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setCheckable(true);
    chip->setToolTip(
        QStringLiteral("%1: %2\nClick to show only this operand").arg(flow.operand, flow.movement));
    chip->setAccessibleName(QStringLiteral("Operand %1, %2").arg(flow.operand, flow.movement));
    connect(chip, &QToolButton::clicked, this, [this, name = flow.operand](bool checked) {
      m_hub->selectOperand(checked ? name : QString());
    });
    m_chipButtons.push_back(chip);
  }
  arrangeLegend();
  setTabOrderAfter(m_canvas, {m_chipButtons.begin(), m_chipButtons.end()});
  markChips(m_hub->operand());
}

void MeshPanel::markChips(const QString& operand) {
  for (QToolButton* chip : m_chipButtons) chip->setChecked(chip->text() == operand);
  m_canvas->setOperand(operand);
}

}  // namespace gridloom::widgets
