// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_attribute_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gridloom::syntax {

namespace {

constexpr std::size_t kLineWidth = 100;

}  // namespace

void AttributeList::text(std::string_view name, std::string_view value) {
  m_items.push_back(fmt::format("{} = {}", name, value));
}

void AttributeList::figure(std::string_view name, const hardware::Figure& figure,
                           Dimension dimension) {
  text(name, figureText(figure, dimension));
}

void AttributeList::figure(std::string_view name, const std::optional<hardware::Figure>& value,
                           Dimension dimension) {
  if (value) figure(name, *value, dimension);
}

void AttributeList::rates(std::string_view name, const hardware::Rates& rates,
                          Dimension dimension) {
  if (rates.empty()) return;
  if (rates.size() == 1 && rates.front().first.empty()) {
    figure(name, rates.front().second, dimension);
    return;
  }
  std::string list;
  for (const auto& [key, rate] : rates) {
    if (!list.empty()) list += ", ";
    list += fmt::format("{} = {}", key.empty() ? "default" : key, figureText(rate, dimension));
  }
  text(name, "{ " + list + " }");
}

void AttributeList::integers(std::string_view name, const std::vector<std::int64_t>& values) {
  text(name, fmt::format("[{}]", fmt::join(values, ", ")));
}

void AttributeList::dims(std::string_view name, const std::vector<hardware::SpatialDimId>& dims) {
  if (dims.empty()) return;
  std::vector<std::string> names;
  for (const auto dim : dims) names.push_back("%" + m_spec.dims[dim.index()].name);
  text(name, fmt::format("({})", fmt::join(names, ", ")));
}

void AttributeList::map(std::string_view name, const affine::AffineMap& map) {
  if (map.numDims != 0 || !map.results.empty()) text(name, affine::toString(map));
}

std::string AttributeList::after(const std::string& head) const {
  if (m_items.empty()) return head;
  std::string line = fmt::format("{} {{ {} }}", head, fmt::join(m_items, ", "));
  if (line.size() <= kLineWidth) return line;
  return fmt::format("{} {{\n  {}\n}}", head, fmt::join(m_items, ",\n  "));
}

std::string AttributeList::figureText(const hardware::Figure& figure, Dimension dimension) {
  if (figure.unit.empty()) return fmt::format("{} {}", figure.value, bareUnit(dimension));
  return fmt::format("{} {}", figure.written, figure.unit);
}

}  // namespace gridloom::syntax
