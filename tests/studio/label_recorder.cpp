// SPDX-License-Identifier: Apache-2.0
#include "label_recorder.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

namespace {

/// Takes up text and leaves everything else out.
class TextEngine : public QPaintEngine {
 public:
  explicit TextEngine(QSize size) : QPaintEngine(AllFeatures), m_size(size) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState& now) override {
    const auto dirty = now.state();
    if (dirty & DirtyTransform) m_transform = now.transform();
    if (dirty & DirtyClipRegion) clip(now.clipOperation(), now.clipRegion().boundingRect());
    if (dirty & DirtyClipPath) clip(now.clipOperation(), now.clipPath().boundingRect());
    if (dirty & DirtyClipEnabled && !now.isClipEnabled()) m_clip = {};
  }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPath(const QPainterPath&) override {}
  void drawRects(const QRectF*, int) override {}
  void drawRects(const QRect*, int) override {}
  void drawLines(const QLineF*, int) override {}
  void drawLines(const QLine*, int) override {}
  void drawPoints(const QPointF*, int) override {}
  void drawEllipse(const QRectF&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    const QString words = item.text().trimmed();
    if (words.isEmpty()) return;
    // Of the letters, not of the line: accents and tails have room between lines.
    const QFontMetricsF metrics(item.font());
    const QRectF ink(at.x(), at.y() - metrics.capHeight(), item.width(), metrics.capHeight());
    const QRectF box = m_transform.mapRect(ink);
    const QRectF whole(0, 0, m_size.width(), m_size.height());
    m_labels.push_back({words, box, box & (m_clip.isNull() ? whole : m_clip & whole)});
  }

  std::vector<PaintedLabel> take() { return std::move(m_labels); }

 private:
  void clip(Qt::ClipOperation operation, const QRectF& area) {
    const QRectF mapped = m_transform.mapRect(area);
    if (operation == Qt::NoClip)
      m_clip = {};
    else
      m_clip = operation == Qt::IntersectClip && !m_clip.isNull() ? m_clip & mapped : mapped;
  }

  QSize m_size;
  QTransform m_transform;
  QRectF m_clip;
  std::vector<PaintedLabel> m_labels;
};

class TextDevice : public QPaintDevice {
 public:
  explicit TextDevice(QSize size) : m_size(size), m_engine(size) {}
  QPaintEngine* paintEngine() const override { return &m_engine; }
  std::vector<PaintedLabel> take() { return m_engine.take(); }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
    case PdmWidth:
      return m_size.width();
    case PdmHeight:
      return m_size.height();
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return 96;
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return static_cast<int>(devicePixelRatioFScale());
    case PdmNumColors:
      return 1 << 24;
    case PdmDepth:
      return 32;
    case PdmWidthMM:
    case PdmHeightMM:
      return m_size.width() / 4;
    }
    return 0;
  }

 private:
  QSize m_size;
  mutable TextEngine m_engine;
};

QString placeText(const PaintedLabel& label) {
  return QStringLiteral("\"%1\" at %2,%3 %4x%5")
      .arg(label.text)
      .arg(label.box.x(), 0, 'f', 0)
      .arg(label.box.y(), 0, 'f', 0)
      .arg(label.box.width(), 0, 'f', 0)
      .arg(label.box.height(), 0, 'f', 0);
}

}  // namespace

std::vector<PaintedLabel> paintedLabels(QWidget& widget) {
  TextDevice device(widget.size());
  QPainter painter(&device);
  widget.render(&painter, {}, {}, QWidget::RenderFlags());
  painter.end();
  return device.take();
}

QStringList cutLabels(QWidget& widget) {
  QStringList cut;
  for (const PaintedLabel& label : paintedLabels(widget)) {
    if (label.text.endsWith(QChar(0x2026)) || label.text.endsWith(QLatin1String("...")))
      cut << QStringLiteral("cut: ") + placeText(label);
  }
  return cut;
}

QStringList badLabels(QWidget& widget, Scrolls scrolls) {
  constexpr double kTouch = 1;  // pixels that letters may share
  QStringList bad;
  std::vector<PaintedLabel> labels = paintedLabels(widget);
  std::erase_if(labels, [](const PaintedLabel& label) { return label.shown.isEmpty(); });
  for (std::size_t a = 0; a < labels.size(); ++a) {
    const PaintedLabel& label = labels[a];
    // What the edges of the widget leave of it, where they scroll.
    const QRectF edges(widget.rect());
    const QRectF whole = scrolls == Scrolls::BothWays ? label.box & edges : label.box;
    const bool narrow = label.shown.width() < whole.width() - kTouch;
    const bool low = label.shown.height() < whole.height() - kTouch;
    if (narrow || (low && scrolls != Scrolls::Vertically))
      bad << QStringLiteral("clipped: ") + placeText(label);
    for (std::size_t b = 0; b < a; ++b) {
      const QRectF both = label.shown & labels[b].shown;
      if (both.width() > kTouch && both.height() > kTouch)
        bad << QStringLiteral("overlap: %1 and %2").arg(placeText(label), placeText(labels[b]));
    }
  }
  return bad;
}
