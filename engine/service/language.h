// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source_text.h"

namespace gridloom::service {

/// What editors ask about a `.hw`, `.rec` or `.sched` text. Offsets are bytes. Texts with errors
/// are answered as far as their words go; other kinds of text have no answers.

/// Markdown about the word at the offset: what it means, or what the name stands for. "" for none.
std::string hoverText(const base::SourceRef& text, std::uint32_t offset);

struct Completion {
  enum class Kind { Keyword, Function, Type, Attribute, Name };
  std::string text;
  Kind kind = Kind::Name;
  std::string help;
};
/// What may stand at the offset, without what is typed already.
std::vector<Completion> completionsAt(const base::SourceRef& text, std::uint32_t offset);

/// Where the name at the offset is defined in the same text.
std::optional<base::Span> definitionAt(const base::SourceRef& text, std::uint32_t offset);

}  // namespace gridloom::service
