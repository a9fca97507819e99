// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <vector>

#include "models/mapping_choices.h"

namespace gridloom::widgets {

/// "Keep this" and "Not this" for a mapping, its parts and each of their choices.
class ChoiceMenu : public QMenu {
  Q_OBJECT
 public:
  explicit ChoiceMenu(const std::vector<MappingChoice>& choices, QWidget* parent = nullptr);

 Q_SIGNALS:
  void kept(const QStringList& directives);
  void excluded(const QString& directive);

 private:
  void addKeep(QMenu* menu, const QString& title, const QStringList& directives);
};

}  // namespace gridloom::widgets
