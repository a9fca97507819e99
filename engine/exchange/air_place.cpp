// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace gridloom::exchange {

CorePlace::CorePlace(AirCode& code, const AirContext& air, const schedule::CoreBox& box)
    : m_code(&code),
      m_air(&air),
      m_skews(mapping::skewsOf(air.schedule.mapping, air.schedule.tiling)),
      m_waves(air.schedule.tiling.loops.size()),
      m_iterations(air.schedule.order.size()) {
  m_coordinates.resize(box.first.size());
  std::int64_t folded = 1;
  for (std::size_t d = box.first.size(); d-- > 0;) {
    const std::int64_t size = box.last[d] - box.first[d] + 1;
    std::string inBox = d == 0 ? "%hx" : "%hy";
    if (d > 0 && box.first.size() > 2) inBox = unfolded(inBox, folded, size, d == 1);
    m_coordinates[d] = plus(inBox, box.first[d]);
    folded *= size;
  }
  findTiles();
}

// Herds have two dimensions: those of the mesh behind the first are one of a herd.
std::string CorePlace::unfolded(const std::string& place, std::int64_t stride, std::int64_t size,
                                bool isOutermost) {
  if (size == 1) return m_code->constant(0);
  std::string expr = "d0";
  if (stride > 1) expr += fmt::format(" floordiv {}", stride);
  if (!isOutermost) expr = fmt::format("({}) mod {}", expr, size);
  return expr == "d0" ? place : m_code->affine("at", expr, {place});
}

CorePlace CorePlace::at(std::vector<std::string> coordinates) const {
  CorePlace other = *this;
  other.m_coordinates = std::move(coordinates);
  other.findTiles();
  return other;
}

void CorePlace::findTiles() {
  const std::size_t loops = m_air->schedule.tiling.loops.size();
  m_ways.resize(loops);
  m_origins.resize(loops);
  m_outside.resize(loops);
  for (std::size_t l = 0; l < loops; ++l) {
    m_ways[l] = placeAmong(mapping::LoopId::of(l));
    m_origins[l] = originIn(l, m_waves[l]);
    if (m_waves[l].empty()) m_outside[l] = m_origins[l];
  }
}

std::string CorePlace::plus(const std::string& value, std::int64_t number) {
  if (number == 0) return value;
  return m_code->affine("at", fmt::format("d0 + {}", number), {value});
}

std::string CorePlace::placeAmong(mapping::LoopId loop) {
  const mapping::Mapping& mapping = m_air->schedule.mapping;
  std::string expr;
  std::vector<std::string> dims;
  for (const std::uint8_t d : mapping.dimOrder) {
    if (mapping.space[d] != loop) continue;
    const std::string dim = fmt::format("d{}", dims.size());
    expr = expr.empty() ? dim : fmt::format("({}) * {} + {}", expr, m_air->hw.dims()[d].size, dim);
    dims.push_back(m_coordinates[d]);
  }
  if (dims.size() < 2) return dims.empty() ? std::string() : dims[0];
  return m_code->affine("way", expr, dims);
}

std::string CorePlace::tripsOf(std::size_t loop) {
  const mapping::LoopTiling& t = tiling(loop);
  if (m_ways[loop].empty() || t.tiles % t.unroll == 0) return m_code->constant(t.trips);
  return m_code->affine("waves", fmt::format("(-d0 + {}) ceildiv {}", t.tiles, t.unroll),
                        {m_ways[loop]});
}

std::string CorePlace::originIn(std::size_t loop, const std::string& wave) {
  const mapping::LoopTiling& t = tiling(loop);
  const std::string& way = m_ways[loop];
  if (way.empty() && wave.empty()) return m_code->constant(0);
  if (way.empty() || wave.empty()) {
    return m_code->affine("from", fmt::format("d0 * {}", t.tileSize), {way.empty() ? wave : way});
  }
  return m_code->affine("from", fmt::format("(d0 * {} + d1) * {}", t.unroll, t.tileSize),
                        {wave, way});
}

std::string CorePlace::lastOf(std::size_t loop) {
  const mapping::LoopTiling& t = tiling(loop);
  if (t.extent % t.tileSize == 0) return plus(m_origins[loop], t.tileSize - 1);
  return m_code->least("last",
                       {fmt::format("d0 + {}", t.tileSize - 1), fmt::to_string(t.extent - 1)},
                       {m_origins[loop]});
}

// Cyclic assignment starts at coordinate 0, so the active cores of a line are its first ones.
std::string CorePlace::activeAlong(std::size_t dim) {
  const mapping::LoopId loop = m_air->schedule.mapping.space[dim];
  if (!loop.valid()) return m_code->constant(1);
  const std::int64_t size = m_air->hw.dims()[dim].size;
  const std::int64_t tiles = tiling(loop.index()).tiles;
  if (std::ranges::count(m_air->schedule.mapping.space, loop) == 1) {
    return m_code->constant(std::min(size, tiles));
  }
  // The loop's places along this line are `first + n * step`.
  std::int64_t step = 1;
  std::vector<std::string> start = m_coordinates;
  start[dim] = m_code->constant(0);
  bool inside = false;
  for (const std::uint8_t d : m_air->schedule.mapping.dimOrder) {
    if (inside && m_air->schedule.mapping.space[d] == loop) step *= m_air->hw.dims()[d].size;
    inside = inside || d == dim;
  }
  const std::string first = at(std::move(start)).m_ways[loop.index()];
  return m_code->least(
      "active", {fmt::to_string(size), fmt::format("(-d0 + {}) ceildiv {}", tiles, step)}, {first});
}

void CorePlace::enter(std::size_t position, const std::string& iteration) {
  const std::size_t loop = m_air->schedule.order[position].index();
  const mapping::LoopSkew& skew = m_skews[position];
  m_iterations[position] = iteration;
  m_waves[loop] = iteration;
  if (skew.along != 0) {
    // As LoopSkew::waveAt.
    std::string delay;
    std::vector<std::string> dims{iteration};
    for (std::size_t d = 0; d < m_coordinates.size(); ++d) {
      if ((skew.along >> d & 1U) == 0) continue;
      delay += fmt::format(" - d{}", dims.size());
      dims.push_back(m_coordinates[d]);
    }
    m_waves[loop] = m_code->affine(
        "wave", fmt::format("(d0 floordiv {0}) * {0} + (d0{1}) mod {0}", skew.period, delay), dims);
  }
  m_origins[loop] = originIn(loop, m_waves[loop]);
}

void CorePlace::leave(std::size_t position) {
  const std::size_t loop = m_air->schedule.order[position].index();
  m_iterations[position].clear();
  m_waves[loop].clear();
  m_origins[loop] = m_outside[loop];
}

std::string CorePlace::valueOf(const affine::LinearExpr& expr,
                               const std::vector<std::string>& loops) {
  std::vector<std::string> dims;
  std::string text;
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (expr.coefficients[l] == 0) continue;
    text += fmt::format("{}d{} * {}", text.empty() ? "" : " + ", dims.size(), expr.coefficients[l]);
    dims.push_back(loops[l]);
  }
  if (dims.empty()) return m_code->constant(expr.constant);
  if (dims.size() == 1 && expr.constant == 0 && text == "d0 * 1") return dims[0];
  return m_code->affine("at", fmt::format("{} + {}", text, expr.constant), dims);
}

}  // namespace gridloom::exchange
