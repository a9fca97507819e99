// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping_chips.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gridloom::widgets {

namespace {

/// `i->x,y`.
MappingChip spaceChip(const QString& word) {
  const QString loop = word.section(QStringLiteral("->"), 0, 0);
  const QString dims =
      word.section(QStringLiteral("->"), 1).replace(QLatin1Char(','), QStringLiteral(" and "));
  return {{},
          QString(word).replace(QStringLiteral("->"), QStringLiteral("→")),
          -1,
          false,
          QStringLiteral("Spatial loop: the tiles of %1 go to the cores along %2, one after the "
                         "other, and begin again at the first core.")
              .arg(loop, dims)};
}

/// `k1024`.
MappingChip tileChip(const QString& word) {
  qsizetype digits = word.size();
  while (digits > 0 && word[digits - 1].isDigit()) --digits;
  return {{},
          word,
          -1,
          false,
          QStringLiteral("A tile has %1 elements of loop %2; the last tile may have fewer.")
              .arg(word.mid(digits), word.left(digits))};
}

constexpr const char* kDouble = "\xd7"
                                "2";  // ×2 in Latin-1

/// The words of a movement, and what they say; %1: the word behind.
constexpr std::pair<const char*, const char*> kSentences[] = {
    {"direct", "Every core loads its tile from memory itself."},
    {"multicast", "One core per group loads the tile and sends it to the others along %1 by "
                  "multicast."},
    {"two-stage", "One core loads the tile; a multicast along the first of %1, then multicasts "
                  "along the other, take it to all."},
    {"stream", "One core loads the tile; every core forwards it to its neighbour along %1 "
               "(systolic stream)."},
    {"stationary", "Its tiles are read in the core that makes them."},
    {"forwarded", "Every core receives it from the cores that make it."},
    {"all-gather", "Every core along %1 loads one share of the tile; the shares go round the ring "
                   "until all have the whole."},
    {"rotate", "Every core along %1 loads a tile; then the tiles go round the ring."},
    {"shared", "Cores along %1 share one copy in their local memory."},
    {"once", "All its tiles are loaded once, before the loops begin."},
    {"over", "The transfer is hoisted out of loop %1: one transfer serves all its iterations."},
    {kDouble, "Double buffer: the next tile is received while this one is in use."},
    {"in", "Tiles go through the shared buffer %1."},
    {"gather", "Finished tiles are sent along %1 to the first core, which stores them."},
    {"chain", "Partial results are reduced from neighbour to neighbour."},
    {"tree", "Partial results are reduced in pairs, in rounds."},
    {"reduce-scatter", "Shares of partial results go round a ring; every core ends with one "
                       "finished share and stores it."},
    {"all-reduce", "Partial results are reduced, and every core receives the result."},
    {"on", "Its products run on the %1 unit."},
    {"by", "Layout: whole tiles alternate over the memory channels."},
    {"nearest", "Layout: tiles lie in the channel nearest to their cores."},
    {"local", "Layout: tiles lie in the local memories from the beginning."}};

/// Empty for a word that is no choice of its own, such as a dimension.
QString sentenceOf(const QString& word, QString next) {
  const auto found = std::ranges::find_if(
      kSentences, [&](const auto& each) { return word == QLatin1String(each.first); });
  if (found == std::end(kSentences)) return {};
  const QString sentence = QString::fromLatin1(found->second);
  return sentence.contains(QStringLiteral("%1"))
             ? sentence.arg(next.replace(QLatin1Char(','), QStringLiteral(" and ")))
             : sentence;
}

/// Words that say how tiles are held or computed, not which way they go.
bool isManner(const QString& word) {
  constexpr std::array manners{kDouble, "in", "on", "by", "nearest", "local"};
  return std::ranges::any_of(manners,
                             [&](const char* each) { return word == QLatin1String(each); });
}

/// A word as chips have room for it; its sentence has the whole.
QString shortWord(const QString& word) {
  return word == QLatin1String("multicast") ? QStringLiteral("mcast") : word;
}

/// `A multicast y ×2`.
MappingChip operandChip(const QString& words, int operand, const QStringList& outputs) {
  const QStringList list = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QStringList sentences, shown;
  bool moves = false;
  for (qsizetype i = 1; i < list.size(); ++i) {
    const QString sentence = sentenceOf(list[i], list.value(i + 1));
    if (!sentence.isEmpty()) sentences << sentence;
    moves = moves || (!sentence.isEmpty() && !isManner(list[i]));
    shown << shortWord(list[i]);
  }
  // A local on a unit of its own reads like an output on one, and is not stored.
  const bool isUnitAlone = list.size() == 3 && list[1] == QLatin1String("on");
  if (!moves && (!isUnitAlone || outputs.contains(list[0]))) {
    sentences.prepend(QStringLiteral("Every core stores its own finished tiles."));
    shown.prepend(QStringLiteral("store"));
  }
  return {list.value(0), shown.join(QLatin1Char(' ')), operand, false,
          sentences.join(QLatin1Char(' '))};
}

}  // namespace

std::vector<MappingChip> chipsOf(RankedColumn column, const QString& cell, int twins,
                                 const QStringList& outputs) {
  std::vector<MappingChip> chips;
  if (column == RankedColumn::Operands) {
    for (const QString& each : cell.split(QStringLiteral(", "), Qt::SkipEmptyParts))
      chips.push_back(operandChip(each, static_cast<int>(chips.size()), outputs));
  } else if (column == RankedColumn::Tiles) {
    for (const QString& each : cell.split(QLatin1Char(' '), Qt::SkipEmptyParts))
      chips.push_back(tileChip(each));
  } else if (column == RankedColumn::Space) {
    if (!cell.contains(QStringLiteral("->")) && !cell.isEmpty())
      chips.push_back({{}, cell, -1, false, QStringLiteral("No loop is spatial: one core works.")});
    else
      for (const QString& each : cell.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        chips.push_back(spaceChip(each));
    if (twins > 0) {
      chips.push_back({{},
                       QStringLiteral("×%1").arg(twins + 1),
                       -1,
                       true,
                       QStringLiteral("%1 equivalent mappings, which differ in names of loops and "
                                      "dimensions alone; one of them is listed.")
                           .arg(twins + 1)});
    }
  }
  return chips;
}

}  // namespace gridloom::widgets
