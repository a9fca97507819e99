// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRectF>
#include <QString>
#include <QWidget>
#include <vector>

/// A text that a widget has painted, in its coordinates.
struct PaintedLabel {
  QString text;
  QRectF box;    ///< the ink of its letters: from the left to the right one, with their ascent
  QRectF shown;  ///< the part of `box` that is not clipped
};

/// What a widget paints as text, without its children.
std::vector<PaintedLabel> paintedLabels(QWidget& widget);

/// Labels that overlap others, or are clipped. `scrolls`: what is clipped above or below can be
/// scrolled into view.
QStringList badLabels(QWidget& widget, bool scrolls);
