// SPDX-License-Identifier: Apache-2.0
#include "exchange/hls_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <vector>

#include "exchange/cpp_functions.h"
#include "exchange/cpp_nest.h"
#include "exchange/hls_code.h"
#include "exchange/hls_plan.h"
#include "exchange/hls_runtime.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

namespace {

using kernel::Operand;
using kernel::Tensor;
using mapping::DataflowRole;

class HlsProgram : HlsCode {
 public:
  HlsProgram(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
             const kernel::TileNest& nest, const HlsPlan& plan)
      : HlsCode(mapping, kernel, nest, plan) {}

  std::string run() {
    constants();
    for (const Operand& input : m_nest.inputs) tile(input);
    tile(output());
    memory();
    streams();
    compute();
    m_text += HlsRoles(m_mapping, m_kernel, m_nest, m_plan).run();
    mainFunction();
    std::string head =
        fmt::format("// {}: a systolic array of {} x {} places, made by Gridloom. g++ -std=c++20\n",
                    m_kernel.name, places(0), places(1));
    head += std::string(kHlsRoles) + kHlsRuntime;
    if (m_text.find("f::") != std::string::npos) head += kCppFunctions;
    return head + m_text;
  }

 private:
  void constants() {
    std::vector<std::string> names, size, waves, unroll, extent;
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const mapping::LoopTiling& tiling = m_plan.tiling.loops[l];
      names.push_back(loop(l));
      size.push_back(std::to_string(tiling.tileSize));
      waves.push_back(std::to_string(tiling.trips));
      unroll.push_back(std::to_string(tiling.unroll));
      extent.push_back(std::to_string(tiling.extent));
    }
    add("\n// The kernel's loops: elements per tile, tiles of a place one after another, places\n"
        "// side by side, elements in all.\n"
        "struct Loops {{ long {}; }};\n",
        fmt::join(names, ", "));
    add("constexpr Loops kTile{{{}}};\n[[maybe_unused]] constexpr Loops kWaves{{{}}};\n",
        fmt::join(size, ", "), fmt::join(waves, ", "));
    add("constexpr Loops kPlaces{{{}}};\nconstexpr Loops kExtent{{{}}};\n", fmt::join(unroll, ", "),
        fmt::join(extent, ", "));
    add("constexpr long kX = {}, kY = {};  // places of the array\n\n"
        "struct Range {{ long lo, hi; }};\nstruct Box {{ Range {}; }};\n"
        "// What the place (px, py) works on in a wave.\n"
        "inline Box box_of(const Loops& w, [[maybe_unused]] long px, [[maybe_unused]] long py) {{\n"
        "  const auto range = [](long tile, long size, long extent) {{\n"
        "    return Range{{tile * size, std::min((tile + 1) * size, extent)}};\n  }};\n"
        "  return {{\n",
        places(0), places(1), fmt::join(names, ", "));
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      std::string way;
      for (int a = 0; a < 2; ++a) {
        const HlsPlan::Axis& axis = m_plan.axes[a];
        if (axis.dim >= 0 && axis.loop.index() == l) way = a == 0 ? " + px" : " + py";
      }
      add("      range(w.{0} * kPlaces.{0}{1}, kTile.{0}, kExtent.{0}),\n", loop(l), way);
    }
    add("  }};\n}}\n");
  }

  void tile(const Operand& operand) {
    const std::string name = stem(operand);
    std::vector<std::string> sizes;
    std::string body;
    for (std::size_t d = 0; d < operand.dims.size(); ++d) {
      const kernel::RegionDim& dim = operand.dims[d];
      std::int64_t size = dim.maxOffset - dim.minOffset + 1;
      std::string low;
      for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
        const std::int64_t c = dim.index.coefficient(l);
        if (c == 0) continue;
        size += std::abs(c) * (m_plan.tiling.loops[l].tileSize - 1);
        low += c > 0 ? fmt::format("{} * t.{}.lo + ", c, loop(l))
                     : fmt::format("{} * (t.{}.lo + kTile.{} - 1) + ", c, loop(l), loop(l));
      }
      sizes.push_back(std::to_string(size));
      body += fmt::format("  tile.low[{}] = {}{};\n", d, low, dim.index.constant + dim.minOffset);
    }
    add("\n// The elements of {0} that a tile of iterations needs.\n"
        "using {1}_tile = hls::Tile<{2}>;\n"
        "inline void {1}_place([[maybe_unused]] {1}_tile& tile, [[maybe_unused]] const Box& t) "
        "{{\n{3}}}\n",
        operand.name, name, fmt::join(sizes, ", "), body);
  }

  void memory() {
    add("\n// Global memory; values are doubles.\nstruct Memory {{\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      add("  hls::Tile<{}> {}_;\n", fmt::join(tensor.shape, ", "), cppName(tensor.name));
    }
    add("}};\nMemory dram, expected;\n");
  }

  void streams() {
    add("\n// Streams. Those to a place are indexed by place, those of feeders by line.\n");
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
      const std::string name = stem(m_nest.inputs[i]);
      add("hls::Stream<double> {0}_to_feeder[{1}], {0}_to_PE[kX][kY];\n", name,
          places(1 - m_plan.inputs[i].along));
    }
    const std::string name = stem(output());
    if (m_plan.split >= 0) add("hls::Stream<double> {}_partial[kX][kY];\n", name);
    add("hls::Stream<double> {0}_result[{1}][{2}], {0}_drained[{1}][{2}], {0}_collected[{1}];\n",
        name, lines(0), lines(1));
  }

  void compute() {
    std::string parameters = "const Box& t";
    for (const Operand& input : m_nest.inputs) {
      parameters += fmt::format(", {}_tile& {}", stem(input), parameter(input));
    }
    parameters += fmt::format(", {}_tile& {}", stem(output()), parameter(output()));
    add("\nvoid compute({}) {{\n{}}}\n", parameters,
        cppStatement(m_kernel, m_kernel.statements.front(), true, kernel::isReduction(root())));
    add("\n// The kernel as a plain loop nest.\nvoid reference() {{\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      add("  auto& {} = {}.{}_;\n", cppName(m_kernel, tensor),
          tensor.role == kernel::TensorRole::Input ? "dram" : "expected", cppName(tensor.name));
    }
    add("{}}}\n", cppStatement(m_kernel, m_kernel.statements.front(), false, false));
  }

  void mainFunction() {
    add("\nint main() {{\n  unsigned seed = 1;\n  const auto fill = [&](auto& tensor) {{\n"
        "    for (double& v : tensor.data) {{\n      seed = seed * 1664525U + 1013904223U;\n"
        "      v = 0.25 + double(seed >> 8) / 16777216.0;  // in [0.25, 1.25)\n    }}\n  }};\n");
    for (const Tensor& tensor : m_kernel.tensors) {
      if (tensor.role == kernel::TensorRole::Input)
        add("  fill(dram.{}_);\n", cppName(tensor.name));
    }
    add("  {{\n    hls::Roles roles;\n");
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
      const Operand& input = m_nest.inputs[i];
      add("    roles.start({0});\n"
          "    hls::unroll<{2}>([&](auto line) {{ roles.start({1}<line>); }});\n",
          functionOf(input, DataflowRole::Loader), functionOf(input, DataflowRole::Feeder),
          places(1 - m_plan.inputs[i].along));
    }
    const std::string both = "    hls::unroll<{1}>([&](auto px) {{\n"
                             "      hls::unroll<{2}>([&](auto py) {{ roles.start({0}<px, "
                             "py>); }});\n    }});\n";
    m_text += fmt::format(fmt::runtime(both), nameOf(DataflowRole::Element), "kX", "kY");
    m_text += fmt::format(fmt::runtime(both), functionOf(output(), DataflowRole::Drainer), lines(0),
                          lines(1));
    add("    hls::unroll<{1}>([&](auto px) {{ roles.start({0}<px>); }});\n"
        "    roles.start({3});\n    roles.run();\n  }}\n  reference();\n"
        "  double most = 0;\n"
        "  dram.{2}_.meet(expected.{2}_, [&](double& a, double& b) {{\n"
        "    const double d = std::abs(a - b) / (1 + std::abs(b));\n"
        "    if (!(d <= most)) most = d;\n  }});\n"
        "  if (most < 1e-9) {{\n    std::puts(\"values right\");\n    return 0;\n  }}\n"
        "  std::printf(\"largest difference: %g\\n\", most);\n  return 1;\n}}\n",
        functionOf(output(), DataflowRole::Collector), lines(0),
        cppName(m_kernel.tensor(output().tensor).name),
        functionOf(output(), DataflowRole::Unloader));
  }
};

}  // namespace

base::Result<std::string> hlsText(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw) {
  HlsPlan plan;
  if (const std::string why = planHls(mapping, kernel, nest, hw, plan); !why.empty()) {
    return base::plainError("this mapping has no form as a systolic array: " + why,
                            "`--format cpp` writes programs of other mappings");
  }
  return HlsProgram(mapping, kernel, nest, plan).run();
}

}  // namespace gridloom::exchange
