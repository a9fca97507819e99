// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_filter.h"

#include <QRegularExpression>
#include <algorithm>
#include <iterator>

namespace gridloom::widgets {

RankedFilter::RankedFilter(const QString& words)
    : m_all(words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
  for (const QString& word : m_all) {
    Range range;
    // A bar only separates the parts of a mapping that is pasted whole.
    if (isRange(word, range))
      m_ranges.push_back(range);
    else if (word != QLatin1String("|"))
      m_words.push_back({word, {}});
  }
}

bool RankedFilter::isRange(const QString& word, Range& range) {
  static const QRegularExpression form(
      QStringLiteral("^(#|[a-z]+)(<=|>=|<|>|=)([0-9.]+)(%|[kMG]|KiB|MiB|GiB)?$"));
  static const std::pair<const char*, RankedColumn> names[] = {
      {"#", RankedColumn::Rank},
      {"rank", RankedColumn::Rank},
      {"predicted", RankedColumn::Predicted},
      {"simulated", RankedColumn::Simulated},
      {"error", RankedColumn::Error},
      {"tflops", RankedColumn::Rate},
      {"util", RankedColumn::Utilization},
      {"memory", RankedColumn::Memory}};
  static const std::pair<const char*, Comparison> comparisons[] = {{"<", Comparison::Less},
                                                                   {"<=", Comparison::AtMost},
                                                                   {">", Comparison::More},
                                                                   {">=", Comparison::AtLeast},
                                                                   {"=", Comparison::Equal}};
  static const std::pair<const char*, double> units[] = {
      {"%", 0.01},      {"k", 1e3},       {"M", 1e6},      {"G", 1e9},
      {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
  const QRegularExpressionMatch match = form.match(word);
  const auto called = [&match](int group) {
    return [text = match.captured(group)](const auto& each) {
      return text == QLatin1String(each.first);
    };
  };
  const auto name = std::ranges::find_if(names, called(1));
  bool isNumber = false;
  range.value = match.captured(3).toDouble(&isNumber);
  if (!match.hasMatch() || !isNumber || name == std::end(names)) return false;
  range.column = name->second;
  range.comparison = std::ranges::find_if(comparisons, called(2))->second;
  const auto unit = std::ranges::find_if(units, called(4));
  if (unit != std::end(units)) range.value *= unit->second;
  return true;
}

/// False for what is not known.
bool RankedFilter::Range::holds(double number) const {
  switch (comparison) {
  case Comparison::Less:
    return number < value;
  case Comparison::AtMost:
    return number <= value;
  case Comparison::More:
    return number > value;
  case Comparison::AtLeast:
    return number >= value;
  case Comparison::Equal:
    return number == value;
  }
  return false;
}

void RankedFilter::prepare(const RankedRows& rows) {
  for (Word& word : m_words) {
    for (std::size_t pool = 0; pool < word.isIn.size(); ++pool) {
      const TextPool& texts = rows.texts(RankedRows::kTextColumns[pool]);
      for (std::size_t id = word.isIn[pool].size(); id < texts.size(); ++id) {
        const QString& text = texts.at(static_cast<std::uint32_t>(id));
        word.isIn[pool].push_back(text.contains(word.text, Qt::CaseInsensitive) ? 1 : 0);
      }
    }
  }
}

void RankedFilter::forget() {
  for (Word& word : m_words) word.isIn = {};
}

bool RankedFilter::isIn(const Word& word, const RankedRows& rows, std::size_t at) {
  for (std::size_t pool = 0; pool < word.isIn.size(); ++pool) {
    const std::uint32_t id = rows.textIds(RankedRows::kTextColumns[pool])[at];
    if (word.isIn[pool][id]) return true;
  }
  return false;
}

bool RankedFilter::accepts(const RankedRows& rows, std::size_t at) const {
  return std::ranges::all_of(
             m_ranges,
             [&](const Range& range) { return range.holds(rows.number(at, range.column)); }) &&
         std::ranges::all_of(m_words, [&](const Word& word) { return isIn(word, rows, at); });
}

std::vector<char> RankedFilter::acceptedOf(const RankedRows& rows) const {
  std::vector<char> accepted(rows.size(), 1);
  for (const Range& range : m_ranges) {
    const std::vector<double> numbers = rows.keys(range.column);
    for (std::size_t i = 0; i < accepted.size(); ++i) accepted[i] &= range.holds(numbers[i]);
  }
  for (const Word& word : m_words) {
    std::vector<char> has(rows.size(), 0);
    for (std::size_t pool = 0; pool < word.isIn.size(); ++pool) {
      const std::vector<char>& isIn = word.isIn[pool];
      if (std::ranges::find(isIn, 1) == isIn.end()) continue;
      const auto& ids = rows.textIds(RankedRows::kTextColumns[pool]);
      for (std::size_t i = 0; i < has.size(); ++i) has[i] |= isIn[ids[i]];
    }
    for (std::size_t i = 0; i < accepted.size(); ++i) accepted[i] &= has[i];
  }
  return accepted;
}

}  // namespace gridloom::widgets
