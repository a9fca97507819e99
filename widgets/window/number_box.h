// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

namespace gridloom::widgets {

/// A field for a whole number. Any number may be typed; when it is entered, one out of range
/// becomes the nearest in range, and a message says so.
class NumberBox : public QSpinBox {
  Q_OBJECT
 public:
  /// `name` is what messages and screen readers call it.
  NumberBox(const QString& name, int least, int most, QWidget* parent = nullptr);
  /// The text is not yet the value: Enter or a change of focus will make it so.
  bool isBeingTyped() const;
  void undoTyping();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void corrected(const QString& message) const;

 protected:
  QValidator::State validate(QString& input, int& position) const override;
  void fixup(QString& input) const override;

 private:
  QString m_name;
};

}  // namespace gridloom::widgets
