// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "syntax/hardware_parser_ops.h"
#include "syntax/hardware_parser_values.h"

namespace gridloom::syntax {

inline constexpr std::array<std::string_view, 8> kHardwareOps = {
    "spatial_dim", "core", "memory", "interconnects", "mux", "mat", "vec", "scalar"};
/// An earlier name of `core`.
inline constexpr std::string_view kFormerCore = "compute";

/// Reads one component at a cursor, in the language's own form, `%x = df.spatial_dim 8`, or in
/// MLIR's generic form, `%0 = "df.spatial_dim"() <{size = 8 : i64}> : () -> index`. A component
/// without a result has its name from a symbol or a label: `df.spatial_dim @x = 8`.
class HardwareOpReader {
 public:
  HardwareOpReader(TokenCursor& cursor, HardwareValueReader& values, base::Diagnostics& out)
      : m_cursor(cursor), m_values(values), m_out(out) {}

  /// Whether a component, of whatever name, or a parameter begins here.
  bool atStart() const;
  /// Whether one of the components of this language begins here, `ahead` tokens on.
  bool atComponent(std::size_t ahead = 0) const;
  /// None: it has reported why.
  std::optional<HardwareOp> read(bool inModule);

 private:
  bool readHead(HardwareOp& op);
  bool readOpName(HardwareOp& op);
  bool readLabel(HardwareOp& op);
  bool readOperands(HardwareOp& op);
  bool readProperties(HardwareOp& op);
  bool atOperand() const;

  TokenCursor& m_cursor;
  HardwareValueReader& m_values;
  base::Diagnostics& m_out;
};

}  // namespace gridloom::syntax
