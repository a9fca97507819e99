// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/line_font.h"

#include <QGlyphRun>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>

namespace gridloom::widgets {

namespace {

// Whether each character of its script is a glyph of its own.
bool standsAlone(QChar sign) {
  switch (sign.script()) {
  case QChar::Script_Common:
  case QChar::Script_Latin:
  case QChar::Script_Greek:
  case QChar::Script_Cyrillic:
    return !sign.isSurrogate() && !sign.isMark();
  default:
    return false;
  }
}

}  // namespace

const LineFont::Character* LineFont::characterOf(QChar sign) const {
  auto known = m_characters.constFind(sign.unicode());
  if (known == m_characters.cend()) {
    Character character;
    const auto found = m_glyphs.glyphIndexesForString(QString(sign));
    if (standsAlone(sign) && found.size() == 1)
      character = {found.front(), m_metrics.horizontalAdvance(sign)};
    known = m_characters.insert(sign.unicode(), character);
  }
  return known->glyph == 0 ? nullptr : &*known;
}

double LineFont::widthOf(const QString& text) const {
  double width = 0;
  for (const QChar sign : text) {
    const Character* character = characterOf(sign);
    if (!character) return m_metrics.horizontalAdvance(text);
    width += character->advance;
  }
  return width;
}

void LineFont::paint(QPainter& painter, const QString& text, const QPointF& start) const {
  QList<quint32> glyphs;
  QList<QPointF> places;
  glyphs.reserve(text.size());
  places.reserve(text.size());
  double x = 0;
  // SVG and PDF have text, so that it can be searched and edited.
  const bool screen = painter.paintEngine()->type() == QPaintEngine::Raster;
  for (qsizetype i = 0; screen && i < text.size(); ++i) {
    const Character* character = characterOf(text[i]);
    if (!character) break;
    glyphs.append(character->glyph);
    places.append({x, 0});
    x += character->advance;
  }
  if (glyphs.size() < text.size()) {
    painter.setFont(m_font);
    return painter.drawText(start, text);
  }
  QGlyphRun run;
  run.setRawFont(m_glyphs);
  run.setGlyphIndexes(glyphs);
  run.setPositions(places);
  painter.drawGlyphRun(start, run);
}

const LineFont& LineFonts::of(const QFont& font) {
  constexpr std::size_t kMost = 8;  // fonts of old zooms and themes are dropped
  const auto known = std::find_if(m_fonts.begin(), m_fonts.end(),
                                  [&](const LineFont& each) { return each.font() == font; });
  if (known != m_fonts.end()) return *known;
  if (m_fonts.size() == kMost) m_fonts.pop_front();
  return m_fonts.emplace_back(font);
}

}  // namespace gridloom::widgets
