// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_labels.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;

bool isNumber(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isName(std::string_view label) {
  const auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return !label.empty() && isLetter(label.front()) &&
         std::all_of(label.begin(), label.end(), [&](char c) { return isLetter(c) || isDigit(c); });
}

void rename(HardwareValue& value,
            const std::map<std::string_view, std::string_view>& renamed) {
  if (value.kind == Kind::Name) {
    if (const auto at = renamed.find(value.text); at != renamed.end()) value.text = at->second;
  }
  for (HardwareValue& item : value.items) rename(item, renamed);
}

}  // namespace

void nameByLabels(std::vector<HardwareOp>& ops) {
  std::map<std::string_view, int> uses;
  for (const HardwareOp& op : ops) {
    ++uses[op.name];
    if (op.labelText != op.name) ++uses[op.labelText];
  }
  std::map<std::string_view, std::string_view> renamed;
  for (HardwareOp& op : ops) {
    if (!isNumber(op.name) || !isName(op.labelText) || uses[op.labelText] != 1) continue;
    renamed.emplace(op.name, op.labelText);
    op.name = op.labelText;
  }
  if (renamed.empty()) return;
  for (HardwareOp& op : ops) {
    for (HardwareValue& operand : op.operands) rename(operand, renamed);
    for (HardwareAttribute& attribute : op.attributes) rename(attribute.value, renamed);
  }
}

}  // namespace gridloom::syntax
