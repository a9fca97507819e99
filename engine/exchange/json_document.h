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

/// What the JSON library says, without its own place and number.
std::string jsonReason(std::string_view what);
/// The number that the library says it cannot hold, as written; "" when it says something else.
std::string numberTooLarge(std::string_view what);

/// A place in a JSON text from which values are read by type. Whatever is missing or of another type
/// becomes a located error of the document, and reading goes on with a harmless value, so that one run
/// reports several errors.
class JsonNode;

class JsonDocument {
 public:
  /// Errors: not JSON (located where it stops being it), nesting deeper than 64, more than 2^20 values, objects of more
  /// than 4096 members.
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
  /// The member of that name; a null node, with an error when `required`, if there is none.
  JsonNode member(std::string_view name, bool required = true) const;
  bool has(std::string_view name) const;
  /// Names of an object's members; an error when it is no object.
  std::vector<std::string> names() const;
  /// Elements of an array; an error when it is none.
  std::vector<JsonNode> elements() const;

  std::string text() const;
  double number() const;
  std::int64_t integer() const;
  bool truth() const;
  std::vector<std::string> texts() const;

  /// Adds an error at this place.
  void fail(std::string message, std::string hint = {}) const;
  base::Span span() const;

 private:
  friend class JsonDocument;
  JsonNode(std::shared_ptr<JsonDocument::Content> content, const void* value, std::string pointer)
      : m_content(std::move(content)), m_value(value), m_pointer(std::move(pointer)) {}
  void expected(std::string_view what) const;

  std::shared_ptr<JsonDocument::Content> m_content;
  const void* m_value = nullptr;  ///< the JSON library's value; its type stays in the source file
  std::string m_pointer;          ///< RFC 6901
};

}  // namespace gridloom::exchange
