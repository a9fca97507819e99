// SPDX-License-Identifier: GPL-3.0-or-later

// The columns of the ranked mappings: names, meanings, cells, and how they become a file.

#include <array>
#include <cmath>

#include "models/quantity_text.h"
#include "models/ranked_csv.h"
#include "models/ranked_model.h"

namespace gridloom::widgets {

namespace {

struct ColumnText {
  const char* title;
  const char* key;
  const char* meaning;
};

constexpr ColumnText kColumns[kRankedColumns] = {
    {"#", "rank",
     "Rank by predicted cycles; ties keep the order of the space. Bold is the fastest of those "
     "simulated"},
    {"Predicted", "predicted_cycles", "Cycles by the analytical model, launch included"},
    {"Simulated", "simulated_cycles",
     "Cycles measured by the event-driven simulator, launch included. It does not use the model"},
    {"Error", "error", "Predicted over simulated cycles, minus one"},
    {"TFLOP/s", "tflops",
     "The kernel's own floating-point operations per second. Simulated where known, else "
     "predicted"},
    {"Of peak", "utilization",
     "Utilization: the kernel's own operations over the peak of the numeric mode on all enabled "
     "cores for the whole time, launch included. Padding counts as waste"},
    {"Memory", "local_bytes", "Bytes of local memory each core needs, all buffers counted"},
    {"Space", "space",
     "Loops placed on mesh dimensions. ×4: four equivalent mappings, of which one "
     "is listed"},
    {"Tile sizes", "tile_sizes", "Elements of each loop in one tile"},
    {"Order", "order", "Order of the temporal loops over tiles, outermost first"},
    {"Operands", "operands",
     "How the tiles of each tensor reach the cores that use them, and how results leave. The "
     "pointer on one explains it"},
    {"Bottleneck", "bottleneck", "The largest term of the predicted cycles"}};

const ColumnText& textOf(RankedColumn column) { return kColumns[static_cast<std::size_t>(column)]; }

}  // namespace

QString titleOf(RankedColumn column) { return QString::fromUtf8(textOf(column).title); }

QString meaningOf(RankedColumn column) { return QString::fromUtf8(textOf(column).meaning); }

QString keyOf(RankedColumn column) { return QString::fromUtf8(textOf(column).key); }

QVariant RankedModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (section < 0 || section >= kRankedColumns || orientation != Qt::Horizontal) return {};
  const auto column = static_cast<RankedColumn>(section);
  const bool isChange = column == RankedColumn::Error && !std::isnan(m_rows->reference());
  switch (role) {
  case Qt::DisplayRole:
    return isChange ? QStringLiteral("\u0394 to A") : QString::fromUtf8(textOf(column).title);
  case Qt::ToolTipRole:
    if (isChange)
      return QStringLiteral("Simulated cycles over those of the frozen mapping A, minus one");
    return meaningOf(column);
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(Qt::AlignBottom | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
  default:
    return {};
  }
}

QString RankedModel::toolTip(std::size_t at, RankedColumn column) const {
  const bool named = column == RankedColumn::Rank || column == RankedColumn::Simulated;
  if (static_cast<int>(at) == m_fastest && named)
    return QStringLiteral("The fastest of those simulated");
  if (column == RankedColumn::Memory) {
    return QStringLiteral("%1 of %2 per core")
        .arg(bytesText(m_rows->number(at, column)), bytesText(m_rows->localCapacity(at)));
  }
  return {};
}

/// "A ", "B ", or both of a mapping that is compared with itself.
QString RankedModel::letterOf(int candidate) const {
  QString letters;
  if (candidate == m_a) letters += QLatin1Char('A');
  if (candidate == m_b) letters += QLatin1Char('B');
  return letters.isEmpty() ? letters : letters + QLatin1Char(' ');
}

QString RankedModel::display(std::size_t at, RankedColumn column) const {
  switch (column) {
  case RankedColumn::Rank:
    return letterOf(static_cast<int>(at)) +
           (isPinned(static_cast<int>(at)) ? QStringLiteral("▪ ") : QString()) +
           QString::number(at + 1);
  case RankedColumn::Predicted:
  case RankedColumn::Simulated:
    return cyclesText(m_rows->number(at, column));
  case RankedColumn::Error:
    return signedPercentText(m_rows->number(at, column));
  case RankedColumn::Rate:
    return rateText(m_rows->number(at, column));
  case RankedColumn::Utilization:
    return percentText(m_rows->number(at, column));
  case RankedColumn::Memory:
    return bytesText(m_rows->number(at, column));
  case RankedColumn::Bottleneck:
    return causeTitle(m_rows->text(at, column));
  case RankedColumn::Order: {
    const QString& order = m_rows->text(at, column);
    const QString before = QStringLiteral("for ");
    return order.startsWith(before) ? order.mid(before.size()) : order;
  }
  case RankedColumn::Space:
  case RankedColumn::Tiles:
  case RankedColumn::Operands:
    return m_rows->text(at, column);
  }
  return {};
}

QByteArray RankedModel::csv() const {
  base::Progress whole;
  return csvOf(*m_rows, m_shown, whole).value_or(QByteArray());
}

}  // namespace gridloom::widgets
