// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_csv.h"

#include <array>
#include <cmath>

#include "models/ranked_model.h"

namespace gridloom::widgets {

namespace {

constexpr std::int64_t kRowsPerLook = 4096;

/// Columns of a file before the mapping.
constexpr std::array kFileColumns{
    RankedColumn::Rank, RankedColumn::Predicted,   RankedColumn::Simulated,  RankedColumn::Error,
    RankedColumn::Rate, RankedColumn::Utilization, RankedColumn::Bottleneck, RankedColumn::Memory};

QString quoted(QString field) {
  if (!field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) &&
      !field.contains(QLatin1Char('\n'))) {
    return field;
  }
  field.replace(QLatin1Char('"'), QLatin1String("\"\""));
  return QLatin1Char('"') + field + QLatin1Char('"');
}

QString cellOf(const RankedRows& rows, std::size_t at, RankedColumn column) {
  if (isText(column)) return quoted(rows.text(at, column));
  if (column == RankedColumn::Rank) return QString::number(at + 1);
  const double number = rows.number(at, column);
  return std::isfinite(number) ? QString::number(number, 'g', 17) : QString();
}

}  // namespace

std::optional<QByteArray> csvOf(const RankedRows& rows, const std::vector<int>& shown,
                                base::Progress& progress) {
  QByteArray out;
  for (const RankedColumn column : kFileColumns) {
    const bool isChange = column == RankedColumn::Error && !std::isnan(rows.reference());
    out += (isChange ? QStringLiteral("change_to_a") : keyOf(column)).toUtf8() + ',';
  }
  out += "mapping\r\n";
  for (std::size_t n = 0; n < shown.size(); ++n) {
    if (n % kRowsPerLook == 0) {
      if (progress.cancelled()) return std::nullopt;
      progress.add(n == 0 ? 0 : kRowsPerLook);
    }
    const auto at = static_cast<std::size_t>(shown[n]);
    for (const RankedColumn column : kFileColumns) out += cellOf(rows, at, column).toUtf8() + ',';
    out += quoted(rows.row(at).mapping).toUtf8() + "\r\n";
  }
  return out;
}

}  // namespace gridloom::widgets
