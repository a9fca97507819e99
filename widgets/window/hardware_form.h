// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "bridge/hardware_trial.h"
#include "models/hardware_text.h"

class QGridLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSlider;

namespace gridloom::widgets {

class NumberBox;
class SelectionHub;
class Session;

/// The numbers of the hardware text as fields: those of what is selected on the mesh, or all. An
/// edit replaces the number where it stands in the text, as one step of the undo history. A slider
/// shows what the mapping would take while it is dragged.
class HardwareForm : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kSliderSteps = 60;  ///< of a slider to each side

  HardwareForm(Session* session, SelectionHub* hub, QWidget* parent = nullptr);

  /// The field of an attribute ("" for a parameter) of a component; null when it is not shown.
  QLineEdit* field(const QString& component, const QString& attribute) const;
  NumberBox* box(const QString& parameter) const;
  QSlider* slider(const QString& component, const QString& attribute) const;
  /// Adds parts to the machine; its menu is filled when it opens.
  QPushButton* addButton() const { return m_add; }
  QPushButton* torusButton() const { return m_torus; }
  QPushButton* meshButton() const { return m_meshEdge; }
  QPushButton* ringButton() const { return m_ring; }
  const QLabel* result() const { return m_result; }

 Q_SIGNALS:
  void ringWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Row {
    language::HardwareField field;
    QLineEdit* line = nullptr;  ///< one of the two
    NumberBox* box = nullptr;
    QSlider* slider = nullptr;
    double dragged = 0;  ///< the number when the drag of the slider began
  };
  void build();
  void refresh();
  void rebuild(const std::vector<language::HardwareField>& fields);
  void addHeading(const language::HardwareField& field);
  void addRow(const language::HardwareField& field);
  QSlider* addSlider(const QString& name, int row, std::size_t index);
  void addDisabled();
  void showSliders();
  void fill();
  void markProblems();
  void adoptTyped(std::size_t row);
  void adoptBox(std::size_t row, int value);
  void drag(std::size_t row);
  void endDrag(std::size_t row);
  void write(const language::HardwareField& field, const QString& value);
  QHBoxLayout* makeHead();
  QWidget* makeEdge();
  void showEdge();
  void showScope();
  void showResult();
  std::vector<language::HardwareField> shownFields() const;
  const Row* rowOf(const QString& component, const QString& attribute) const;

  Session* m_session;
  SelectionHub* m_hub;
  HardwareTrial m_trial;
  QScrollArea* m_area = nullptr;
  QGridLayout* m_grid = nullptr;
  int m_nextRow = 0;  ///< of the grid, below what stands in it
  QLabel* m_scope = nullptr;
  QPushButton* m_all = nullptr;
  QPushButton* m_add = nullptr;
  QWidget* m_edge = nullptr;
  QPushButton* m_torus = nullptr;
  QPushButton* m_meshEdge = nullptr;
  QPushButton* m_ring = nullptr;
  QLabel* m_result = nullptr;
  QMap<QString, QString> m_sizes;  ///< of parameters and dimensions: what they are the size of
  std::vector<Row> m_rows;
  std::vector<std::vector<std::int64_t>> m_disabled;
  bool m_dragging = false;
};

}  // namespace gridloom::widgets
