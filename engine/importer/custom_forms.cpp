// SPDX-License-Identifier: Apache-2.0
#include "importer/custom_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string_view>

namespace gridloom::importer {

namespace {

// A regular expression takes memory for each character that it reads.
constexpr std::size_t kLongestForm = 8192;

// The place behind the bracket that closes the one at `open`; npos where none does.
std::size_t behindBlock(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  return std::string::npos;
}

struct Written {
  std::string text;
  std::size_t length = 0;  ///< of what it stands for
};

// `tm_tensor.scan dimension(0) inclusive(true) ins(%x : A) outs(%y, %z : B, C) { ... } -> B, C`
Written genericScan(const std::string& text, std::size_t at) {
  static const std::regex head(
      R"rx(tm_tensor\.scan\s+dimension\((\d+)\)\s+inclusive\((true|false)\)\s*)rx"
      R"rx(ins\(([^:)]*):([^)]*)\)\s*outs\(([^:)]*):([^)]*)\)\s*(?=\{))rx");
  static const std::regex yield(R"(tm_tensor\.yield\s+(%[\w#]+)\s*:\s*(\S+))");
  static const std::regex types(R"(\s*->\s*([^\n]*))");
  const std::string rest = text.substr(at, kLongestForm);
  std::smatch match;
  if (!std::regex_search(rest, match, head, std::regex_constants::match_continuous)) return {};
  const auto open = static_cast<std::size_t>(match.length());
  const std::size_t end = behindBlock(rest, open);
  std::smatch results;
  const std::string tail = end == std::string::npos ? "" : rest.substr(end);
  if (!std::regex_search(tail, results, types, std::regex_constants::match_continuous)) return {};
  const std::string region = std::regex_replace(rest.substr(open, end - open), yield,
                                                R"("tm_tensor.yield"($1) : ($2) -> ())");
  return {fmt::format("\"tm_tensor.scan\"({}, {}) <{{dimension = {} : i64, inclusive = {}, "
                      "operandSegmentSizes = array<i32: 1, 2>}}> ({}) : ({}, {}) -> ({})",
                      match[3].str(), match[5].str(), match[1].str(), match[2].str(), region,
                      match[4].str(), match[6].str(), results[1].str()),
          end + static_cast<std::size_t>(results.length())};
}

// What an operation on one line is by a pattern.
Written onOneLine(const std::string& text, std::size_t at, const std::regex& from, const char* to) {
  const std::string rest = text.substr(at, std::min(text.find('\n', at) - at, kLongestForm));
  std::smatch match;
  if (!std::regex_search(rest, match, from, std::regex_constants::match_continuous)) return {};
  return {match.format(to), static_cast<std::size_t>(match.length())};
}

Written cumulativeSum(const std::string& text, std::size_t at) {
  static const std::regex form(
      R"rx(ttx\.cumsum\s*\{axis\s*=\s*(\d+)[^}]*\}\s*ins\((%[\w#]+)\s*:\s*([^)]*)\))rx"
      R"rx(\s*outs\((%[\w#]+)\s*:\s*([^)]*)\)\s*->\s*([^\n]*))rx");
  return onOneLine(text, at, form,
                   R"("ttx.cumsum"($2, $4) {dimension = $1 : i64} : ($3, $5) -> $6)");
}

// Of its sizes, those that are numbers stand in the type.
Written emptyTensor(const std::string& text, std::size_t at) {
  static const std::regex form(R"(linalg\.init_tensor\s*\[([^\]]*)\])");
  const Written sizes = onOneLine(text, at, form, "$1");
  if (sizes.length == 0) return {};
  std::string dynamic;
  static const std::regex name(R"(%[\w#]+)");
  for (std::sregex_iterator each(sizes.text.begin(), sizes.text.end(), name), end; each != end;
       ++each)
    dynamic += (dynamic.empty() ? "" : ", ") + each->str();
  return {"tensor.empty(" + dynamic + ")", sizes.length};
}

// Its result has the sizes that are wanted since MLIR 18: all of them, or none is written.
Written expandedShape(const std::string& text, std::size_t at) {
  static const std::regex form(R"rx((expand_shape\s+%[\w#]+\s*\[[\d,\s\[\]]*\]))rx"
                               R"rx((\s*:\s*[^\n]*\sinto\s+(?:tensor|memref)<)rx"
                               R"rx(((?:\d+x)+)[a-z]))rx");
  const std::string rest = text.substr(at, std::min(text.find('\n', at) - at, kLongestForm));
  std::smatch match;
  if (!std::regex_search(rest, match, form, std::regex_constants::match_continuous)) return {};
  std::string sizes = match[3].str();
  sizes.pop_back();
  sizes = std::regex_replace(sizes, std::regex("x"), ", ");
  const auto end = static_cast<std::size_t>(match[1].length());
  return {match[1].str() + " output_shape [" + sizes + "]", end};
}

struct CustomForm {
  const char* name;
  Written (*write)(const std::string& text, std::size_t at);
};

std::string inParsedForm(const std::string& text, const CustomForm& form) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(form.name); at != std::string::npos;
       at = text.find(form.name, from)) {
    out.append(text, from, at - from);
    Written written = form.write(text, at);
    if (written.length == 0) written = {text.substr(at, 1), 1};
    out += written.text;
    // Later lines keep their numbers.
    const auto lines = [](std::string_view of) { return std::count(of.begin(), of.end(), '\n'); };
    const auto lost =
        lines(std::string_view(text).substr(at, written.length)) - lines(written.text);
    out.append(static_cast<std::size_t>(std::max<std::ptrdiff_t>(lost, 0)), '\n');
    from = at + written.length;
  }
  return out.append(text, from);
}

}  // namespace

std::string withParsedForms(std::string text) {
  for (const CustomForm& form :
       {CustomForm{"tm_tensor.scan dimension", genericScan},
        CustomForm{"ttx.cumsum {", cumulativeSum}, CustomForm{"linalg.init_tensor", emptyTensor},
        CustomForm{"expand_shape", expandedShape}})
    if (text.find(form.name) != std::string::npos) text = inParsedForm(text, form);
  return text;
}

}  // namespace gridloom::importer
