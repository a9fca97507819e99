// SPDX-License-Identifier: Apache-2.0
#include "mutate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace gridloom::fuzz {

namespace {

using Seeds = std::span<const std::string>;

constexpr std::array<std::string_view, 22> kNumbers{"0",
                                                    "1",
                                                    "-1",
                                                    "2",
                                                    "3",
                                                    "7",
                                                    "31",
                                                    "32",
                                                    "33",
                                                    "64",
                                                    "255",
                                                    "256",
                                                    "4096",
                                                    "65537",
                                                    "1e9",
                                                    "2147483648",
                                                    "1099511627776",
                                                    "4611686018427387904",
                                                    "9223372036854775807",
                                                    "9223372036854775808",
                                                    "1e308",
                                                    "0.5"};
constexpr std::array<std::string_view, 30> kPieces{"(",    ")",    "[",  "]",  "{",
                                                   "}",    ",",    ";",  ":",  "=",
                                                   "->",   "-",    "+",  "*",  "/",
                                                   "%",    "\"",   "//", "\n", " ",
                                                   "null", "true", "[]", "{}", "where i >= j",
                                                   "inf",  "nan",  "\\", "@2", "\xC3\xA9"};

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words and numbers; every other byte that is no blank is one of its own.
std::vector<Range> tokensOf(std::string_view text) {
  std::vector<Range> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (isWord(text[at])) {
      while (end < text.size() && isWord(text[end])) ++end;
    }
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) out.push_back({at, end});
    at = end;
  }
  return out;
}

Range partOf(std::string_view text, std::size_t longest, Random& random) {
  const std::size_t begin = random.below(text.size() + 1);
  const std::size_t length = random.below(std::min(longest, text.size() - begin) + 1);
  return {begin, begin + length};
}

Range lineOf(std::string_view text, Random& random) {
  const std::size_t at = random.below(text.size() + 1);
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = text.find('\n', at);
  return {begin, end == std::string_view::npos ? text.size() : end + 1};
}

std::string slice(std::string_view text, Range range) {
  return std::string(text.substr(range.begin, range.end - range.begin));
}

void put(std::string& text, Range range, std::string_view with) {
  text.replace(range.begin, range.end - range.begin, with);
}

void changeBytes(std::string& text, Random& random) {
  for (std::size_t i = 1 + random.below(4); i > 0 && !text.empty(); --i) {
    char& c = text[random.below(text.size())];
    c = random.oneIn(2) ? static_cast<char>(c ^ (1 << random.below(8)))
                        : static_cast<char>(random.below(256));
  }
}

void changeToken(std::string& text, Seeds seeds, Random& random) {
  const std::vector<Range> tokens = tokensOf(text);
  if (tokens.empty()) return;
  const Range here = tokens[random.below(tokens.size())];
  const std::string& other = random.oneIn(2) ? text : random.of(seeds);
  const std::vector<Range> others = tokensOf(other);
  switch (random.below(4)) {
  case 0:
    return put(text, here, "");
  case 1:
    return put(text, {here.begin, here.begin}, slice(text, here) + " ");
  case 2:
    return put(text, here, random.of(std::span<const std::string_view>(kPieces)));
  default:
    if (!others.empty()) put(text, here, slice(other, others[random.below(others.size())]));
  }
}

void changeNumber(std::string& text, Random& random) {
  std::vector<Range> numbers = tokensOf(text);
  std::erase_if(numbers, [&](Range r) {
    return std::isdigit(static_cast<unsigned char>(text[r.begin])) == 0;
  });
  if (numbers.empty()) return;
  put(text, numbers[random.below(numbers.size())],
      random.of(std::span<const std::string_view>(kNumbers)));
}

void splice(std::string& text, Seeds seeds, Random& random) {
  const std::string& other = random.of(seeds);
  if (random.oneIn(2)) {
    put(text, {random.below(text.size() + 1), text.size()},
        std::string_view(other).substr(random.below(other.size() + 1)));
  } else {
    put(text, lineOf(text, random), slice(other, lineOf(other, random)));
  }
}

void repeat(std::string& text, Random& random) {
  const Range part = random.oneIn(2) ? lineOf(text, random) : partOf(text, 200, random);
  const std::string once = slice(text, part);
  std::string many;
  for (std::size_t i = random.oneIn(8) ? 300 : 1 + random.below(5); i > 0; --i) many += once;
  text.insert(part.end, many);
}

void moveLine(std::string& text, Random& random) {
  const Range from = lineOf(text, random);
  const std::string line = slice(text, from);
  put(text, from, "");
  text.insert(lineOf(text, random).begin, line);
}

void change(std::string& text, Seeds seeds, Random& random) {
  switch (random.below(9)) {
  case 0:
    return changeBytes(text, random);
  case 1:
    return text.resize(random.below(text.size() + 1));
  case 2:
    return splice(text, seeds, random);
  case 3:
    return repeat(text, random);
  case 4:
    return put(text, random.oneIn(2) ? lineOf(text, random) : partOf(text, 40, random), "");
  case 5:
    return moveLine(text, random);
  case 6:
    return changeNumber(text, random);
  default:
    return changeToken(text, seeds, random);
  }
}

}  // namespace

std::string mutated(std::span<const std::string> seeds, Random& random) {
  std::string text = random.of(seeds);
  for (std::size_t i = 1 + random.below(random.oneIn(4) ? 12 : 3); i > 0; --i) {
    change(text, seeds, random);
    if (text.size() > kLongest) text.resize(kLongest);
  }
  return text;
}

}  // namespace gridloom::fuzz
