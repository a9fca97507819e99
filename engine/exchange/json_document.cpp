// SPDX-License-Identifier: Apache-2.0
#include "exchange/json_document.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/message_limit.h"
#include "exchange/json_spans.h"

namespace gridloom::exchange {

using Json = nlohmann::ordered_json;

struct JsonDocument::Content {
  base::SourceRef source;
  Json json;
  base::Diagnostics errors;
};

namespace {

// Members are found by linear search. No result of this program comes near these limits.
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxValues = std::size_t{1} << 20U;
constexpr std::size_t kMaxMembers = 4096;

/// The limit that a document exceeds.
struct Beyond {
  std::string what;
};

/// Sees every part of a document during parsing and stops when a limit is exceeded.
class Watch {
 public:
  void see(int depth, Json::parse_event_t event) {
    using Event = Json::parse_event_t;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= kMaxDepth) throw Beyond{over("nested deeper than", kMaxDepth, "levels")};
    if (opens || event == Event::value) ++m_values;
    if (m_values > kMaxValues) throw Beyond{over("more than", kMaxValues, "values")};
    if (opens) m_members.push_back(0);
    if (event == Event::object_end || event == Event::array_end) m_members.pop_back();
    if (event == Event::key && ++m_members.back() > kMaxMembers) {
      throw Beyond{over("an object of more than", kMaxMembers, "members")};
    }
  }

 private:
  static std::string over(std::string_view start, std::size_t limit, std::string_view what) {
    return std::string(start) + " " + std::to_string(limit) + " " + std::string(what);
  }

  std::size_t m_values = 0;
  std::vector<std::size_t> m_members;  ///< of the open objects and arrays
};

const Json& valueOf(const void* value) { return *static_cast<const Json*>(value); }

std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

const char* kindOf(const Json& json) {
  switch (json.type()) {
  case Json::value_t::null:
    return "null";
  case Json::value_t::object:
    return "an object";
  case Json::value_t::array:
    return "an array";
  case Json::value_t::string:
    return "a text";
  case Json::value_t::boolean:
    return "true or false";
  default:
    return "a number";
  }
}

}  // namespace

std::string jsonReason(std::string_view what) {
  const auto colon = what.find(": ");
  return std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
}

std::string numberTooLarge(std::string_view what) {
  constexpr std::string_view kOverflow = "number overflow parsing '";
  const auto at = what.find(kOverflow);
  if (at == std::string_view::npos) return {};
  what.remove_prefix(at + kOverflow.size());
  return std::string(what.substr(0, what.find('\'')));
}

JsonDocument::JsonDocument(std::shared_ptr<Content> content) : m_content(std::move(content)) {}

base::Result<JsonDocument> JsonDocument::parse(base::SourceRef source) {
  auto content = std::make_shared<Content>();
  content->source = source;
  Watch watch;
  try {
    content->json =
        Json::parse(source->text(), [&watch](int depth, Json::parse_event_t event, Json&) {
          watch.see(depth, event);
          return true;
        });
  } catch (const Beyond& beyond) {
    return base::errorAt(source, {}, beyond.what,
                         "expected a file written by `gridloom ... --json`");
  } catch (const Json::parse_error& error) {
    const auto at = static_cast<std::uint32_t>(
        std::min(error.byte > 0 ? error.byte - 1 : 0, source->text().size()));
    return base::errorAt(source, {at, at + 1}, "not JSON: " + jsonReason(error.what()),
                         "expected a file written by `gridloom ... --json`");
  } catch (const Json::exception& error) {
    const std::string number = numberTooLarge(error.what());
    if (number.empty()) {
      return base::errorAt(source, {}, "not JSON that can be held: " + jsonReason(error.what()));
    }
    const auto at = static_cast<std::uint32_t>(source->text().find(number));
    const auto end = at + static_cast<std::uint32_t>(number.size());
    return base::errorAt(source, {at, end}, "the number " + number + " is too large",
                         "expected a file written by `gridloom ... --json`");
  }
  return JsonDocument(std::move(content));
}

JsonNode JsonDocument::root() const { return {m_content, &m_content->json, ""}; }
const base::Diagnostics& JsonDocument::errors() const { return m_content->errors; }
base::Diagnostics JsonDocument::takeErrors() { return std::move(m_content->errors); }

bool JsonNode::isNull() const { return m_value == nullptr || valueOf(m_value).is_null(); }

JsonNode JsonNode::member(std::string_view name, bool required) const {
  const std::string path = m_pointer + "/" + escaped(name);
  if (m_value == nullptr) return {m_content, nullptr, path};
  const Json& json = valueOf(m_value);
  if (!json.is_object()) {
    expected("an object with `" + std::string(name) + "`");
    return {m_content, nullptr, path};
  }
  const auto found = json.find(name);
  if (found != json.end()) return {m_content, &*found, path};
  if (required) fail("`" + std::string(name) + "` is missing here");
  return {m_content, nullptr, path};
}

bool JsonNode::has(std::string_view name) const {
  return m_value != nullptr && valueOf(m_value).is_object() && valueOf(m_value).contains(name);
}

std::vector<std::string> JsonNode::names() const {
  std::vector<std::string> out;
  if (m_value == nullptr) return out;
  const Json& json = valueOf(m_value);
  if (!json.is_object()) {
    expected("an object");
    return out;
  }
  for (const auto& item : json.items()) out.push_back(item.key());
  return out;
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> out;
  if (m_value == nullptr) return out;
  const Json& json = valueOf(m_value);
  if (!json.is_array()) {
    expected("an array");
    return out;
  }
  for (std::size_t i = 0; i < json.size(); ++i) {
    out.push_back({m_content, &json[i], m_pointer + "/" + std::to_string(i)});
  }
  return out;
}

std::string JsonNode::text() const {
  if (m_value == nullptr) return {};
  const Json& json = valueOf(m_value);
  if (json.is_string()) return json.get<std::string>();
  expected("a text");
  return {};
}

double JsonNode::number() const {
  if (m_value == nullptr) return 0;
  const Json& json = valueOf(m_value);
  if (json.is_number() && std::isfinite(json.get<double>())) return json.get<double>();
  expected("a number");
  return 0;
}

std::int64_t JsonNode::integer() const {
  if (m_value == nullptr) return 0;
  const Json& json = valueOf(m_value);
  const bool fits = json.is_number_integer() &&
                    !(json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX);
  if (fits) return json.get<std::int64_t>();
  expected("a whole number");
  return 0;
}

bool JsonNode::truth() const {
  if (m_value == nullptr) return false;
  const Json& json = valueOf(m_value);
  if (json.is_boolean()) return json.get<bool>();
  expected("true or false");
  return false;
}

std::vector<std::string> JsonNode::texts() const {
  std::vector<std::string> out;
  for (const JsonNode& element : elements()) out.push_back(element.text());
  return out;
}

// Locates each error by scanning the text again.
void JsonNode::fail(std::string message, std::string hint) const {
  if (base::isFull(m_content->errors)) return;
  m_content->errors.push_back(
      base::errorAt(m_content->source, span(), std::move(message), std::move(hint)));
}

base::Span JsonNode::span() const { return spanOfValue(m_content->source->text(), m_pointer); }

void JsonNode::expected(std::string_view what) const {
  fail("expected " + std::string(what) + ", got " + kindOf(valueOf(m_value)));
}

}  // namespace gridloom::exchange
