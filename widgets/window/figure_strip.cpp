// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/figure_strip.h"

#include <QHBoxLayout>
#include <QLabel>

namespace gridloom::widgets {

namespace {

constexpr int kMargin = 16;
constexpr int kGap = 26;

}  // namespace

FigureStrip::FigureStrip(const std::vector<Figure>& figures, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kMargin, 10, kMargin, 8);
  row->setSpacing(kGap);
  row->setSizeConstraint(QLayout::SetNoConstraint);
  for (const Figure& figure : figures) {
    auto* column = new QWidget;
    column->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* lines = new QVBoxLayout(column);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(1);
    auto* name = new QLabel(figure.name);
    name->setProperty("role", QStringLiteral("muted"));
    auto* value = new QLabel(QStringLiteral("–"));
    value->setProperty("role", QStringLiteral("figure"));
    value->setAccessibleName(figure.name);
    column->setToolTip(figure.meaning);
    lines->addWidget(name);
    lines->addWidget(value);
    row->addWidget(column);
    m_columns.push_back(column);
    m_values.push_back(value);
  }
  row->addStretch();
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void FigureStrip::setValue(std::size_t figure, const QString& value) {
  m_values[figure]->setText(value);
  hideWhatDoesNotFit();
}

QString FigureStrip::value(std::size_t figure) const { return m_values[figure]->text(); }

void FigureStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  hideWhatDoesNotFit();
}

void FigureStrip::hideWhatDoesNotFit() {
  int end = kMargin;
  for (QWidget* column : m_columns) {
    end += column->sizeHint().width();
    column->setVisible(end <= width());
    end += kGap;
  }
}

}  // namespace gridloom::widgets
