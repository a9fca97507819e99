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

/// Where what is clipped can be scrolled into view: above and below, or at every edge of the widget.
enum class Scrolls { Nowhere, Vertically, BothWays };

/// Labels that overlap others, or are clipped.
QStringList badLabels(QWidget& widget, Scrolls scrolls);

/// Labels that end in an ellipsis: they were cut to fit.
QStringList cutLabels(QWidget& widget);
