// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "exchange/noc_trace.h"

namespace gridloom::exchange {

struct NocEventKind {
  std::string_view type;
  NocEvent::Kind kind;
  bool withState = false;  ///< destination and size may be those of the last state
};

/// Null for an unknown type.
const NocEventKind* nocEventKind(std::string_view type);

}  // namespace gridloom::exchange
