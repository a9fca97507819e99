// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/choice_menu.h"

namespace gridloom::widgets {

namespace {

/// A name as it is: `&` would mark a letter.
QString plain(QString words) { return words.replace(QLatin1Char('&'), QStringLiteral("&&")); }

}  // namespace

ChoiceMenu::ChoiceMenu(const std::vector<MappingChoice>& choices, QWidget* parent) : QMenu(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  QStringList parts, all;
  for (const MappingChoice& each : choices) {
    if (!parts.contains(each.part)) parts << each.part;
    all << each.directive;
  }
  addKeep(this, QStringLiteral("&Keep this mapping"), all);
  addSeparator();
  for (const QString& part : parts) {
    QMenu* menu = addMenu(plain(part));
    QStringList lines;
    for (const MappingChoice& each : choices) {
      if (each.part == part) lines << each.directive;
    }
    if (lines.size() > 1)
      addKeep(menu, QStringLiteral("Keep all of this:  %1").arg(plain(part)), lines);
    for (const QString& line : lines)
      addKeep(menu, QStringLiteral("Keep this:  %1").arg(plain(line)), {line});
    menu->addSeparator();
    for (const MappingChoice& each : choices) {
      if (each.part != part || !each.canExclude) continue;
      QAction* made = menu->addAction(QStringLiteral("Not this:  %1").arg(plain(each.directive)));
      connect(made, &QAction::triggered, this,
              [this, line = each.directive] { Q_EMIT excluded(line); });
    }
  }
}

void ChoiceMenu::addKeep(QMenu* menu, const QString& title, const QStringList& directives) {
  QAction* made = menu->addAction(title);
  connect(made, &QAction::triggered, this, [this, directives] { Q_EMIT kept(directives); });
}

}  // namespace gridloom::widgets
