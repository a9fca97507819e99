// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_ops.h"

#include <optional>
#include <string>
#include <utility>

#include "base/message_limit.h"
#include "syntax/hardware_parser_op.h"
#include "syntax/hardware_parser_values.h"
#include "syntax/limits.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

// Bodies inside one another, and words between the name of a body and its brace: each body looks
// that far ahead.
constexpr std::size_t kMaxBodies = 16;
constexpr std::size_t kMaxHead = 1024;

class OpReader {
 public:
  OpReader(const TokenText& text, base::Diagnostics& out)
      : m_cursor(text), m_values(m_cursor, out), m_op(m_cursor, m_values, out), m_out(out) {}

  HardwareOps run() {
    m_ops.inModule = m_cursor.text().source->name().ends_with(".mlir");
    readAll();
    m_ops.parameters = m_values.takeParameters();
    return std::move(m_ops);
  }

 private:
  enum class Body { Module, GenericModule, Function, GenericFunction };

  void readAll() {
    readAliases();
    while (atModule()) readModuleHead();
    while (!m_cursor.at(TokenKind::End) && !base::isFull(m_out)) {
      const bool ends = m_cursor.at(TokenKind::RBrace);
      if (ends && m_open.size() == 1 && !inFunction()) break;
      if (ends && !m_open.empty()) {
        closeBody();
      } else if (!readNext()) {
        return tooMany();
      }
    }
    if (base::isFull(m_out)) return;
    if (!m_open.empty()) closeBody();
    // Printed places may stand after the module.
    readAliases();
    if (!m_cursor.at(TokenKind::End)) m_cursor.reportExpected("the end of the text", m_out);
  }

  void readAliases() {
    while (m_cursor.at(TokenKind::Hash) || m_cursor.at(TokenKind::Bang)) {
      if (!m_values.readAlias()) break;
    }
  }

  bool inFunction() const {
    return !m_open.empty() &&
           (m_open.back() == Body::Function || m_open.back() == Body::GenericFunction);
  }

  /// False: there are too many components.
  bool readNext() {
    if (m_ops.ops.empty() && m_cursor.atWord("module") && m_op.atComponent(bodyAhead() + 1)) {
      readModuleHead();
    } else if (m_ops.ops.empty() && atFunction() && functionHoldsComponents()) {
      enterFunction();
    } else if (atKernel() || (inFunction() && !m_op.atComponent())) {
      skipStatement();
    } else if (m_cursor.atWord("param")) {
      if (!m_values.readParameter()) skipToNextOp();
    } else if (m_ops.ops.size() == kMaxComponents) {
      return false;
    } else if (std::optional<HardwareOp> op = m_op.read(m_ops.inModule)) {
      m_ops.ops.push_back(*std::move(op));
    } else {
      skipToNextOp();
    }
    return true;
  }

  /// Leaves no ops, so that no other error follows.
  void tooMany() {
    m_out = {base::errorAt(m_cursor.text().source, m_cursor.peek().span,
                           "the description has more than " + std::to_string(kMaxComponents) +
                               " components",
                           "this is the limit: `df.spatial_dim` makes one component many")};
    m_ops = {};
  }

  /// `module ... {`, or `"builtin.module"() ({` of the generic form.
  bool atModule() const {
    if (m_open.empty() && m_cursor.atWord("module")) return true;
    return isQuoted(m_cursor.peek(), "\"builtin.module\"");
  }

  bool isQuoted(const Token& token, std::string_view text) const {
    return token.kind == TokenKind::String && m_cursor.textOf(token) == text;
  }

  /// The opening brace of the body of the module or function that begins here, counted from the
  /// cursor; braces of attributes stand before it.
  std::size_t bodyAhead() const {
    int parens = 0;
    int braces = 0;
    for (std::size_t next = 1;; ++next) {
      const TokenKind kind = m_cursor.peek(next).kind;
      if (kind == TokenKind::End || next == kMaxHead) return next;
      parens += kind == TokenKind::LParen ? 1 : kind == TokenKind::RParen ? -1 : 0;
      if (kind == TokenKind::LBrace) {
        const Token& before = m_cursor.peek(next - 1);
        const bool isRegion = before.kind == TokenKind::LParen;
        const bool isAttributes =
            before.kind == TokenKind::Less || m_cursor.textOf(before) == "attributes";
        if (braces == 0 && !isAttributes && (isRegion || parens == 0)) return next;
        ++braces;
      }
      braces -= kind == TokenKind::RBrace ? 1 : 0;
    }
  }

  /// `module "label" {`; also `module @name attributes { ... } {`, and the generic form.
  void readModuleHead() {
    const bool isGeneric = m_cursor.take().kind == TokenKind::String;
    m_ops.inModule = true;
    m_open.push_back(isGeneric ? Body::GenericModule : Body::Module);
    if (isGeneric) {
      m_cursor.expect(TokenKind::LParen, "after `\"builtin.module\"`", m_out);
      m_cursor.expect(TokenKind::RParen, "after `(`", m_out);
      if (m_cursor.accept(TokenKind::Less)) {
        if (m_cursor.at(TokenKind::LBrace)) skipBraces();
        m_cursor.expect(TokenKind::Greater, "to close the properties", m_out);
      }
      m_cursor.expect(TokenKind::LParen, "before the module's body", m_out);
    } else {
      if (m_cursor.at(TokenKind::String)) {
        m_ops.label = stringValue(m_cursor.textOf(m_cursor.take()));
      }
      if (m_cursor.accept(TokenKind::At)) m_cursor.take();
      if (m_cursor.acceptWord("attributes") && m_cursor.at(TokenKind::LBrace)) skipBraces();
    }
    m_cursor.expect(TokenKind::LBrace, "after `module`", m_out);
  }

  void closeBody() {
    m_cursor.expect(TokenKind::RBrace, "to close the module", m_out);
    const Body body = m_open.back();
    m_open.pop_back();
    if (body == Body::GenericModule || body == Body::GenericFunction) {
      m_cursor.expect(TokenKind::RParen, "to close the module's body", m_out);
      if (m_cursor.at(TokenKind::LBrace)) skipBraces();
    }
    m_values.skipTypes();
  }

  void skipBraces() {
    int depth = 0;
    do {
      const TokenKind kind = m_cursor.take().kind;
      depth += kind == TokenKind::LBrace ? 1 : kind == TokenKind::RBrace ? -1 : 0;
    } while (depth > 0 && !m_cursor.at(TokenKind::End));
  }

  bool atFunction() const {
    return isQuoted(m_cursor.peek(), "\"func.func\"") ||
           (m_cursor.atWord("func") && m_cursor.peek(1).kind == TokenKind::Dot);
  }

  /// Whether components are declared in the function that begins here, between the operations of a
  /// kernel.
  bool functionHoldsComponents() const {
    if (m_open.size() == kMaxBodies) return false;
    int depth = 0;
    for (std::size_t next = bodyAhead();; ++next) {
      const TokenKind kind = m_cursor.peek(next).kind;
      depth += kind == TokenKind::LBrace ? 1 : kind == TokenKind::RBrace ? -1 : 0;
      if (depth == 0 || kind == TokenKind::End) return false;
      if (m_op.atComponent(next)) return true;
    }
  }

  void enterFunction() {
    const bool isGeneric = m_cursor.at(TokenKind::String);
    m_cursor.moveTo(m_cursor.position() + bodyAhead() + 1);
    m_ops.inModule = true;
    m_open.push_back(isGeneric ? Body::GenericFunction : Body::Function);
  }

  /// A function, a module or an operation of another dialect beside the components: MLIR keeps a
  /// kernel with the hardware it is for.
  bool atKernel() const {
    const bool isOperation = m_cursor.at(TokenKind::String) && !m_op.atComponent() &&
                             m_cursor.peek(1).kind == TokenKind::LParen;
    return m_cursor.atWord("module") || atFunction() || isOperation;
  }

  void skipStatement() {
    const Token first = m_cursor.peek();
    std::vector<Token> open;
    TokenKind before = TokenKind::End;
    do {
      checkLeftOut(before);
      const Token token = m_cursor.take();
      before = token.kind;
      const bool opens = token.kind == TokenKind::LBrace || token.kind == TokenKind::LParen;
      const bool closes = token.kind == TokenKind::RBrace || token.kind == TokenKind::RParen;
      if (opens) open.push_back(token);
      if (closes && !open.empty()) open.pop_back();
      if (open.empty() && m_cursor.at(TokenKind::RBrace)) break;
    } while (!m_cursor.at(TokenKind::End) && (!open.empty() || !m_cursor.atLineStart()));
    m_ops.skipped.push_back(m_cursor.spanFrom(first));
    if (open.empty()) return;
    // What else it found behind the bracket is more likely in place.
    std::erase_if(m_ops.leftOut, [&](const base::Diagnostic& mistake) {
      return mistake.span.begin > open.front().span.begin;
    });
    const std::string sign(m_cursor.textOf(open.front()));
    base::report(m_ops.leftOut, base::errorAt(m_cursor.text().source, open.front().span,
                                              "this `" + sign + "` is not closed",
                                              "all of the text that follows would be left out"));
  }

  /// The `x` of an operation `df.x` or `"df.x"(` at the cursor, behind a token of the kind
  /// `before`; empty for anything else, such as a type `!df.x` or an attribute `df.x = 1`.
  std::string_view operationHere(TokenKind before) const {
    const std::string_view text = m_cursor.textOf(m_cursor.peek());
    if (m_cursor.at(TokenKind::String)) {
      const bool isOurs = text.starts_with("\"df.") && m_cursor.peek(1).kind == TokenKind::LParen;
      return isOurs ? text.substr(4, text.size() - 5) : std::string_view{};
    }
    const TokenKind after = m_cursor.peek(3).kind;
    const bool isOther = before == TokenKind::Bang || before == TokenKind::Hash ||
                         after == TokenKind::Equal || after == TokenKind::Comma ||
                         after == TokenKind::RBrace;
    if (isOther || !m_cursor.atWord("df") || m_cursor.peek(1).kind != TokenKind::Dot) return {};
    return m_cursor.textOf(m_cursor.peek(2));
  }

  /// Reports a component that stands in what is skipped, also one with a slip in its name. Other
  /// operations of the dialect, such as `df.chained_load`, belong to the kernel.
  void checkLeftOut(TokenKind before) {
    const std::string_view op = operationHere(before);
    if (op.empty()) return;
    const base::SourceRef& source = m_cursor.text().source;
    const bool isQuotedOp = m_cursor.at(TokenKind::String);
    const base::Span span{m_cursor.peek().span.begin, m_cursor.peek(isQuotedOp ? 0 : 2).span.end};
    if (m_op.atComponent()) {
      base::report(
          m_ops.leftOut,
          base::errorAt(source, span, "this `df." + std::string(op) + "` would be left out",
                        "declare all components in one body, outside of other operations"));
      return;
    }
    // A word of three letters is too near to others: `df.max` is no `df.mat`.
    const std::string_view near = op.size() > 3 ? nearest(op, kHardwareOps) : std::string_view{};
    if (near.empty()) return;
    base::report(m_ops.leftOut,
                 base::errorAt(source, span, "unknown operation `df." + std::string(op) + "`",
                               "did you mean `df." + std::string(near) + "`?"));
  }

  void skipToNextOp() {
    while (!m_cursor.at(TokenKind::End)) {
      m_cursor.take();
      if (!m_cursor.atLineStart()) continue;
      if (m_op.atStart()) return;
      if (m_cursor.at(TokenKind::RBrace) && m_cursor.peek(1).kind == TokenKind::End) return;
    }
  }

  TokenCursor m_cursor;
  HardwareValueReader m_values;
  HardwareOpReader m_op;
  base::Diagnostics& m_out;
  HardwareOps m_ops;
  std::vector<Body> m_open;
};

}  // namespace

HardwareOps readHardwareOps(const TokenText& text, base::Diagnostics& out) {
  return OpReader(text, out).run();
}

}  // namespace gridloom::syntax
