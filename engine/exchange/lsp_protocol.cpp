// SPDX-License-Identifier: Apache-2.0
#include "exchange/lsp_protocol.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace gridloom::exchange {

namespace {

using nlohmann::json;

/// A member by path, or null.
const json* at(const json& value, std::initializer_list<const char*> path) {
  const json* here = &value;
  for (const char* name : path) {
    if (!here->is_object()) return nullptr;
    const auto found = here->find(name);
    if (found == here->end()) return nullptr;
    here = &*found;
  }
  return here;
}

std::string textAt(const json& value, std::initializer_list<const char*> path) {
  const json* found = at(value, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint32_t numberAt(const json& value, std::initializer_list<const char*> path) {
  const json* found = at(value, path);
  if (found == nullptr || !found->is_number_integer()) return 0;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(found->get<std::int64_t>(), 0, 1 << 30));
}

/// UTF-16 code units of a text: characters beyond the basic plane (4 bytes of UTF-8) count twice.
std::uint32_t unitsOf(std::string_view text) {
  std::uint32_t units = 0;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(base::utf8Length(text), 1);
    units += length == 4 ? 2 : 1;
    text.remove_prefix(std::min(length, text.size()));
  }
  return units;
}

json positionOf(const base::SourceText& text, std::uint32_t offset) {
  const base::LineColumn place = text.lineColumn(offset);
  return {{"line", place.line - 1},
          {"character", unitsOf(text.line(place.line).substr(0, place.column - 1))}};
}

json rangeOf(const base::SourceText& text, base::Span span) {
  return {{"start", positionOf(text, span.begin)},
          {"end", positionOf(text, std::max(span.begin, span.end))}};
}

int severityOf(base::Severity severity) {
  switch (severity) {
  case base::Severity::Error:
    return 1;
  case base::Severity::Warning:
    return 2;
  case base::Severity::Note:
    return 3;
  }
  return 4;
}

std::string printed(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string answer(const std::string& id, json result) {
  return printed(
      {{"jsonrpc", "2.0"}, {"id", json::parse(id, nullptr, false)}, {"result", std::move(result)}});
}

}  // namespace

LspMessage readLsp(const std::string& text) {
  LspMessage message;
  const json value = json::parse(text, nullptr, false);
  if (!value.is_object()) return message;
  if (const json* id = at(value, {"id"}); id != nullptr) message.id = printed(*id);
  message.method = textAt(value, {"method"});
  message.uri = textAt(value, {"params", "textDocument", "uri"});
  message.line = numberAt(value, {"params", "position", "line"});
  message.character = numberAt(value, {"params", "position", "character"});
  if (const json* opened = at(value, {"params", "textDocument", "text"});
      opened != nullptr && opened->is_string()) {
    message.text = opened->get<std::string>();
  }
  if (const json* changes = at(value, {"params", "contentChanges"});
      changes != nullptr && changes->is_array() && !changes->empty()) {
    message.text = textAt(changes->back(), {"text"});
  }
  return message;
}

std::string pathOfUri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return uri;
  std::string path;
  for (std::size_t i = kScheme.size(); i < uri.size(); ++i) {
    const auto digit = [&](std::size_t k) {
      return k < uri.size() && std::isxdigit(static_cast<unsigned char>(uri[k])) != 0;
    };
    if (uri[i] == '%' && digit(i + 1) && digit(i + 2)) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::uint32_t offsetOf(const base::SourceText& text, std::uint32_t line, std::uint32_t character) {
  // Lines have no index by number here, so the newlines are counted.
  const std::string_view all = text.text();
  std::size_t begin = 0;
  for (std::uint32_t i = 0; i < line; ++i) {
    const std::size_t end = all.find('\n', begin);
    if (end == std::string_view::npos) return static_cast<std::uint32_t>(all.size());
    begin = end + 1;
  }
  std::string_view rest = all.substr(begin, std::min(all.find('\n', begin), all.size()) - begin);
  std::size_t bytes = 0;
  for (std::uint32_t units = 0; units < character && !rest.empty();) {
    const std::size_t length =
        std::min(std::max<std::size_t>(base::utf8Length(rest), 1), rest.size());
    units += length == 4 ? 2 : 1;
    bytes += length;
    rest.remove_prefix(length);
  }
  return static_cast<std::uint32_t>(begin + bytes);
}

std::string lspCapabilities(const std::string& id, const std::string& version) {
  return answer(id, {{"capabilities",
                      {{"textDocumentSync", 1},
                       {"hoverProvider", true},
                       {"definitionProvider", true},
                       {"completionProvider", {{"triggerCharacters", {"%", ".", "{"}}}}}},
                     {"serverInfo", {{"name", "gridloom"}, {"version", version}}}});
}

std::string lspDiagnostics(const std::string& uri, const base::Diagnostics& findings) {
  json list = json::array();
  for (const base::Diagnostic& finding : findings) {
    std::string message = finding.message;
    if (!finding.hint.empty()) message += "\n" + finding.hint;
    const json start = {{"line", 0}, {"character", 0}};
    list.push_back({{"range", finding.source == nullptr ? json({{"start", start}, {"end", start}})
                                                        : rangeOf(*finding.source, finding.span)},
                    {"severity", severityOf(finding.severity)},
                    {"source", "gridloom"},
                    {"message", message}});
  }
  return printed({{"jsonrpc", "2.0"},
                  {"method", "textDocument/publishDiagnostics"},
                  {"params", {{"uri", uri}, {"diagnostics", list}}}});
}

std::string lspHover(const std::string& id, const std::string& markdown) {
  if (markdown.empty()) return lspNothing(id);
  return answer(id, {{"contents", {{"kind", "markdown"}, {"value", markdown}}}});
}

std::string lspCompletions(const std::string& id, const std::vector<LspCompletion>& completions) {
  json items = json::array();
  for (const LspCompletion& completion : completions) {
    json item = {{"label", completion.text}, {"kind", completion.kind}};
    if (!completion.help.empty()) item["documentation"] = completion.help;
    items.push_back(std::move(item));
  }
  return answer(id, {{"isIncomplete", false}, {"items", items}});
}

std::string lspDefinition(const std::string& id, const std::string& uri,
                          const base::SourceText& text, std::optional<base::Span> span) {
  if (!span) return lspNothing(id);
  return answer(id, {{"uri", uri}, {"range", rangeOf(text, *span)}});
}

std::string lspNothing(const std::string& id) { return answer(id, nullptr); }

std::string lspError(const std::string& id, int code, const std::string& message) {
  return printed({{"jsonrpc", "2.0"},
                  {"id", id.empty() ? json(nullptr) : json::parse(id, nullptr, false)},
                  {"error", {{"code", code}, {"message", message}}}});
}

}  // namespace gridloom::exchange
