// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/message_limit.h"
#include "kernel/check.h"
#include "kernel/kernel_graph.h"
#include "syntax/kernel_parser_scope.h"
#include "syntax/limits.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

class KernelParser {
 public:
  KernelParser(const TokenText& text, std::span<const ParameterOverride> overrides,
               std::optional<kernel::DType> dtype)
      : m_text(text),
        m_cursor(text),
        m_overrides(overrides),
        m_dtype(dtype),
        m_errors(text.errors) {}

  base::Result<kernel::KernelGraph> run() {
    if (m_cursor.at(TokenKind::End) && m_errors.empty()) {
      m_errors.push_back(base::errorAt(m_text.source, m_cursor.peek().span,
                                       "there is no kernel in this text",
                                       "write `kernel name(M = 4096) { ... }`"));
    }
    while (!m_cursor.at(TokenKind::End) && !base::isFull(m_errors)) {
      if (m_cursor.atWord("kernel")) {
        if (m_drafts.size() == kMaxKernels) return tooManyKernels();
        parseKernel();
      } else {
        m_cursor.reportExpected("`kernel`", m_errors, kernelHabit());
        m_cursor.take();
        skipToKernel();
      }
    }
    std::vector<kernel::Kernel> kernels;
    for (kernel::Kernel& draft : m_drafts) checkDraft(std::move(draft), kernels);
    std::ranges::stable_sort(m_errors, {}, [](const auto& error) { return error.span.begin; });
    checkOverrides();
    if (!m_errors.empty()) return std::move(m_errors);
    base::Result<kernel::KernelGraph> graph = kernel::joinKernels(std::move(kernels));
    if (!graph) return graph;
    graph->endComments = commentsBefore(std::numeric_limits<std::uint32_t>::max());
    return {*std::move(graph), std::move(m_warnings)};
  }

 private:
  // What to write where a kernel should begin.
  std::string kernelHabit() const {
    constexpr std::array<std::string_view, 5> words{"def", "func", "fn", "void", "function"};
    if (isHash()) return kCommentHabit;
    const bool isFunction =
        std::ranges::any_of(words, [&](std::string_view word) { return m_cursor.atWord(word); });
    return isFunction ? "a kernel is `kernel name(N = 8) { ... }`"
                      : "a file is a sequence of kernels";
  }

  static constexpr const char* kCommentHabit = "comments begin with `//`";
  bool isHash() const { return m_text.textOf(m_cursor.peek()).starts_with('#'); }

  // Comments not attached yet that begin before `offset`.
  std::vector<std::string> commentsBefore(std::uint32_t offset) {
    std::vector<std::string> lines;
    for (; m_nextComment < m_text.comments.size() &&
           m_text.comments[m_nextComment].span.begin < offset;
         ++m_nextComment) {
      lines.emplace_back(m_text.textOf(m_text.comments[m_nextComment].span));
    }
    return lines;
  }

  // Attaches comments inside, or on the last line of, what was just read.
  void takeTrailingComments(std::vector<std::string>& comments) {
    const std::uint32_t next = m_cursor.peek().span.begin;
    const std::uint32_t end =
        m_cursor.position() == 0 ? 0 : m_text.tokens[m_cursor.position() - 1].span.end;
    while (m_nextComment < m_text.comments.size()) {
      const Comment& comment = m_text.comments[m_nextComment];
      const bool ours = comment.span.begin < end || (!comment.ownLine && comment.span.begin < next);
      if (!ours) return;
      comments.emplace_back(m_text.textOf(comment.span));
      ++m_nextComment;
    }
  }

  void skipToKernel() {
    while (!m_cursor.at(TokenKind::End) && !(m_cursor.atWord("kernel") && m_cursor.atLineStart())) {
      m_cursor.take();
    }
  }

  base::Diagnostics tooManyKernels() const {
    return {base::errorAt(m_text.source, m_cursor.peek().span,
                          fmt::format("the text has more than {} kernels", kMaxKernels),
                          "this is the limit: split it into several files")};
  }

  // Skips to the next line that may hold a declaration or a statement.
  void skipToItem() {
    while (!m_cursor.at(TokenKind::End) && !m_cursor.at(TokenKind::RBrace) &&
           !(m_cursor.at(TokenKind::Ident) && m_cursor.atLineStart()) &&
           !m_cursor.atWord("tensor") && !m_cursor.atWord("local")) {
      m_cursor.take();
    }
  }

  void parseKernel() {
    kernel::Kernel draft;
    draft.source = m_text.source;
    draft.comments = commentsBefore(m_cursor.peek().span.begin);
    m_cursor.take();
    KernelScope scope{m_cursor, draft, m_errors, m_warnings};
    const std::size_t errorsBefore = m_errors.size();
    draft.span = m_cursor.peek().span;
    if (!m_cursor.expect(TokenKind::Ident, "for the kernel", m_errors)) {
      skipToKernel();
      return;
    }
    draft.name = m_text.textOf(draft.span);
    if (m_cursor.accept(TokenKind::LParen) && !parseParameters(scope)) {
      skipToKernel();
      return;
    }
    if (!m_cursor.accept(TokenKind::LBrace)) {
      m_cursor.reportExpected("`{` to begin the kernel", m_errors,
                              "statements stand between braces: `kernel name(N = 8) { ... }`");
      skipToKernel();
      return;
    }
    takeTrailingComments(draft.comments);
    bool whole = true;
    while (!m_cursor.at(TokenKind::RBrace) && !m_cursor.at(TokenKind::End) &&
           !base::isFull(m_errors) && !scope.beyond) {
      if (!parseItem(scope)) {
        whole = false;
        skipToItem();
      }
    }
    if (scope.beyond) {
      skipToKernel();
      return;
    }
    draft.endComments = commentsBefore(m_cursor.peek().span.begin);
    m_cursor.expect(TokenKind::RBrace, "to end the kernel", m_errors);
    if (whole && m_errors.size() == errorsBefore) m_drafts.push_back(std::move(draft));
  }

  void checkDraft(kernel::Kernel draft, std::vector<kernel::Kernel>& kernels) {
    if (base::isFull(m_errors)) return;
    // Roles are known now: the override applies to tensors in global memory, but not to indices.
    for (std::size_t t = 0; t < draft.tensors.size(); ++t) {
      kernel::Tensor& tensor = draft.tensors[t];
      const bool kept =
          tensor.role == kernel::TensorRole::Local || isIndexTensor(draft, kernel::TensorId::of(t));
      if (m_dtype && !kept) tensor.dtype = *m_dtype;
    }
    base::Result<kernel::Kernel> checked = kernel::check(std::move(draft));
    if (checked) {
      kernels.push_back(std::move(*checked));
    } else {
      for (base::Diagnostic& found : checked.takeDiagnostics()) {
        base::report(m_errors, std::move(found));
      }
    }
  }

  bool parseParameters(KernelScope& scope) {
    if (m_cursor.accept(TokenKind::RParen)) return true;
    do {
      const Token name = m_cursor.peek();
      if (!m_cursor.expect(TokenKind::Ident, "for a parameter", m_errors)) return false;
      const std::string word(m_text.textOf(name));
      if (!scope.hasRoom(scope.draft.parameters.size(), kernel::kMaxParameters, "parameters",
                         name.span)) {
        return false;
      }
      if (m_isKnown.insert(word).second) m_knownParameters.push_back(word);
      const bool fresh = scope.checkNewName(word, name.span, "parameter");
      if (!m_cursor.accept(TokenKind::Equal)) {
        m_cursor.reportExpected("`=` and a default value", m_errors,
                                fmt::format("such as `{} = 1024`", word));
        return false;
      }
      auto value = parseIndex(scope, false);
      if (!value) return false;
      if (fresh) addParameter(scope, word, name.span, std::move(*value));
    } while (m_cursor.accept(TokenKind::Comma));
    return m_cursor.expect(TokenKind::RParen, "after the parameters", m_errors);
  }

  void addParameter(KernelScope& scope, std::string name, base::Span span, IndexValue value) {
    kernel::Parameter parameter{std::move(name), value.expr.constant, span,
                                std::move(value.spelling)};
    for (const ParameterOverride& override : m_overrides) {
      if (override.name == parameter.name) {
        parameter.value = std::clamp<std::int64_t>(override.value, 1, kernel::kMaxExtent);
        parameter.spelling.clear();
      }
    }
    checkSize(scope, parameter.value, value.span, fmt::format("parameter `{}`", parameter.name));
    scope.draft.parameters.push_back(std::move(parameter));
  }

  bool parseItem(KernelScope& scope) {
    std::vector<std::string> comments = commentsBefore(m_cursor.peek().span.begin);
    if (m_cursor.atWord("tensor") || m_cursor.atWord("local")) {
      return parseTensor(scope, std::move(comments));
    }
    if (m_cursor.atWord("for")) return parseRanges(scope, std::move(comments));
    if (!m_cursor.at(TokenKind::Ident)) {
      m_cursor.reportExpected("a declaration or a statement", m_errors,
                              isHash() ? kCommentHabit
                                       : "such as `tensor A[M, K]: f16` or `C[i, j] = A[i, j]`");
      m_cursor.take();
      return false;
    }
    return parseStatement(scope, std::move(comments));
  }

  bool parseTensor(KernelScope& scope, std::vector<std::string> comments) {
    kernel::Tensor tensor;
    tensor.comments = std::move(comments);
    const bool local = m_text.textOf(m_cursor.take()) == "local";
    tensor.role = local ? kernel::TensorRole::Local : kernel::TensorRole::Input;
    const Token name = m_cursor.peek();
    tensor.span = name.span;
    if (!m_cursor.expect(TokenKind::Ident, "for the tensor", m_errors)) return false;
    tensor.name = m_text.textOf(name);
    const bool fresh = scope.checkNewName(tensor.name, name.span, "tensor");
    if (!scope.hasRoom(scope.draft.tensors.size(), kernel::kMaxTensors, "tensors", name.span)) {
      return false;
    }
    if (!parseTensorType(scope, tensor)) return false;
    while (m_cursor.accept(TokenKind::Semicolon) || m_cursor.accept(TokenKind::Comma)) {
      if (atListedTensor()) return false;
    }
    takeTrailingComments(tensor.comments);
    checkTensorBytes(scope, tensor);
    if (fresh) scope.draft.tensors.push_back(std::move(tensor));
    return true;
  }

  // `tensor A[N]: f32, C[N]: f32`
  bool atListedTensor() {
    const bool isWord = m_cursor.atWord("tensor") || m_cursor.atWord("local");
    const bool isListed = m_cursor.at(TokenKind::Ident) && !isWord && !m_cursor.atLineStart() &&
                          m_cursor.peek(1).kind == TokenKind::LBracket;
    if (!isListed) return false;
    m_cursor.reportExpected("`tensor` or `local`", m_errors,
                            "each declaration begins with its word");
    return true;
  }

  bool refuseScatter(KernelScope& scope, const kernel::Access& target) {
    const std::string index = toString(scope.draft, target.gathers.front().access);
    scope.fail(
        target.span,
        fmt::format("`{}` scatters: which element it defines is known only when `{}` is read",
                    toString(scope.draft, target), index),
        fmt::format("let a loop run over the elements instead, and add up those that belong "
                    "to it: `sum(t) select({} == v, ..., 0)`",
                    index));
    return false;
  }

  // `2 A[i]`: the line reads as if another statement began at `A`.
  bool refuseSecondValue(KernelScope& scope, const Token& name) {
    scope.fail(
        name.span,
        fmt::format("expected an operator or the end of the line, got `{}`", m_text.textOf(name)),
        "a product has its sign: `a * b`");
    return false;
  }

  bool parseStatement(KernelScope& scope, std::vector<std::string> comments) {
    kernel::Statement statement;
    statement.comments = std::move(comments);
    const bool continues = m_behindExpression == m_cursor.position() && !m_cursor.atLineStart();
    const Token name = m_cursor.take();
    if (!scope.hasRoom(scope.draft.statements.size(), kernel::kMaxStatements, "statements",
                       name.span)) {
      return false;
    }
    if (!m_cursor.at(TokenKind::LBracket)) {
      if (continues && m_cursor.atLineStart()) return refuseSecondValue(scope, name);
      m_cursor.reportExpected(fmt::format("`[` after `{}`", m_text.textOf(name)), m_errors,
                              statementHabit(scope, m_text.textOf(name)));
      return false;
    }
    auto target = parseAccess(scope, name);
    if (!target || refuseWrapped(scope)) return false;
    statement.target = std::move(*target);
    if (statement.target.isGather()) return refuseScatter(scope, statement.target);
    if (reportAssignmentHabit(scope, statement.target)) return false;
    if (!m_cursor.accept(TokenKind::Equal)) {
      if (continues) return refuseSecondValue(scope, name);
      m_cursor.reportExpected("`=` and the expression", m_errors,
                              "a statement is `tensor[indices] = expression`");
      return false;
    }
    if (!parseExpression(scope, statement)) return false;
    m_behindExpression = m_cursor.position();
    if (m_cursor.acceptWord("where") && !parseConstraints(scope, statement)) return false;
    m_cursor.accept(TokenKind::Semicolon);
    statement.span = m_cursor.spanFrom(name);
    takeTrailingComments(statement.comments);
    if (scope.argReduction && !splitArgReduction(scope, statement, *scope.argReduction)) {
      return false;
    }
    scope.draft.statements.push_back(std::move(statement));
    return true;
  }

  void checkOverrides() {
    for (const ParameterOverride& override : m_overrides) {
      if (!m_isKnown.contains(override.name)) {
        reportUnknownOverride(override);
      } else if (override.value < 1 || override.value > kernel::kMaxExtent) {
        base::report(m_errors,
                     base::plainError(
                         fmt::format("parameter `{}` cannot be {}", override.name, override.value),
                         fmt::format("sizes are from 1 to {}", kernel::kMaxExtent)));
      }
    }
  }

  void reportUnknownOverride(const ParameterOverride& override) {
    std::string list;
    for (const std::string& name : m_knownParameters) {
      list.append(list.empty() ? "" : ", ").append("`").append(name).append("`");
    }
    base::report(m_errors,
                 base::plainError(fmt::format("no kernel here has a parameter `{}`", override.name),
                                  list.empty() ? "the kernels have no parameters"
                                               : "the parameters are " + list));
  }

  const TokenText& m_text;
  TokenCursor m_cursor;
  std::span<const ParameterOverride> m_overrides;
  std::optional<kernel::DType> m_dtype;
  base::Diagnostics m_errors;
  base::Diagnostics m_warnings;
  std::vector<kernel::Kernel> m_drafts;        ///< parsed, not checked yet
  std::vector<std::string> m_knownParameters;  ///< in the order of the text, without duplicates
  std::set<std::string> m_isKnown;
  std::size_t m_nextComment = 0;
  std::size_t m_behindExpression = 0;  ///< the token after the last expression of a statement
};

}  // namespace

base::Result<kernel::KernelGraph> parseKernels(base::SourceRef source,
                                               std::span<const ParameterOverride> overrides,
                                               std::optional<kernel::DType> dtype) {
  const TokenText text = lex(std::move(source), "signs have names: `sum(k)`, `<=`, `pow(x, 2)`");
  return KernelParser(text, overrides, dtype).run();
}

}  // namespace gridloom::syntax
