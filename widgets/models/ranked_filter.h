// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "models/ranked_rows.h"

namespace gridloom::widgets {

/// Keeps mappings whose parts or bottleneck contain every word, and whose figures are in every
/// range: `simulated<3.6M`, `error>=1%`, `util>50%`, `memory<1MiB`; also `#`, predicted, tflops.
class RankedFilter {
 public:
  RankedFilter() = default;
  explicit RankedFilter(const QString& words);

  const QStringList& words() const { return m_all; }
  bool empty() const { return m_all.isEmpty(); }
  /// Looks up each text of the rows once, so that `accepts` compares numbers alone. Texts that it
  /// looked up before stay, until `forget`.
  void prepare(const RankedRows& rows);
  /// Other rows follow.
  void forget();
  bool accepts(const RankedRows& rows, std::size_t at) const;
  /// The same of all rows, column by column: 1 where a row is accepted.
  std::vector<char> acceptedOf(const RankedRows& rows) const;

 private:
  enum class Comparison { Less, AtMost, More, AtLeast, Equal };
  struct Range {
    RankedColumn column = RankedColumn::Rank;
    Comparison comparison = Comparison::Less;
    double value = 0;
    bool holds(double number) const;
  };
  struct Word {
    QString text;
    /// Per text column, per text: it contains the word.
    std::array<std::vector<char>, RankedRows::kTextColumns.size()> isIn;
  };
  static bool isRange(const QString& word, Range& range);
  static bool isIn(const Word& word, const RankedRows& rows, std::size_t at);

  QStringList m_all;  ///< as typed
  std::vector<Word> m_words;
  std::vector<Range> m_ranges;
};

}  // namespace gridloom::widgets
