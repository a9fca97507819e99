// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/hardware_spec.h"
#include "syntax/hardware_parser_ops.h"
#include "syntax/hardware_parser_units.h"

namespace gridloom::syntax {

/// The context for every op of a text: the names it may refer to, and the clock.
struct HardwareNames {
  struct Entry {
    std::string_view op;  ///< "core", "memory", ...
    base::Span span;
    std::size_t index = 0;  ///< index among the ops of its kind
  };
  std::map<std::string_view, Entry> entries;
  std::optional<double> clock;  ///< hertz
};

enum class Sign { Positive, NotNegative };

/// Interprets the attributes of one op. Each mistake is reported once, with the attribute's name.
/// The reader then continues with a neutral value, so that one run finds every mistake.
class HardwareAttributeReader {
 public:
  HardwareAttributeReader(const HardwareOp& op, const HardwareNames& names, base::SourceRef source,
                          base::Diagnostics& out)
      : m_op(op), m_names(names), m_source(std::move(source)), m_out(out) {}

  const HardwareOp& op() const { return m_op; }

  /// Reports attributes that are not in `known`, and duplicates.
  void checkNames(std::span<const std::string_view> known);
  void error(base::Span span, std::string message, std::string hint = {});
  void missing(std::string_view name, std::string_view example);

  const HardwareValue* find(std::string_view name) const;
  std::optional<hardware::Figure> figure(std::string_view name, Dimension dimension, Sign sign);
  hardware::Figure required(std::string_view name, Dimension dimension, Sign sign,
                            std::string_view example);
  /// `name = yes`; false where it is missing or `no`.
  bool flag(std::string_view name);
  /// A positive figure; zero where it is left out (`hardware::completeSpec` then assumes one).
  hardware::Figure figureOrZero(std::string_view name, Dimension dimension);
  std::optional<hardware::Figure> toFigure(std::string_view name, const HardwareValue& value,
                                           Dimension dimension, Sign sign);
  /// One figure, or one per name.
  hardware::Rates rates(std::string_view name, Dimension dimension);
  /// A plain integer in [least, most].
  std::optional<std::int64_t> integer(std::string_view name, const HardwareValue& value,
                                      std::int64_t least, std::int64_t most);
  std::vector<std::int64_t> shape(std::size_t rank, const std::string& name = "shape");
  /// `(%x, %y)`, or `%x` alone. Every name must be an op of this kind.
  std::vector<HardwareNames::Entry> references(std::string_view name, std::string_view kind);
  std::optional<HardwareNames::Entry> reference(const HardwareValue& value,
                                                std::span<const std::string_view> kinds);
  std::vector<hardware::SpatialDimId> dims(std::string_view name);
  std::optional<affine::AffineMap> map(std::string_view name);
  /// A set, as the map whose results are all at least 0 at its points.
  std::optional<affine::AffineMap> set(std::string_view name);

 private:
  void noteBare(std::string_view name, const HardwareValue& value, Dimension dimension);
  std::optional<double> converted(std::string_view name, const HardwareValue& value,
                                  Dimension dimension);

  const HardwareOp& m_op;
  const HardwareNames& m_names;
  base::SourceRef m_source;
  base::Diagnostics& m_out;
};

}  // namespace gridloom::syntax
