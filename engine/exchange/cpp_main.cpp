// SPDX-License-Identifier: Apache-2.0
#include "exchange/cpp_main.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exchange/cpp_nest.h"
#include "exchange/cpp_process.h"
#include "exchange/cpp_reference.h"

namespace gridloom::exchange {

namespace {

using kernel::Tensor;
using kernel::TensorRole;
using schedule::Buffer;
using schedule::PlacedSchedule;

class MainText {
 public:
  explicit MainText(const CppContext& context)
      : m_context(context), m_placed(context.placed), m_kernel(context.kernel) {}

  std::string run() {
    add("\nint main() {{\n{}", cppInputs(m_kernel));
    add("  std::vector<Core> all = makeCores();\n"
        "  for (Core& core : all) cores.push_back(&core);\n  connect();\n");
    countTakers();
    add("  std::vector<std::vector<Process>> processes(\n"
        "      std::max(1U, std::min(8U, std::thread::hardware_concurrency())));\n"
        "  for (Core& core : all) {{\n"
        "    auto& mine = processes[core.id % processes.size()];\n    switch (core.program) {{\n");
    const auto& programs = m_placed.schedule.programs;
    for (std::size_t p = 0; p < programs.size(); ++p) {
      add("    case {}:\n", p);
      for (std::size_t t = 0; t < programs[p].processes.size(); ++t) {
        add("      mine.push_back({}(core));\n", cppProcessName(m_context, p, t));
      }
      add("      break;\n");
    }
    add("    }}\n  }}\n  workers = long(processes.size());\n  {{\n"
        "    std::vector<std::jthread> threads;\n"
        "    for (auto& mine : processes) threads.emplace_back(work, std::move(mine));\n  }}\n"
        "  reference::define();\n  double most = 0;\n");
    const kernel::Kernel& written = m_kernel.asWritten();
    for (const Tensor& tensor : written.tensors) {
      if (tensor.role != TensorRole::Output) continue;
      const auto same = std::ranges::find(m_kernel.tensors, tensor.name, &Tensor::name);
      add("  most = std::max(most, difference(global.{}, reference::lazy_{}));\n",
          cppName(m_kernel, *same), cppName(written, tensor));
    }
    add("  if (most < 1e-9) {{\n    std::puts(\"values right\");\n    return 0;\n  }}\n"
        "  std::printf(\"largest difference: %g\\n\", most);\n  return 1;\n}}\n");
    return std::move(m_text);
  }

 private:
  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }

  void countTakers() {
    for (std::size_t b = 0; b < m_placed.schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_placed.schedule.buffers[b];
      if (buffer.use != Buffer::Use::Input || !buffer.need.passed) continue;
      const auto input = static_cast<std::size_t>(buffer.operand);
      const auto& order = m_placed.schedule.order;
      const std::vector<kernel::LoopId> outer(
          order.begin(), order.begin() + m_placed.schedule.inputs[input].hoistLevel);
      add("  for (const Core& core : all) {{\n"
          "    if (!std::set<int>{}.contains(core.program)) continue;\n"
          "    tiles(core, kNone, {{{}}}, [&](const Box&, const Loops& w) {{\n"
          "      awaited_{}(core, w, [](std::size_t n) {{ ++untaken_{}[n]; }});\n    }});\n  }}\n",
          takingPrograms(static_cast<std::int32_t>(b)), m_context.members(outer),
          m_context.buffer(static_cast<std::int32_t>(b)),
          m_context.window(m_placed.nest.outputs[static_cast<std::size_t>(buffer.need.awaits)]));
    }
  }

  // The programs that take a buffer's tiles from other cores.
  std::string takingPrograms(std::int32_t buffer) const {
    std::vector<std::size_t> taking;
    const auto& programs = m_placed.schedule.programs;
    for (std::size_t p = 0; p < programs.size(); ++p) {
      for (const schedule::Process& process : programs[p].processes) {
        const bool takes = std::ranges::any_of(process.code, [&](const auto& i) {
          return i.op == schedule::Op::Take && i.buffer.value() == buffer;
        });
        if (takes) taking.push_back(p);
      }
    }
    return fmt::format("{{{}}}", fmt::join(taking, ", "));
  }

  const CppContext& m_context;
  const PlacedSchedule& m_placed;
  const kernel::Kernel& m_kernel;
  std::string m_text;
};

}  // namespace

std::string cppMain(const CppContext& context) { return MainText(context).run(); }

}  // namespace gridloom::exchange
