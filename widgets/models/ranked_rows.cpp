// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_rows.h"

#include "report/statistics.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace gridloom::widgets {

namespace {

const QString kBetween = QStringLiteral(" | ");

}  // namespace

std::size_t RankedRows::poolOf(RankedColumn column) {
  std::size_t pool = 0;
  while (kTextColumns[pool] != column) ++pool;
  return pool;
}

RankedRows::RankedRows(std::size_t size) {
  for (auto* numbers :
       {&m_predicted, &m_simulated, &m_tflops, &m_utilization, &m_localBytes, &m_localCapacity})
    numbers->assign(size, 0);
  m_twins.assign(size, 0);
  for (auto& texts : m_texts) texts.assign(size, 0);
}

RankedRows::RankedRows(const std::vector<RankedRow>& rows) : RankedRows(rows.size()) {
  for (std::size_t i = 0; i < rows.size(); ++i) set(i, rows[i]);
}

void RankedRows::set(std::size_t at, const RankedRow& row) {
  m_predicted[at] = row.predicted;
  m_simulated[at] = row.simulated;
  m_tflops[at] = row.tflops;
  m_utilization[at] = row.utilization;
  m_localBytes[at] = row.localBytes;
  m_localCapacity[at] = row.localCapacity;
  m_twins[at] = row.twins;
  const QStringList parts = row.mapping.split(kBetween);
  for (std::size_t pool = 0; pool < kTextColumns.size(); ++pool) {
    const bool isPart = kTextColumns[pool] != RankedColumn::Bottleneck;
    const QString text = isPart ? parts.value(static_cast<int>(pool)) : row.bottleneck;
    m_texts[pool][at] = m_pools[pool].add(text);
  }
}

RankedRow RankedRows::row(std::size_t at) const {
  QStringList parts;
  for (const RankedColumn column : kTextColumns) {
    if (column != RankedColumn::Bottleneck && !text(at, column).isEmpty())
      parts << text(at, column);
  }
  return {parts.join(kBetween), m_predicted[at],     m_simulated[at],
          m_tflops[at],         m_utilization[at],   text(at, RankedColumn::Bottleneck),
          m_localBytes[at],     m_localCapacity[at], m_twins[at]};
}

/// The numbers of a column that is no function of others; null for any other.
const std::vector<double>* RankedRows::stored(RankedColumn column) const {
  switch (column) {
  case RankedColumn::Predicted:
    return &m_predicted;
  case RankedColumn::Simulated:
    return &m_simulated;
  case RankedColumn::Rate:
    return &m_tflops;
  case RankedColumn::Utilization:
    return &m_utilization;
  case RankedColumn::Memory:
    return &m_localBytes;
  case RankedColumn::Rank:
  case RankedColumn::Error:
  case RankedColumn::Bottleneck:
  case RankedColumn::Space:
  case RankedColumn::Tiles:
  case RankedColumn::Order:
  case RankedColumn::Operands:
    break;
  }
  return nullptr;
}

double RankedRows::number(std::size_t at, RankedColumn column) const {
  if (const std::vector<double>* numbers = stored(column)) return (*numbers)[at];
  if (column == RankedColumn::Rank) return static_cast<double>(at + 1);
  if (column != RankedColumn::Error) return std::numeric_limits<double>::quiet_NaN();
  return std::isnan(m_reference) ? report::predictionRatio(m_predicted[at], m_simulated[at]) - 1
                                 : m_simulated[at] / m_reference - 1;
}

const QString& RankedRows::text(std::size_t at, RankedColumn column) const {
  const std::size_t pool = poolOf(column);
  return m_pools[pool].at(m_texts[pool][at]);
}

std::vector<double> RankedRows::keys(RankedColumn column) const {
  if (const std::vector<double>* numbers = stored(column)) return *numbers;
  std::vector<double> keys(size());
  if (!isText(column)) {
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = number(i, column);
    return keys;
  }
  const std::vector<std::uint32_t> positions = texts(column).positions();
  std::ranges::transform(textIds(column), keys.begin(),
                         [&](std::uint32_t id) { return positions[id]; });
  return keys;
}

}  // namespace gridloom::widgets
