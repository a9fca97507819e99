// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::fuzz {

/// One of the texts that people give us.
struct TextFormat {
  std::string_view name;    ///< also the folder of its corpus
  std::string_view ending;  ///< of its files
  /// Everything that is done with such a text short of a search: "" when all went as it should,
  /// also when the text is refused; else what went wrong.
  std::function<std::string(const std::string& text)> check;
};
std::span<const TextFormat> textFormats();

/// The repository's own texts of a format, and the corpus: what went wrong once stays there.
std::vector<std::string> seedsOf(const TextFormat& format);

}  // namespace gridloom::fuzz
