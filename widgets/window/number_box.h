// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

namespace gridloom::widgets {

/// A field for a whole number. The user may type any number; on entry, one out of range becomes the
/// nearest in range, with a message.
class NumberBox : public QSpinBox {
  Q_OBJECT
 public:
  /// `name` is its name in messages and for screen readers.
  NumberBox(const QString& name, int least, int most, QWidget* parent = nullptr);
  /// The text differs from the value until Enter or a change of focus.
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
