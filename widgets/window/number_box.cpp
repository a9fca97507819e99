// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/number_box.h"

#include <QLineEdit>
#include <QToolTip>
#include <algorithm>

namespace gridloom::widgets {

namespace {

constexpr qsizetype kMostDigits = 18;  // always fits into 64 bits
constexpr qsizetype kUsualDigits = 5;  // reserved width, even for shorter numbers

}  // namespace

NumberBox::NumberBox(const QString& name, int least, int most, QWidget* parent)
    : QSpinBox(parent), m_name(name) {
  setRange(least, most);
  setButtonSymbols(QAbstractSpinBox::NoButtons);
  setKeyboardTracking(false);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(name);
  connect(this, &QSpinBox::valueChanged, this, [this] { updateGeometry(); });
}

bool NumberBox::isBeingTyped() const { return lineEdit()->text() != textFromValue(value()); }

void NumberBox::undoTyping() { lineEdit()->setText(textFromValue(value())); }

/// Fits the current number, not the largest possible one.
QSize NumberBox::sizeHint() const {
  QSize hint = QSpinBox::sizeHint();
  const auto widthOf = [this](qsizetype digits) {
    return fontMetrics().horizontalAdvance(QString(digits, QLatin1Char('8')));
  };
  const qsizetype digits = std::max(kUsualDigits, QString::number(value()).size());
  hint.setWidth(hint.width() + widthOf(digits) - widthOf(QString::number(maximum()).size()));
  return hint;
}

QValidator::State NumberBox::validate(QString& input, int&) const {
  if (input.isEmpty()) return QValidator::Intermediate;
  const bool digits = std::all_of(input.cbegin(), input.cend(), [](QChar c) {
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
  });
  if (!digits || input.size() > kMostDigits) return QValidator::Invalid;
  const qlonglong number = input.toLongLong();
  return number >= minimum() && number <= maximum() ? QValidator::Acceptable
                                                    : QValidator::Intermediate;
}

void NumberBox::fixup(QString& input) const {
  bool isNumber = false;
  const qlonglong wanted = input.toLongLong(&isNumber);
  if (!isNumber) return;
  const qlonglong nearest = std::clamp<qlonglong>(wanted, minimum(), maximum());
  if (nearest == wanted) return;
  input = QString::number(nearest);
  const QString message = QStringLiteral("%1 takes %2 to %3: %4 became %5")
                              .arg(m_name)
                              .arg(minimum())
                              .arg(maximum())
                              .arg(wanted)
                              .arg(nearest);
  QToolTip::showText(mapToGlobal(rect().bottomLeft()), message, const_cast<NumberBox*>(this));
  Q_EMIT corrected(message);
}

}  // namespace gridloom::widgets
