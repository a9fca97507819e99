// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/welcome_cards.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>

#include "bridge/example_looks.h"
#include "models/examples.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kRound = 6;
constexpr int kPadding = 14;

/// The ground of a button that is focused, hovered, pressed, or none of these.
void paintFrame(QPainter& painter, const QAbstractButton& button, const Tokens& tokens) {
  const bool focused = button.hasFocus();
  const QRectF edge = QRectF(button.rect()).adjusted(1, 1, -1, -1);
  painter.setBrush(button.isDown()       ? tokens.selection
                   : button.underMouse() ? tokens.raised
                                         : tokens.panel);
  painter.setPen(focused ? QPen(tokens.accent, 2) : QPen(tokens.border, 1));
  painter.drawRoundedRect(edge, kRound, kRound);
}

QFont weighted(QFont font, int weight, double scale) {
  font.setWeight(static_cast<QFont::Weight>(weight));
  font.setPointSizeF(font.pointSizeF() * scale);
  return font;
}

/// Today, yesterday, or the date.
QString dayOf(const QDateTime& time) {
  const qint64 days = time.date().daysTo(QDate::currentDate());
  if (days == 0) return QStringLiteral("today");
  if (days == 1) return QStringLiteral("yesterday");
  return QLocale().toString(time.date(), QLocale::ShortFormat);
}

}  // namespace

ExampleCard::ExampleCard(const Example& example, int number, const QString& sizes, QWidget* parent)
    : QAbstractButton(parent), m_example(example), m_number(number), m_sizes(sizes) {
  setText(example.title);
  setAccessibleName(QStringLiteral("Open the example %1").arg(example.title));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void ExampleCard::setLook(const ExampleLook* look) {
  m_look = look;
  update();
}

void ExampleCard::setPictureSize(const QSize& size) {
  if (size == m_picture) return;
  m_picture = size;
  updateGeometry();
  update();
}

QSize ExampleCard::sizeHint() const {
  return {220, m_picture.height() + 5 * (fontMetrics().height() + 3) + 2 * kPadding};
}

void ExampleCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Tokens& tokens = tokensFor(palette());
  paintFrame(painter, *this, tokens);
  const QRectF top(kFrame / 2.0, 2, width() - double(kFrame), m_picture.height());
  paintPicture(painter, top, tokens);
  painter.fillRect(QRectF(1, top.bottom(), width() - 2.0, 1), tokens.border);
  paintWords(painter, top.bottom() + kPadding - 4, tokens);
}

void ExampleCard::paintPicture(QPainter& painter, const QRectF& top, const Tokens& tokens) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens.window);
  painter.drawRoundedRect(top, kRound - 1, kRound - 1);
  if (!m_look) return;
  const QImage& image = tokens.dark ? m_look->dark : m_look->light;
  // Until it is drawn anew, a picture of another size is scaled.
  const QSizeF size = image.deviceIndependentSize().scaled(top.size(), Qt::KeepAspectRatio);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(QRectF(top.center() - QPointF(size.width() / 2, size.height() / 2), size),
                    image);
}

/// From `top` on: the title, what it is about, its figures, and its key in the corner.
void ExampleCard::paintWords(QPainter& painter, double top, const Tokens& tokens) const {
  QRectF line(kPadding, top, width() - 2.0 * kPadding, fontMetrics().height() + 3);
  const auto write = [&](const QString& words, const QFont& font, const QColor& ink) {
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(words, Qt::ElideRight, static_cast<int>(line.width())));
    line.translate(0, line.height());
  };
  write(m_example.title, weighted(font(), QFont::DemiBold, 1.1), tokens.text);
  write(m_example.about, font(), tokens.muted);
  write(m_sizes, font(), tokens.faint);
  write(m_look ? m_look->machine : m_example.hardware, font(), tokens.faint);
  if (m_look) {
    const QFont bold = weighted(font(), QFont::DemiBold, 1);
    painter.setFont(font());
    painter.setPen(tokens.muted);
    const double rate = QFontMetricsF(bold).horizontalAdvance(m_look->rate + QStringLiteral("  "));
    painter.drawText(line.adjusted(rate, 0, -24, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     m_look->share);
    write(m_look->rate, bold, tokens.text);
    line.translate(0, -line.height());
  }
  const QRectF key(line.right() - 18, line.top(), 18, line.height());
  painter.setFont(font());
  painter.setBrush(Qt::NoBrush);
  painter.setPen(tokens.border);
  painter.drawRoundedRect(key.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  painter.setPen(tokens.muted);
  painter.drawText(key, Qt::AlignCenter, QString::number(m_number));
}

RecentRow::RecentRow(const QString& path, QWidget* parent) : QAbstractButton(parent) {
  const QFileInfo file(path);
  m_name = file.completeBaseName();
  if (const auto project = loadProject(path)) {
    m_subject = subjectOf(*project);
    m_sizes = sizesOf(*project);
    m_saved = dayOf(file.lastModified());
  } else {
    m_subject = file.exists() ? QStringLiteral("cannot be read") : QStringLiteral("is not there");
    setEnabled(file.exists());
  }
  setText(m_name);
  setToolTip(path);
  setAccessibleName(QStringLiteral("Open the project %1").arg(m_name));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

QSize RecentRow::sizeHint() const { return {200, fontMetrics().height() + 12}; }

void RecentRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Tokens& tokens = tokensFor(palette());
  paintFrame(painter, *this, tokens);
  const QRectF row = QRectF(rect()).adjusted(kPadding, 0, -kPadding, 0);
  const auto write = [&](double from, double to, const QString& words, const QColor& ink) {
    const QRectF place(row.left() + from * row.width(), row.top(), (to - from) * row.width() - 8,
                       row.height());
    painter.setPen(ink);
    painter.drawText(
        place, Qt::AlignVCenter | (to == 1 ? Qt::AlignRight : Qt::AlignLeft),
        painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(place.width())));
  };
  painter.setFont(weighted(font(), QFont::DemiBold, 1));
  write(0, 0.22, m_name, isEnabled() ? tokens.text : tokens.faint);
  painter.setFont(font());
  write(0.22, 0.52, m_subject, isEnabled() ? tokens.text : tokens.faint);
  write(0.52, 0.86, m_sizes, tokens.muted);
  write(0.86, 1, m_saved, tokens.faint);
}

}  // namespace gridloom::widgets
