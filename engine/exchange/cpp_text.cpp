// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/cpp_nest.h"
#include "exchange/cpp_process.h"
#include "exchange/cpp_runtime.h"
#include "exchange/cpp_support.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::Tensor;
using kernel::TensorRole;
using schedule::Buffer;
using schedule::PlacedSchedule;

class ProgramText {
 public:
  explicit ProgramText(const PlacedSchedule& placed) : m_placed(placed), m_kernel(placed.kernel) {}

  std::string run() {
    m_text = fmt::format("// {}: made by Gridloom. g++ -std=c++20 -pthread\n", m_kernel.name);
    m_text += std::string(kCppRuntime) + kCppFunctions;
    types();
    for (const kernel::Operand& input : m_placed.nest.inputs) tile(input, "0");
    for (const kernel::Operand& output : m_placed.nest.outputs) {
      const kernel::ExprOp op = kernel::rootReduction(m_kernel.statements.front());
      tile(output, kernel::isReduction(op) ? cppNumber(kernel::neutralOf(op)) : "0");
    }
    globals();
    computeTile();
    channels();
    const auto& programs = m_placed.schedule.programs;
    for (std::size_t p = 0; p < programs.size(); ++p) {
      for (std::size_t t = 0; t < programs[p].processes.size(); ++t) {
        m_text += "\n" + cppProcess(m_placed, p, t);
      }
    }
    reference();
    mainFunction();
    return std::move(m_text);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }

  std::string loop(std::size_t l) const { return cppName(m_kernel.loops[l].name); }

  void types() {
    std::vector<std::string> names, none;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      names.push_back(loop(l));
      none.push_back("-1");
    }
    add("\nstruct Loops {{ long {}; }};\n", fmt::join(names, ", "));
    add("constexpr Loops kNone{{{}}};  // outside of all loops\n", fmt::join(none, ", "));
    add("struct Box {{ Range {}; }};\n\n", fmt::join(names, ", "));
    add("struct Core {{\n  std::size_t id;\n  Loops way;    // its place among the cores of a "
        "loop\n"
        "  Loops waves;  // its tiles along a loop\n  Core(std::size_t i, Loops at, Loops count) : "
        "id(i), way(at), waves(count) {{}}\n");
    for (std::size_t b = 0; b < m_placed.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_placed.schedule.buffers[b];
      std::uint8_t readers = 0;
      for (std::size_t p = 0; p < m_placed.schedule.programs.size(); ++p) {
        readers = std::max(readers, m_placed.code.readers(schedule::ProgramId::of(p), b));
      }
      if (buffer.use == Buffer::Use::Local) continue;
      add("  Buffer {}{{{}, {}}};\n", cppName(buffer.name), buffer.slots, readers);
    }
    for (const Tensor& tensor : m_kernel.tensors) {
      if (tensor.role == TensorRole::Local) add("  Tile {};\n", cppName(m_kernel, tensor));
    }
    add("}};\n\n// What a core works on: w has the wave of each loop around, -1 inside.\n"
        "inline Box boxOf(const Core& core, const Loops& w) {{\n  return {{\n");
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const mapping::LoopTiling& tiling = m_placed.schedule.tiling.loops[l];
      add("      range(w.{0}, core.way.{0}, core.waves.{0}, {1}, {2}, {3}),\n", loop(l),
          tiling.unroll, tiling.tileSize, tiling.extent);
    }
    add("  }};\n}}\n");
  }

  // The bounds of a region along a dimension, within the tensor.
  std::string bounds(const kernel::RegionDim& dim, std::int64_t size) const {
    std::string low, high;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const std::int64_t c = dim.index.coefficient(l);
      if (c == 0) continue;
      const std::string first = fmt::format("{} * t.{}.lo", c, loop(l));
      const std::string last = fmt::format("{} * (t.{}.hi - 1)", c, loop(l));
      low += (c > 0 ? first : last) + " + ";
      high += (c > 0 ? last : first) + " + ";
    }
    const std::int64_t at = dim.index.constant;
    return fmt::format("{{std::max(0L, {}{}L), std::min({}L, {}{}L)}}", low, at + dim.minOffset,
                       size, high, at + dim.maxOffset + 1);
  }

  void tile(const kernel::Operand& operand, const std::string& value) {
    const Tensor& tensor = m_kernel.tensor(operand.tensor);
    std::vector<std::string> box;
    for (std::size_t d = 0; d < operand.dims.size(); ++d) {
      box.push_back(bounds(operand.dims[d], tensor.shape[d]));
    }
    add("\n// The elements of {} that a box of iterations needs.\n"
        "inline Tile {}_tile([[maybe_unused]] const Box& t) {{\n  return Tile({{{}}}, {});\n}}\n",
        operand.name, cppName(operand.name), fmt::join(box, ", "), value);
  }

  void globals() {
    add("\n// Global memory; values are doubles.\nstruct Memory {{\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      std::vector<std::string> box;
      for (const std::int64_t size : tensor.shape) box.push_back(fmt::format("{{0, {}}}", size));
      add("  Tile {}_{{{{{}}}, 0}};\n", cppName(tensor.name), fmt::join(box, ", "));
    }
    add("}};\nMemory global, expected;\nstd::vector<Core*> cores;\n");
  }

  void computeTile() {
    std::string parameters = "const Box& t, [[maybe_unused]] Core& core", locals, body;
    for (const Buffer& buffer : m_placed.schedule.buffers) {
      const bool isInput = buffer.use == Buffer::Use::Input;
      if (!isInput && buffer.use != Buffer::Use::Output) continue;
      const auto& operands = isInput ? m_placed.nest.inputs : m_placed.nest.outputs;
      const auto id = operands[static_cast<std::size_t>(buffer.operand)].tensor;
      parameters += ", Tile& " + cppName(m_kernel, m_kernel.tensor(id));
    }
    const bool alone = m_kernel.statements.size() == 1;
    for (const kernel::Statement& statement : m_kernel.statements) {
      const Tensor& target = m_kernel.tensor(statement.target.tensor);
      if (target.role == TensorRole::Local) locals += local(statement, target);
      body += cppStatement(m_kernel, statement, true,
                           alone && kernel::isReduction(kernel::rootReduction(statement)));
    }
    add("\nvoid compute_tile({}) {{\n{}{}}}\n", parameters, locals, body);
  }

  std::string local(const kernel::Statement& statement, const Tensor& tensor) const {
    std::vector<std::string> box;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
      box.push_back(bounds({statement.target.indices[d]}, tensor.shape[d]));
    }
    const std::string name = cppName(m_kernel, tensor);
    return fmt::format("  core.{0} = Tile({{{1}}}, 0);\n  Tile& {0} = core.{0};\n", name,
                       fmt::join(box, ", "));
  }

  void channels() {
    const auto cores = static_cast<std::size_t>(m_placed.placement.coreCount());
    for (std::size_t c = 0; c < m_placed.schedule.channels.size(); ++c) {
      const std::string name = cppName(m_placed.schedule.channels[c].name);
      add("\n// Channel {0}: the receivers of each core, and their ends.\n"
          "const std::vector<std::vector<std::size_t>> {0}_of{{\n",
          name);
      for (std::size_t core = 0; core < cores; ++core) {
        const auto id = static_cast<std::int32_t>(core);
        const auto leaves = m_placed.wiring.leavesOf(static_cast<int>(c), id);
        add("    {{{}}},\n", fmt::join(leaves, ", "));
      }
      add("}};\nstd::vector<End> {}_ends({});\n", name, cores);
    }
  }

  void reference() {
    add("\n// The kernel as a plain loop nest.\nvoid reference() {{\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      const bool isInput = tensor.role == TensorRole::Input;
      add("  Tile& {} = {}.{}_;\n", cppName(m_kernel, tensor), isInput ? "global" : "expected",
          cppName(tensor.name));
    }
    for (const kernel::Statement& statement : m_kernel.statements) {
      add("{}", cppStatement(m_kernel, statement, false, false));
    }
    add("}}\n\n// Deterministic numbers in [0.25, 1.25).\nvoid fill(Tile& tile, unsigned seed) {{\n"
        "  for (double& x : tile.data) {{\n    seed = seed * 1664525U + 1013904223U;\n"
        "    x = 0.25 + double(seed >> 8) / 16777216.0;\n  }}\n}}\n\n"
        "double difference(const Tile& a, const Tile& b) {{\n  double most = 0;\n"
        "  for (std::size_t n = 0; n < a.data.size(); ++n) {{\n"
        "    const double d = std::abs(a.data[n] - b.data[n]) / (1 + std::abs(b.data[n]));\n"
        "    if (!(d <= most)) most = d;\n  }}\n  return most;\n}}\n");
  }

  void mainFunction() {
    add("\nint main() {{\n");
    unsigned seed = 0;
    for (const Tensor& tensor : m_kernel.tensors) {
      if (tensor.role == TensorRole::Input) {
        add("  fill(global.{}_, {});\n", cppName(tensor.name), ++seed);
      }
    }
    add("  // Cores: number, place among the cores of each loop, tiles along it.\n"
        "  std::vector<Core> all;\n  all.reserve({});\n",
        m_placed.placement.coreCount());
    for (std::int32_t core = 0; core < m_placed.placement.coreCount(); ++core) addCore(core);
    add("  for (Core& core : all) cores.push_back(&core);\n  {{\n"
        "    std::vector<std::jthread> threads;\n");
    for (std::int32_t core = 0; core < m_placed.placement.coreCount(); ++core) {
      const schedule::ProgramId program =
          m_placed.schedule.programOfCore[static_cast<std::size_t>(core)];
      if (!program.valid()) continue;
      const auto& processes = m_placed.schedule.programs[program.index()].processes;
      for (std::size_t t = 0; t < processes.size(); ++t) {
        add("    threads.emplace_back({}, std::ref(all[{}]));\n",
            cppProcessName(m_placed, program.index(), t), core);
      }
    }
    add("  }}\n  reference();\n  double most = 0;\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      if (tensor.role != TensorRole::Output) continue;
      add("  most = std::max(most, difference(global.{0}_, expected.{0}_));\n",
          cppName(tensor.name));
    }
    add("  if (most < 1e-9) {{\n    std::puts(\"values right\");\n    return 0;\n  }}\n"
        "  std::printf(\"largest difference: %g\\n\", most);\n  return 1;\n}}\n");
  }

  void addCore(std::int32_t core) {
    std::vector<std::int64_t> way, waves;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const auto id = kernel::LoopId::of(l);
      way.push_back(m_placed.placement.unrollIndexOf(core, id));
      const auto& order = m_placed.schedule.order;
      const auto at = std::find(order.begin(), order.end(), id);
      const bool runs = at != order.end() && m_placed.placement.active(core);
      waves.push_back(runs ? m_placed.placement.waves(core, static_cast<int>(at - order.begin()))
                           : 1);
    }
    add("  all.emplace_back({}, Loops{{{}}}, Loops{{{}}});\n", core, fmt::join(way, ", "),
        fmt::join(waves, ", "));
  }

  const PlacedSchedule& m_placed;
  const kernel::Kernel& m_kernel;
  std::string m_text;
};

}  // namespace

base::Result<std::string> cppText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw) {
  const PlacedSchedule placed(schedule, kernel, nest, hw);
  if (const std::string why = cppUnsupported(placed); !why.empty()) {
    return base::plainError("this schedule has no form as a C++ program: " + why,
                            "`--format prog` writes every schedule");
  }
  return ProgramText(placed).run();
}

}  // namespace gridloom::exchange
