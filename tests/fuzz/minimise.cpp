// SPDX-License-Identifier: Apache-2.0
#include "minimise.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gridloom::fuzz {

namespace {

using Parts = std::vector<std::string>;

std::string joined(const Parts& parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

Parts linesOf(const std::string& text) {
  Parts lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

Parts bytesOf(const std::string& text) {
  Parts bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  return bytes;
}

/// Leaves out runs of parts, the longest first, as long as what is left fails.
std::string without(Parts parts, const std::function<bool(const std::string&)>& fails, int& tries) {
  for (std::size_t run = std::max<std::size_t>(1, parts.size() / 2); run > 0; run /= 2) {
    for (std::size_t at = 0; at < parts.size() && tries > 0;) {
      Parts fewer = parts;
      const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(run, parts.size() - at)));
      --tries;
      if (fails(joined(fewer))) {
        parts = std::move(fewer);
      } else {
        at += run;
      }
    }
  }
  return joined(parts);
}

}  // namespace

std::string minimised(std::string text, const std::function<bool(const std::string&)>& fails,
                      int tries) {
  int left = tries / 2;
  text = without(linesOf(text), fails, left);
  left += tries - tries / 2;
  return without(bytesOf(text), fails, left);
}

}  // namespace gridloom::fuzz
