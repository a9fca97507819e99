// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;

namespace gridloom::widgets {

/// The main figures, each under its name, in as many rows as the width requires.
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
  /// A line under each value: its change from A; empty for none. In a low window the brief form,
  /// where there is one, with the whole as the tooltip.
  struct Change {
    QString whole, brief;
  };
  void setChanges(std::vector<Change> changes);
  QString change(std::size_t figure) const;
  /// Smaller figures, for a low window.
  void setCompact(bool compact);

 protected:
  bool event(QEvent* event) override;

 private:
  void showChanges();
  std::vector<Change> m_texts;
  std::vector<QLabel*> m_values, m_changes;
  bool m_compact = false;
};

}  // namespace gridloom::widgets
