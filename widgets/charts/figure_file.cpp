// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_file.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QFontInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <new>

namespace gridloom::widgets {

namespace {

/// The families that a reader of the file may have, and no words of whoever generated it.
QByteArray ownWords(const QByteArray& svg) {
  QString words = QString::fromUtf8(svg);
  static const QRegularExpression generator(
      QStringLiteral("<title>[^<]*</title>\\s*<desc>[^<]*</desc>\\s*"));
  words.remove(generator);
  const QString family = QFontInfo(QFont()).family();
  static const QRegularExpression families(QStringLiteral("font-family=\"([^\"]*)\""));
  words.replace(families, QStringLiteral("font-family=\"'%1', Inter, 'DejaVu Sans', Arial, "
                                         "sans-serif\"")
                              .arg(family));
  return words.toUtf8();
}

QByteArray svgOf(QSizeF size, const PaintFigure& paint) {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(96);
  generator.setSize(size.toSize());
  generator.setViewBox(QRectF(QPointF(), size));
  QPainter painter(&generator);
  paint(painter, QRectF(QPointF(), size));
  painter.end();
  return ownWords(buffer.data());
}

QByteArray pngOf(QSizeF size, const PaintFigure& paint) {
  QImage image((size * 2).toSize(), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) throw std::bad_alloc();
  image.setDevicePixelRatio(2);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(painter, QRectF(QPointF(), size));
  painter.end();
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return buffer.data();
}

/// Qt writes the current time into a PDF; a fixed date makes equal figures equal files.
void fixDate(QByteArray& pdf) {
  static const QByteArray start = "/CreationDate (D:";
  static const QByteArray fixed = "20000101000000";
  const qsizetype at = pdf.indexOf(start);
  if (at >= 0) pdf.replace(at + start.size(), fixed.size(), fixed);
}

QByteArray pdfOf(QSizeF size, const PaintFigure& paint) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(96);
    writer.setPageMargins(QMarginsF());
    // One pixel is 1/96 inch, one point 1/72 inch.
    writer.setPageSize(QPageSize(size * 0.75, QPageSize::Point, QString(), QPageSize::ExactMatch));
    QPainter painter(&writer);
    paint(painter, QRectF(QPointF(), size));
  }
  QByteArray pdf = buffer.data();
  fixDate(pdf);
  return pdf;
}

}  // namespace

QByteArray figureBytes(const QString& ending, QSizeF size, const PaintFigure& paint) {
  if (ending == QLatin1String("svg")) return svgOf(size, paint);
  if (ending == QLatin1String("png")) return pngOf(size, paint);
  if (ending == QLatin1String("pdf")) return pdfOf(size, paint);
  return {};
}

base::Written writeBytes(const QString& path, const QByteArray& bytes) {
  return base::writeFile(QFile::encodeName(path).toStdString(),
                         {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

base::Written writeFigure(const QString& path, QSizeF size, const PaintFigure& paint) {
  const QString ending = QFileInfo(path).suffix().toLower();
  const QByteArray bytes = figureBytes(ending, size, paint);
  if (!bytes.isEmpty()) return writeBytes(path, bytes);
  return {{base::plainError("cannot write " + path.toStdString() + ": the ending `" +
                                ending.toStdString() + "` is none of svg, png, pdf",
                            "name the file like mesh.svg")},
          false};
}

}  // namespace gridloom::widgets
