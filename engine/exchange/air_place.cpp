// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gridloom::exchange {

CorePlace::CorePlace(AirCode& code, const AirContext& air, const schedule::CoreBox& box)
    : m_code(code), m_air(air) {
  constexpr std::string_view kIds[] = {"%hx", "%hy"};
  for (std::size_t d = 0; d < box.first.size(); ++d) {
    m_coordinates.push_back(plus(std::string(kIds[d]), box.first[d]));
  }
  const std::size_t loops = m_air.schedule.tiling.loops.size();
  m_ways.resize(loops);
  m_origins.resize(loops);
  m_waves.resize(loops);
  for (std::size_t l = 0; l < loops; ++l) {
    m_ways[l] = wayOf(mapping::LoopId::of(l));
    if (m_ways[l].empty()) {
      m_origins[l] = m_code.constant(0);
      continue;
    }
    m_origins[l] = m_code.fresh("from");
    m_code.line("{} = affine.apply affine_map<(d0) -> (d0 * {})>({})", m_origins[l],
                tiling(l).tileSize, m_ways[l]);
  }
}

std::string CorePlace::plus(const std::string& value, std::int64_t number) {
  if (number == 0) return value;
  const std::string name = m_code.fresh("at");
  m_code.line("{} = affine.apply affine_map<(d0) -> (d0 + {})>({})", name, number, value);
  return name;
}

std::string CorePlace::wayOf(mapping::LoopId loop) {
  const mapping::Mapping& mapping = m_air.schedule.mapping;
  std::string expr;
  std::vector<std::string> dims;
  for (const std::uint8_t d : mapping.dimOrder) {
    if (mapping.space[d] != loop) continue;
    const std::string dim = fmt::format("d{}", dims.size());
    expr = expr.empty() ? dim : fmt::format("({}) * {} + {}", expr, m_air.hw.dims()[d].size, dim);
    dims.push_back(m_coordinates[d]);
  }
  if (dims.size() < 2) return dims.empty() ? std::string() : dims[0];
  const std::string name = m_code.fresh("way");
  m_code.line("{} = affine.apply affine_map<(d0, d1) -> ({})>({})", name, expr,
              fmt::join(dims, ", "));
  return name;
}

std::string CorePlace::tripsOf(std::size_t loop) {
  const mapping::LoopTiling& t = tiling(loop);
  if (m_ways[loop].empty() || t.tiles % t.unroll == 0) return m_code.constant(t.trips);
  const std::string name = m_code.fresh("waves");
  m_code.line("{} = affine.apply affine_map<(d0) -> ((-d0 + {}) ceildiv {})>({})", name, t.tiles,
              t.unroll, m_ways[loop]);
  return name;
}

std::string CorePlace::originIn(std::size_t loop, const std::string& wave) {
  const mapping::LoopTiling& t = tiling(loop);
  const std::string name = m_code.fresh("from");
  if (m_ways[loop].empty()) {
    m_code.line("{} = affine.apply affine_map<(d0) -> (d0 * {})>({})", name, t.tileSize, wave);
  } else {
    m_code.line("{} = affine.apply affine_map<(d0, d1) -> ((d0 * {} + d1) * {})>({}, {})", name,
                t.unroll, t.tileSize, wave, m_ways[loop]);
  }
  return name;
}

std::string CorePlace::valueOf(const affine::LinearExpr& expr) {
  std::vector<std::string> dims;
  std::string text;
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (expr.coefficients[l] == 0) continue;
    text += fmt::format("{}d{} * {}", text.empty() ? "" : " + ", dims.size(), expr.coefficients[l]);
    dims.push_back(m_origins[l]);
  }
  if (dims.empty()) return m_code.constant(expr.constant);
  if (dims.size() == 1 && expr.constant == 0 && text == "d0 * 1") return dims[0];
  std::vector<std::string> names;
  for (std::size_t d = 0; d < dims.size(); ++d) names.push_back(fmt::format("d{}", d));
  const std::string name = m_code.fresh("at");
  m_code.line("{} = affine.apply affine_map<({}) -> ({} + {})>({})", name, fmt::join(names, ", "),
              text, expr.constant, fmt::join(dims, ", "));
  return name;
}

}  // namespace gridloom::exchange
