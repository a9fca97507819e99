// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/measured_scatter.h"

#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

constexpr double kManyTimes = 8;  // figures further apart get logarithmic axes

QString sideText(const char* side, const std::optional<double>& error,
                 const std::optional<double>& ranks) {
  if (!error) return {};
  QString words = QStringLiteral("%1 error %2").arg(QLatin1String(side), percentText(*error));
  return ranks ? words + QStringLiteral(", τ %1").arg(*ranks, 0, 'f', 2) : words;
}

}  // namespace

QString measuredSummary(std::span<const report::ReproducedFigure> figures) {
  const auto summaries = report::summarize(figures);
  if (summaries.empty()) return {};
  const report::QuantitySummary& all = summaries.front();
  QStringList parts;
  for (const QString& part : {sideText("Simulated", all.simulatedError, all.simulatedRanks),
                              sideText("predicted", all.predictedError, all.predictedRanks)}) {
    if (!part.isEmpty()) parts << part;
  }
  return parts.join(QStringLiteral("  ·  "));
}

ScatterData measuredScatter(std::span<const report::ReproducedFigure> figures) {
  ScatterData data;
  data.caption = QStringLiteral(" ");  // the panel tells the errors
  data.empty = QStringLiteral("No row has a measured figure of this quantity.");
  data.series = {QStringLiteral("simulated"), QStringLiteral("predicted")};
  const QString quantity =
      figures.empty() ? QString() : QLatin1Char(' ') + text(figures.front().quantity);
  data.xTitle = QStringLiteral("Measured") + quantity;
  data.yTitle = QStringLiteral("Ours") + quantity;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const report::ReproducedFigure& figure = figures[i];
    const auto add = [&](const std::optional<double>& ours, int series) {
      if (figure.published && ours)
        data.points.push_back({*figure.published, *ours, static_cast<int>(i), series});
    };
    add(figure.simulated, 0);
    add(figure.predicted, 1);
  }
  double low = INFINITY, high = 0;
  for (const auto& point : data.points) {
    low = std::min({low, point.x, point.y});
    high = std::max({high, point.x, point.y});
  }
  data.logarithmic = low > 0 && high > kManyTimes * low;
  return data;
}

report::Table measuredTable(const report::Reproduction& figures, const QStringList& sizes) {
  report::Table table = report::figureTable(figures);
  for (report::Column& column : table.columns) {
    if (column.title == "published") column.title = "measured";
    if (column.title == "pred/pub") column.title = "pred/meas";
    if (column.title == "sim/pub") column.title = "sim/meas";
  }
  table.columns[1] = {"sizes", "sizes", report::Align::Left};
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i][1] = report::textCell(sizes[static_cast<qsizetype>(i)].toStdString());
  return table;
}

}  // namespace gridloom::widgets
