// SPDX-License-Identifier: Apache-2.0
#include "exchange/quoted_text.h"

#include <fmt/format.h>

#include <iterator>

namespace gridloom::exchange {

std::string quotedText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace gridloom::exchange
