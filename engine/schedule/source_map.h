// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/source_text.h"

namespace gridloom::schedule {

/// Where the parts of a schedule stand in the text it was read from, by their indices.
struct SourceMap {
  base::SourceRef source;
  base::Span whole;
  std::vector<base::Span> buffers, channels, tokens, dmaConstraints, programs;
  /// [program][process][instruction]
  std::vector<std::vector<std::vector<base::Span>>> instructions;
};

}  // namespace gridloom::schedule
