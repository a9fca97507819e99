// SPDX-License-Identifier: Apache-2.0
#include "support/problem.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cost/model.h"
#include "syntax/hardware_parser.h"
#include "syntax/kernel_parser.h"
#include "timing/op_cycles.h"

namespace gridloom::test {

namespace {

std::string textOf(const std::string& textOrName, const char* folder, const char* ending) {
  if (textOrName.find('\n') != std::string::npos) return textOrName;
  const std::string path =
      fmt::format("{}/{}/{}{}", GRIDLOOM_SOURCE_DIR, folder, textOrName, ending);
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T> T valueOf(base::Result<T> result) {
  if (!result) throw std::runtime_error(render(result.diagnostics()));
  return std::move(*result);
}

}  // namespace

Problem makeProblem(const std::string& hardware, const std::string& kernel, Settings settings) {
  std::vector<syntax::ParameterOverride> overrides;
  for (const auto& [name, value] : settings) overrides.push_back({name, value});
  const auto spec = valueOf(syntax::parseHardware(
      base::makeSource("test.hw", textOf(hardware, "hwpresets", ".hw")), "test"));
  auto graph = valueOf(syntax::parseKernels(
      base::makeSource("test.rec", textOf(kernel, "kernels", ".rec")), overrides));
  Problem p{valueOf(makeTopology(spec)), std::move(graph.kernels.front()), {}, {}};
  p.nest = valueOf(kernel::tileNest(p.kernel));
  p.compute = valueOf(p.hw.compute("", timing::operandBits(p.nest)));
  return p;
}

std::string smallMesh(int columns, int rows, int channels, int localBytes) {
  return fmt::format(
      "%fpu = df.mat {{ shape = [4, 4, 4], throughput = 128 flop/cycle }}\n"
      "%sfpu = df.vec {{ shape = [4], throughput = 4 elem/cycle }}\n"
      "%x = df.spatial_dim {0}\n"
      "%y = df.spatial_dim {1}\n"
      "%cores = df.core {{ scaleout = (%x, %y), scalein = (%fpu, %sfpu, [1, 1]), clock = 1 GHz, "
      "launch = 50 cycle }}\n"
      "%l1 = df.memory {{ scaleout = (%x, %y), size = {3} B, bandwidth = 64 B/cycle }}\n"
      "%to_l1 = df.mux %cores, %l1 {{ map = affine_map<(d0, d1) -> (d0, d1)> }}\n"
      "%east = df.interconnects %l1, %l1 {{ map = affine_map<(d0, d1) -> (d0 + 1, d1)>, bandwidth "
      "= 16 B/cycle, latency = 2 cycle, setup = 10 cycle, sync = 5 cycle }}\n"
      "%west = df.interconnects %l1, %l1 {{ map = affine_map<(d0, d1) -> (d0 - 1, d1)>, bandwidth "
      "= 16 B/cycle, latency = 2 cycle, setup = 10 cycle, sync = 5 cycle }}\n"
      "%south = df.interconnects %l1, %l1 {{ map = affine_map<(d0, d1) -> (d0, d1 + 1)>, bandwidth "
      "= 16 B/cycle, latency = 2 cycle, setup = 10 cycle, sync = 5 cycle }}\n"
      "%north = df.interconnects %l1, %l1 {{ map = affine_map<(d0, d1) -> (d0, d1 - 1)>, bandwidth "
      "= 16 B/cycle, latency = 2 cycle, setup = 10 cycle, sync = 5 cycle }}\n"
      "%c = df.spatial_dim {2}\n"
      "%dram = df.memory {{ scaleout = (%c), size = 1 GiB, bandwidth = 12 B/cycle, latency = 30 "
      "cycle, setup = 20 cycle, interleave = 256 B, kind = global }}\n"
      "%to_dram = df.interconnects %l1, %dram {{ map = affine_map<(d0, d1) -> ((d0 + d1) mod "
      "{2})>, bandwidth = 16 B/cycle, latency = 3 cycle }}\n",
      columns, rows, channels, localBytes);
}

std::string smallTorus(int columns, int rows, bool oneWay, int channels, int localBytes) {
  std::string text = smallMesh(columns, rows, channels, localBytes);
  const auto wrap = [&](const std::string& step, int size) {
    const std::size_t at = text.find(step);
    text.replace(at, step.size(), fmt::format("({}) mod {}", step, size));
  };
  const auto dropLine = [&](const std::string& name) {
    const std::size_t at = text.find(name);
    text.erase(at, text.find('\n', at) + 1 - at);
  };
  wrap("d0 + 1", columns);
  wrap("d0 - 1", columns);
  wrap("d1 + 1", rows);
  wrap("d1 - 1", rows);
  if (oneWay) {
    dropLine("%west");
    dropLine("%north");
  }
  return text;
}

namespace {

std::string withChannels(std::string mesh, const std::string& dma) {
  for (const char* memory : {"%l1 = df.memory", "%mid = df.memory"}) {
    const std::size_t line = mesh.find(memory);
    if (line == std::string::npos) continue;
    mesh.replace(mesh.find(" }\n", line), 2, dma);
  }
  return mesh;
}

}  // namespace

std::string withChaining(std::string mesh) {
  const std::string rate = "throughput = 4 elem/cycle";
  return mesh.insert(mesh.find(rate) + rate.size(), ", chained = yes");
}

std::string withDma(std::string mesh, int in, int out) {
  return withChannels(std::move(mesh), fmt::format(", dma = {{ in = {}, out = {} }} }}", in, out));
}

std::string withDmaRate(std::string mesh, double rate) {
  return withChannels(std::move(mesh), fmt::format(", dma = {{ rate = {} B/cycle }} }}", rate));
}

namespace {

std::string withGlobal(std::string mesh, const std::string& attribute) {
  const std::string global = "kind = global";
  return mesh.replace(mesh.find(global), global.size(), attribute + ", " + global);
}

}  // namespace

std::string withDuplex(std::string mesh) { return withGlobal(std::move(mesh), "duplex = yes"); }

std::string withStripes(std::string mesh, int parts, int bytes) {
  return withGlobal(std::move(mesh),
                    fmt::format("stripes = {{ parts = {}, size = {} B }}", parts, bytes));
}

std::string withSharedMemories(std::string mesh, const std::string& along) {
  const auto replaceAll = [&](const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = mesh.find(what, at)) != std::string::npos; at += with.size()) {
      mesh.replace(at, what.size(), with);
    }
  };
  replaceAll("interconnects %l1, %l1", "interconnects %cores, %cores");
  replaceAll("interconnects %l1, %dram", "interconnects %cores, %dram");
  const bool all = along == "xy";
  const std::string own = all ? "%one" : along == "x" ? "%y" : "%x";
  if (all) mesh = "%one = df.spatial_dim 1\n" + mesh;
  replaceAll("%l1 = df.memory { scaleout = (%x, %y)", "%l1 = df.memory { scaleout = (" + own + ")");
  replaceAll("%cores, %l1 { map = affine_map<(d0, d1) -> (d0, d1)>",
             "%cores, %l1 { map = affine_map<(d0, d1) -> (" +
                 std::string(all            ? "0"
                             : along == "x" ? "d1"
                                            : "d0") +
                 ")>");
  return mesh;
}

std::string meshWithSharedBuffer(int columns, int rows, int sharedBufferBytes, int localBytes,
                                 bool perRow) {
  return smallMesh(columns, rows, 2, localBytes) +
         fmt::format(
             "%mid = df.memory {{ scaleout = (%{}), size = {} B, bandwidth = 24 B/cycle }}\n"
             "%to_mid = df.interconnects %cores, %mid {{ map = affine_map<(d0, d1) -> ({})>, "
             "bandwidth = 24 B/cycle }}\n",
             perRow ? "y" : "x", sharedBufferBytes, perRow ? "d1" : "d0");
}

std::string meshWithTwoSharedBuffers(int columns, int rows, int innerBytes, int outerBytes,
                                     int localBytes) {
  return meshWithSharedBuffer(columns, rows, innerBytes, localBytes) +
         fmt::format(
             "%one = df.spatial_dim 1\n"
             "%chip = df.memory {{ scaleout = (%one), size = {} B, bandwidth = 40 B/cycle }}\n"
             "%to_chip = df.interconnects %mid, %chip {{ map = affine_map<(d0) -> (0)>, "
             "bandwidth = 40 B/cycle }}\n",
             outerBytes);
}

mapping::Mapping randomMapping(const Problem& p, std::uint64_t seed, int tries) {
  const mapping::Axes axes =
      mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, {});
  return mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, {}, seed, tries)
      .value_or(mapping::Mapping{});
}

mapping::Mapping withRings(const Problem& p, mapping::Mapping mapping, std::uint64_t seed) {
  if (mapping.inputs.empty()) return mapping;
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    mapping::InputMovement& movement = mapping.inputs[i];
    if (p.nest.inputs[i].produced) continue;
    mapping::Constraints rings;
    rings.inputs[static_cast<int>(i)].kind = mapping::MovementKind::AllGather;
    rings.inputs[static_cast<int>(i)].buffers = movement.buffers;
    auto options = inputOptions(p.nest, i, mapping, p.hw, rings);
    std::erase_if(options, [&](const auto& option) { return option.level != movement.level; });
    if (!options.empty()) movement = options[seed % options.size()];
  }
  for (std::size_t o = 0; o < p.nest.outputs.size(); ++o) {
    if (mapping.outputs[o].reduction == mapping::ReductionTopology::None) continue;
    mapping::Constraints rings;
    rings.outputs[static_cast<int>(o)].reduction = mapping::ReductionTopology::ReduceScatter;
    const auto options = outputOptions(p.nest, o, mapping, p.hw, rings);
    if (!options.empty()) mapping.outputs[o] = options[seed % options.size()];
  }
  return mapping;
}

}  // namespace gridloom::test
