// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rejection_model.h"

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

constexpr int kSummaryRows = 2;  // evaluated, pruned

QString amountText(double amount, const QString& unit) {
  if (unit.startsWith(QLatin1String("byte")) || unit == QLatin1String("B"))
    return bytesText(amount);
  return (countText(amount) + QLatin1Char(' ') + unit).trimmed();
}

}  // namespace

QString rejectionTitle(const QString& reason) {
  if (reason == QLatin1String("capacity")) return QStringLiteral("Does not fit local memory");
  if (reason == QLatin1String("dependence")) return QStringLiteral("Breaks a dependence");
  if (reason == QLatin1String("unroutable")) return QStringLiteral("No route on the network");
  if (reason == QLatin1String("unsupported"))
    return QStringLiteral("Not supported by the hardware");
  return reason.isEmpty() ? reason : reason.left(1).toUpper() + reason.mid(1);
}

QString coverText(const search::SpaceCount& space) {
  if (space.exact) return QStringLiteral("All covered: the ranking is exact,");
  if (space.stopped != search::Stop::None)
    return QStringLiteral("Stopped early: the ranking is the best so far,");
  if (space.formChoice != search::Stop::None)
    return QStringLiteral("The choice between two forms of the kernel stopped early, so that the "
                          "other one may be faster,");
  QStringList loops;
  for (const std::string& loop : space.whole) loops << text(loop);
  const QString covered =
      loops.isEmpty() ? QStringLiteral("All covered: ")
                      : QStringLiteral("Not tiled, since the space would be too large: %1. The "
                                       "rest is covered: ")
                            .arg(loops.join(QStringLiteral(", ")));
  if (space.margin <= 0) return covered + QStringLiteral("the ranking is exact for it,");
  return covered + QStringLiteral("no mapping of it is over %1 faster by the model,")
                       .arg(percentText(space.margin));
}

QString extentText(const search::SpaceCount& space) {
  const auto count = [](std::int64_t of) { return countText(static_cast<double>(of)); };
  std::int64_t infeasible = 0;
  for (const search::Rejection& each : space.rejected) infeasible += each.count;
  QString cover = coverText(space);
  cover.chop(1);  // the comma, as nothing follows
  return QStringLiteral("%1 mappings: %2 evaluated, %3 pruned by a bound, %4 infeasible. %5")
      .arg(count(space.size), count(space.evaluated), count(space.pruned), count(infeasible),
           cover);
}

QString nearestMissText(const search::Rejection& rejection) {
  if (rejection.needed <= 0) return {};
  const QString unit = text(rejection.unit);
  return QStringLiteral("needs %1, has %2: %3 too much")
      .arg(amountText(rejection.needed, unit), amountText(rejection.available, unit),
           amountText(rejection.needed - rejection.available, unit));
}

void RejectionModel::setSpace(search::SpaceCount space) {
  beginResetModel();
  m_space = std::move(space);
  endResetModel();
}

QString RejectionModel::directivesOf(int row) const {
  const auto at = static_cast<std::size_t>(row - kSummaryRows);
  return row < kSummaryRows || at >= m_space.rejected.size()
             ? QString()
             : text(m_space.rejected[at].directives);
}

int RejectionModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || m_space.size == 0) return 0;
  return kSummaryRows + static_cast<int>(m_space.rejected.size());
}

int RejectionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

QString RejectionModel::cell(int row, int column) const {
  const auto shareOf = [&](std::int64_t count) {
    return percentText(static_cast<double>(count) / static_cast<double>(m_space.size));
  };
  if (row < kSummaryRows) {
    const std::int64_t count = row == 0 ? m_space.evaluated : m_space.pruned;
    switch (column) {
    case Reason:
      return row == 0 ? QStringLiteral("Evaluated") : QStringLiteral("Pruned by a bound");
    case Count:
      return countText(static_cast<double>(count));
    case Share:
      return shareOf(count);
    default:
      return row == 0 ? QString()
                      : QStringLiteral("cannot be among the best, whether they fit or not");
    }
  }
  const search::Rejection& rejection =
      m_space.rejected[static_cast<std::size_t>(row - kSummaryRows)];
  switch (column) {
  case Reason:
    return rejectionTitle(text(rejection.reason));
  case Count:
    return countText(static_cast<double>(rejection.count));
  case Share:
    return shareOf(rejection.count);
  default:
    return nearestMissText(rejection);
  }
}

QVariant RejectionModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  if (role == Qt::DisplayRole) return cell(index.row(), index.column());
  if (role == Qt::TextAlignmentRole) {
    const bool number = index.column() == Count || index.column() == Share;
    return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
  }
  if (role == Qt::ToolTipRole && index.row() >= kSummaryRows) {
    const auto& rejection = m_space.rejected[static_cast<std::size_t>(index.row() - kSummaryRows)];
    return text(rejection.example);
  }
  return {};
}

QVariant RejectionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) {
    switch (section) {
    case Reason:
      return QStringLiteral("Mappings");
    case Count:
      return QStringLiteral("Count");
    case Share:
      return QStringLiteral("Share");
    case NearestMiss:
      return QStringLiteral("Nearest miss");
    default:
      return {};
    }
  }
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::AlignVCenter | (section == Count || section == Share ? Qt::AlignRight : Qt::AlignLeft));
  }
  return {};
}

}  // namespace gridloom::widgets
