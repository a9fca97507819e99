// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/apply_theme.h"

#include <QApplication>
#include <QFile>
#include <QFont>
#include <QIcon>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <algorithm>
#include <iterator>
#include <utility>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

QString styleSheetOf(const Tokens& t) {
  QFile file(QStringLiteral(":/studio/themes/studio.qss"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString text = QString::fromUtf8(file.readAll());
  const std::pair<const char*, QColor> names[] = {
      {"@window", t.window},       {"@panel", t.panel},
      {"@raised", t.raised},       {"@border", t.border},
      {"@edge", t.edge},           {"@separator", t.window == t.panel ? t.link : t.window},
      {"@text", t.text},           {"@muted", t.muted},
      {"@faint", t.faint},         {"@accent", t.accent},
      {"@selection", t.selection}, {"@error", t.error},
      {"@warning", t.warning},     {"@good", t.good}};
  for (const auto& [name, colour] : names) text.replace(QLatin1String(name), colour.name());
  return text;
}

QPixmap drawn(const QByteArray& svg, const QColor& colour, int size) {
  QByteArray tinted = svg;
  tinted.replace("currentColor", colour.name().toLatin1());
  QSvgRenderer renderer(tinted);
  QPixmap pixmap(size, size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  return pixmap;
}

/// Drawn once: a window asks again with every palette.
QPixmap iconPicture(const QString& name, const QColor& colour, int size) {
  const QString key = QStringLiteral("icon %1 %2 %3").arg(name, colour.name()).arg(size);
  QPixmap picture;
  if (QPixmapCache::find(key, &picture)) return picture;
  QFile file(QStringLiteral(":/studio/icons/%1.svg").arg(name));
  if (file.open(QIODevice::ReadOnly)) picture = drawn(file.readAll(), colour, size);
  QPixmapCache::insert(key, picture);
  return picture;
}

}  // namespace

QString nameOf(Scheme scheme) {
  switch (scheme) {
  case Scheme::Light:
    return QStringLiteral("light");
  case Scheme::Dark:
    return QStringLiteral("dark");
  case Scheme::LightContrast:
    return QStringLiteral("light_contrast");
  case Scheme::DarkContrast:
    return QStringLiteral("dark_contrast");
  case Scheme::System:
    break;
  }
  return QStringLiteral("system");
}

QString titleOf(Scheme scheme) {
  switch (scheme) {
  case Scheme::Light:
    return QStringLiteral("Light");
  case Scheme::Dark:
    return QStringLiteral("Dark");
  case Scheme::LightContrast:
    return QStringLiteral("High contrast, light");
  case Scheme::DarkContrast:
    return QStringLiteral("High contrast, dark");
  case Scheme::System:
    break;
  }
  return QStringLiteral("System");
}

Scheme schemeNamed(const QString& name) {
  const auto* found =
      std::ranges::find_if(kSchemes, [&](Scheme each) { return nameOf(each) == name; });
  return found == std::end(kSchemes) ? Scheme::System : *found;
}

bool systemIsDark() {
  // The first call precedes the first theme, when the palette is still the desktop's.
  static const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

const Tokens& tokensOf(Scheme scheme) {
  switch (scheme) {
  case Scheme::Light:
    return lightTokens();
  case Scheme::Dark:
    return darkTokens();
  case Scheme::LightContrast:
    return lightContrastTokens();
  case Scheme::DarkContrast:
    return darkContrastTokens();
  case Scheme::System:
    break;
  }
  return systemIsDark() ? darkTokens() : lightTokens();
}

QPalette paletteOf(const Tokens& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.panel);
  p.setColor(QPalette::AlternateBase, t.window);
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::Button, t.panel);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::BrightText, t.error);
  p.setColor(QPalette::ToolTipBase, t.raised);
  p.setColor(QPalette::ToolTipText, t.text);
  p.setColor(QPalette::PlaceholderText, t.faint);
  p.setColor(QPalette::Highlight, t.selection);
  p.setColor(QPalette::HighlightedText, t.text);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::LinkVisited, t.accent);
  p.setColor(QPalette::Light, t.raised);
  p.setColor(QPalette::Midlight, t.raised);
  p.setColor(QPalette::Mid, t.border);
  p.setColor(QPalette::Dark, t.border);
  p.setColor(QPalette::Shadow, t.border);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, t.faint);
  }
  return p;
}

void applyTheme(QApplication& app, Scheme scheme) {
  systemIsDark();  // looks at the desktop's palette before ours takes its place
  const Tokens& t = tokensOf(scheme);
  // Qt polishes every widget anew, even for a style or a style sheet that is the same.
  static const Tokens* applied = nullptr;
  const Tokens* const before = std::exchange(applied, &t);
  if (before == &t) return;
  if (before == nullptr) QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setPalette(paletteOf(t));
  app.setStyleSheet(styleSheetOf(t));
}

QIcon themedIcon(const QString& name, const Tokens& t) {
  QIcon icon;
  for (const int size : {16, 20, 32, 40}) {
    icon.addPixmap(iconPicture(name, t.muted, size), QIcon::Normal);
    icon.addPixmap(iconPicture(name, t.text, size), QIcon::Active);
    icon.addPixmap(iconPicture(name, t.faint, size), QIcon::Disabled);
  }
  return icon;
}

}  // namespace gridloom::widgets
