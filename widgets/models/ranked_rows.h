// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "models/text_pool.h"

namespace gridloom::widgets {

/// One ranked mapping for the table and the charts. NaN: not known (yet).
struct RankedRow {
  QString mapping;         ///< mapping::describe: space | tiles | order | operands
  double predicted = 0;    ///< cycles
  double simulated = 0;    ///< cycles
  double tflops = 0;       ///< simulated where known, predicted otherwise
  double utilization = 0;  ///< as tflops
  QString bottleneck;
  double localBytes = 0;
  double localCapacity = 0;
  int twins = 0;  ///< equivalent mappings that are not listed
};

/// What a column of the table shows.
enum class RankedColumn : std::uint8_t {
  Rank,
  Predicted,
  Simulated,
  Error,
  Rate,
  Utilization,
  Memory,
  Space,
  Tiles,
  Order,
  Operands,
  Bottleneck
};
constexpr int kRankedColumns = 12;
/// Position of a column in the table.
constexpr int indexOf(RankedColumn column) { return static_cast<int>(column); }
constexpr bool isText(RankedColumn column) { return column >= RankedColumn::Space; }

/// Up to some millions of ranked mappings, column by column: 80 bytes each, and every text once.
class RankedRows {
 public:
  RankedRows() = default;
  explicit RankedRows(std::size_t size);
  explicit RankedRows(const std::vector<RankedRow>& rows);
  void set(std::size_t at, const RankedRow& row);
  RankedRow row(std::size_t at) const;
  std::size_t size() const { return m_predicted.size(); }

  /// Names of the tensors that mappings store.
  void setOutputs(QStringList names) { m_outputs = std::move(names); }
  const QStringList& outputs() const { return m_outputs; }

  /// Simulated cycles to which `Error` compares; NaN: it compares the prediction to simulation.
  void setReference(double cycles) { m_reference = cycles; }
  double reference() const { return m_reference; }

  double simulated(std::size_t at) const { return m_simulated[at]; }
  double localCapacity(std::size_t at) const { return m_localCapacity[at]; }
  int twins(std::size_t at) const { return m_twins[at]; }
  /// A column of numbers; NaN where one is not known.
  double number(std::size_t at, RankedColumn column) const;
  /// A column of texts.
  const QString& text(std::size_t at, RankedColumn column) const;
  /// Of a column of texts, per row: its text in `texts`.
  const std::vector<std::uint32_t>& textIds(RankedColumn column) const {
    return m_texts[poolOf(column)];
  }
  const TextPool& texts(RankedColumn column) const { return m_pools[poolOf(column)]; }
  /// Numbers that sort like the cells of a column, per row.
  std::vector<double> keys(RankedColumn column) const;

  static constexpr std::array kTextColumns{RankedColumn::Space, RankedColumn::Tiles,
                                           RankedColumn::Order, RankedColumn::Operands,
                                           RankedColumn::Bottleneck};

 private:
  static std::size_t poolOf(RankedColumn column);
  const std::vector<double>* stored(RankedColumn column) const;

  std::vector<double> m_predicted, m_simulated, m_tflops, m_utilization, m_localBytes,
      m_localCapacity;
  std::vector<std::int32_t> m_twins;
  std::array<TextPool, kTextColumns.size()> m_pools;
  std::array<std::vector<std::uint32_t>, kTextColumns.size()> m_texts;
  double m_reference = std::numeric_limits<double>::quiet_NaN();
  QStringList m_outputs;
};

}  // namespace gridloom::widgets
