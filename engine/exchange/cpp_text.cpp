// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/cpp_context.h"
#include "exchange/cpp_functions.h"
#include "exchange/cpp_main.h"
#include "exchange/cpp_mesh.h"
#include "exchange/cpp_nest.h"
#include "exchange/cpp_process.h"
#include "exchange/cpp_reads.h"
#include "exchange/cpp_reference.h"
#include "exchange/cpp_runtime.h"
#include "exchange/cpp_tiles.h"
#include "exchange/cpp_values.h"
#include "schedule/window_tiles.h"

namespace gridloom::exchange {

namespace {

using kernel::Tensor;
using kernel::TensorRole;
using schedule::Buffer;
using schedule::PlacedSchedule;

class ProgramText {
 public:
  explicit ProgramText(const PlacedSchedule& placed)
      : m_context(placed), m_placed(placed), m_kernel(placed.kernel) {}

  std::string run() {
    m_text = fmt::format("// {}: made by Gridloom. g++ -std=c++20 -O2 -pthread\n", m_kernel.name);
    m_text += std::string(kCppRuntime) + kCppValues + kCppFunctions;
    types();
    memory();
    m_text += cppTileFunctions(m_context);
    awaited();
    m_text += cppAccessFunctions(m_context) + cppComputeFunctions(m_context);
    channels();
    const auto& programs = m_placed.schedule.programs;
    for (std::size_t p = 0; p < programs.size(); ++p) {
      for (std::size_t t = 0; t < programs[p].processes.size(); ++t) {
        m_text += "\n" + cppProcess(m_context, p, t);
      }
    }
    m_text += cppReference(m_kernel.asWritten());
    return std::move(m_text) + cppMain(m_context);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }

  void types() {
    std::vector<std::string> names, none;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      names.push_back(m_context.loop(kernel::LoopId::of(l)));
      none.push_back("-1");
    }
    add("\nstruct Loops {{ long {}; }};\n", fmt::join(names, ", "));
    add("constexpr Loops kNone{{{}}};  // outside of all loops\n", fmt::join(none, ", "));
    add("struct Box {{ Range {}; }};\n", fmt::join(names, ", "));
    add("constexpr int kReaders[][{}]{{  // of the buffers, per program\n",
        std::max<std::size_t>(1, m_placed.schedule.buffers.size()));
    for (std::size_t p = 0; p < m_placed.schedule.programs.size(); ++p) {
      std::vector<int> readers;
      for (std::size_t b = 0; b < m_placed.schedule.buffers.size(); ++b) {
        readers.push_back(m_placed.code.readers(schedule::ProgramId::of(p), b));
      }
      add("    {{{}}},\n", fmt::join(readers, ", "));
    }
    add("}};\n");
    m_text += cppMesh(m_context);
    coreType();
    m_text += cppCores(m_context);
    std::vector<std::string> takes{"to.active"};
    for (const kernel::LoopId l : m_placed.schedule.order) {
      takes.push_back(fmt::format("w.{0} < to.waves.{0}", m_context.loop(l)));
    }
    add("std::vector<Core*> cores;\n"
        "// Whether a core works in an iteration.\n"
        "inline bool takes(const Core& to, [[maybe_unused]] const Loops& w) {{\n"
        "  return {};\n}}\n",
        fmt::join(takes, " && "));
  }

  void coreType() {
    add("\nstruct Core {{\n  std::size_t id;\n  int program;  // -1: none\n  bool active;\n"
        "  std::vector<long> at;     // coordinates in the mesh\n"
        "  std::vector<long> along;  // active cores on its line, per dimension\n"
        "  Loops way;                // its place among the cores of a loop\n"
        "  Loops waves;              // its tiles along a loop\n");
    for (std::size_t b = 0; b < m_placed.schedule.buffers.size(); ++b) {
      const auto id = static_cast<std::int32_t>(b);
      add("  Buffer {}{{std::vector<Slot>({}), kReaders[std::max(program, 0)][{}]}};\n",
          m_context.buffer(id), holdsTiles(id) ? m_placed.schedule.buffers[b].slots : 0, b);
    }
    std::vector<std::int32_t> tokens;
    for (const schedule::Token& token : m_placed.schedule.tokens) tokens.push_back(token.atStart);
    add("  std::vector<long> tokens{{{}}};\n{}", fmt::join(tokens, ", "),
        cppValueMembers(m_context));
    add("  // The core with another coordinate along a dimension.\n"
        "  std::size_t moved(std::size_t dim, long to) const {{\n"
        "    return std::size_t(long(id) + (to - at[dim]) * kStrides[dim]);\n  }}\n"
        "  Until awaitToken(std::size_t n) {{\n"
        "    return {{[n, this] {{ return tokens[n] > 0; }}, [n, this] {{ --tokens[n]; }}}};\n"
        "  }}\n}};\n");
  }

  // Whether instructions move tiles in the buffer; others only take room.
  bool holdsTiles(std::int32_t buffer) const {
    for (const schedule::Program& program : m_placed.schedule.programs) {
      for (const schedule::Process& process : program.processes) {
        for (const schedule::Instruction& i : process.code) {
          if (i.buffer.value() == buffer) return true;
        }
      }
    }
    return false;
  }

  void memory() {
    add("\n// Global memory, and tiles that cores forward; values are doubles.\n"
        "struct Memory {{\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      if (tensor.role == TensorRole::Local) continue;
      add("  Values {} = Values({}, kNothing);\n", cppName(m_kernel, tensor),
          kernel::elementCount(tensor));
    }
    add("}};\nMemory global, held;\n");
  }

  // What is known of output tiles that other transfers await.
  void awaited() {
    const schedule::WindowTiles windows(m_placed.schedule);
    for (std::size_t o = 0; o < m_placed.schedule.grids.size(); ++o) {
      const kernel::Operand& output = m_placed.nest.outputs[o];
      const std::string name = m_context.window(output);
      const std::size_t tiles = windows.tilesOf(static_cast<int>(o));
      add("\n// Per tile of {1}: whether it is stored, computed; how often it is still taken.\n"
          "std::vector<char> stored_{0}({2}, 0), computed_{0}({2}, 0);\n"
          "std::vector<long> untaken_{0}({2}, 0);\n",
          name, output.name, tiles);
      if (m_context.heldOf(output.tensor) == nullptr || m_placed.schedule.order.empty()) continue;
      add("// Whether all tiles of an earlier iteration of the outermost loop are taken.\n"
          "inline bool room_{0}(const Core& core, long iteration) {{\n"
          "  if (iteration < 0) return true;\n  Loops w = kNone;\n  w.{1} = iteration;\n"
          "  bool free = true;\n"
          "  made_{0}(core, w, [&](std::size_t n) {{ free = free && untaken_{0}[n] == 0; }});\n"
          "  return free;\n}}\n",
          name, m_context.loop(m_placed.schedule.order.front()));
    }
  }

  void channels() {
    add("\n// Per core: the cores that get its tiles, and its own end as one of those.\n"
        "struct Channel {{\n  std::vector<std::vector<std::size_t>> leaves = "
        "std::vector<std::vector<std::size_t>>(kCores);\n"
        "  std::vector<End> ends = std::vector<End>(kCores);\n}};\n"
        "inline std::vector<End*> receivers(Channel& channel, const Core& core, const Loops& w) "
        "{{\n  std::vector<End*> to;\n"
        "  for (const std::size_t leaf : channel.leaves[core.id]) {{\n"
        "    if (takes(*cores[leaf], w)) to.push_back(&channel.ends[leaf]);\n  }}\n"
        "  return to;\n}}\n"
        "// Until no core reads the shared copy in the slot that is filled next.\n"
        "inline Until claim(const Channel& channel, const Core& core, Buffer Core::*buffer) {{\n"
        "  return {{[&channel, &core, buffer] {{\n"
        "    const long last = (core.*buffer).acquired - 1 - long((core.*buffer).slots.size());\n"
        "    return std::ranges::all_of(channel.leaves[core.id], [&](std::size_t leaf) {{\n"
        "      const std::deque<long>& copies = (cores[leaf]->*buffer).copies;\n"
        "      return copies.empty() || copies.front() > last;\n    }});\n  }}}};\n}}\n"
        "inline void share(const Channel& channel, const Core& core, const Loops& w,\n"
        "                  Buffer Core::*buffer) {{\n  change([&] {{\n"
        "    for (const std::size_t leaf : channel.leaves[core.id]) {{\n"
        "      if (!takes(*cores[leaf], w)) continue;\n"
        "      (cores[leaf]->*buffer).copies.push_back((core.*buffer).acquired - 1);\n"
        "    }}\n  }});\n}}\n");
    add("// Joins the cores of some programs to those that send to them; `sender` is -1 without "
        "one.\n"
        "inline void connect(Channel& channel, const std::set<int>& programs,\n"
        "                    long (*sender)(const Core&)) {{\n"
        "  for (const Core* leaf : cores) {{\n"
        "    const long from = programs.contains(leaf->program) ? sender(*leaf) : -1;\n"
        "    if (from >= 0) channel.leaves[std::size_t(from)].push_back(leaf->id);\n  }}\n}}\n"
        "// The core some places on along a dimension; before the first one comes the last active\n"
        "// one, where cores form a ring. -1: outside of the mesh.\n"
        "inline long beside(const Core& core, std::size_t dim, long by, bool wraps) {{\n"
        "  long to = core.at[dim] + by;\n"
        "  if (to < 0 && wraps) to = core.along[dim] - 1;\n"
        "  return to < 0 || to >= kSizes[dim] ? -1 : long(core.moved(dim, to));\n}}\n");
    m_text += cppChannels(m_context);
  }

  const CppContext m_context;
  const PlacedSchedule& m_placed;
  const kernel::Kernel& m_kernel;
  std::string m_text;
};

// Why a schedule has no form as a C++ program; "" if it has one.
std::string unsupported(const PlacedSchedule& placed) {
  if (const int processes = placed.wiring.processCount(); processes > kMostCppProcesses) {
    return fmt::format("it has {} processes, more than {}", processes, kMostCppProcesses);
  }
  double elements = 0;
  for (const Tensor& tensor : placed.kernel.tensors) {
    double of = 1;
    for (const std::int64_t size : tensor.shape) of *= static_cast<double>(size);
    elements += of;
  }
  if (elements > kMostCppElements) {
    return fmt::format("its tensors have {:.0f} elements, more than {:.0f}", elements,
                       kMostCppElements);
  }
  return {};
}

}  // namespace

base::Result<std::string> cppText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw) {
  const PlacedSchedule placed(schedule, kernel, nest, hw);
  if (const std::string why = unsupported(placed); !why.empty()) {
    return base::plainError("this schedule is too large for a C++ program: " + why,
                            "set smaller parameters; `--format prog` writes every schedule");
  }
  return ProgramText(placed).run();
}

}  // namespace gridloom::exchange
