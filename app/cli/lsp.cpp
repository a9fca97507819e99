// SPDX-License-Identifier: Apache-2.0
// A language server on standard input and output: `gridloom lsp`, started by an editor.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "exchange/lsp_protocol.h"
#include "language/language.h"
#include "service/mapping_input.h"
#include "service/result_records.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

/// Reads the headers and the body of one message. False at the end of the input, or where it is not
/// the protocol.
bool readBody(std::istream& in, std::string& body) {
  constexpr std::string_view kLength = "Content-Length:";
  std::size_t length = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) {
      if (length == 0 || length > kMostBytes) return false;
      body.resize(length);
      return static_cast<bool>(in.read(body.data(), static_cast<std::streamsize>(length)));
    }
    if (!line.starts_with(kLength)) continue;
    const std::size_t digits = line.find_first_not_of(' ', kLength.size());
    if (digits == std::string::npos) return false;
    std::from_chars(line.data() + digits, line.data() + line.size(), length);
  }
  return false;
}

void send(const std::string& body) {
  std::cout << "Content-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
}

int numberOf(language::Completion::Kind kind) {
  switch (kind) {
  case language::Completion::Kind::Keyword:
    return 14;
  case language::Completion::Kind::Function:
    return 3;
  case language::Completion::Kind::Type:
    return 7;
  case language::Completion::Kind::Attribute:
    return 10;
  case language::Completion::Kind::Name:
    return 6;
  }
  return 1;
}

class Server {
 public:
  /// Serves until the editor says `exit` or closes its end. The status is 0 after `shutdown`.
  Exit run() {
    for (std::string body; readBody(std::cin, body);) {
      const exchange::LspMessage message = exchange::readLsp(body);
      if (message.method == "exit") return m_shutDown ? Exit::Done : Exit::No;
      answer(message);
    }
    return m_shutDown ? Exit::Done : Exit::No;
  }

 private:
  void answer(const exchange::LspMessage& message) {
    const std::string& method = message.method;
    if (method == "initialize") {
      send(exchange::lspCapabilities(message.id, std::string(service::version())));
    } else if (method == "shutdown") {
      m_shutDown = true;
      send(exchange::lspNothing(message.id));
    } else if (method == "textDocument/didOpen" || method == "textDocument/didChange") {
      if (message.text) change(message.uri, *message.text);
    } else if (method == "textDocument/didClose") {
      m_texts.erase(message.uri);
      send(exchange::lspDiagnostics(message.uri, {}));
    } else if (!message.id.empty() && !method.empty()) {
      ask(message);
    } else if (method.empty()) {
      send(exchange::lspError("", -32700, "this is no message of the protocol"));
    }
  }

  void change(const std::string& uri, const std::string& text) {
    const base::SourceRef source = base::makeSource(exchange::pathOfUri(uri), text);
    m_texts[uri] = source;
    base::Diagnostics findings = service::checkText(source);
    // Findings about another text have no place in this one.
    std::erase_if(findings, [&](const base::Diagnostic& finding) {
      return finding.source != nullptr && finding.source->name() != source->name();
    });
    send(exchange::lspDiagnostics(uri, findings));
  }

  void ask(const exchange::LspMessage& message) {
    const auto text = m_texts.find(message.uri);
    if (text == m_texts.end()) {
      const bool known = message.method.starts_with("textDocument/");
      send(known ? exchange::lspNothing(message.id)
                 : exchange::lspError(message.id, -32601, "unknown: " + message.method));
      return;
    }
    const base::SourceRef& source = text->second;
    const std::uint32_t offset = exchange::offsetOf(*source, message.line, message.character);
    if (message.method == "textDocument/hover") {
      send(exchange::lspHover(message.id, language::hoverText(source, offset)));
    } else if (message.method == "textDocument/definition") {
      send(exchange::lspDefinition(message.id, message.uri, *source,
                                   language::definitionAt(source, offset)));
    } else if (message.method == "textDocument/completion") {
      std::vector<exchange::LspCompletion> completions;
      for (language::Completion& completion : language::completionsAt(source, offset)) {
        completions.push_back(
            {std::move(completion.text), numberOf(completion.kind), std::move(completion.help)});
      }
      send(exchange::lspCompletions(message.id, completions));
    } else {
      send(exchange::lspError(message.id, -32601, "unknown: " + message.method));
    }
  }

  std::map<std::string, base::SourceRef> m_texts;
  bool m_shutDown = false;
};

}  // namespace

Exit lsp(const Options&) { return Server().run(); }

}  // namespace gridloom::cli
