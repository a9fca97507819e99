// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QPushButton;

namespace gridloom::widgets {

class CodeEditor;
class FlowLayout;
class NumberBox;
class SelectionHub;
class Session;
class WrappedLabel;

/// The kernel's text with its parameters above.
class KernelPanel : public QWidget {
  Q_OBJECT
 public:
  KernelPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  CodeEditor* editor() const { return m_editor; }
  /// Loops, work, bytes and roofline, of kernels without a mapping, too.
  const WrappedLabel* facts() const { return m_facts; }
  /// The field of a parameter, null when the kernel has none of that name.
  NumberBox* parameter(const QString& name) const;

 Q_SIGNALS:
  void corrected(const QString& message);  ///< a number out of range became the nearest in range

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showParameters();
  void showFacts();
  void reserveFacts();
  void makeFields(const QStringList& names);
  Session* m_session;
  FlowLayout* m_fields;
  CodeEditor* m_editor;
  SelectionHub* m_hub;
  WrappedLabel* m_facts;
  std::vector<std::pair<QString, NumberBox*>> m_boxes;
};

/// The directives' text, and a button that writes the directives that pin the selected mapping.
class DirectivesPanel : public QWidget {
  Q_OBJECT
 public:
  DirectivesPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  CodeEditor* editor() const { return m_editor; }
  /// The directives that leave only the selected mapping; empty without one.
  QString selectedMapping() const;

 public Q_SLOTS:
  void pinSelected();
  void clearAll();
  /// Writes directives that keep choices of a mapping, or exclude one, and goes to them. One step
  /// of undo each.
  void keep(const QStringList& directives);
  void exclude(const QString& directive);
  /// Writes these alone, as one step of undo.
  void open(const QString& directives);

 Q_SIGNALS:
  void written();  ///< by keep(), exclude() or open()

 private:
  void write(const QString& words, const QString& line);
  Session* m_session;
  SelectionHub* m_hub;
  CodeEditor* m_editor;
  QPushButton* m_pin;
};

}  // namespace gridloom::widgets
