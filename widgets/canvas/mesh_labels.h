// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/line_font.h"

class QColor;
class QPainter;
class QRectF;
class QString;

namespace gridloom::widgets {

struct MeshScene;

constexpr int kLeastFont = 9;  // pixels; smaller digits are not read

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
  LineFont m_large, m_small;
};

/// Name and use of a memory channel, as much as fits into its box.
void paintChannelName(QPainter& painter, const QString& label, const QString& use,
                      const QRectF& box);

}  // namespace gridloom::widgets
