// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gridloom::exchange {

/// The message of the JSON library, without its own location and number.
std::string jsonReason(std::string_view what);
/// The number that the library reports as too large, as written; "" for another message.
std::string numberTooLarge(std::string_view what);

/// A value in a JSON text, read by type. A missing value or one of another type becomes a located
/// error of the document. Reading continues with a neutral value, so one run reports several
/// errors.
class JsonNode;

class JsonDocument {
 public:
  /// Errors: not JSON (located at the first invalid byte), nesting deeper than 64, more than 2^20
  /// values, objects of more than 4096 members.
  static base::Result<JsonDocument> parse(base::SourceRef source);

  JsonNode root() const;
  const base::Diagnostics& errors() const;
  base::Diagnostics takeErrors();

 private:
  friend class JsonNode;
  struct Content;
  explicit JsonDocument(std::shared_ptr<Content> content);
  std::shared_ptr<Content> m_content;
};

class JsonNode {
 public:
  bool exists() const { return m_value != nullptr; }
  bool isNull() const;
  /// The member of that name. A null node if there is none, with an error when `required`.
  JsonNode member(std::string_view name, bool required = true) const;
  bool has(std::string_view name) const;
  /// Names of an object's members; an error for any other value.
  std::vector<std::string> names() const;
  /// Elements of an array; an error for any other value.
  std::vector<JsonNode> elements() const;

  std::string text() const;
  double number() const;
  std::int64_t integer() const;
  bool truth() const;
  std::vector<std::string> texts() const;

  /// Adds an error located here.
  void fail(std::string message, std::string hint = {}) const;
  base::Span span() const;

 private:
  friend class JsonDocument;
  JsonNode(std::shared_ptr<JsonDocument::Content> content, const void* value, std::string pointer)
      : m_content(std::move(content)), m_value(value), m_pointer(std::move(pointer)) {}
  void expected(std::string_view what) const;

  std::shared_ptr<JsonDocument::Content> m_content;
  /// the JSON library's value; its type is private to the source file
  const void* m_value = nullptr;
  std::string m_pointer;  ///< RFC 6901
};

}  // namespace gridloom::exchange
