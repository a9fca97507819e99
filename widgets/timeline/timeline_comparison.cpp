// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_comparison.h"

#include <QHash>
#include <QStringList>
#include <algorithm>

namespace gridloom::widgets {

namespace {

using Kind = TimelineRow::Kind;
using Match = TimelineRow::Match;

/// What two rows have in common that stand for the same thing in two runs.
QString keyOf(const TimelineScene& scene, const TimelineRow& row) {
  const QString kind = QString::number(static_cast<int>(row.kind));
  switch (row.kind) {
  case Kind::Class:
    return kind + scene.source->classes()[static_cast<std::size_t>(row.index)].title;
  case Kind::Core:
  case Kind::Transfer:
  case Kind::Followed:
    return kind + row.detail;
  case Kind::Path:
  case Kind::Links:
    return kind;
  case Kind::Link:
  case Kind::Channel:
    return kind + row.title;
  }
  return {};
}

template <class T>
bool sameValues(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a && b && *a == *b);
}

bool isEqual(const TimelineScene& a, const TimelineRow& ofA, const TimelineScene& b,
             const TimelineRow& ofB) {
  return sameValues(ofA.steps, ofB.steps) && sameValues(ofA.tiles, ofB.tiles) &&
         ofA.spans == ofB.spans && std::ranges::equal(ofA.use, ofB.use) &&
         (ofA.use.empty() || a.binCycles == b.binCycles);
}

/// The core of `to` at the place of a core of `from`, -1 for none.
int coreAtSamePlace(const hardware::Topology& from, int core, const hardware::Topology& to) {
  if (core < 0 || from.dims().size() != to.dims().size()) return -1;
  std::vector<std::int64_t> at(from.dims().size());
  from.coordinatesOf(hardware::CoreId(core), at);
  for (std::size_t d = 0; d < at.size(); ++d)
    if (at[d] >= to.dims()[d].size) return -1;
  return static_cast<int>(to.coreAt(at).value());
}

/// The links of `hw` with the names of the rows. A link has the same number in two machines with
/// the same links, as those of most comparisons have; only else all names are made.
std::vector<int> linksOf(const hardware::Topology& hw, const TimelineScene& scene) {
  QHash<QString, bool> wanted;
  std::vector<int> found;
  const auto nameOf = [&](std::size_t link) {
    return QString::fromStdString(hw.linkName(hardware::LinkId::of(link)));
  };
  for (const TimelineRow& row : scene.rows) {
    if (row.kind != Kind::Link) continue;
    const auto link = static_cast<std::size_t>(row.index);
    if (link < hw.links().size() && nameOf(link) == row.title)
      found.push_back(row.index);
    else
      wanted.insert(row.title, true);
  }
  for (std::size_t l = 0; l < hw.links().size() && !wanted.isEmpty(); ++l)
    if (wanted.remove(nameOf(l)) > 0) found.push_back(static_cast<int>(l));
  return found;
}

/// What to show of A, so that every row of B finds its like.
TimelineChoice choiceFor(const TimelineScene& b, const Recording& a, const TimelineChoice& choice) {
  TimelineChoice made;
  for (std::size_t c = 0; c < a.classes().size(); ++c) {
    for (const int open : choice.openClasses) {
      const auto ofB = static_cast<std::size_t>(open);
      const auto& classes = b.source->classes();
      if (ofB < classes.size() && classes[ofB].title == a.classes()[c].title)
        made.openClasses.insert(static_cast<int>(c));
    }
  }
  const hardware::Topology& hw = a.run().hardware->topology;
  made.core = coreAtSamePlace(b.source->run().hardware->topology, choice.core, hw);
  made.links = linksOf(hw, b);
  made.operand = choice.operand;
  return made;
}

}  // namespace

void showAgainst(TimelineScene& b, const std::shared_ptr<const Recording>& a,
                 const TimelineChoice& choice) {
  if (b.empty() || !a) return;
  const TimelineScene other = timelineOf(a, choiceFor(b, *a, choice));
  b.a = other;
  b.sourceOfA = a;
  b.wholeOfA = other.whole;
  QHash<QString, const TimelineRow*> likes;
  for (const TimelineRow& row : other.rows) likes.insert(keyOf(other, row), &row);
  std::size_t classes = 0;
  for (TimelineRow& row : b.rows) {
    const TimelineRow* like = likes.take(keyOf(b, row));
    if (row.kind == Kind::Links) continue;
    if (row.kind != Kind::Link && row.kind != Kind::Channel) ++classes;
    row.match = !like ? Match::OnlyB : isEqual(other, *like, b, row) ? Match::Same : Match::Differs;
    if (row.match == Match::Differs) row.a = std::make_shared<const TimelineRow>(*like);
    if (row.match == Match::OnlyB) row.detail += QStringLiteral(": in B only");
  }
  for (const TimelineRow& row : other.rows) {
    if (row.kind != Kind::Class || !likes.contains(keyOf(other, row))) continue;
    TimelineRow onlyA;
    onlyA.title = row.title;
    onlyA.detail = QStringLiteral("%1: in A only").arg(row.detail);
    onlyA.index = -1;
    onlyA.match = Match::OnlyA;
    onlyA.a = std::make_shared<const TimelineRow>(row);
    b.rows.insert(b.rows.begin() + static_cast<std::ptrdiff_t>(classes++), std::move(onlyA));
  }
}

QString comparisonText(const TimelineScene& scene) {
  if (!scene.a) return {};
  const auto count = [&](Match match) {
    return static_cast<int>(std::ranges::count(scene.rows, match, &TimelineRow::match));
  };
  const int differing = count(Match::Differs), onlyA = count(Match::OnlyA),
            onlyB = count(Match::OnlyB);
  const int all = differing + onlyA + onlyB + count(Match::Same);
  if (differing + onlyA + onlyB == 0) return QStringLiteral("A and B do the same");
  QStringList parts{QStringLiteral("A above B: %1 of %2 differ").arg(differing).arg(all)};
  if (onlyA > 0) parts << QStringLiteral("%1 only in A").arg(onlyA);
  if (onlyB > 0) parts << QStringLiteral("%1 only in B").arg(onlyB);
  return parts.join(QStringLiteral(", "));
}

}  // namespace gridloom::widgets
