// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace gridloom::exchange {

/// A message of an editor to a language server (Language Server Protocol 3.17, JSON-RPC 2.0): the
/// parts of it that the server uses.
struct LspMessage {
  std::string id;      ///< JSON of the id; "": a notification
  std::string method;  ///< "": not a message
  std::string uri;
  std::optional<std::string> text;  ///< of a document that is opened or changed
  std::uint32_t line = 0;           ///< from 0
  std::uint32_t character = 0;      ///< UTF-16 code units, from 0
};
/// Messages that are not JSON, or not objects, have no method.
LspMessage readLsp(const std::string& json);

/// The path of a `file:` URI, else the URI itself.
std::string pathOfUri(const std::string& uri);

/// Byte offset of a place in a text; places behind the end of a line are its end.
std::uint32_t offsetOf(const base::SourceText& text, std::uint32_t line, std::uint32_t character);

/// One completion: LSP's number of its kind (14: keyword, 3: function, ...).
struct LspCompletion {
  std::string text;
  int kind = 1;
  std::string help;
};

// Answers, as the JSON of a message's body. `id` as in the request.
std::string lspCapabilities(const std::string& id, const std::string& version);
std::string lspDiagnostics(const std::string& uri, const base::Diagnostics& findings);
std::string lspHover(const std::string& id, const std::string& markdown);
std::string lspCompletions(const std::string& id, const std::vector<LspCompletion>& completions);
std::string lspDefinition(const std::string& id, const std::string& uri,
                          const base::SourceText& text, std::optional<base::Span> span);
std::string lspNothing(const std::string& id);
/// JSON-RPC error: -32601 for a method that is not known, -32700 for what is no message.
std::string lspError(const std::string& id, int code, const std::string& message);

}  // namespace gridloom::exchange
