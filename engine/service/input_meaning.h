// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/source_text.h"

namespace gridloom::service {

/// A text of any of the languages without comments and without whitespace that means nothing: two
/// texts with equal meanings give equal results. Line breaks between tokens count, empty lines do
/// not. A text with errors of spelling is its own meaning.
std::string meaningOf(const base::SourceRef& text);

}  // namespace gridloom::service
