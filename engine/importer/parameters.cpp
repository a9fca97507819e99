// SPDX-License-Identifier: Apache-2.0
#include "importer/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>
#include <vector>

namespace gridloom::importer {

namespace {

/// A whole number of the text, or what stands between two.
struct Piece {
  std::string text;
  std::optional<std::int64_t> number;
};

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Digits within names and numbers with a point or an exponent are no sizes.
std::vector<Piece> piecesOf(const std::string& text) {
  std::vector<Piece> pieces{{}};
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (isWordChar(text[end]) || text[end] == '.')) ++end;
    if (end == at) {
      pieces.back().text += text[at++];
      continue;
    }
    // `0..8` are two numbers.
    if (const auto range = text.find("..", at); range > at && range < end) end = range;
    if (end == at || text[at] == '.') end = at + 1;
    const std::string word = text.substr(at, end - at);
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && rest == word.data() + word.size()) {
      pieces.push_back({word, value});
      pieces.emplace_back();
    } else {
      pieces.back().text += word;
    }
    at = end;
  }
  return pieces;
}

std::set<std::string> wordsOf(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (isWordChar(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

constexpr std::int64_t kFar = 1'000;                               // times a value
constexpr std::int64_t kMostFar = (std::int64_t{1} << 31) / kFar;  // for sizes of 32 bits

/// How every number of the text grows with one value; empty: the value is no parameter.
using Slopes = std::vector<std::int64_t>;

class Fit {
 public:
  Fit(const std::string& kernels, const Values& values,
      const std::function<std::optional<std::string>(const Values&)>& imported)
      : m_base(piecesOf(kernels)),
        m_values(values),
        m_imported(imported),
        m_words(wordsOf(kernels)) {}

  void run() {
    std::vector<std::string> others;
    for (const auto& [name, value] : m_values) {
      if (value < 1) continue;
      const Slopes slopes = slopesOf({name}, value);
      if (slopes.empty()) others.push_back(name);
      if (changes(slopes)) m_slopes[name] = slopes;
    }
    for (const std::string& name : others) join(name);
    if (!m_slopes.empty() && !isRightTogether()) m_slopes.clear();
    giveNames();
  }

  bool isEmpty() const { return m_slopes.empty(); }

  std::string text() const {
    std::string text, kernel;
    std::set<std::string> used;
    const auto close = [&] {
      std::vector<std::string> list;
      for (const std::string& name : used)
        list.push_back(fmt::format("{} = {}", spelled(name), m_values.at(name)));
      const auto brackets = kernel.find("()");
      if (brackets != std::string::npos && !list.empty())
        kernel.replace(brackets, 2, fmt::format("({})", fmt::join(list, ", ")));
      text += kernel;
      kernel.clear();
      used.clear();
    };
    for (std::size_t p = 0; p < m_base.size(); ++p) {
      const Piece& piece = m_base[p];
      if (piece.number) {
        kernel += expression(p, used);
        continue;
      }
      // Every kernel has parameters of its own.
      std::string rest = piece.text;
      for (auto at = rest.find("\nkernel "); at != std::string::npos; at = rest.find("\nkernel ")) {
        kernel += rest.substr(0, at + 1);
        rest.erase(0, at + 1);
        close();
      }
      kernel += rest;
    }
    close();
    return text;
  }

 private:
  // Loops and tensors keep their names, and every parameter has one of its own.
  void giveNames() {
    for (const auto& [name, slopes] : m_slopes) {
      std::string as = name;
      while (!m_words.insert(as).second) as += "_size";
      m_spelled[name] = as;
    }
  }

  const std::string& spelled(const std::string& name) const { return m_spelled.at(name); }

  std::string expression(std::size_t piece, std::set<std::string>& used) const {
    std::vector<std::string> terms;
    std::int64_t constant = *m_base[piece].number;
    for (const auto& [name, slopes] : m_slopes) {
      const std::int64_t slope = slopes[piece];
      if (slope == 0) continue;
      used.insert(name);
      constant -= slope * m_values.at(name);
      terms.push_back(slope == 1 ? spelled(name) : fmt::format("{} * {}", slope, spelled(name)));
    }
    if (terms.empty()) return m_base[piece].text;
    std::string sum = fmt::format("{}", fmt::join(terms, " + "));
    if (constant != 0) sum += fmt::format(" {} {}", constant < 0 ? '-' : '+', std::abs(constant));
    return terms.size() == 1 && constant == 0 && sum.find('*') == std::string::npos
               ? sum
               : "(" + sum + ")";
  }

  std::optional<std::vector<Piece>> piecesFor(const Values& values) const {
    const auto text = m_imported(values);
    return text ? sameBut(*text) : std::nullopt;
  }

  // The pieces of a text that differs in its numbers alone.
  std::optional<std::vector<Piece>> sameBut(const std::string& text) const {
    std::vector<Piece> pieces = piecesOf(text);
    const bool isSame = std::ranges::equal(pieces, m_base, [](const Piece& a, const Piece& b) {
      return a.number.has_value() == b.number.has_value() && (a.number || a.text == b.text);
    });
    return isSame ? std::optional(std::move(pieces)) : std::nullopt;
  }

  static bool changes(const Slopes& slopes) {
    return std::ranges::any_of(slopes, [](std::int64_t s) { return s != 0; });
  }

  // Sizes that must be equal, as of the dimensions that a product sums over, are one parameter.
  void join(const std::string& name) {
    for (auto& [known, slopes] : m_slopes) {
      if (m_values.at(known) != m_values.at(name)) continue;
      std::vector<std::string> all = m_joined[known];
      all.push_back(known);
      all.push_back(name);
      const Slopes both = slopesOf(all, m_values.at(name));
      if (!changes(both)) continue;
      slopes = both;
      m_joined[known].push_back(name);
      return;
    }
  }

  // Twice and three times the value.
  Slopes slopesOf(const std::vector<std::string>& names, std::int64_t value) const {
    Values twice = m_values, thrice = m_values;
    for (const std::string& name : names) {
      twice[name] = 2 * value;
      thrice[name] = 3 * value;
    }
    const auto two = piecesFor(twice), three = piecesFor(thrice);
    if (!two || !three) return {};
    Slopes slopes;
    for (std::size_t p = 0; p < m_base.size(); ++p) {
      const std::int64_t zero = m_base[p].number.value_or(0);
      const std::int64_t one = (*two)[p].number.value_or(0) - zero;
      if ((*three)[p].number.value_or(0) - zero != 2 * one || one % value != 0) return {};
      slopes.push_back(one / value);
    }
    // Numbers that hold for multiples, or near the value, do not hold for what a person writes.
    const bool holds = growsBy(names, value, 1, slopes) &&
                       (value > kMostFar || growsBy(names, value, (kFar - 1) * value, slopes));
    return holds ? slopes : Slopes{};
  }

  // Whether the text has the numbers of the slopes where some values are greater. Values that the
  // file is not imported for say nothing.
  bool growsBy(const std::vector<std::string>& names, std::int64_t value, std::int64_t more,
               const Slopes& slopes) const {
    Values values = m_values;
    for (const std::string& name : names) values[name] = value + more;
    const auto text = m_imported(values);
    if (!text) return true;
    const auto pieces = sameBut(*text);
    if (!pieces) return false;
    for (std::size_t p = 0; p < m_base.size(); ++p) {
      if (m_base[p].number && *(*pieces)[p].number != *m_base[p].number + slopes[p] * more)
        return false;
    }
    return true;
  }

  // All parameters times `factor`, `factor` + 1 and so on, and `more`.
  Values changed(std::int64_t factor, std::int64_t more) const {
    Values values = m_values;
    for (const auto& [name, slopes] : m_slopes) {
      values[name] = values[name] * factor + more;
      if (more == 0) ++factor;
      if (const auto joined = m_joined.find(name); joined != m_joined.end())
        for (const std::string& other : joined->second) values[other] = values[name];
    }
    return values;
  }

  // With all values changed at once, too.
  bool isRightTogether() const {
    for (const Values& values : {changed(2, 0), changed(5, 0), changed(1, 1)}) {
      const auto text = m_imported(values);
      if (!text && values == changed(1, 1)) continue;  // sizes that do not divide, for one
      const auto pieces = text ? sameBut(*text) : std::nullopt;
      if (!pieces) return false;
      for (std::size_t p = 0; p < m_base.size(); ++p) {
        if (!m_base[p].number) continue;
        std::int64_t number = *m_base[p].number;
        for (const auto& [name, slopes] : m_slopes)
          number += slopes[p] * (values.at(name) - m_values.at(name));
        if (number != *(*pieces)[p].number) return false;
      }
    }
    return true;
  }

  std::vector<Piece> m_base;
  const Values& m_values;
  const std::function<std::optional<std::string>(const Values&)>& m_imported;
  std::set<std::string> m_words;  ///< that stand for something in the text
  std::map<std::string, std::string> m_spelled;
  std::map<std::string, Slopes> m_slopes;
  std::map<std::string, std::vector<std::string>> m_joined;  ///< others with the same value
};

}  // namespace

std::string withParameters(const std::string& kernels, const Values& values,
                           const std::function<std::optional<std::string>(const Values&)>& imported,
                           std::size_t budget) {
  if (values.empty() || kernels.size() * (4 * values.size() + 3) > budget) return kernels;
  Fit fit(kernels, values, imported);
  fit.run();
  return fit.isEmpty() ? kernels : fit.text();
}

}  // namespace gridloom::importer
