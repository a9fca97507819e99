// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "schedule/herd_regions.h"
#include "schedule/wiring.h"

namespace gridloom::exchange {

namespace {

using kernel::LoopId;
using schedule::Channel;

template <class... T> void add(std::string& text, fmt::format_string<T...> form, T&&... values) {
  fmt::format_to(std::back_inserter(text), form, std::forward<T>(values)...);
}

// As mapping::Tiling::unrollIndexOf, of the coordinates `at`.
std::string wayOf(const CppContext& context, LoopId loop) {
  std::string way = "0L";
  for (const std::uint8_t d : context.schedule.mapping.dimOrder) {
    if (context.schedule.mapping.space[d] != loop) continue;
    way = fmt::format("({} * kSizes[{}] + core.at[{}])", way, d, d);
  }
  return way;
}

// The programs whose cores are leaves of a channel (schedule::Wiring).
std::vector<std::size_t> leafPrograms(const CppContext& context, std::size_t channel) {
  const bool gathers = context.placed.wiring.gathers(static_cast<int>(channel));
  const schedule::Op op = gathers ? schedule::Op::Send : schedule::Op::Receive;
  std::vector<std::size_t> programs;
  for (std::size_t p = 0; p < context.schedule.programs.size(); ++p) {
    const auto& processes = context.schedule.programs[p].processes;
    const bool has = std::ranges::any_of(processes, [&](const schedule::Process& process) {
      return std::ranges::any_of(process.code, [&](const schedule::Instruction& i) {
        return i.op == op && i.channel.index() == channel;
      });
    });
    if (has) programs.push_back(p);
  }
  return programs;
}

// The core that sends to a leaf, as Wiring::senderOf.
std::string senderOf(const CppContext& context, const Channel& channel) {
  const int dim = schedule::dimOf(channel.along);
  const auto beside = [&](int by, bool wraps) {
    return fmt::format("beside(leaf, {}, {}, {})", dim, by, wraps);
  };
  switch (channel.kind) {
  case Channel::Kind::Multicast:
  case Channel::Kind::Feed:
  case Channel::Kind::Share: {
    std::string root = "long(leaf.id)";
    for (int d = 0; d < context.placed.placement.dims(); ++d) {
      const bool moves = (channel.along >> d & 1U) != 0;
      if (moves) root += fmt::format(" - leaf.at[{0}] * kStrides[{0}]", d);
    }
    return root;
  }
  case Channel::Kind::Neighbour: {
    const bool joins = schedule::isJoined(context.schedule.buffers[channel.target.index()].use);
    return beside(-channel.step, channel.step > 0 && joins);
  }
  case Channel::Kind::Ring:
  case Channel::Kind::Rotate:
    return beside(-1, true);
  case Channel::Kind::Pair:
    return beside(channel.step, false);
  case Channel::Kind::ToRoot:
  case Channel::Kind::Drain:
    return "long(leaf.id)";
  }
  return {};
}

}  // namespace

std::string cppMesh(const CppContext& context) {
  const schedule::Placement& placement = context.placed.placement;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t stride = placement.coreCount();
  for (int d = 0; d < placement.dims(); ++d) {
    sizes.push_back(placement.sizeOf(d));
    stride /= placement.sizeOf(d);
    strides.push_back(stride);
  }
  return fmt::format("\nconstexpr std::size_t kCores = {};\n"
                     "constexpr long kSizes[]{{{}}}, kStrides[]{{{}}};  // of the mesh\n",
                     placement.coreCount(), fmt::join(sizes, ", "), fmt::join(strides, ", "));
}

std::string cppCores(const CppContext& context) {
  const schedule::Schedule& schedule = context.schedule;
  const auto dims = static_cast<std::size_t>(context.placed.placement.dims());
  std::string text;
  add(text,
      "\n// Cores of one program: its number, and their first and last coordinates.\n"
      "struct CoreBox {{ int program; long first[{0}], last[{0}]; }};\n"
      "constexpr CoreBox kBoxes[]{{\n",
      dims);
  for (std::size_t p = 0; p < schedule.programs.size(); ++p) {
    const auto id = schedule::ProgramId::of(p);
    for (const auto& box : schedule::regionsOf(schedule, context.placed.hw, id)) {
      add(text, "    {{{}, {{{}}}, {{{}}}}},\n", p, fmt::join(box.first, ", "),
          fmt::join(box.last, ", "));
    }
  }
  add(text,
      "}};\ninline int programAt(const std::vector<long>& at) {{\n"
      "  for (const CoreBox& box : kBoxes) {{\n    bool inside = true;\n"
      "    for (std::size_t d = 0; d < at.size(); ++d) {{\n"
      "      inside = inside && at[d] >= box.first[d] && at[d] <= box.last[d];\n    }}\n"
      "    if (inside) return box.program;\n  }}\n  return -1;\n}}\n"
      "// Tiles of a core along a loop, dealt in turn.\n"
      "inline long tilesOf(long way, long ways, long tiles) {{\n"
      "  return way < tiles ? (tiles - way - 1) / ways + 1 : 0;\n}}\n"
      "inline Core makeCore(std::size_t id) {{\n  std::vector<long> at;\n"
      "  for (std::size_t d = 0; d < {}; ++d) at.push_back(long(id) / kStrides[d] % kSizes[d]);\n"
      "  Core core{{id, programAt(at), true, at, std::vector<long>(at.size()), {{}}, {{}}}};\n",
      dims);
  std::string active;
  for (std::size_t d = 0; d < dims; ++d) {
    if (schedule.mapping.space[d].valid()) continue;
    active += fmt::format("{}core.at[{}] == 0", active.empty() ? "" : " && ", d);
  }
  std::string temporal;
  for (std::size_t l = 0; l < context.kernel.loops.size(); ++l) {
    const auto loop = LoopId::of(l);
    const std::string name = context.loop(loop);
    const mapping::LoopTiling& tiling = schedule.tiling.loops[l];
    add(text, "  core.way.{0} = {1};\n  core.waves.{0} = tilesOf(core.way.{0}, {2}, {3});\n", name,
        wayOf(context, loop), tiling.unroll, tiling.tiles);
    active += fmt::format("{}core.waves.{} > 0", active.empty() ? "" : " && ", name);
    if (!context.isInOrder(loop)) temporal += fmt::format("  core.waves.{} = 1;\n", name);
  }
  add(text,
      "  core.active = {};\n{}  return core;\n}}\n"
      "inline std::vector<Core> makeCores() {{\n  std::vector<Core> all;\n"
      "  all.reserve(kCores);\n"
      "  for (std::size_t id = 0; id < kCores; ++id) all.push_back(makeCore(id));\n"
      "  for (Core& core : all) {{\n"
      "    for (std::size_t d = 0; d < core.at.size(); ++d) {{\n"
      "      for (long to = 0; to < kSizes[d]; ++to) core.along[d] += all[core.moved(d, "
      "to)].active;\n"
      "    }}\n  }}\n  return all;\n}}\n",
      active.empty() ? "true" : active, temporal);
  return text;
}

std::string cppChannels(const CppContext& context) {
  std::string text;
  const auto& channels = context.schedule.channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    add(text, "{}Channel {};\n", c == 0 ? "\n" : "", context.channel(static_cast<std::int32_t>(c)));
  }
  add(text, "\ninline void connect() {{\n");
  for (std::size_t c = 0; c < channels.size(); ++c) {
    add(text,
        "  connect({}, {{{}}},\n          [](const Core& leaf) {{\n"
        "            return {};\n          }});\n",
        context.channel(static_cast<std::int32_t>(c)), fmt::join(leafPrograms(context, c), ", "),
        senderOf(context, channels[c]));
  }
  return text + "}\n";
}

}  // namespace gridloom::exchange
