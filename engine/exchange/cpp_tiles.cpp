// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_tiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/cpp_nest.h"
#include "mapping/rotation.h"
#include "schedule/window_tiles.h"

namespace gridloom::exchange {

namespace {

using kernel::LoopId;
using kernel::RegionDim;
using schedule::Buffer;

class TileText {
 public:
  explicit TileText(const CppContext& context)
      : m_context(context),
        m_skews(mapping::skewsOf(context.schedule.mapping, context.schedule.tiling)) {}

  std::string run() {
    boxes();
    for (const kernel::Operand& input : m_context.nest.inputs) elements(input);
    for (const kernel::Operand& output : m_context.nest.outputs) elements(output);
    if (!m_context.schedule.work.always()) guard("has_work", m_context.schedule.work, {});
    for (std::size_t b = 0; b < m_context.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_context.schedule.buffers[b];
      const std::string name = m_context.buffer(static_cast<std::int32_t>(b));
      if (!buffer.need.guard.always()) guard("needed_" + name, buffer.need.guard, buffer.need);
      if (buffer.need.awaits >= 0) tilesOf("awaited_" + name, buffer.need);
    }
    const schedule::WindowTiles windows(m_context.schedule);
    for (std::size_t o = 0; o < m_context.schedule.grids.size(); ++o) {
      tilesOf("made_" + m_context.window(m_context.nest.outputs[o]),
              windows.wholeTile(static_cast<int>(o)));
    }
    return std::move(m_text);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }

  const mapping::LoopTiling& tiling(LoopId loop) const {
    return m_context.schedule.tiling.loops[loop.index()];
  }

  // The wave of a loop in the iteration `w`; a loop that does not run in time has wave 0.
  std::string wave(LoopId loop) const {
    const auto& order = m_context.schedule.order;
    const auto at = std::ranges::find(order, loop);
    if (at == order.end()) return "0";
    const std::string name = "w." + m_context.loop(loop);
    const mapping::LoopSkew& skew = m_skews[static_cast<std::size_t>(at - order.begin())];
    if (skew.along == 0) return name;
    std::vector<std::string> delays;
    for (int d = 0; d < m_context.placed.placement.dims(); ++d) {
      if ((skew.along >> d & 1U) != 0) delays.push_back(fmt::format("core.at[{}]", d));
    }
    return fmt::format("turned({}, {}, {})", name, skew.period, fmt::join(delays, " + "));
  }

  void boxes() {
    add("\n// What a core works on: w has the wave of each loop around, -1 inside.\n"
        "inline Box boxOf([[maybe_unused]] const Core& core, [[maybe_unused]] const Loops& w) {{\n"
        "  return {{\n");
    for (std::size_t l = 0; l < m_context.kernel.loops.size(); ++l) {
      const auto loop = LoopId::of(l);
      add("      range({}, core.way.{}, {}, {}, {}),\n", wave(loop), m_context.loop(loop),
          tiling(loop).unroll, tiling(loop).tileSize, tiling(loop).extent);
    }
    add("  }};\n}}\n\n"
        "// Calls f(box, waves) for every tile that the loops inside bring, of those in `over`.\n"
        "template <class F>\nvoid tiles(const Core& core, const Loops& w,\n"
        "           const std::vector<long Loops::*>& over, const F& f, std::size_t n = 0) {{\n"
        "  if (n == over.size()) return f(boxOf(core, w), w);\n"
        "  if (w.*over[n] >= 0) return tiles(core, w, over, f, n + 1);\n"
        "  Loops at = w;\n"
        "  for (at.*over[n] = 0; at.*over[n] < core.waves.*over[n]; ++(at.*over[n])) {{\n"
        "    tiles(core, at, over, f, n + 1);\n  }}\n}}\n");
  }

  // The bounds of a region along a dimension, within the tensor: from, and up to (exclusive).
  std::pair<std::string, std::string> bounds(const RegionDim& dim, std::int64_t size) const {
    std::string low, high;
    for (std::size_t l = 0; l < m_context.kernel.loops.size(); ++l) {
      const std::int64_t c = dim.index.coefficient(l);
      if (c == 0) continue;
      const std::string name = m_context.loop(LoopId::of(l));
      const std::string times = c == 1 ? "" : fmt::format("{} * ", c);
      const std::string first = fmt::format("{}t.{}.lo + ", times, name);
      const std::string last = fmt::format("{}(t.{}.hi - 1) + ", times, name);
      low += c > 0 ? first : last;
      high += c > 0 ? last : first;
    }
    const std::int64_t at = dim.index.constant;
    const std::string from = fmt::format("std::max(0L, {}{}L)", low, at + dim.minOffset);
    if (dim.behind) return {from, fmt::format("std::min({}L, {}{}L)", size, low, at)};
    return {from, fmt::format("std::min({}L, {}{}L)", size, high, at + dim.maxOffset + 1)};
  }

  void elements(const kernel::Operand& operand) {
    add("\n// The elements of {} that a core needs or makes at once.\n"
        "inline Elements elements_{}(const Core& core, const Loops& w) {{\n  Elements all;\n"
        "  tiles(core, w, {{{}}}, [&]([[maybe_unused]] const Box& t, const Loops&) {{\n",
        operand.name, m_context.window(operand), m_context.members(operand.loops));
    operand.gather ? gathered(operand) : region(operand);
    add("  }});\n  return sorted(std::move(all));\n}}\n");
  }

  void region(const kernel::Operand& operand) {
    std::vector<std::string> names;
    std::string indent = "    ";
    for (std::size_t d = 0; d < operand.dims.size(); ++d) {
      const auto [low, high] =
          bounds(operand.dims[d], m_context.kernel.tensor(operand.tensor).shape[d]);
      names.push_back(fmt::format("d{}", d));
      add("{0}const long h{1} = {3};\n{0}for (long d{1} = {2}; d{1} < h{1}; ++d{1}) {{\n", indent,
          d, low, high);
      indent += "  ";
    }
    add("{}all.push_back({}({}));\n", indent, m_context.number(operand.tensor),
        fmt::join(names, ", "));
    close(indent, 4);
  }

  // Indices outside of the tensor may stand where no iteration uses them.
  void gathered(const kernel::Operand& operand) {
    const kernel::Access& access = operand.gather->access;
    std::string indent = "    ";
    for (std::size_t l = 0; l < m_context.kernel.loops.size(); ++l) {
      const auto loop = LoopId::of(l);
      const std::string name = m_context.loop(loop);
      if (!kernel::contains(operand.loops, loop)) {
        add("{}[[maybe_unused]] const long {} = t.{}.lo;\n", indent, name, name);
        continue;
      }
      add("{}{} {{\n", indent, cppLoop(m_context.kernel, loop, true));
      indent += "  ";
    }
    std::vector<std::string> indices;
    for (const affine::LinearExpr& index : access.indices) {
      indices.push_back(cppIndex(m_context.kernel, index));
    }
    for (const kernel::IndexRead& read : access.gathers) {
      std::vector<std::string> at;
      for (const affine::LinearExpr& index : read.access.indices) {
        at.push_back(cppIndex(m_context.kernel, index));
      }
      add("{}const long at{} = {}({});\n", indent, read.dim, m_context.number(read.access.tensor),
          fmt::join(at, ", "));
      indices[read.dim] = fmt::format("at{0} < 0 ? -1 : long(global.{1}[std::size_t(at{0})])",
                                      read.dim, m_context.tensor(read.access.tensor));
    }
    add("{0}if (const long e = {1}({2}); e >= 0) all.push_back(e);\n", indent,
        m_context.number(operand.tensor), fmt::join(indices, ", "));
    close(indent, 4);
  }

  void close(std::string& indent, std::size_t to) {
    while (indent.size() > to) {
      indent.resize(indent.size() - 2);
      add("{}}}\n", indent);
    }
  }

  // `need`: cores that share a transfer decide together along loops its tile does not depend on.
  void guard(const std::string& name, const kernel::TileGuard& guard,
             const schedule::TileDemand& need) {
    add("\n// Tiles with something to do.\n"
        "inline bool {}([[maybe_unused]] const Core& core, [[maybe_unused]] const Loops& w) {{\n",
        name);
    for (const LoopId loop : guard.loops()) {
      const bool together = need.shared && !kernel::contains(need.loops, loop);
      add("  [[maybe_unused]] const Span {0} = span({1}, core.way.{0}, {2}, {3}, {4}, {5});\n",
          m_context.loop(loop), wave(loop), tiling(loop).unroll, tiling(loop).tileSize,
          tiling(loop).extent, together);
    }
    std::vector<std::string> parts;
    for (const kernel::GuardPart& part : guard.parts) {
      std::vector<std::string> all;
      for (const kernel::Difference& d : part.tiles) {
        all.push_back(difference(d, "lastTile", "firstTile", ""));
      }
      for (const kernel::Difference& d : part.elements) {
        all.push_back(difference(d, "end", "begin", " - 1"));
      }
      parts.push_back(fmt::format("({})", fmt::join(all, " && ")));
    }
    add("  return {};\n}}\n", fmt::join(parts, " ||\n         "));
  }

  std::string difference(const kernel::Difference& d, const char* largest, const char* smallest,
                         const char* less) const {
    const std::string a =
        d.a.valid() ? fmt::format("{}.{}{}", m_context.loop(d.a), largest, less) : "0";
    const std::string b = d.b.valid() ? fmt::format("{}.{}", m_context.loop(d.b), smallest) : "0";
    return fmt::format("{} - {} >= {}", a, b, d.least);
  }

  void tilesOf(const std::string& name, const schedule::TileDemand& need) {
    const std::vector<LoopId>& grid = m_context.schedule.grids[CppContext::index(need.awaits)];
    add("\n// Calls f(number) for tiles of {}.\n"
        "template <class F> void {}(const Core& core, const Loops& waves, const F& f) {{\n"
        "  tiles(core, waves, {{{}}}, [&](const Box& t, [[maybe_unused]] const Loops& w) {{\n",
        m_context.nest.outputs[CppContext::index(need.awaits)].name, name,
        m_context.members(need.loops));
    if (!need.guard.always()) add("    if (!needed_{}(core, w)) return;\n", name.substr(8));
    std::string numbers = "0", indent = "    ";
    for (std::size_t d = 0; d < grid.size(); ++d) {
      const mapping::LoopTiling& made = tiling(grid[d]);
      const auto [low, high] = bounds(need.region[d], made.extent);
      add("    const long l{0} = {1}, h{0} = {2};\n    if (h{0} <= l{0}) return;\n", d, low, high);
      numbers = fmt::format("({} * {} + d{})", numbers, made.tiles, d);
    }
    for (std::size_t d = 0; d < grid.size(); ++d) {
      add("{0}for (long d{1} = l{1} / {2}; d{1} <= (h{1} - 1) / {2}; ++d{1}) {{\n", indent, d,
          tiling(grid[d]).tileSize);
      indent += "  ";
    }
    add("{}f(std::size_t({}));\n", indent, numbers);
    close(indent, 4);
    add("  }});\n}}\n");
  }

  const CppContext& m_context;
  std::vector<mapping::LoopSkew> m_skews;  ///< per temporal loop
  std::string m_text;
};

}  // namespace

std::string cppTileFunctions(const CppContext& context) { return TileText(context).run(); }

}  // namespace gridloom::exchange
