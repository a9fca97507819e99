// SPDX-License-Identifier: Apache-2.0
#include "exchange/xml_text.h"

namespace gridloom::exchange {

std::string escapedXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      const bool allowed = byte >= 0x20 || c == '\t' || c == '\n';
      out += allowed && byte != 0x7F ? c : '?';
    }
    }
  }
  return out;
}

}  // namespace gridloom::exchange
