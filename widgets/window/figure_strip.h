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
  /// A line under each value: its change from A; empty for none. In a low window, and where the
  /// figures would need a second row, the brief form, with the whole as the tooltip.
  struct Change {
    QString whole, brief;
  };
  void setChanges(std::vector<Change> changes);
  /// What stands beside a value: its unit, its error, its evidence. Where the figures would need a
  /// second row, a note has its brief form, or is dropped, the last figure's after the others, and
  /// that goes into its caption; the tooltip always has the whole.
  void setNote(std::size_t figure, const QString& note, const QString& brief = {});
  QString note(std::size_t figure) const;
  /// The note as it is shown; empty where there is no room beside the value.
  QString shownNote(std::size_t figure) const;
  QString caption(std::size_t figure) const;
  QString change(std::size_t figure) const;
  /// Smaller figures, for a low window.
  void setCompact(bool compact);

 protected:
  bool event(QEvent* event) override;

 private:
  void fit();
  void fitChanges();
  void showChanges(bool brief);
  int widthOf(std::size_t figure, const QString& note, const QString& change) const;
  static int widthOf(const QLabel& label, const QString& words);
  QString changeOf(std::size_t figure, bool brief) const;
  int room(bool brief) const;
  void fitNotes();
  bool showNotes(const std::vector<QString>& notes);
  struct Note {
    QString whole, brief, meaning, name;
    QWidget* column = nullptr;
  };
  std::vector<Note> m_noteTexts;
  std::vector<Change> m_texts;
  std::vector<QLabel*> m_values, m_names, m_notes, m_changes;
  bool m_compact = false;
  bool m_brief = false;  ///< changes have their brief form
};

}  // namespace gridloom::widgets
