// SPDX-License-Identifier: Apache-2.0
#include "exchange/svg_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "exchange/xml_text.h"
#include "report/numbers.h"

namespace gridloom::exchange {

namespace {

constexpr double kWidth = 760;
constexpr double kLabels = 210;  ///< left of the bars
constexpr double kValues = 90;   ///< right of them
constexpr double kRow = 22;
constexpr std::int64_t kMostCells = 64;  ///< along a side

std::string opened(double height, std::string_view title) {
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\"><title>{}</title>\n", kWidth,
                     height, escapedXml(title));
}

std::string bar(double x, double y, double width, double height, std::string_view kind) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", kind,
      x, y, std::max(width, 0.0), height);
}

std::string label(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escapedXml(text));
}

/// The colour of a loss follows what causes it.
std::string_view lossKindOf(std::string_view key) {
  if (key.ends_with("dram")) return "dram";
  if (key.ends_with("store")) return "store";
  if (key.ends_with("link")) return "link";
  if (key.ends_with("sync") || key == "launch") return "sync";
  if (key == "idle_cores" || key == "drain" || key == "uneven_cores") return "idle";
  return "unit";
}

/// Averages of blocks of cores, so that at most kMostCells stand along a side.
struct Cells {
  std::int64_t columns = 0, rows = 0;
  std::vector<double> sums;
  std::vector<std::int64_t> counts;
};

Cells cellsOf(const report::SimulationRecord& run) {
  const auto& dims = run.hardware.dims;
  const std::int64_t width = dims[0].size;
  const std::int64_t height = dims.size() > 1 ? dims[1].size : 1;
  const std::int64_t block = (std::max(width, height) + kMostCells - 1) / kMostCells;
  Cells cells;
  cells.columns = (width + block - 1) / block;
  cells.rows = (height + block - 1) / block;
  const auto count = static_cast<std::size_t>(cells.columns * cells.rows);
  cells.sums.resize(count);
  cells.counts.resize(count);
  for (const report::CoreRecord& core : run.cores) {
    if (core.coordinates.empty() || core.states.empty()) continue;
    const std::int64_t column = core.coordinates[0] / block;
    const std::int64_t row = core.coordinates.size() > 1 ? core.coordinates[1] / block : 0;
    const auto at = static_cast<std::size_t>(row * cells.columns + column);
    cells.sums[at] += core.states[0];
    ++cells.counts[at];
  }
  return cells;
}

}  // namespace

std::string rankingFigure(const report::ExplorationRecord& ranking) {
  double most = 1;
  for (const report::RankedRecord& row : ranking.top) {
    most = std::max(most, row.predicted.cycles);
    if (row.simulated) most = std::max(most, row.simulated->cycles);
  }
  const double scale = (kWidth - 60 - kValues) / most;
  const double row = kRow + 4;
  std::string text =
      opened(row * static_cast<double>(ranking.top.size()) + 4, "Cycles of the ranked mappings");
  double y = 4;
  for (const report::RankedRecord& ranked : ranking.top) {
    text += label(44, y + 14, "end", fmt::format("{}", ranked.rank));
    text += bar(52, y, ranked.predicted.cycles * scale, 8, "predicted");
    double end = ranked.predicted.cycles;
    if (ranked.simulated) {
      text += bar(52, y + 9, ranked.simulated->cycles * scale, 10, "compute");
      end = ranked.simulated->cycles;
    }
    const double longest = std::max(end, ranked.predicted.cycles) * scale;
    text += label(58 + longest, y + 14, "start", report::cyclesText(end));
    y += row;
  }
  return text + "</svg>\n";
}

std::string waterfallFigure(const report::WaterfallRecord& waterfall) {
  std::vector<const report::LossRecord*> shown;
  for (const report::LossRecord& loss : waterfall.losses) {
    if (loss.share > 0.0005) shown.push_back(&loss);
  }
  const double scale = kWidth - kLabels - kValues;
  const auto rows = static_cast<double>(shown.size() + 2);
  std::string text = opened(kRow * rows + 4, "From the peak to what is achieved");
  double y = 2;
  const auto addRow = [&](std::string_view name, double from, double share, std::string_view kind) {
    text += label(kLabels - 10, y + 15, "end", name);
    text += bar(kLabels + from * scale, y + 3, share * scale, 14, kind);
    text += label(kWidth - 4, y + 15, "end", report::percentText(share));
    y += kRow;
  };
  addRow("Peak", 0, 1, "peak");
  double left = 1;
  for (const report::LossRecord* loss : shown) {
    left -= loss->share;
    addRow(loss->name, std::max(left, 0.0), loss->share, lossKindOf(loss->key));
  }
  addRow("Achieved", 0, waterfall.achieved, "compute");
  return text + "</svg>\n";
}

std::string meshFigure(const report::SimulationRecord& run) {
  const auto& dims = run.hardware.dims;
  if (dims.empty() || dims.size() > 2 || run.simulated.cycles <= 0) return {};
  const Cells cells = cellsOf(run);
  const auto sides = static_cast<double>(std::max(cells.columns, cells.rows));
  const double size = std::clamp(480 / sides, 4.0, 44.0);
  std::string text = opened(static_cast<double>(cells.rows) * size + 24,
                            "Share of its time that each core computes");
  for (std::int64_t row = 0; row < cells.rows; ++row) {
    for (std::int64_t column = 0; column < cells.columns; ++column) {
      const auto at = static_cast<std::size_t>(row * cells.columns + column);
      const double x = 24 + static_cast<double>(column) * size;
      const double y = static_cast<double>(row) * size;
      if (cells.counts[at] == 0) {
        text += bar(x, y, size - 1, size - 1, "idle");
        continue;
      }
      const double share =
          cells.sums[at] / static_cast<double>(cells.counts[at]) / run.simulated.cycles;
      text += fmt::format("<rect class=\"compute\" opacity=\"{:.3f}\" x=\"{:.2f}\" y=\"{:.2f}\" "
                          "width=\"{:.2f}\" height=\"{:.2f}\"><title>({}, {}): {}</title></rect>\n",
                          std::clamp(share, 0.04, 1.0), x, y, size - 1, size - 1, column, row,
                          report::percentText(share));
      if (size >= 34) {
        text += fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">"
                            "{:.0f}%</text>\n",
                            share > 0.5 ? " class=\"on\"" : "", x + size / 2, y + size / 2 + 4,
                            share * 100);
      }
    }
  }
  text += label(24, static_cast<double>(cells.rows) * size + 16, "start",
                dims.size() > 1 ? dims[0].name + " to the right, " + dims[1].name + " down"
                                : dims[0].name + " to the right");
  return text + "</svg>\n";
}

}  // namespace gridloom::exchange
