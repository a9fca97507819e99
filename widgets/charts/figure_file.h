// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <QString>
#include <functional>

#include "base/output_file.h"

class QPainter;
class QRectF;

namespace gridloom::widgets {

using PaintFigure = std::function<void(QPainter&, const QRectF&)>;

/// Writes a figure as SVG, PNG (twice the size) or PDF, by the ending of `path`. It writes the
/// whole file; an error leaves the old one unchanged. Equal figures give equal bytes.
base::Written writeFigure(const QString& path, QSizeF size, const PaintFigure& paint);

/// What a view shows as a figure.
struct Figure {
  QSizeF size;
  PaintFigure paint;
};

/// What a file of it would hold: `ending` is svg, png or pdf; empty for another.
QByteArray figureBytes(const QString& ending, QSizeF size, const PaintFigure& paint);

/// Writes bytes the same way.
base::Written writeBytes(const QString& path, const QByteArray& bytes);

}  // namespace gridloom::widgets
