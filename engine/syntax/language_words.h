// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::syntax {

/// The words of the three languages that people write, with a line of help each: for editors, and
/// for the parser of hardware, which knows an op's attributes from here.
enum class LanguageKind : std::uint8_t { Hardware, Kernel, Directives };

struct LanguageWord {
  enum class Sort : std::uint8_t { Keyword, Op, Attribute, Function, Type, Directive };
  std::string_view word;
  Sort sort = Sort::Keyword;
  std::string_view of;    ///< Attribute: the ops that have it, separated by spaces
  std::string_view help;  ///< one sentence
};

std::span<const LanguageWord> wordsOf(LanguageKind language);
/// The word, or null. `op`: for attributes, the op in which it stands ("" takes any).
const LanguageWord* findWord(LanguageKind language, std::string_view word, std::string_view op);
/// The names of an op's attributes, without `df.`.
std::vector<std::string_view> attributesOf(std::string_view op);

}  // namespace gridloom::syntax
