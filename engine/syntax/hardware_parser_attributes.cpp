// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/message_limit.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

namespace {

using Kind = HardwareValue::Kind;
using hardware::Figure;

// Sizes and counts beyond this would overflow sums of a few of them in 64 bits.
constexpr double kLargestFigure = 4.611686018427387904e18;  // 2^62

}  // namespace

void HardwareAttributeReader::error(base::Span span, std::string message, std::string hint) {
  base::report(m_out, base::errorAt(m_source, span, std::move(message), std::move(hint)));
}

void HardwareAttributeReader::checkNames(std::span<const std::string_view> known) {
  std::vector<std::string_view> seen;
  for (const HardwareAttribute& attribute : m_op.attributes) {
    if (std::find(known.begin(), known.end(), attribute.name) == known.end()) {
      if (m_op.inModule && nearest(attribute.name, known).empty()) {
        base::report(m_out, base::noteAt(m_source, attribute.nameSpan,
                                         fmt::format("`{}` of `df.{}` is left out: it has no "
                                                     "meaning here",
                                                     attribute.name, m_op.op)));
        continue;
      }
      std::string hint = spellingHint(attribute.name, known);
      if (known.empty()) hint = fmt::format("`df.{}` takes no attributes", m_op.op);
      error(attribute.nameSpan,
            fmt::format("unknown attribute `{}` of `df.{}`", attribute.name, m_op.op),
            std::move(hint));
    } else if (std::find(seen.begin(), seen.end(), attribute.name) != seen.end()) {
      error(attribute.nameSpan, fmt::format("attribute `{}` is given twice", attribute.name),
            "keep one of them");
    }
    seen.push_back(attribute.name);
  }
}

void HardwareAttributeReader::missing(std::string_view name, std::string_view example) {
  error(m_op.opSpan, fmt::format("`%{}` has no attribute `{}`", m_op.name, name),
        fmt::format("add `{}`", example));
}

const HardwareValue* HardwareAttributeReader::find(std::string_view name) const {
  for (const HardwareAttribute& attribute : m_op.attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

void HardwareAttributeReader::noteBare(std::string_view name, const HardwareValue& value,
                                       Dimension dimension) {
  if (dimension == Dimension::Elements) return;
  base::report(
      m_out,
      base::noteAt(m_source, value.span,
                   fmt::format("`{}` has no unit; read as {}", name, bareUnit(dimension)),
                   fmt::format("write `{} = {} {}`", name, value.number, bareUnit(dimension))));
}

std::optional<double> HardwareAttributeReader::converted(std::string_view name,
                                                         const HardwareValue& value,
                                                         Dimension dimension) {
  const std::optional<UnitScale> unit = unitScale(dimension, value.unit);
  if (!unit) {
    error(value.span,
          fmt::format("`{}` wants {}, got `{} {}`", name, describe(dimension), value.number,
                      value.unit),
          fmt::format("write {}", unitExamples(dimension)));
    return {};
  }
  if (unit->clock == UnitScale::Clock::No) return value.number * unit->scale;
  if (!m_names.clock) {
    error(value.span, fmt::format("`{}` in {} needs a clock", name, value.unit),
          fmt::format("give the core array `clock = 1 GHz`, or write {}", bareUnit(dimension)));
    return {};
  }
  const bool divide = unit->clock == UnitScale::Clock::Divide;
  return divide ? value.number * unit->scale / *m_names.clock
                : value.number * unit->scale * *m_names.clock;
}

std::optional<Figure> HardwareAttributeReader::toFigure(std::string_view name,
                                                        const HardwareValue& value,
                                                        Dimension dimension, Sign sign) {
  if (value.kind != Kind::Number) {
    error(value.span, fmt::format("`{}` wants {}", name, describe(dimension)),
          fmt::format("a finite number with a unit: {}", unitExamples(dimension)));
    return {};
  }
  if (value.number < 0 || (sign == Sign::Positive && value.number == 0)) {
    const std::string_view least = sign == Sign::Positive ? "more than zero" : "zero or more";
    error(value.span, fmt::format("`{}` must be {}, got {}", name, least, value.number));
    return {};
  }
  const std::optional<double> number = converted(name, value, dimension);
  if (!number) return {};
  if (!std::isfinite(*number) || *number > kLargestFigure ||
      (*number == 0 && sign == Sign::Positive)) {
    error(value.span, fmt::format("`{}` is out of range", name), "at most 2^62");
    return {};
  }
  if (dimension == Dimension::Bytes && *number != std::floor(*number)) {
    error(value.span, fmt::format("`{}` is not a whole number of bytes: {}", name, *number));
    return {};
  }
  if (value.unit.empty()) noteBare(name, value, dimension);
  return Figure{*number, value.unit, value.number, value.span};
}

std::optional<Figure> HardwareAttributeReader::figure(std::string_view name, Dimension dimension,
                                                      Sign sign) {
  const HardwareValue* value = find(name);
  if (value == nullptr) return {};
  return toFigure(name, *value, dimension, sign);
}

bool HardwareAttributeReader::flag(std::string_view name) {
  const HardwareValue* value = find(name);
  if (value == nullptr) return false;
  if (value->text != "yes" && value->text != "no") {
    error(value->span, fmt::format("`{}` wants `yes` or `no`", name),
          fmt::format("write {} = yes", name));
  }
  return value->text == "yes";
}

Figure HardwareAttributeReader::figureOrZero(std::string_view name, Dimension dimension) {
  return figure(name, dimension, Sign::Positive).value_or(Figure{0, {}, 0, m_op.span});
}

Figure HardwareAttributeReader::required(std::string_view name, Dimension dimension, Sign sign,
                                         std::string_view example) {
  if (find(name) == nullptr) missing(name, example);
  return figure(name, dimension, sign).value_or(Figure{1, {}, 1, m_op.span});
}

hardware::Rates HardwareAttributeReader::rates(std::string_view name, Dimension dimension) {
  hardware::Rates rates;
  const HardwareValue* value = find(name);
  if (value == nullptr) return rates;
  if (value->kind != Kind::Dict) {
    if (auto one = toFigure(name, *value, dimension, Sign::Positive)) rates.emplace_back("", *one);
    return rates;
  }
  if (value->attributes.empty()) error(value->span, fmt::format("`{}` names no rate", name));
  for (const HardwareAttribute& entry : value->attributes) {
    const bool unnamed = dimension == Dimension::ElementRate && entry.name == "default";
    const std::string key(unnamed ? std::string_view() : entry.name);
    const bool twice = std::any_of(rates.begin(), rates.end(),
                                   [&](const auto& rate) { return rate.first == key; });
    if (twice) error(entry.nameSpan, fmt::format("`{}` names `{}` twice", name, entry.name));
    const std::string label = fmt::format("{}.{}", name, entry.name);
    auto rate = toFigure(label, entry.value, dimension, Sign::Positive);
    if (rate && !twice) rates.emplace_back(key, *rate);
  }
  return rates;
}

std::optional<std::int64_t> HardwareAttributeReader::integer(std::string_view name,
                                                             const HardwareValue& value,
                                                             std::int64_t least,
                                                             std::int64_t most) {
  const bool whole = value.kind == Kind::Number && value.whole && value.unit.empty();
  if (whole && value.integer >= least && value.integer <= most) return value.integer;
  error(value.span, fmt::format("`{}` wants an integer from {} to {}", name, least, most));
  return {};
}

std::vector<std::int64_t> HardwareAttributeReader::shape(std::size_t rank,
                                                         const std::string& name) {
  const std::string example = name + (rank == 3   ? " = [32, 32, 32]"
                                      : rank == 2 ? " = [2, 4]"
                                                  : " = [32]");
  const HardwareValue* value = find(name);
  std::vector<std::int64_t> extents;
  if (value == nullptr) {
    missing(name, example);
  } else if (value->kind != Kind::List || value->items.size() != rank) {
    error(value->span,
          fmt::format("`{}` wants a list of {} integer{}", name, rank, rank == 1 ? "" : "s"),
          fmt::format("such as `{}`", example));
  } else {
    for (const HardwareValue& item : value->items) {
      extents.push_back(integer(name, item, 1, std::int64_t{1} << 20).value_or(1));
    }
  }
  extents.resize(rank, 1);
  return extents;
}

std::optional<HardwareNames::Entry>
HardwareAttributeReader::reference(const HardwareValue& value,
                                   std::span<const std::string_view> kinds) {
  const std::string wanted = fmt::format("`df.{}`", fmt::join(kinds, "` or `df."));
  if (value.kind != Kind::Name) {
    error(value.span, fmt::format("expected the name of a {}", wanted), "a name begins with `%`");
    return {};
  }
  const auto entry = m_names.entries.find(value.text);
  if (entry == m_names.entries.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, other] : m_names.entries) {
      if (std::find(kinds.begin(), kinds.end(), other.op) != kinds.end()) known.push_back(name);
    }
    error(value.span, fmt::format("nothing is named `%{}`", value.text),
          spellingHint(value.text, known));
    return {};
  }
  if (std::find(kinds.begin(), kinds.end(), entry->second.op) == kinds.end()) {
    error(value.span,
          fmt::format("`%{}` is a `df.{}`, not a {}", value.text, entry->second.op, wanted));
    return {};
  }
  return entry->second;
}

std::vector<HardwareNames::Entry> HardwareAttributeReader::references(std::string_view name,
                                                                      std::string_view kind) {
  std::vector<HardwareNames::Entry> found;
  const HardwareValue* value = find(name);
  if (value == nullptr) return found;
  const std::span<const HardwareValue> items = value->kind == Kind::List
                                                   ? std::span<const HardwareValue>(value->items)
                                                   : std::span<const HardwareValue>(value, 1);
  for (const HardwareValue& item : items) {
    const auto entry = reference(item, std::span(&kind, 1));
    if (entry) found.push_back(*entry);
  }
  return found;
}

std::vector<hardware::SpatialDimId> HardwareAttributeReader::dims(std::string_view name) {
  std::vector<hardware::SpatialDimId> dims;
  for (const HardwareNames::Entry& entry : references(name, "spatial_dim")) {
    const auto id = hardware::SpatialDimId::of(entry.index);
    if (std::find(dims.begin(), dims.end(), id) != dims.end()) {
      error(find(name)->span, fmt::format("`{}` names a dimension twice", name));
    }
    dims.push_back(id);
  }
  return dims;
}

std::optional<affine::AffineMap> HardwareAttributeReader::set(std::string_view name) {
  const HardwareValue* value = find(name);
  if (value == nullptr) return {};
  if (value->kind == Kind::Set) return value->map;
  error(value->span, fmt::format("`{}` wants an affine set", name),
        "such as `affine_set<(d0, d1) : (d0 <= d1)>`");
  return {};
}

std::optional<affine::AffineMap> HardwareAttributeReader::map(std::string_view name) {
  const HardwareValue* value = find(name);
  if (value == nullptr) return {};
  if (value->kind == Kind::Map) return value->map;
  error(value->span, fmt::format("`{}` wants an affine map", name),
        "such as `affine_map<(d0, d1) -> (d0, d1)>`");
  return {};
}

}  // namespace gridloom::syntax
