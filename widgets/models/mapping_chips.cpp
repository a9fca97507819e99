// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping_chips.h"

#include <QStringList>

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

/// The sentence for a word of a movement, with what follows it.
QString sentenceOf(const QString& word, const QString& next) {
  const QString dims = QString(next).replace(QLatin1Char(','), QStringLiteral(" and "));
  if (word == QLatin1String("direct"))
    return QStringLiteral("Every core loads its tile from memory itself.");
  if (word == QLatin1String("multicast"))
    return QStringLiteral("One core per group loads the tile and sends it to the others along %1 "
                          "by multicast.")
        .arg(dims);
  if (word == QLatin1String("two-stage"))
    return QStringLiteral("One core loads the tile; a multicast along the first of %1, then "
                          "multicasts along the other, take it to all.")
        .arg(dims);
  if (word == QLatin1String("stream"))
    return QStringLiteral("One core loads the tile; it goes on from neighbour to neighbour along "
                          "%1 (systolic stream).")
        .arg(dims);
  if (word == QLatin1String("stationary"))
    return QStringLiteral("Its tiles are read in the core that makes them.");
  if (word == QLatin1String("forwarded"))
    return QStringLiteral("Every core receives it from the cores that make it.");
  if (word == QLatin1String("all-gather"))
    return QStringLiteral("Every core along %1 loads one share of the tile; the shares go round "
                          "the ring until all have the whole.")
        .arg(dims);
  if (word == QLatin1String("rotate"))
    return QStringLiteral("Every core along %1 loads a tile; then the tiles go round the ring.")
        .arg(dims);
  if (word == QLatin1String("shared"))
    return QStringLiteral("Cores along %1 share one copy in their local memory.").arg(dims);
  if (word == QLatin1String("once"))
    return QStringLiteral("All its tiles are loaded once, before the loops begin.");
  if (word == QLatin1String("over"))
    return QStringLiteral("The transfer stands outside of loop %1: one brings what all its "
                          "iterations need.")
        .arg(next);
  if (word == QLatin1String("x2"))
    return QStringLiteral("Double buffer: the next tile is received while this one is in use.");
  if (word == QLatin1String("in"))
    return QStringLiteral("Tiles go through the shared buffer %1.").arg(next);
  if (word == QLatin1String("gather"))
    return QStringLiteral("Finished tiles are sent along %1 to the first core, which stores them.")
        .arg(dims);
  if (word == QLatin1String("chain"))
    return QStringLiteral("Partial results are reduced from neighbour to neighbour.");
  if (word == QLatin1String("tree"))
    return QStringLiteral("Partial results are reduced in pairs, in rounds.");
  if (word == QLatin1String("reduce-scatter"))
    return QStringLiteral("Shares of partial results go round a ring; every core ends with one "
                          "finished share and stores it.");
  if (word == QLatin1String("all-reduce"))
    return QStringLiteral("Partial results are reduced, and every core receives the result.");
  if (word == QLatin1String("by"))
    return QStringLiteral("Layout: whole tiles alternate over the memory channels.");
  if (word == QLatin1String("nearest"))
    return QStringLiteral("Layout: tiles lie in the channel nearest to their cores.");
  if (word == QLatin1String("local"))
    return QStringLiteral("Layout: tiles lie in the local memories from the beginning.");
  return {};
}

/// `A multicast y x2`.
MappingChip operandChip(const QString& words, int operand) {
  const QStringList list = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QStringList sentences, shown;
  for (qsizetype i = 1; i < list.size(); ++i) {
    const QString sentence = sentenceOf(list[i], list.value(i + 1));
    if (!sentence.isEmpty()) sentences << sentence;
    shown << (list[i] == QLatin1String("x2") ? QStringLiteral("×2") : list[i]);
  }
  if (sentences.isEmpty() || (list.size() == 2 && list[1] == QLatin1String("x2")))
    sentences.prepend(QStringLiteral("Every core stores its own finished tiles."));
  return {list.value(0), shown.join(QLatin1Char(' ')), operand, false,
          sentences.join(QLatin1Char(' '))};
}

}  // namespace

std::vector<MappingChip> chipsOf(RankedColumn column, const QString& cell, int twins) {
  std::vector<MappingChip> chips;
  if (column == RankedColumn::Operands) {
    for (const QString& each : cell.split(QStringLiteral(", "), Qt::SkipEmptyParts))
      chips.push_back(operandChip(each, static_cast<int>(chips.size())));
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
