// SPDX-License-Identifier: Apache-2.0

// The numbers of a hardware text, for forms.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "language/language.h"
#include "syntax/hardware_parser_ops.h"
#include "syntax/language_words.h"
#include "syntax/lexer.h"

namespace gridloom::language {

namespace {

using syntax::HardwareAttribute;
using syntax::HardwareOp;
using syntax::HardwareOps;
using syntax::HardwareParameter;
using syntax::HardwareValue;
using Kind = HardwareValue::Kind;

/// A text with its ops, which refer to it.
struct ReadText {
  explicit ReadText(const base::SourceRef& source) : tokens(syntax::lex(source)) {
    base::Diagnostics unused;
    ops = syntax::readHardwareOps(tokens, unused);
  }
  std::string_view at(base::Span span) const {
    return tokens.source->text().substr(span.begin, span.end - span.begin);
  }
  const HardwareOp* core() const {
    const auto found = std::ranges::find(ops.ops, "core", &HardwareOp::op);
    return found == ops.ops.end() ? nullptr : &*found;
  }
  syntax::TokenText tokens;
  HardwareOps ops;
};

class FieldCollector {
 public:
  explicit FieldCollector(const ReadText& text) : m_text(text) {}

  std::vector<HardwareField> collect() {
    for (const HardwareParameter& parameter : m_text.ops.parameters) {
      if (isLiteral(parameter.value)) add("param", parameter.name, {}, parameter.value);
    }
    for (const HardwareOp& op : m_text.ops.ops) {
      if (op.op == "spatial_dim" && !op.operands.empty())
        addValue(op, "size", "size", op.operands.front());
      for (const HardwareAttribute& attribute : op.attributes) {
        const std::string name(attribute.name);
        if (attribute.value.kind == Kind::Number) addValue(op, name, name, attribute.value);
        if (attribute.value.kind != Kind::Dict) continue;
        for (const HardwareAttribute& each : attribute.value.attributes) {
          if (each.value.kind == Kind::Number)
            addValue(op, name, fmt::format("{} {}", name, each.name), each.value);
        }
      }
    }
    return std::move(m_fields);
  }

 private:
  /// A number as written, with its unit behind it, not an expression of parameters.
  bool isLiteral(const HardwareValue& value) const {
    std::string_view text = m_text.at(value.span);
    if (value.kind != Kind::Number || !text.ends_with(value.unit)) return false;
    text.remove_suffix(value.unit.size());
    while (text.ends_with(' ')) text.remove_suffix(1);
    return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  }

  HardwareField& add(std::string_view op, std::string_view component, std::string attribute,
                     const HardwareValue& value) {
    m_fields.push_back({std::string(op),
                        std::string(component),
                        std::move(attribute),
                        value.number,
                        value.unit,
                        value.whole,
                        value.span,
                        {},
                        {}});
    return m_fields.back();
  }

  void addValue(const HardwareOp& op, std::string_view word, std::string attribute,
                const HardwareValue& value) {
    const syntax::LanguageWord* known =
        syntax::findWord(syntax::LanguageKind::Hardware, word, op.op);
    const std::string_view written = m_text.at(value.span);
    const auto parameter =
        std::ranges::find(m_text.ops.parameters, written, &HardwareParameter::name);
    if (parameter != m_text.ops.parameters.end()) {
      if (!isLiteral(parameter->value)) return;
      HardwareField& field = add(op.op, op.name, std::move(attribute), parameter->value);
      field.parameter = parameter->name;
      if (known != nullptr) field.help = known->help;
      return;
    }
    if (!isLiteral(value)) return;
    HardwareField& field = add(op.op, op.name, std::move(attribute), value);
    if (known != nullptr) field.help = known->help;
  }

  const ReadText& m_text;
  std::vector<HardwareField> m_fields;
};

std::vector<std::int64_t> coordinatesOf(const HardwareValue& pattern) {
  std::vector<std::int64_t> at;
  if (pattern.kind == Kind::Number && pattern.whole) at.push_back(pattern.integer);
  for (const HardwareValue& each : pattern.items) {
    if (each.kind != Kind::Number || !each.whole) return {};
    at.push_back(each.integer);
  }
  return at;
}

const HardwareAttribute* disabledOf(const HardwareOp& core) {
  const auto found = std::ranges::find(core.attributes, "disabled", &HardwareAttribute::name);
  return found == core.attributes.end() || found->value.kind != Kind::List ? nullptr : &*found;
}

/// The list without one of its items.
std::string listWithout(const ReadText& text, const HardwareValue& list, std::size_t item) {
  std::vector<std::string_view> kept;
  for (std::size_t n = 0; n < list.items.size(); ++n) {
    if (n != item) kept.push_back(text.at(list.items[n].span));
  }
  return fmt::format("[{}]", fmt::join(kept, ", "));
}

/// The op without an attribute, and without the comma before or behind it.
TextEdit removalOf(const ReadText& text, const HardwareAttribute& attribute) {
  const std::string_view all = text.tokens.source->text();
  std::uint32_t begin = attribute.nameSpan.begin, end = attribute.value.span.end;
  const auto isSpace = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  std::uint32_t before = begin, after = end;
  while (before > 0 && isSpace(all[before - 1])) --before;
  while (after < all.size() && isSpace(all[after])) ++after;
  if (before > 0 && all[before - 1] == ',') return {{before - 1, end}, {}};
  if (after < all.size() && all[after] == ',') {
    ++after;
    while (after < all.size() && isSpace(all[after])) ++after;
    end = after;
  }
  return {{begin, end}, {}};
}

}  // namespace

std::vector<HardwareField> hardwareFields(const base::SourceRef& text) {
  return FieldCollector(ReadText(text)).collect();
}

std::vector<std::vector<std::int64_t>> disabledCores(const base::SourceRef& text) {
  const ReadText read(text);
  const HardwareOp* core = read.core();
  const HardwareAttribute* disabled = core == nullptr ? nullptr : disabledOf(*core);
  std::vector<std::vector<std::int64_t>> cores;
  if (disabled == nullptr) return cores;
  for (const HardwareValue& pattern : disabled->value.items) {
    if (auto at = coordinatesOf(pattern); !at.empty()) cores.push_back(std::move(at));
  }
  return cores;
}

std::optional<TextEdit> disableCore(const base::SourceRef& text,
                                    const std::vector<std::int64_t>& core, bool disabled) {
  const ReadText read(text);
  const HardwareOp* op = read.core();
  if (op == nullptr || op->attributes.empty()) return {};
  const HardwareAttribute* list = disabledOf(*op);
  const std::string pattern = fmt::format("({})", fmt::join(core, ", "));
  if (list == nullptr) {
    if (!disabled) return {};
    const std::uint32_t end = op->attributes.back().value.span.end;
    return TextEdit{{end, end}, fmt::format(", disabled = [{}]", pattern)};
  }
  const auto& items = list->value.items;
  const auto found = std::ranges::find_if(
      items, [&](const HardwareValue& item) { return coordinatesOf(item) == core; });
  if (disabled == (found != items.end())) return {};
  if (disabled) {
    const std::uint32_t end = list->value.span.end - 1;
    return TextEdit{{end, end}, items.empty() ? pattern : ", " + pattern};
  }
  if (items.size() == 1) return removalOf(read, *list);
  return TextEdit{list->value.span,
                  listWithout(read, list->value, static_cast<std::size_t>(found - items.begin()))};
}

}  // namespace gridloom::language
