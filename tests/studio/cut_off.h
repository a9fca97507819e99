// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

class QTableView;
class QWidget;

/// Headers and cells of a table whose text is wider than their place.
QStringList elidedTexts(const QTableView& table);

/// Controls, labels, tables and drawings of a window that are visible and not whole: outside of
/// what holds them, smaller than they need, on top of each other, or with a text that does not fit.
QStringList cutOffWidgets(const QWidget& window);
