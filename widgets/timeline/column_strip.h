// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <array>
#include <cstdint>
#include <vector>

class QPainter;

namespace gridloom::widgets {

/// A band of columns, each a stack of colours from the bottom up. One image on a screen, merged
/// rectangles in a vector drawing.
class ColumnStrip {
 public:
  static constexpr std::size_t kMostLayers = 8;
  struct Layer {
    float height = 0;  ///< share of the band
    QRgb colour = 0;
  };
  struct Column {
    std::array<Layer, kMostLayers> layers{};
    std::uint8_t count = 0;
    void add(float height, QRgb colour);
    friend bool operator==(const Column& a, const Column& b);
  };

  explicit ColumnStrip(std::size_t columns) : m_columns(columns) {}
  Column& operator[](std::size_t column) { return m_columns[column]; }
  std::size_t size() const { return m_columns.size(); }
  /// The columns side by side over the whole of `area`.
  void paint(QPainter& painter, const QRectF& area) const;

 private:
  void paintImage(QPainter& painter, const QRectF& area) const;
  void paintRects(QPainter& painter, const QRectF& area) const;

  std::vector<Column> m_columns;
};

/// Columns that `width` of a painter's page has: its pixels on a screen.
std::size_t columnsOf(const QPainter& painter, double width);

}  // namespace gridloom::widgets
