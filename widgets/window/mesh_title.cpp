// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mesh_title.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "canvas/mesh_canvas.h"
#include "hardware/topology.h"
#include "models/quantity_text.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"
#include "window/line_label.h"

namespace gridloom::widgets {

namespace {

/// "torus" where every line of cores is a ring, "mesh" where none is.
QString shapeOf(const hardware::Topology& hw) {
  std::size_t wide = 0, rings = 0;
  for (std::size_t d = 0; d < hw.dims().size(); ++d) {
    if (hw.dims()[d].size < 2) continue;
    ++wide;
    if (hw.wrapsAround(hw.readPlane(), d)) ++rings;
  }
  if (wide == 0) return {};
  if (rings == 0) return wide == 1 ? QStringLiteral("line") : QStringLiteral("mesh");
  if (rings < wide) return QStringLiteral("rings along some dimensions");
  return wide == 1 ? QStringLiteral("ring") : QStringLiteral("torus");
}

QString counted(std::int64_t count, const char* one, const char* many) {
  return QStringLiteral("%1 %2").arg(countText(static_cast<double>(count)),
                                     QLatin1String(count == 1 ? one : many));
}

}  // namespace

QString meshFacts(const hardware::Topology& hw) {
  QStringList sizes;
  for (const hardware::MeshDim& dim : hw.dims()) sizes << countText(static_cast<double>(dim.size));
  QStringList facts{sizes.join(QStringLiteral(" × "))};
  if (const QString shape = shapeOf(hw); !shape.isEmpty()) facts << shape;
  facts << counted(hw.coreCount(), "core", "cores");
  if (hw.hasSharedBuffer())
    facts << counted(hw.sharedInstances(), "shared buffer", "shared buffers");
  if (hw.hasGlobal())
    facts << counted(hw.global().channels, "channel of ", "channels of ") + text(hw.global().name);
  return facts.join(QStringLiteral(", "));
}

MeshTitle::MeshTitle(MeshCanvas* canvas, QWidget* parent)
    : QWidget(parent), m_facts(new LineLabel), m_row(new QHBoxLayout(this)) {
  m_row->setContentsMargins(14, 0, 8, 2);
  m_row->setSpacing(6);
  auto* title = new QLabel(QStringLiteral("Mesh"));
  title->setProperty("role", QStringLiteral("title"));
  m_facts->setObjectName(QStringLiteral("meshFacts"));
  m_facts->setProperty("role", QStringLiteral("faint"));
  m_row->addWidget(title);
  m_row->addWidget(m_facts, 1);
  const auto add = [this](const char* icon, const char* tip, auto does) {
    auto* button = new QToolButton;
    button->setToolTip(QLatin1String(tip));
    button->setAccessibleName(
        QLatin1String(tip).left(QLatin1String(tip).indexOf(QLatin1Char('('))));
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, does);
    m_row->addWidget(button);
    m_buttons.emplace_back(button, QLatin1String(icon));
  };
  add("zoom_out", "Zoom out of the mesh (-)", [canvas] { canvas->zoomOut(); });
  add("zoom_in", "Zoom into the mesh (+)", [canvas] { canvas->zoomIn(); });
  add("fit", "Show the whole mesh (0)", [canvas] { canvas->fit(); });
  refreshIcons();
}

void MeshTitle::addControl(QWidget* control) { m_row->insertWidget(2, control); }

void MeshTitle::setFacts(const QString& facts) { m_facts->setLine(facts); }
QString MeshTitle::facts() const { return m_facts->line(); }

void MeshTitle::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refreshIcons();
}

void MeshTitle::refreshIcons() {
  for (const auto& [button, icon] : m_buttons)
    button->setIcon(themedIcon(icon, tokensFor(palette())));
}

}  // namespace gridloom::widgets
