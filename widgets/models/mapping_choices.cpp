// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping_choices.h"

#include <algorithm>
#include <array>

#include "mapping/constraints.h"
#include "models/quantity_text.h"
#include "service/units.h"

namespace gridloom::widgets {

namespace {

const QString kNot = QStringLiteral("not ");

/// T2S-Tensor's words of two directives are those of ours.
QString directiveName(const QString& line) {
  const QString word = line.section(QLatin1Char('('), 0, 0);
  if (word == QLatin1String("unroll")) return QStringLiteral("space");
  return word == QLatin1String("forward") ? QStringLiteral("stream") : word;
}

QStringList argumentsOf(const QString& line) {
  QStringList all;
  const QString inside = line.section(QLatin1Char('('), 1).section(QLatin1Char(')'), 0, 0);
  for (const QString& each : inside.split(QLatin1Char(','))) all << each.trimmed();
  return all;
}

QString partNameOf(const QString& line) {
  const QString name = directiveName(line);
  if (name == QLatin1String("space")) return QStringLiteral("Space");
  if (name == QLatin1String("tile")) return QStringLiteral("Tiles");
  if (name == QLatin1String("order")) return QStringLiteral("Order");
  return argumentsOf(line).value(0);
}

/// Directives of one tensor that leave each other no room share a word; others have their own.
QString questionOf(const QString& name) {
  static const std::array<QStringList, 3> kSame{
      QStringList{QStringLiteral("direct"), QStringLiteral("multicast"),
                  QStringLiteral("two_stage"), QStringLiteral("stream"),
                  QStringLiteral("all_gather"), QStringLiteral("rotate"),
                  QStringLiteral("stationary"), QStringLiteral("forwarded")},
      QStringList{QStringLiteral("prefetch"), QStringLiteral("hoist")},
      QStringList{QStringLiteral("double"), QStringLiteral("single")}};
  for (const QStringList& same : kSame) {
    if (same.contains(name)) return same.front();
  }
  return name;
}

/// The loop, and the dimensions that it goes to: `space(i->x, y)`.
bool sharesSpace(const QString& a, const QString& b) {
  const auto loopOf = [](const QString& line) {
    return argumentsOf(line).value(0).section(QStringLiteral("->"), 0, 0).trimmed();
  };
  const auto dimsOf = [](const QString& line) {
    QStringList dims = argumentsOf(line);
    dims[0] = dims[0].section(QStringLiteral("->"), 1).trimmed();
    return dims;
  };
  if (!loopOf(a).isEmpty() && loopOf(a) == loopOf(b)) return true;
  const QStringList other = dimsOf(b);
  const QStringList mine = dimsOf(a);
  return std::ranges::any_of(mine, [&](const QString& dim) { return other.contains(dim); });
}

bool contradicts(const QString& line, const QString& choice) {
  if (questionOf(directiveName(line)) != questionOf(directiveName(choice))) return false;
  const QString name = directiveName(choice);
  if (name == QLatin1String("space")) return sharesSpace(line, choice);
  if (name == QLatin1String("order")) return true;
  if (argumentsOf(line).value(0) != argumentsOf(choice).value(0)) return false;
  // A tensor may pass several shared buffers.
  const bool levels = name == QLatin1String("buffer");
  return !levels || argumentsOf(line).value(1) == argumentsOf(choice).value(1);
}

QString withLine(const QString& directives, const QString& line) {
  if (directives.isEmpty()) return line + QLatin1Char('\n');
  return directives + (directives.endsWith(QLatin1Char('\n')) ? QString() : QStringLiteral("\n")) +
         line + QLatin1Char('\n');
}

template <class Goes> QString without(const QString& directives, const Goes& goes) {
  QStringList lines = directives.split(QLatin1Char('\n'));
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [&](const QString& line) {
                               const QString words = line.simplified();
                               return !words.isEmpty() && goes(words);
                             }),
              lines.end());
  return lines.join(QLatin1Char('\n'));
}

/// Units that products run on by themselves, where another could perform them, too.
void addUnits(const service::Exploration& exploration, std::size_t at,
              std::vector<MappingChoice>& choices) {
  for (const report::UnitRecord& product : service::unitsAt(exploration, at)) {
    if (product.pinned || product.cycles.size() < 2) continue;
    const QString line =
        QStringLiteral("unit(%1, %2)").arg(text(product.tensor), text(product.unit));
    const bool isNew = std::ranges::none_of(
        choices, [&](const MappingChoice& choice) { return choice.directive == line; });
    if (isNew) choices.push_back({text(product.tensor), line, true});
  }
}

}  // namespace

std::vector<MappingChoice> choicesOf(const service::Exploration& exploration, int candidate) {
  const auto at = static_cast<std::size_t>(candidate);
  if (candidate < 0 || at >= exploration.listed()) return {};
  const service::Kernel& kernel = *exploration.kernel;
  const QString all =
      text(mapping::printDirectives(kernel.kernel, *kernel.nest, exploration.hardware->topology,
                                    service::mappingAt(exploration, at)));
  std::vector<MappingChoice> choices;
  for (const QString& line : all.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const auto excluded = service::openDirectives(
        base::makeSource("directives", (kNot + line).toStdString()), kernel, *exploration.hardware);
    choices.push_back({partNameOf(line), line, excluded.ok()});
  }
  addUnits(exploration, at, choices);
  return choices;
}

QString withKept(const QString& directives, const QStringList& choices) {
  QString words = without(directives, [&](const QString& line) {
    return std::ranges::any_of(choices, [&](const QString& choice) {
      return line == kNot + choice || (line != choice && contradicts(line, choice));
    });
  });
  const QStringList lines = words.split(QLatin1Char('\n'));
  for (const QString& choice : choices) {
    if (!lines.contains(choice)) words = withLine(words, choice);
  }
  return words;
}

QString withExcluded(const QString& directives, const QString& choice) {
  const QString words = without(directives, [&](const QString& line) { return line == choice; });
  const QString line = kNot + choice;
  return words.split(QLatin1Char('\n')).contains(line) ? words : withLine(words, line);
}

}  // namespace gridloom::widgets
