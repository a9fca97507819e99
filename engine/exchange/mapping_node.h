// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/json_document.h"

namespace gridloom::exchange {

/// Names joined for a help text.
template <class Range, class NameOf> std::string listed(const Range& range, NameOf nameOf) {
  std::string out = "known are:";
  for (const auto& element : range) out += " " + std::string(nameOf(element));
  return out;
}

/// The mapping object in any kind of file that has one. Errors: no schema, or an unknown one.
JsonNode mappingNode(const JsonNode& root);

}  // namespace gridloom::exchange
