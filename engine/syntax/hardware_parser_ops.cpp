// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_ops.h"

#include <optional>
#include <utility>

#include "base/message_limit.h"
#include "syntax/hardware_parser_values.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

namespace {

class OpReader {
 public:
  OpReader(const TokenText& text, base::Diagnostics& out)
      : m_cursor(text), m_values(m_cursor, out), m_out(out) {}

  HardwareOps run() {
    readAll();
    m_ops.parameters = m_values.takeParameters();
    return std::move(m_ops);
  }

 private:
  void readAll() {
    readAliases();
    while (atModule()) readModuleHead();
    while (!m_cursor.at(TokenKind::End) && !base::isFull(m_out)) {
      const bool ends = m_cursor.at(TokenKind::RBrace);
      if (ends && m_modules.size() == 1) break;
      if (ends && !m_modules.empty()) {
        closeModule();
      } else if (!readNext()) {
        return tooMany();
      }
    }
    if (base::isFull(m_out)) return;
    if (!m_modules.empty()) closeModule();
    // Printed places may stand after the module.
    readAliases();
    if (!m_cursor.at(TokenKind::End)) m_cursor.reportExpected("the end of the text", m_out);
  }

  void readAliases() {
    while (m_cursor.at(TokenKind::Hash)) {
      if (!m_values.readAlias()) break;
    }
  }

  /// False: there are too many components.
  bool readNext() {
    if (m_ops.ops.empty() && holdsComponents()) {
      readModuleHead();
    } else if (atKernel()) {
      skipKernel();
    } else if (m_cursor.atWord("param")) {
      if (!m_values.readParameter()) skipToNextOp();
    } else if (m_ops.ops.size() == kMaxComponents) {
      return false;
    } else if (std::optional<HardwareOp> op = readOp()) {
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
    if (m_modules.empty() && m_cursor.atWord("module")) return true;
    return isGenericModule(m_cursor.peek());
  }

  bool isGenericModule(const Token& token) const {
    return token.kind == TokenKind::String && m_cursor.textOf(token) == "\"builtin.module\"";
  }

  /// Whether an inner module begins here whose first operation is a component.
  bool holdsComponents() const {
    if (!m_cursor.atWord("module")) return false;
    std::size_t next = 1;
    int depth = 0;
    for (; m_cursor.peek(next).kind != TokenKind::End; ++next) {
      const TokenKind kind = m_cursor.peek(next).kind;
      const bool opens = kind == TokenKind::LBrace;
      const bool isAttributes = opens && m_cursor.textOf(m_cursor.peek(next - 1)) == "attributes";
      if (opens && depth == 0 && !isAttributes) break;
      depth += opens ? 1 : kind == TokenKind::RBrace ? -1 : 0;
    }
    const Token& op = m_cursor.peek(next + 3);
    return m_cursor.peek(next + 1).kind == TokenKind::PercentIdent &&
           m_cursor.peek(next + 2).kind == TokenKind::Equal && m_cursor.textOf(op) == "df";
  }

  /// `module "label" {`; also `module @name attributes { ... } {`, and the generic form.
  void readModuleHead() {
    const bool isGeneric = isGenericModule(m_cursor.take());
    m_ops.inModule = true;
    m_modules.push_back(isGeneric);
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

  void closeModule() {
    m_cursor.expect(TokenKind::RBrace, "to close the module", m_out);
    const bool isGeneric = m_modules.back();
    m_modules.pop_back();
    if (isGeneric) {
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

  /// A function or a module beside the components: MLIR keeps a kernel with the hardware it is for.
  bool atKernel() const {
    return m_cursor.atWord("module") ||
           (m_cursor.atWord("func") && m_cursor.peek(1).kind == TokenKind::Dot);
  }

  void skipKernel() {
    const Token first = m_cursor.peek();
    int depth = 0;
    do {
      const TokenKind kind = m_cursor.take().kind;
      depth += kind == TokenKind::LBrace ? 1 : kind == TokenKind::RBrace ? -1 : 0;
    } while (!m_cursor.at(TokenKind::End) && (depth > 0 || !m_cursor.atLineStart()));
    m_ops.skipped.push_back(m_cursor.spanFrom(first));
  }

  bool atOpStart() const {
    if (m_cursor.atWord("param")) return true;
    return m_cursor.at(TokenKind::PercentIdent) && m_cursor.peek(1).kind == TokenKind::Equal;
  }

  void skipToNextOp() {
    while (!m_cursor.at(TokenKind::End)) {
      m_cursor.take();
      if (!m_cursor.atLineStart()) continue;
      if (atOpStart()) return;
      if (m_cursor.at(TokenKind::RBrace) && m_cursor.peek(1).kind == TokenKind::End) return;
    }
  }

  std::optional<HardwareOp> readOp() {
    if (!atOpStart()) {
      m_cursor.reportExpected("`%name = df.op ...`", m_out,
                              "every component has its own line, such as `%x = df.spatial_dim 8`");
      return {};
    }
    const Token& first = m_cursor.take();
    HardwareOp op;
    op.inModule = m_ops.inModule;
    op.name = m_cursor.textOf(first).substr(1);
    op.nameSpan = first.span;
    m_cursor.take();
    if (!readOpName(op)) return {};
    if (m_cursor.at(TokenKind::String)) {
      const std::string_view quoted = m_cursor.textOf(m_cursor.take());
      op.label = stringValue(quoted);
      op.labelText = quoted.substr(1, quoted.size() - 2);
      m_cursor.accept(TokenKind::Comma);
    }
    if (!readOperands(op.operands) || !m_values.skipTypes()) return {};
    // The generic form has its operands between brackets.
    if (op.operands.size() == 1 && op.operands[0].kind == HardwareValue::Kind::List) {
      std::vector<HardwareValue> items = std::move(op.operands[0].items);
      op.operands = std::move(items);
    }
    if (!readProperties(op)) return {};
    if (m_cursor.at(TokenKind::LBrace)) {
      if (!m_values.readAttributes(op.attributes, 0)) return {};
    }
    takeLabel(op);
    if (!m_values.skipTypes()) return {};
    op.span = m_cursor.spanFrom(first);
    return op;
  }

  /// `<{size = 8 : i64}>`: attributes, as the generic form has them since LLVM 17.
  bool readProperties(HardwareOp& op) {
    if (!m_cursor.at(TokenKind::Less) || m_cursor.peek(1).kind != TokenKind::LBrace) return true;
    m_cursor.take();
    return m_values.readAttributes(op.attributes, 0) &&
           m_cursor.expect(TokenKind::Greater, "to close the properties", m_out);
  }

  /// `label = "cores"` is the same as `"cores"` behind the operation.
  static void takeLabel(HardwareOp& op) {
    std::erase_if(op.attributes, [&](const HardwareAttribute& attribute) {
      const bool isLabel = attribute.name == "label" || attribute.name == "sym_name";
      if (!isLabel || attribute.value.kind != HardwareValue::Kind::Word) return false;
      if (op.labelText.empty()) {
        op.label = attribute.value.text;
        op.labelText = attribute.value.text;
      }
      return true;
    });
  }

  bool readOpName(HardwareOp& op) {
    const Token first = m_cursor.peek();
    // `"df.core"(...)`
    if (m_cursor.at(TokenKind::String) && m_cursor.textOf(first).starts_with("\"df.")) {
      const std::string_view quoted = m_cursor.textOf(m_cursor.take());
      op.op = quoted.substr(4, quoted.size() - 5);
      op.opSpan = first.span;
      return true;
    }
    if (!m_cursor.acceptWord("df")) {
      m_cursor.reportExpected("an operation of the df dialect", m_out, "such as `df.core`");
      return false;
    }
    if (!m_cursor.expect(TokenKind::Dot, "after `df`", m_out)) return false;
    if (!m_cursor.at(TokenKind::Ident)) {
      m_cursor.reportExpected("the name of an operation", m_out, "such as `df.core`");
      return false;
    }
    op.op = m_cursor.textOf(m_cursor.take());
    op.opSpan = m_cursor.spanFrom(first);
    return true;
  }

  bool atOperand() const {
    const TokenKind kind = m_cursor.peek().kind;
    const bool value = kind == TokenKind::PercentIdent || kind == TokenKind::Integer ||
                       kind == TokenKind::Minus || kind == TokenKind::Float ||
                       kind == TokenKind::LParen || m_values.atParameter();
    return value && !(m_cursor.atLineStart() && atOpStart());
  }

  bool readOperands(std::vector<HardwareValue>& operands) {
    while (atOperand()) {
      std::optional<HardwareValue> value = m_values.readValue(0);
      if (!value) return false;
      operands.push_back(std::move(*value));
      if (!m_values.skipTypes()) return false;
      m_cursor.accept(TokenKind::Comma);
    }
    return true;
  }

  TokenCursor m_cursor;
  HardwareValueReader m_values;
  base::Diagnostics& m_out;
  HardwareOps m_ops;
  std::vector<bool> m_modules;  ///< that are open, and whether each is in the generic form
};

}  // namespace

HardwareOps readHardwareOps(const TokenText& text, base::Diagnostics& out) {
  return OpReader(text, out).run();
}

}  // namespace gridloom::syntax
