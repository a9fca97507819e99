// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;

namespace gridloom::widgets {

/// A row of the few figures that matter, each under its name.
class FigureStrip : public QWidget {
  Q_OBJECT
 public:
  struct Figure {
    QString name;
    QString meaning;  ///< tooltip
  };
  explicit FigureStrip(const std::vector<Figure>& figures, QWidget* parent = nullptr);
  void setValue(std::size_t figure, const QString& value, const QString& unit = {});
  QString value(std::size_t figure) const;

 private:
  struct Labels {
    QLabel* value;
    QLabel* unit;
    QString text;
  };
  std::vector<Labels> m_labels;
};

}  // namespace gridloom::widgets
