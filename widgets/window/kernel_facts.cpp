// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/kernel_facts.h"

#include <QStringList>
#include <algorithm>

#include "models/quantity_text.h"
#include "report/numbers.h"
#include "report/recording.h"
#include "service/result_records.h"

namespace gridloom::widgets {

namespace {

QString cell(const QString& words, bool isNumber = false) {
  return QStringLiteral("<td align='%1' style='padding-right:8px'>%2</td>")
      .arg(QLatin1String(isNumber ? "right" : "left"), words.toHtmlEscaped());
}

QString countCell(std::int64_t count) { return cell(countText(static_cast<double>(count)), true); }

/// "→ x", "→ x, y" or "in time".
QString placeOf(const mapping::Mapping& mapping, const hardware::Topology& machine,
                kernel::LoopId loop) {
  QStringList dims;
  for (std::size_t d = 0; d < mapping.space.size(); ++d) {
    if (mapping.space[d] == loop) dims << text(machine.dims()[d].name);
  }
  return dims.isEmpty() ? QStringLiteral("in time")
                        : QStringLiteral("→ ") + dims.join(QStringLiteral(", "));
}

/// Where a loop runs, its tile size, and its tiles: over cores times one after the other. Without a
/// mapping the columns stay, so that an edit does not move what stands below.
QString mappedCells(const KernelFacts& facts, const std::string& name) {
  const QString unknown = QStringLiteral("–");
  const QString unmapped = cell(unknown) + cell(unknown, true) + cell(unknown, true);
  if (!facts.mapping) return unmapped;
  const kernel::Kernel& kernel = facts.exploration->kernel->kernel;
  const hardware::Topology& machine = facts.exploration->hardware->topology;
  const mapping::Tiling tiling = mapping::tilingOf(*facts.mapping, kernel, machine);
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    const auto loop = kernel::LoopId::of(l);
    if (kernel.loop(loop).name != name) continue;
    const mapping::LoopTiling& split = tiling.loops[l];
    const QString tiles =
        split.unroll > 1
            ? QStringLiteral("%1 × %2").arg(countText(static_cast<double>(split.trips)),
                                            countText(static_cast<double>(split.unroll)))
            : countText(static_cast<double>(split.tiles));
    return cell(placeOf(*facts.mapping, machine, loop)) + countCell(split.tileSize) +
           cell(tiles, true);
  }
  return unmapped;
}

QString loopTable(const KernelFacts& facts, const report::KernelRecord& record) {
  QString rows = cell(QStringLiteral("Loop")) + cell(QStringLiteral("Extent"), true) +
                 cell(QStringLiteral("Kind"));
  rows += cell(QStringLiteral("Mapped")) + cell(QStringLiteral("Tile"), true) +
          cell(QStringLiteral("Tiles"), true);
  rows = QStringLiteral("<tr>%1</tr>").arg(rows);
  for (const report::LoopRecord& loop : record.loops) {
    rows += QStringLiteral("<tr><td style='padding-right:8px'><b>%1</b></td>%2%3%4</tr>")
                .arg(text(loop.name).toHtmlEscaped(), countCell(loop.extent), cell(text(loop.kind)),
                     mappedCells(facts, std::string(loop.name)));
  }
  return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

/// The slower of computing at peak and moving what must be moved.
QString boundText(const KernelFacts& facts, const report::KernelRecord& record) {
  if (!facts.hardware) return {};
  double bits = 0;
  for (const kernel::Tensor& tensor : facts.kernel.kernel.tensors) {
    if (tensor.role == kernel::TensorRole::Input)
      bits = std::max(bits, kernel::bitsOf(tensor.dtype));
  }
  const report::HardwareRecord machine =
      service::hardwareRecord(*facts.hardware, facts.mode.toStdString(), bits);
  if (machine.peakFlops <= 0 || machine.readBandwidth <= 0) return {};
  const double compute = record.flops / machine.peakFlops;
  const double memory = static_cast<double>(record.compulsoryBytes) / machine.readBandwidth;
  return QStringLiteral("<br>Bound by %1: compute %2, memory %3 cycles")
      .arg(compute >= memory ? QStringLiteral("compute") : QStringLiteral("memory"),
           cyclesText(compute), cyclesText(memory));
}

}  // namespace

QString factsHtml(const KernelFacts& facts) {
  const report::KernelRecord record = report::recordOf(facts.kernel.kernel);
  const auto bytes = static_cast<double>(record.compulsoryBytes);
  const QString work =
      QStringLiteral("Work %1FLOP  ·  must move %2  ·  %3 flop/B")
          .arg(text(report::countText(record.flops)), bytesText(bytes),
               text(report::countText(record.flops / std::max(bytes, 1.0))).trimmed());
  return loopTable(facts, record) + work + boundText(facts, record);
}

}  // namespace gridloom::widgets
