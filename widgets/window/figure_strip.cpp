// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/figure_strip.h"

#include <QHBoxLayout>
#include <QLabel>

namespace gridloom::widgets {

namespace {

QLabel* label(const QString& words, const char* role) {
  auto* made = new QLabel(words);
  made->setProperty("role", QLatin1String(role));
  return made;
}

}  // namespace

FigureStrip::FigureStrip(const std::vector<Figure>& figures, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 10, 16, 8);
  row->setSpacing(24);
  for (const Figure& figure : figures) {
    auto* column = new QVBoxLayout;
    column->setSpacing(1);
    auto* name = label(figure.name, "muted");
    auto* value = label(QStringLiteral("–"), "figure");
    auto* unit = label({}, "faint");
    for (QLabel* part : {name, value, unit}) part->setToolTip(figure.meaning);
    value->setAccessibleName(figure.name);
    auto* line = new QHBoxLayout;
    line->setSpacing(5);
    line->addWidget(value, 0, Qt::AlignBaseline);
    line->addWidget(unit, 0, Qt::AlignBaseline);
    line->addStretch();
    column->addWidget(name);
    column->addLayout(line);
    row->addLayout(column);
    m_labels.push_back({value, unit, {}});
  }
  row->addStretch();
  // The figures are cut on the right rather than keeping the window wide.
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void FigureStrip::setValue(std::size_t figure, const QString& value, const QString& unit) {
  Labels& labels = m_labels[figure];
  labels.text = value;
  labels.value->setText(value);
  labels.unit->setText(unit);
}

QString FigureStrip::value(std::size_t figure) const { return m_labels[figure].text; }

}  // namespace gridloom::widgets
