// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/hardware_spec.h"
#include "syntax/hardware_parser_units.h"

namespace gridloom::syntax {

/// The attributes of one op of a hardware description as text, in insertion order. A figure has the
/// unit that it was written with; one made by a program has none of its own and gets that of
/// HardwareSpec. Values that are not there (no figure, no rates, no dimensions, an empty map) add
/// nothing.
class AttributeList {
 public:
  explicit AttributeList(const hardware::HardwareSpec& spec) : m_spec(spec) {}

  void text(std::string_view name, std::string_view value);
  void figure(std::string_view name, const hardware::Figure& figure, Dimension dimension);
  void figure(std::string_view name, const std::optional<hardware::Figure>& value,
              Dimension dimension);
  void rates(std::string_view name, const hardware::Rates& rates, Dimension dimension);
  void integers(std::string_view name, const std::vector<std::int64_t>& values);
  void dims(std::string_view name, const std::vector<hardware::SpatialDimId>& dims);
  void map(std::string_view name, const affine::AffineMap& map);

  /// The op on one line where it fits, otherwise with one attribute per line.
  std::string after(const std::string& head) const;

  static std::string figureText(const hardware::Figure& figure, Dimension dimension);

 private:
  const hardware::HardwareSpec& m_spec;
  std::vector<std::string> m_items;
};

}  // namespace gridloom::syntax
