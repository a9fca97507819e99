// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/affine_parser.h"
#include "syntax/hardware_parser_ops.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// Reads the values of a hardware text at a cursor, with the names that a text gives to values:
/// parameters, and aliases of maps. A function that returns none or `false` has reported why.
class HardwareValueReader {
 public:
  HardwareValueReader(TokenCursor& cursor, base::Diagnostics& out) : m_cursor(cursor), m_out(out) {}

  /// `#map = affine_map<...>`, at the `#`.
  bool readAlias();
  /// `param cols = 8`, `param l1 = 1464 KiB`, `param half = cols floordiv 2`, at `param`.
  bool readParameter();
  bool atParameter() const;
  /// Those read so far, in order.
  std::vector<HardwareParameter> takeParameters() { return std::move(m_written); }

  /// `depth`: how many lists and braces the value stands in.
  std::optional<HardwareValue> readValue(int depth);
  /// `{ name = value, ... }`, at the opening sign, up to `close`. A name without a value stands for
  /// `name = yes`.
  bool readAttributes(std::vector<HardwareAttribute>& attributes, TokenKind close, int depth);
  /// `: !df.core, !df.memory`, `: i64`, `loc("a.mlir":3:1)`: types and places of other tools;
  /// accepted and ignored.
  bool skipTypes();

 private:
  std::optional<HardwareValue> readParameterValue();
  bool readValueInto(HardwareValue& value, int depth);
  bool readSymbol(HardwareValue& value);
  bool useAlias(HardwareValue& value);
  bool readWordOrMap(HardwareValue& value, int depth);
  bool readAttribute(HardwareAttribute& attribute, TokenKind close, int depth);
  void readAttributeName(HardwareAttribute& attribute);
  bool readArray(HardwareValue& value);
  bool readDense(HardwareValue& value, int depth);
  bool readTensorType(std::int64_t& elements);
  bool readNumber(HardwareValue& value);
  std::optional<double> floatOfBits(const Token& token) const;
  bool readList(HardwareValue& value, TokenKind close, int depth);
  bool skipType(int depth);
  bool skipAngles();
  bool atLocation() const;
  bool skipLocation();

  static constexpr int kMostNested = 8;
  static constexpr std::int64_t kMostElements = 64;  ///< of one `dense` attribute

  TokenCursor& m_cursor;
  base::Diagnostics& m_out;
  std::map<std::string_view, affine::AffineMap> m_aliases;
  std::map<std::string_view, HardwareValue> m_parameters;
  std::vector<HardwareParameter> m_written;
  AffineConstants m_constants;  ///< the parameters that are whole numbers without a unit
};

}  // namespace gridloom::syntax
