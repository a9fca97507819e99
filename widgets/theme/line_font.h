// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QRawFont>
#include <deque>

class QPainter;
class QPointF;
class QString;

namespace gridloom::widgets {

/// Lines of text in one font, where a frame has hundreds of them. On screen, the glyphs of each
/// character are looked up once: their layout takes longer than the drawing.
class LineFont {
 public:
  explicit LineFont(const QFont& font)
      : m_font(font), m_metrics(font), m_glyphs(QRawFont::fromFont(font)) {}

  const QFont& font() const { return m_font; }
  const QFontMetricsF& metrics() const { return m_metrics; }
  /// In pixels.
  double widthOf(const QString& text) const;
  /// From the baseline of a line down from the middle of the room that it stands in, in pixels.
  double belowMiddle() const { return (m_metrics.ascent() - m_metrics.descent()) / 2; }
  /// In the ink of the painter; `start`: the left end of the baseline.
  void paint(QPainter& painter, const QString& text, const QPointF& start) const;

 private:
  struct Character {
    quint32 glyph = 0;
    double advance = 0;  ///< pixels
  };

  /// Null where the character stands in another font, or is one with those beside it.
  const Character* characterOf(QChar sign) const;

  QFont m_font;
  QFontMetricsF m_metrics;
  QRawFont m_glyphs;
  mutable QHash<char16_t, Character> m_characters;
};

/// The fonts that a view has met.
class LineFonts {
 public:
  /// Valid until the next call.
  const LineFont& of(const QFont& font);

 private:
  std::deque<LineFont> m_fonts;
};

}  // namespace gridloom::widgets
