// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <array>

class QColor;
class QPainter;
class QRectF;
class QString;

namespace gridloom::widgets {

struct MeshScene;

constexpr int kLeastFont = 9;  // pixels; smaller digits are not read

/// Lines of text in one font. Their widths are sums of those of their characters: a layout takes
/// longer than the drawing.
class LabelFont {
 public:
  explicit LabelFont(const QFont& font) : m_font(font), m_metrics(font) {}
  const QFont& font() const { return m_font; }
  const QFontMetricsF& metrics() const { return m_metrics; }
  double widthOf(const QString& text) const;
  /// In the ink of the painter; (x, y): the middle of its baseline.
  void paint(QPainter& painter, const QString& text, double x, double y) const;
  void paintInMiddle(QPainter& painter, const QString& text, const QRectF& room) const;

 private:
  QFont m_font;
  QFontMetricsF m_metrics;
  mutable std::array<double, 128> m_advances{};  ///< of characters, in pixels; 0: not known yet
};

/// The names in cells of one size. A frame has up to a thousand of them.
class CellLabels {
 public:
  /// `pitch`: pixels from a cell to the one below; `across`: to the one beside it.
  CellLabels(const QFont& font, double pitch, double across);
  /// The first tiles of a core, or its coordinates, and its heat where there is room; nothing where
  /// they do not fit into the box of the core.
  void paint(QPainter& painter, const MeshScene& scene, int core, const QRectF& box,
             const QColor& ink) const;

 private:
  void paintName(QPainter& painter, const MeshScene& scene, int core, const QRectF& room) const;

  double m_pitch;
  LabelFont m_large, m_small;
};

/// Name and use of a memory channel, as much as fits into its box.
void paintChannelName(QPainter& painter, const QString& label, const QString& use,
                      const QRectF& box);

}  // namespace gridloom::widgets
