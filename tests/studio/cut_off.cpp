// SPDX-License-Identifier: Apache-2.0
#include "cut_off.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTabBar>
#include <QTableView>

#include "canvas/mesh_canvas.h"
#include "charts/scatter_plot.h"
#include "timeline/timeline_canvas.h"
#include "window/figure_strip.h"
#include "window/heat_scale.h"
#include "window/line_label.h"

using namespace gridloom::widgets;

namespace {

/// Of studio.qss, at both sides; Qt takes it off once for the section and once for its label.
constexpr int kTitlePadding = 2 * 2 * 5;

QString nameOf(const QWidget& widget) {
  QString name = QString::fromLatin1(widget.metaObject()->className());
  if (!widget.objectName().isEmpty()) name += QLatin1Char(' ') + widget.objectName();
  if (!widget.accessibleName().isEmpty()) name += QLatin1Char(' ') + widget.accessibleName();
  if (const auto* label = qobject_cast<const QLabel*>(&widget))
    name += QStringLiteral(" \"%1\"").arg(label->text());
  const QRect at(widget.mapTo(widget.window(), QPoint()), widget.size());
  return name +
         QStringLiteral(" at %1,%2 %3x%4").arg(at.x()).arg(at.y()).arg(at.width()).arg(at.height());
}

/// Panels behind the front tab stay laid out, somewhere outside of the window.
bool isBehindTab(const QWidget* widget) {
  const QWidget* holder = widget;
  while (holder && !qobject_cast<const QDockWidget*>(holder)) holder = holder->parentWidget();
  return holder && !holder->window()->rect().intersects(holder->geometry());
}

bool counts(const QWidget* widget) {
  if (!widget->isVisible() || widget->size().isEmpty() || isBehindTab(widget)) return false;
  if (qobject_cast<const QHeaderView*>(widget)) return false;
  if (const auto* label = qobject_cast<const QLabel*>(widget)) return !label->text().isEmpty();
  return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget) ||
         qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
         qobject_cast<const QTabBar*>(widget) || qobject_cast<const QAbstractScrollArea*>(widget) ||
         qobject_cast<const MeshCanvas*>(widget) || qobject_cast<const ScatterPlot*>(widget) ||
         qobject_cast<const HeatScale*>(widget) || qobject_cast<const TimelineCanvas*>(widget) ||
         qobject_cast<const FigureStrip*>(widget);
}

bool isInside(const QWidget* widget) {
  for (const QWidget* holder = widget->parentWidget(); holder; holder = holder->parentWidget()) {
    // What can be scrolled into view is not cut off.
    if (qobject_cast<const QScrollArea*>(holder->parentWidget())) return true;
    if (!holder->rect().contains({widget->mapTo(holder, QPoint()), widget->size()})) return false;
    if (holder->isWindow()) break;
  }
  return true;
}

/// Buttons of Qt's own that the style sheet makes smaller than their hint; they hold an icon alone.
bool isDrawnSmall(const QWidget* widget) {
  return widget->inherits("QDockWidgetTitleButton") || widget->inherits("QToolBarExtension");
}

bool hasRoom(const QWidget* widget) {
  if (isDrawnSmall(widget)) return true;
  if (const auto* line = qobject_cast<const LineLabel*>(widget))
    return line->toolTip() == line->line();
  if (const auto* label = qobject_cast<const QLabel*>(widget)) {
    if (label->wordWrap()) return label->heightForWidth(label->width()) <= label->height();
    return label->sizeHint().width() <= label->width();
  }
  if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
    for (int i = 0; i < tabs->count(); ++i) {
      const int text = tabs->fontMetrics().horizontalAdvance(tabs->tabText(i));
      if (tabs->tabRect(i).width() < text || tabs->tabRect(i).right() > tabs->width()) return false;
    }
    return true;
  }
  const QSize least = widget->minimumSizeHint();
  const bool needsHint = qobject_cast<const QComboBox*>(widget) ||
                         qobject_cast<const QAbstractSpinBox*>(widget) ||
                         qobject_cast<const QAbstractButton*>(widget);
  if (needsHint && widget->width() < widget->sizeHint().width()) return false;
  return widget->width() >= least.width() && widget->height() >= std::min(least.height(), 60);
}

}  // namespace

QStringList elidedTexts(const QTableView& table) {
  QStringList out;
  const QHeaderView* header = table.horizontalHeader();
  for (int column = 0; column < table.model()->columnCount(); ++column) {
    if (table.isColumnHidden(column)) continue;
    const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
    if (header->fontMetrics().size(0, title).width() + kTitlePadding > table.columnWidth(column))
      out << QStringLiteral("header ") + title;
    // What the style says the cells need, laid out as it paints them.
    const int cells = static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column);
    if (cells > table.columnWidth(column))
      out << QStringLiteral("column %1 has %2 and needs %3")
                 .arg(title)
                 .arg(table.columnWidth(column))
                 .arg(cells);
  }
  return out;
}

QStringList cutOffWidgets(const QWidget& window) {
  QStringList out;
  QList<const QWidget*> all;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->window() == &window && counts(widget)) all << widget;
  }
  for (const QWidget* widget : all) {
    if (!isInside(widget)) out << QStringLiteral("outside: ") + nameOf(*widget);
    if (!hasRoom(widget)) out << QStringLiteral("too small: ") + nameOf(*widget);
    for (const QWidget* other : all) {
      if (other >= widget || other->parentWidget() != widget->parentWidget()) continue;
      if (widget->geometry().intersects(other->geometry()))
        out << QStringLiteral("overlap: %1 and %2").arg(nameOf(*widget), nameOf(*other));
    }
  }
  return out;
}
