// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "language/language.h"

namespace gridloom::language {

/// A text with edits, of which the last comes first.
inline base::SourceRef edited(const base::SourceRef& source, const std::vector<TextEdit>& edits) {
  std::string text(source->text());
  for (const TextEdit& edit : edits)
    text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  return base::makeSource("edited.hw", text);
}

}  // namespace gridloom::language
