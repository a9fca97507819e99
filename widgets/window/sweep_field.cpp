// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sweep_field.h"

#include <QComboBox>
#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"
#include "report/numbers.h"
#include "window/number_box.h"

namespace gridloom::widgets {

namespace {

constexpr int kMostSweepValues = 24, kUsualSweepValues = 5;
constexpr int kFieldWidth = 76;
constexpr std::size_t kShownValues = 7;  // of a range; the tooltip has all

QLabel* fieldCaption(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", QStringLiteral("muted"));
  return label;
}

QWidget* fieldRowOf(const QList<QWidget*>& widgets) {
  auto* group = new QWidget;
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  for (QWidget* each : widgets) row->addWidget(each);
  return group;
}

QLineEdit* fieldNumberLine(const QString& name) {
  auto* line = new QLineEdit;
  line->setAccessibleName(name);
  line->setFixedWidth(kFieldWidth);
  auto* numbers = new QDoubleValidator(0, 1e15, 6, line);
  numbers->setLocale(QLocale::c());
  line->setValidator(numbers);
  return line;
}

/// A number above 0, as typed.
std::optional<double> fieldNumberIn(const QLineEdit* line) {
  bool ok = false;
  const double value = QLocale::c().toDouble(line->text(), &ok);
  return ok && value > 0 ? std::optional(value) : std::nullopt;
}

QString fieldTypedText(double value) { return text(report::exactText(value)); }

/// "4 6 8 … 64 KiB"; all of them where `most` is not given.
QString fieldValuesText(const SweepAxis& axis, std::size_t most = SIZE_MAX) {
  QStringList words;
  const std::size_t count = axis.values.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool isLeftOut = count > most && i >= most - 2 && i + 1 < count;
    if (!isLeftOut)
      words << text(report::sweepValueText(axis.values[i]));
    else if (words.last() != QStringLiteral("…"))
      words << QStringLiteral("…");
  }
  if (!axis.parameter.unit.empty()) words << text(axis.parameter.unit);
  return words.join(QLatin1Char(' '));
}

/// A property that the style sheet asks for.
void setFieldProperty(QWidget* widget, const char* property, const QVariant& value) {
  if (widget->property(property) == value) return;
  widget->setProperty(property, value);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

}  // namespace

SweepField::SweepField(bool isSecond, QObject* parent)
    : QObject(parent), m_isSecond(isSecond), m_parameter(new QComboBox), m_words(fieldCaption({})) {
  const QString nth = QLatin1String(isSecond ? "second" : "first");
  m_parameter->setAccessibleName(QStringLiteral("Number that varies, %1").arg(nth));
  m_parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_parameter->setMinimumContentsLength(22);
  m_from = fieldNumberLine(QStringLiteral("First value, %1 number").arg(nth));
  m_to = fieldNumberLine(QStringLiteral("Last value, %1 number").arg(nth));
  m_count = new NumberBox(QStringLiteral("Values, %1 number").arg(nth), 1, kMostSweepValues);
  m_count->setValue(kUsualSweepValues);
  auto* word = fieldCaption(QLatin1String(isSecond ? "and" : "Vary"));
  word->setMinimumWidth(word->fontMetrics().horizontalAdvance(QStringLiteral("Vary")) + 2);
  m_choice = fieldRowOf({word, m_parameter});
  m_range = fieldRowOf(
      {fieldCaption(QStringLiteral("from")), m_from, fieldCaption(QStringLiteral("to")), m_to,
       fieldCaption(QStringLiteral("in")), m_count, fieldCaption(QStringLiteral("values"))});
  connect(m_parameter, &QComboBox::activated, this, [this] {
    suggest();
    Q_EMIT changed();
  });
  for (const QLineEdit* line : {m_from, m_to})
    connect(line, &QLineEdit::textChanged, this, &SweepField::changed);
  connect(m_count, &QSpinBox::valueChanged, this, &SweepField::changed);
}

QList<QWidget*> SweepField::groups() const { return {m_choice, m_range, m_words}; }

const SweepParameter* SweepField::chosen() const {
  const int at = m_parameter->currentIndex() - (m_isSecond ? 1 : 0);
  return at >= 0 && at < static_cast<int>(m_parameters.size())
             ? &m_parameters[static_cast<std::size_t>(at)]
             : nullptr;
}

void SweepField::offer(const std::vector<SweepParameter>& parameters) {
  m_parameters = parameters;
  const QString before = m_parameter->currentText();
  m_parameter->clear();
  if (m_isSecond) m_parameter->addItem(QStringLiteral("nothing else"));
  for (const SweepParameter& each : m_parameters) m_parameter->addItem(text(each.title));
  const int same = m_parameter->findText(before);
  const int usual = m_isSecond ? 0 : m_parameter->findText(QStringLiteral("cols"));
  m_parameter->setCurrentIndex(same >= 0 ? same : std::max(usual, 0));
  if (same < 0) suggest();
}

/// From half to twice of the present value.
void SweepField::suggest() {
  const SweepParameter* parameter = chosen();
  if (!parameter) return;
  const double half = parameter->now / 2;
  const double least = parameter->whole ? std::max(1.0, std::ceil(half)) : half;
  m_from->setText(fieldTypedText(least));
  m_to->setText(fieldTypedText(std::max(parameter->now * 2, least)));
}

std::optional<SweepAxis> SweepField::axis() const {
  const SweepParameter* parameter = chosen();
  const auto from = fieldNumberIn(m_from), to = fieldNumberIn(m_to);
  if (!parameter || !from || !to) return std::nullopt;
  return SweepAxis{*parameter, sweep::sweepValues(*parameter, std::min(*from, *to),
                                                  std::max(*from, *to), m_count->value())};
}

QString SweepField::problem() const {
  if (!chosen()) return {};
  if (!fieldNumberIn(m_from)) return QStringLiteral("The first value is a number above 0");
  if (!fieldNumberIn(m_to)) return QStringLiteral("The last value is a number above 0");
  return {};
}

void SweepField::refresh() {
  const bool used = chosen() != nullptr;
  m_range->setVisible(used);
  m_words->setVisible(used);
  const auto values = axis();
  setFieldProperty(m_words, "role", QLatin1String(values ? "muted" : "error"));
  for (QLineEdit* line : {m_from, m_to}) setFieldProperty(line, "bad", !fieldNumberIn(line));
  m_words->setText(values ? fieldValuesText(*values, kShownValues) : problem());
  m_words->setToolTip(values ? fieldValuesText(*values) : QString());
}

}  // namespace gridloom::widgets
