// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_model.h"

#include <QFont>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

struct ColumnText {
  const char* title;
  const char* csv;
  const char* meaning;
};

constexpr ColumnText kColumns[RankedModel::Columns] = {
    {"#", "rank",
     "Rank by predicted cycles; ties keep the order of the space. Bold is the fastest of those "
     "simulated"},
    {"Predicted\ncycles", "predicted_cycles", "Cycles by the analytical model, launch included"},
    {"Simulated\ncycles", "simulated_cycles",
     "Cycles measured by the event-driven simulator, launch included. It does not use the model"},
    {"Error", "error", "Predicted over simulated cycles, minus one"},
    {"TFLOP/s", "tflops",
     "The kernel's own floating-point operations per second. Simulated where known, else "
     "predicted"},
    {"Util.", "utilization",
     "Utilization: the kernel's own operations over the peak of the numeric mode on all enabled "
     "cores "
     "for the whole time, launch included. Padding counts as waste"},
    {"Bottleneck", "bottleneck", "The largest term of the predicted cycles"},
    {"Local\nmemory", "local_bytes", "Bytes of local memory each core needs, all buffers counted"},
    {"Mapping", "mapping",
     "Loops placed on mesh dimensions | elements per tile | order of waves | movement of each "
     "operand"}};

QString quoted(QString field) {
  if (!field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) &&
      !field.contains(QLatin1Char('\n'))) {
    return field;
  }
  field.replace(QLatin1Char('"'), QLatin1String("\"\""));
  return QLatin1Char('"') + field + QLatin1Char('"');
}

}  // namespace

void RankedModel::setRows(std::vector<RankedRow> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  m_pinned.clear();
  m_fastest = findFastest();
  rebuild();
  endResetModel();
}

void RankedModel::updateRow(int candidate, RankedRow row) {
  if (candidate < 0 || candidate >= static_cast<int>(m_rows.size())) return;
  const auto at = static_cast<std::size_t>(candidate);
  const QVariant sortedBy = sortValue(m_rows[at], candidate, m_sortColumn);
  m_rows[at] = std::move(row);
  if (sortValue(m_rows[at], candidate, m_sortColumn) != sortedBy) reorder();
  announce(candidate);
  const int before = std::exchange(m_fastest, findFastest());
  if (before == m_fastest) return;
  announce(before);
  announce(m_fastest);
}

void RankedModel::announce(int candidate) {
  const int shown = viewRowOf(candidate);
  if (shown >= 0) Q_EMIT dataChanged(index(shown, 0), index(shown, Columns - 1));
}

int RankedModel::findFastest() const {
  int best = -1;
  int simulated = 0;
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    if (std::isnan(m_rows[i].simulated)) continue;
    ++simulated;
    if (best < 0 || m_rows[i].simulated < m_rows[static_cast<std::size_t>(best)].simulated) {
      best = static_cast<int>(i);
    }
  }
  return simulated > 1 ? best : -1;
}

void RankedModel::setReference(double cycles) {
  if (std::isnan(cycles) && std::isnan(m_reference)) return;
  beginResetModel();
  m_reference = cycles;
  rebuild();
  endResetModel();
  Q_EMIT headerDataChanged(Qt::Horizontal, Error, Error);
}

double RankedModel::errorOf(const RankedRow& row) const {
  return std::isnan(m_reference) ? row.error() : row.simulated / m_reference - 1;
}

void RankedModel::setFilter(const QString& words) {
  QStringList filter = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  if (filter == m_filter) return;
  beginResetModel();
  m_filter = std::move(filter);
  parseRanges();
  rebuild();
  endResetModel();
}

void RankedModel::parseRanges() {
  static const QRegularExpression form(
      QStringLiteral("^(#|[a-z]+)(<=|>=|<|>|=)([0-9.]+)(%|[kMG]|KiB|MiB|GiB)?$"));
  static const std::pair<const char*, Column> names[] = {
      {"#", Rank},      {"rank", Rank},   {"predicted", Predicted}, {"simulated", Simulated},
      {"error", Error}, {"tflops", Rate}, {"util", Utilization},    {"memory", Memory}};
  static const std::pair<const char*, double> units[] = {
      {"%", 0.01},      {"k", 1e3},       {"M", 1e6},      {"G", 1e9},
      {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
  m_words.clear();
  m_ranges.clear();
  for (const QString& word : m_filter) {
    const QRegularExpressionMatch match = form.match(word);
    const auto name = std::ranges::find_if(
        names, [&](const auto& each) { return match.captured(1) == QLatin1String(each.first); });
    bool isNumber = false;
    double value = match.captured(3).toDouble(&isNumber);
    if (!match.hasMatch() || !isNumber || name == std::end(names)) {
      m_words << word;
      continue;
    }
    for (const auto& [unit, factor] : units) {
      if (match.captured(4) == QLatin1String(unit)) value *= factor;
    }
    m_ranges.push_back({name->second, match.captured(2), value});
  }
}

void RankedModel::togglePin(int candidate) {
  if (candidate < 0 || candidate >= static_cast<int>(m_rows.size())) return;
  const auto found = std::ranges::find(m_pinned, candidate);
  if (found == m_pinned.end())
    m_pinned.push_back(candidate);
  else
    m_pinned.erase(found);
  beginResetModel();
  rebuild();
  endResetModel();
}

bool RankedModel::isPinned(int candidate) const {
  return std::ranges::find(m_pinned, candidate) != m_pinned.end();
}

QString RankedModel::extentText() const {
  const auto all = static_cast<int>(m_rows.size());
  if (m_filter.isEmpty())
    return all == 1 ? QStringLiteral("1 mapping") : QStringLiteral("%1 mappings").arg(all);
  return QStringLiteral("only the %1 of %2 mappings that match \u201c%3\u201d")
      .arg(m_shown.size())
      .arg(all)
      .arg(m_filter.join(QLatin1Char(' ')));
}

int RankedModel::candidateAt(int viewRow) const {
  return viewRow < 0 || viewRow >= rowCount() ? -1 : m_shown[static_cast<std::size_t>(viewRow)];
}

int RankedModel::viewRowOf(int candidate) const {
  const auto it = std::find(m_shown.begin(), m_shown.end(), candidate);
  return it == m_shown.end() ? -1 : static_cast<int>(it - m_shown.begin());
}

int RankedModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RankedModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

QVariant RankedModel::data(const QModelIndex& index, int role) const {
  const int candidate = index.isValid() ? candidateAt(index.row()) : -1;
  if (candidate < 0) return {};
  const RankedRow& row = m_rows[static_cast<std::size_t>(candidate)];
  const bool isText = index.column() == Bottleneck || index.column() == Mapping;
  switch (role) {
  case Qt::DisplayRole:
    return display(row, candidate, index.column());
  case SortRole:
    return sortValue(row, candidate, index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight));
  case Qt::FontRole:
    if (candidate == m_fastest) {
      QFont font;
      font.setBold(true);
      return font;
    }
    return {};
  case Qt::ToolTipRole:
    if (candidate == m_fastest && (index.column() == Rank || index.column() == Simulated)) {
      return QStringLiteral("The fastest of those simulated");
    }
    if (index.column() == Mapping) return row.mapping;
    if (index.column() == Memory) {
      return QStringLiteral("%1 of %2 per core")
          .arg(bytesText(row.localBytes), bytesText(row.localCapacity));
    }
    return {};
  default:
    return {};
  }
}

QVariant RankedModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (section < 0 || section >= Columns || orientation != Qt::Horizontal) return {};
  const bool isText = section == Bottleneck || section == Mapping;
  switch (role) {
  case Qt::DisplayRole:
    if (section == Error && !std::isnan(m_reference)) return QStringLiteral("\u0394 to A");
    return QString::fromUtf8(kColumns[section].title);
  case Qt::ToolTipRole:
    if (section == Error && !std::isnan(m_reference))
      return QStringLiteral("Simulated cycles over those of the frozen mapping A, minus one");
    return QString::fromUtf8(kColumns[section].meaning);
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(Qt::AlignBottom | (isText ? Qt::AlignLeft : Qt::AlignRight));
  default:
    return {};
  }
}

QString RankedModel::display(const RankedRow& row, int candidate, int column) const {
  switch (column) {
  case Rank:
    return (isPinned(candidate) ? QStringLiteral("▪ ") : QString()) +
           QString::number(candidate + 1);
  case Predicted:
    return cyclesText(row.predicted);
  case Simulated:
    return cyclesText(row.simulated);
  case Error:
    return signedPercentText(errorOf(row));
  case Rate:
    return rateText(row.tflops);
  case Utilization:
    return percentText(row.utilization);
  case Bottleneck:
    return causeTitle(row.bottleneck);
  case Memory:
    return bytesText(row.localBytes);
  case Mapping:
    return row.mapping;
  default:
    return {};
  }
}

QVariant RankedModel::sortValue(const RankedRow& row, int candidate, int column) const {
  switch (column) {
  case Rank:
    return candidate + 1;
  case Predicted:
    return row.predicted;
  case Simulated:
    return row.simulated;
  case Error:
    return errorOf(row);
  case Rate:
    return row.tflops;
  case Utilization:
    return row.utilization;
  case Bottleneck:
    return row.bottleneck;
  case Memory:
    return row.localBytes;
  default:
    return row.mapping;
  }
}

bool RankedModel::accepts(const RankedRow& row, int candidate) const {
  const auto holds = [&](const Range& range) {
    const double value = sortValue(row, candidate, range.column).toDouble();
    if (std::isnan(value)) return false;
    if (range.comparison == QLatin1String("<")) return value < range.value;
    if (range.comparison == QLatin1String("<=")) return value <= range.value;
    if (range.comparison == QLatin1String(">")) return value > range.value;
    if (range.comparison == QLatin1String(">=")) return value >= range.value;
    return value == range.value;
  };
  return std::ranges::all_of(m_ranges, holds) &&
         std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
           return row.mapping.contains(word, Qt::CaseInsensitive) ||
                  row.bottleneck.contains(word, Qt::CaseInsensitive);
         });
}

void RankedModel::rebuild() {
  m_shown.clear();
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const auto candidate = static_cast<int>(i);
    if (isPinned(candidate) || accepts(m_rows[i], candidate)) m_shown.push_back(candidate);
  }
  const bool isText = m_sortColumn == Bottleneck || m_sortColumn == Mapping;
  std::vector<double> numbers(m_rows.size(), 0.0);
  std::vector<QString> texts(isText ? m_rows.size() : 0);
  for (const int id : m_shown) {
    const auto at = static_cast<std::size_t>(id);
    const QVariant value = sortValue(m_rows[at], id, m_sortColumn);
    if (isText)
      texts[at] = value.toString();
    else
      numbers[at] = value.toDouble();
  }
  const bool down = m_sortOrder == Qt::DescendingOrder;
  std::stable_sort(m_shown.begin(), m_shown.end(), [&](int lhs, int rhs) {
    const auto a = static_cast<std::size_t>(lhs);
    const auto b = static_cast<std::size_t>(rhs);
    if (isText) return down ? texts[b] < texts[a] : texts[a] < texts[b];
    // Unknown numbers stay at the end in either order.
    if (std::isnan(numbers[a]) || std::isnan(numbers[b])) {
      return !std::isnan(numbers[a]) && std::isnan(numbers[b]);
    }
    return down ? numbers[b] < numbers[a] : numbers[a] < numbers[b];
  });
  std::ranges::stable_partition(m_shown, [&](int candidate) { return isPinned(candidate); });
}

void RankedModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= Columns) return;
  m_sortColumn = column;
  m_sortOrder = order;
  reorder();
}

/// Sorts again; views keep their selection.
void RankedModel::reorder() {
  Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<int> kept;
  for (const QModelIndex& old : before) kept.push_back(candidateAt(old.row()));
  rebuild();
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    const int row = viewRowOf(kept[static_cast<std::size_t>(i)]);
    after.push_back(row < 0 ? QModelIndex() : index(row, before[i].column()));
  }
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, VerticalSortHint);
}

QByteArray RankedModel::csv() const {
  QStringList lines;
  QStringList cells;
  for (const ColumnText& column : kColumns) cells << QString::fromUtf8(column.csv);
  if (!std::isnan(m_reference)) cells[Error] = QStringLiteral("change_to_a");
  lines << cells.join(QLatin1Char(','));
  for (const int candidate : m_shown) {
    cells.clear();
    const RankedRow& row = m_rows[static_cast<std::size_t>(candidate)];
    for (int column = 0; column < Columns; ++column) {
      const QVariant value = sortValue(row, candidate, column);
      if (value.typeId() == QMetaType::Double) {
        const double number = value.toDouble();
        cells << (std::isfinite(number) ? QString::number(number, 'g', 17) : QString());
      } else {
        cells << quoted(value.toString());
      }
    }
    lines << cells.join(QLatin1Char(','));
  }
  return (lines.join(QLatin1String("\r\n")) + QLatin1String("\r\n")).toUtf8();
}

}  // namespace gridloom::widgets
