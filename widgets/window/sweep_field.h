// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "models/sweep_problem.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QWidget;

namespace gridloom::widgets {

class NumberBox;

/// Which number a sweep varies, and over which values.
class SweepField : public QObject {
  Q_OBJECT
 public:
  /// The second one may vary nothing.
  explicit SweepField(bool isSecond, QObject* parent = nullptr);

  /// What is laid out, each group as a whole.
  QList<QWidget*> groups() const;
  /// Offers numbers; the chosen one stays where it is among them, with its range.
  void offer(const std::vector<SweepParameter>& parameters);
  /// None where nothing is chosen, or where a value is no number.
  std::optional<SweepAxis> axis() const;
  /// Why there is none for what is chosen; else empty.
  QString problem() const;
  /// Shows the values, or what is wrong with what is typed.
  void refresh();

  QComboBox* parameter() const { return m_parameter; }
  QLineEdit* from() const { return m_from; }
  QLineEdit* to() const { return m_to; }
  NumberBox* count() const { return m_count; }
  QLabel* words() const { return m_words; }

 Q_SIGNALS:
  void changed();

 private:
  const SweepParameter* chosen() const;
  void suggest();

  bool m_isSecond;
  std::vector<SweepParameter> m_parameters;
  QComboBox* m_parameter;
  QLineEdit *m_from, *m_to;
  NumberBox* m_count;
  QLabel* m_words;  ///< the values, or what is wrong
  QWidget *m_choice, *m_range;
};

}  // namespace gridloom::widgets
