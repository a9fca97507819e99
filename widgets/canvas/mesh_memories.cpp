// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_memories.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "canvas/mesh_labels.h"
#include "canvas/mesh_moment.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kSideBar = 4, kBar = 9, kBetween = 12;  // pixels
constexpr double kLeastBars = 18;                        // height of the bars

QString changeText(double change) {
  return QStringLiteral("%1%2 pp")
      .arg(QLatin1String(change > 0 ? "+" : ""))
      .arg(100 * change, 0, 'f', 1)
      .replace(QLatin1Char('-'), QStringLiteral("−"));
}

/// A part of the height of a box, from below, on paler ground.
void paintLevel(QPainter& painter, const QRectF& box, double part, const QColor& colour) {
  QColor ground = colour;
  ground.setAlphaF(0.14F);
  painter.fillRect(box, ground);
  QRectF level = box;
  level.setTop(box.bottom() - box.height() * std::clamp(part, 0.0, 1.0));
  painter.fillRect(level, colour);
}

class ChannelPainter {
 public:
  ChannelPainter(QPainter& painter, const Tokens& tokens, const MemoryBlock& memory,
                 const QRectF& box)
      : m_painter(painter),
        m_tokens(tokens),
        m_memory(memory),
        m_box(box),
        m_line(QFontMetricsF(painter.font()).height()) {}

  /// The name, bars of reads and writes, and the use, one below the other. False: no room.
  bool paintBars(const QString& use) {
    const QRectF bars = m_box.adjusted(0, m_line + 6, 0, -2 * m_line - 6);
    const QString name = QStringLiteral("DRAM %1").arg(m_memory.label);
    const QFontMetricsF metrics(m_painter.font());
    const double widest = std::max(metrics.horizontalAdvance(name), 2 * kBar + kBetween);
    if (m_memory.reads < 0 || bars.height() < kLeastBars || widest + 6 > m_box.width())
      return false;
    m_painter.setPen(m_tokens.text);
    m_painter.drawText(m_box.adjusted(0, 3, 0, 0), Qt::AlignTop | Qt::AlignHCenter, name);
    m_painter.drawText(m_box.adjusted(0, 0, 0, -3), Qt::AlignBottom | Qt::AlignHCenter, use);
    const double middle = m_box.center().x();
    const auto bar = [&](double left, double part, const QString& title) {
      const QRectF place(left, bars.top(), kBar, bars.height());
      paintLevel(m_painter, place, part, m_tokens.memory);
      m_painter.setPen(m_tokens.muted);
      m_painter.drawText(QRectF(place.center().x() - 20, bars.bottom() + 1, 40, m_line),
                         Qt::AlignCenter, title);
    };
    bar(middle - kBetween / 2 - kBar, m_memory.reads, QStringLiteral("rd"));
    bar(middle + kBetween / 2, m_memory.writes, QStringLiteral("wr"));
    return true;
  }

  /// A bar of reads and writes together at the left, and the words at its right.
  void paintSide(double busy, const QString& use) {
    QRectF words = m_box;
    if (busy >= 0) {
      const QRectF bar(m_box.left() + 2, m_box.top() + 2, kSideBar, m_box.height() - 4);
      paintLevel(m_painter, bar, busy, m_tokens.memory);
      words.setLeft(bar.right() + 1);
    }
    m_painter.setPen(m_tokens.text);
    paintChannelName(m_painter, m_memory.label, use, words);
  }

 private:
  QPainter& m_painter;
  const Tokens& m_tokens;
  const MemoryBlock& m_memory;
  QRectF m_box;
  double m_line;
};

}  // namespace

void paintMemories(QPainter& painter, const MeshScene& scene, const Viewport& view,
                   const Tokens& tokens) {
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = painter.font();
  font.setPixelSize(std::clamp(static_cast<int>(view.pitch * 0.17), kLeastFont, 12));
  painter.setFont(font);
  const QRectF page = QRectF(QPointF(), view.size).adjusted(-1, -1, 1, 1);
  for (const MemoryBlock& memory : scene.memories) {
    const QRectF box = view.rectOf(memory.box);
    if (memory.ports.empty() || !page.intersects(box)) continue;
    const auto channel = static_cast<std::size_t>(memory.channel);
    const bool now = scene.moment && channel < scene.moment->channels.size();
    const double busy = now ? static_cast<double>(scene.moment->channels[channel]) : memory.use;
    painter.setPen(QPen(tokens.edge, 1));
    painter.setBrush(tokens.panel);
    painter.drawRoundedRect(box, view.pitch * 0.08, view.pitch * 0.08);
    const QString use = scene.compares ? changeText(memory.change)
                        : busy >= 0    ? percentText(busy, 0)
                                       : QString();
    ChannelPainter each(painter, tokens, memory, box);
    if (view.pitch < kLabelPitch) {
      if (busy >= 0) paintLevel(painter, box.adjusted(2, 2, -2, -2), busy, tokens.memory);
    } else if (now || !each.paintBars(use)) {
      each.paintSide(busy, use);
    }
  }
}

}  // namespace gridloom::widgets
