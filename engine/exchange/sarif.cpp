// SPDX-License-Identifier: Apache-2.0
#include "exchange/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace gridloom::exchange {

namespace {

using nlohmann::ordered_json;

std::string levelOf(base::Severity severity) {
  switch (severity) {
  case base::Severity::Error:
    return "error";
  case base::Severity::Warning:
    return "warning";
  case base::Severity::Note:
    return "note";
  }
  return "none";
}

/// A path as a URI reference (RFC 3986): other characters as %XX.
std::string uriOf(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

/// The rule is the language of the file: `hw`, `rec`, `json`.
std::string ruleOf(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension.size() > 1 ? extension.substr(1) : "file";
}

/// Column in characters: bytes that continue a character do not count.
std::int64_t columnOf(const base::SourceText& source, base::LineColumn at) {
  const std::string_view line = source.line(at.line).substr(0, at.column - 1);
  return 1 + std::count_if(line.begin(), line.end(),
                           [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

ordered_json regionOf(const base::SourceText& source, base::Span span) {
  const base::LineColumn begin = source.lineColumn(span.begin);
  const base::LineColumn end = source.lineColumn(std::max(span.begin, span.end));
  return {{"startLine", begin.line},
          {"startColumn", columnOf(source, begin)},
          {"endLine", end.line},
          {"endColumn", columnOf(source, end)},
          {"snippet", {{"text", std::string(source.line(begin.line))}}}};
}

ordered_json resultOf(const CheckedFile& file, const base::Diagnostic& finding) {
  std::string text = finding.message;
  if (!finding.hint.empty()) text += "\nhelp: " + finding.hint;
  ordered_json place = {{"artifactLocation", {{"uri", uriOf(file.path)}}}};
  if (finding.source != nullptr) place["region"] = regionOf(*finding.source, finding.span);
  return {{"ruleId", ruleOf(file.path)},
          {"level", levelOf(finding.severity)},
          {"message", {{"text", text}}},
          {"locations", ordered_json::array({{{"physicalLocation", place}}})}};
}

}  // namespace

std::string sarifText(const std::vector<CheckedFile>& files, const std::string& version) {
  ordered_json results = ordered_json::array();
  ordered_json rules = ordered_json::array();
  std::set<std::string> known;
  for (const CheckedFile& file : files) {
    if (known.insert(ruleOf(file.path)).second) {
      rules.push_back({{"id", ruleOf(file.path)},
                       {"shortDescription", {{"text", "Text of kind ." + ruleOf(file.path)}}}});
    }
    for (const base::Diagnostic& finding : file.findings) {
      results.push_back(resultOf(file, finding));
    }
  }
  const ordered_json run = {
      {"tool", {{"driver", {{"name", "gridloom"}, {"version", version}, {"rules", rules}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", results}};
  const ordered_json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
  return log.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace gridloom::exchange
