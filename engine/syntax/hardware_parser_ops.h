// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "affine/affine_map.h"
#include "base/diagnostic.h"
#include "syntax/lexer.h"

namespace gridloom::syntax {

struct HardwareAttribute;

/// The right side of an attribute, or an operand, as written and not yet interpreted.
struct HardwareValue {
  enum class Kind { Number, Name, Word, List, Dict, Map, Set, Star } kind = Kind::Word;
  base::Span span;
  double number = 0;                          ///< Number
  bool whole = false;                         ///< Number: written as an integer
  std::int64_t integer = 0;                   ///< Number, when whole
  std::string unit;                           ///< Number: "B/cycle", or empty
  std::string_view text;                      ///< Name (without `%`), Word (of `@x`: `x`)
  std::vector<HardwareValue> items;           ///< List
  std::vector<HardwareAttribute> attributes;  ///< Dict
  affine::AffineMap map;                      ///< Map; Set: its results are at least 0
};

struct HardwareAttribute {
  std::string_view name;
  base::Span nameSpan;
  HardwareValue value;
};

/// `%name = df.op "label" operands { attributes }`
struct HardwareOp {
  std::string_view name;  ///< without `%`
  base::Span nameSpan;
  std::string_view op;  ///< without `df.`
  base::Span opSpan;
  base::Span span;
  std::string label;
  std::string_view labelText;  ///< the label as written, without its quotes
  /// As tools write it: attributes that are not known are left out.
  bool inModule = false;
  std::vector<HardwareValue> operands;
  std::vector<HardwareAttribute> attributes;
};

/// `param name = value`
struct HardwareParameter {
  std::string_view name;
  base::Span nameSpan;
  HardwareValue value;
};

struct HardwareOps {
  std::string label;      ///< of `module "label"`
  bool inModule = false;  ///< or in an `.mlir` file: as tools write it
  std::vector<HardwareOp> ops;
  std::vector<HardwareParameter> parameters;
  std::vector<base::Span> skipped;  ///< functions and inner modules: kernels beside the hardware
  base::Diagnostics leftOut;        ///< mistakes in what is skipped
};

/// Reads the ops of a text without interpreting them. An op that does not parse is reported and
/// skipped; parsing continues at the next line that starts an op.
HardwareOps readHardwareOps(const TokenText& text, base::Diagnostics& out);

}  // namespace gridloom::syntax
