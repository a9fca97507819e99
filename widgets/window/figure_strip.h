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
  void setValue(std::size_t figure, const QString& value);
  QString value(std::size_t figure) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Figures that do not fit are left out, from the right: a number is never cut.
  void hideWhatDoesNotFit();
  std::vector<QWidget*> m_columns;
  std::vector<QLabel*> m_values;
};

}  // namespace gridloom::widgets
