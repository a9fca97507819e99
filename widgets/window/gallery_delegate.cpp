// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/gallery_delegate.h"

#include <QAbstractItemView>
#include <QFontDatabase>
#include <QPainter>
#include <algorithm>

#include "models/quantity_text.h"
#include "texts/presets.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr int kLeastWidth = 294;
constexpr int kLeastKernelWidth = 410;  // equations are longer than facts
constexpr int kCardPadding = 12;
constexpr int kCardGap = 6;  // between cards
constexpr int kEquations = 5;

QFont codeFont(const QFont& beside) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(beside.pointSizeF() * 0.9);
  return font;
}

/// Text in lines from above, each cut with an ellipsis at the right.
class Lines {
 public:
  Lines(QPainter& painter, QRectF area) : m_painter(painter), m_area(area) {}
  void write(const QString& words, const QFont& font, const QColor& ink) {
    const QFontMetricsF metrics(font);
    m_painter.setFont(font);
    m_painter.setPen(ink);
    m_painter.drawText(QRectF(m_area.left(), m_area.top(), m_area.width(), metrics.height()),
                       Qt::AlignLeft | Qt::AlignVCenter,
                       metrics.elidedText(words, Qt::ElideRight, m_area.width()));
    m_area.setTop(m_area.top() + metrics.height() + 2);
  }

 private:
  QPainter& m_painter;
  QRectF m_area;
};

}  // namespace

QSize GalleryDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const bool machine = m_kind == PresetLooks::Kind::Hardware;
  const int line = QFontMetrics(option.font).height() + 2;
  const int equation = QFontMetrics(codeFont(option.font)).height() + 2;
  const int content =
      machine ? kPicture.height() + kCardGap + 5 * line : 2 * line + kEquations * equation;
  const int least = machine ? kLeastWidth : kLeastKernelWidth;
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  // A view keeps two pixels of its width free of items.
  const int room = view ? view->viewport()->width() - 2 : least;
  return {room / std::max(1, room / least), content + 2 * kCardPadding + kCardGap};
}

void GalleryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const Tokens& tokens = tokensFor(option.palette);
  const auto at = static_cast<std::size_t>(index.row());
  const texts::Preset& preset = m_looks.presets()[at];
  const PresetLook* look = m_looks.look(at);
  const bool chosen = option.state & QStyle::State_Selected;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  constexpr double half = kCardGap / 2.0;
  const QRectF card = QRectF(option.rect).adjusted(half, half, -half, -half);
  painter->setBrush(option.state & QStyle::State_MouseOver ? tokens.raised : tokens.panel);
  painter->setPen(chosen ? QPen(tokens.accent, 2) : QPen(tokens.border, 1));
  painter->drawRoundedRect(card.adjusted(1, 1, -1, -1), 6, 6);
  constexpr double padding = kCardPadding;
  QRectF inside = card.adjusted(padding, padding, -padding, -padding);
  if (m_kind == PresetLooks::Kind::Hardware) {
    if (look) {
      painter->setRenderHint(QPainter::SmoothPixmapTransform);
      const QPointF corner(card.center().x() - kPicture.width() / 2.0, inside.top() - 4);
      painter->drawImage(QRectF(corner, QSizeF(kPicture)), tokens.dark ? look->dark : look->light);
    }
    inside.setTop(inside.top() + kPicture.height() + kCardGap);
  }
  Lines lines(*painter, inside);
  QFont bold = option.font;
  bold.setWeight(QFont::DemiBold);
  lines.write(text(preset.name), bold, tokens.text);
  const bool machine = m_kind == PresetLooks::Kind::Hardware;
  if (machine && look) {
    for (const QString& fact : look->lines) lines.write(fact, option.font, tokens.muted);
  }
  lines.write(text(preset.summary), option.font, tokens.faint);
  if (!machine && look) {
    const QFont code = codeFont(option.font);
    const qsizetype all = look->lines.size();
    const qsizetype shown = all > kEquations ? kEquations - 1 : all;
    for (const QString& equation : look->lines.mid(0, shown))
      lines.write(equation, code, tokens.text);
    if (shown < all)
      lines.write(QStringLiteral("… and %1 more").arg(all - shown), option.font, tokens.faint);
  }
  painter->restore();
}

}  // namespace gridloom::widgets
