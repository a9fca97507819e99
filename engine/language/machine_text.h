// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/hardware_parser_ops.h"
#include "syntax/lexer.h"

namespace gridloom::language {

/// The components of a hardware text, with errors or without, for edits that keep the rest of it.
class MachineText {
 public:
  explicit MachineText(const base::SourceRef& source);

  const std::vector<syntax::HardwareOp>& ops() const { return m_ops.ops; }
  /// As it stands there.
  std::string_view at(base::Span span) const;
  /// The position of a part of at() in the text.
  std::uint32_t positionOf(std::string_view part) const;
  /// Null where there is none.
  const syntax::HardwareOp* opNamed(std::string_view name) const;
  static const syntax::HardwareAttribute* attribute(const syntax::HardwareOp& op,
                                                    std::string_view name);
  /// Links between cores, or between their memories, that a map describes.
  bool isNetwork(const syntax::HardwareOp& op) const;
  /// The plane of a network.
  static std::int64_t planeOf(const syntax::HardwareOp& op);

  /// `name`, or with a number behind it where that is taken, in the text or by an earlier call.
  std::string newName(const std::string& name);
  /// The name's place in the line of an op gets another name, marked as the old one is.
  std::string marked(const syntax::HardwareOp& op, const std::string& name) const;

 private:
  syntax::TokenText m_tokens;
  syntax::HardwareOps m_ops;
  std::set<std::string> m_given;
};

}  // namespace gridloom::language
