// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/source_text.h"

namespace gridloom::schedule {

/// Source locations of the parts of a schedule, by index, in the text it was read from.
struct SourceMap {
  base::SourceRef source;
  base::Span whole;
  std::vector<base::Span> buffers, channels, tokens, dmaConstraints, programs;
  /// [program][process][instruction]
  std::vector<std::vector<std::vector<base::Span>>> instructions;
};

}  // namespace gridloom::schedule
