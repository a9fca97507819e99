// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;
class QIcon;
class QPalette;
class QString;

namespace gridloom::widgets {

struct Tokens;

enum class Scheme { System, Light, Dark, LightContrast, DarkContrast };
constexpr Scheme kSchemes[] = {Scheme::System, Scheme::Light, Scheme::Dark, Scheme::LightContrast,
                               Scheme::DarkContrast};

QString nameOf(Scheme scheme);
/// As a menu names it.
QString titleOf(Scheme scheme);
/// System for an unknown name.
Scheme schemeNamed(const QString& name);

/// Whether the desktop's own palette, as it was before `applyTheme`, is a dark one.
bool systemIsDark();

/// Sets style, palette and style sheet of the whole application; open windows follow at once.
void applyTheme(QApplication& app, Scheme scheme);

const Tokens& tokensOf(Scheme scheme);
QPalette paletteOf(const Tokens& tokens);

/// A line icon of resources/icons in the theme's colours, with a faint disabled state.
QIcon themedIcon(const QString& name, const Tokens& tokens);

}  // namespace gridloom::widgets
