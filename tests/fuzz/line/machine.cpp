// SPDX-License-Identifier: Apache-2.0
#include "line/machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::fuzz {

namespace {

struct PartInfo {
  Part part;
  const char* name;
  double plain;
  std::vector<double> choices;
};

const std::vector<PartInfo>& infos() {
  static const std::vector<PartInfo> all{
      {Part::Columns, "columns", 1, {1, 2, 2, 3, 4, 4, 5, 8, 8, 16}},
      {Part::Rows, "rows", 1, {1, 1, 2, 3, 4, 4, 5, 8}},
      {Part::Layers, "layers", 1, {1, 1, 1, 1, 1, 1, 2, 4}},
      {Part::WrapX, "wrap x", 0, {0, 1}},
      {Part::WrapY, "wrap y", 0, {0, 1}},
      {Part::WrapZ, "wrap z", 0, {0, 1}},
      {Part::OneWay, "one way", 0, {0, 0, 0, 1}},
      {Part::Disabled, "disabled core", 0, {0, 0, 0, 0, 1}},
      {Part::MatrixRows, "matrix rows", 4, {0, 4, 8, 8, 16, 32, 32, 128}},
      {Part::MatrixColumns, "matrix columns", 4, {4, 8, 16, 32}},
      {Part::MatrixDepth, "matrix depth", 1, {1, 4, 8, 32}},
      {Part::MatrixSteps, "cycles per matrix step", 1, {0.25, 1, 1, 8, 64}},
      {Part::MatrixIssue, "matrix issue", 0, {0, 0, 0, 5, 50, 500}},
      {Part::OperandRate, "operand bandwidth", 0, {0, 0, 0, 16, 64}},
      {Part::Lanes, "lanes", 8, {1, 8, 8, 32, 512}},
      {Part::VectorRate, "vector rate", 32, {1, 8, 32, 128, 1024}},
      {Part::LocalSize, "local size", 1 << 20, {16384, 65536, 262144, 1499136, 1 << 26}},
      {Part::LocalRate, "local bandwidth", 64, {1, 16, 64, 512, 100000}},
      {Part::LocalDma, "DMA channels", 0, {0, 0, 0, 1, 2, 4}},
      {Part::DmaRate, "DMA rate", 0, {0, 0, 4, 16}},
      {Part::LinkRate, "link bandwidth", 32, {0.5, 4, 16, 32, 32, 256}},
      {Part::LinkLatency, "link latency", 0, {0, 1, 9, 9, 100}},
      {Part::LinkSetup, "transfer setup", 0, {0, 0, 20, 500}},
      {Part::LinkSync, "handshake", 0, {0, 0, 30}},
      {Part::Packet, "packet", 0, {0, 0, 32, 1000, 8192}},
      {Part::MulticastRate, "multicast bandwidth", -1, {-1, -1, -1, 0, 0.5}},
      {Part::Channels, "channels", 1, {1, 2, 3, 4, 4, 7, 8}},
      {Part::DramRate, "DRAM bandwidth", 48, {0.5, 8, 48, 48, 200, 2000}},
      {Part::WriteRate, "write bandwidth share", 0, {0, 0, 0, 0.5, 1}},
      {Part::Duplex, "duplex", 0, {0, 0, 0, 1}},
      {Part::DramLatency, "DRAM latency", 0, {0, 0, 100, 600}},
      {Part::DramSetup, "DRAM setup", 0, {0, 0, 50, 500}},
      {Part::Page, "page", 0, {0, 0, 0, 64, 1024, 8192}},
      {Part::PagesOnly, "pages only", 0, {0, 0, 0, 1}},
      {Part::PortRate, "port bandwidth", 32, {1, 32, 32, 256, 1000000}},
      {Part::Launch, "launch", 0, {0, 0, 1000}},
      {Part::SharedLevels, "shared buffers", 0, {0, 0, 0, 1, 2}},
      {Part::SharedSize, "shared buffer size", 1 << 20, {4096, 65536, 1 << 20, 1 << 26}},
      {Part::SharedRate, "shared buffer bandwidth", 64, {2, 16, 64, 512}},
      {Part::SharedDma, "shared buffer DMA channels", 0, {0, 0, 1, 4}},
      {Part::Stripes, "stripes", 0, {0, 0, 0, 0, 32, 512}},
  };
  return all;
}

std::string num(double value) { return fmt::format("{:.12g}", value); }

struct Mesh {
  std::vector<std::string> names;
  std::vector<int> sizes;
  std::vector<bool> wraps;
};

Mesh meshOf(const Machine& m) {
  Mesh mesh{{"%x"}, {static_cast<int>(m[Part::Columns])}, {m[Part::WrapX] > 0}};
  if (m[Part::Rows] > 1) {
    mesh.names.emplace_back("%y");
    mesh.sizes.push_back(static_cast<int>(m[Part::Rows]));
    mesh.wraps.push_back(m[Part::WrapY] > 0);
  }
  if (m[Part::Layers] > 1) {
    mesh.names.emplace_back("%z");
    mesh.sizes.push_back(static_cast<int>(m[Part::Layers]));
    mesh.wraps.push_back(m[Part::WrapZ] > 0);
  }
  return mesh;
}

std::string dimNames(std::size_t count) {
  std::string names;
  for (std::size_t d = 0; d < count; ++d) names += fmt::format("{}d{}", d > 0 ? ", " : "", d);
  return names;
}

std::string linksAlong(const Machine& m, const Mesh& mesh, std::size_t along, int step) {
  std::string to;
  for (std::size_t d = 0; d < mesh.sizes.size(); ++d) {
    std::string at = fmt::format("d{}", d);
    if (d == along) {
      at += step > 0 ? " + 1" : " - 1";
      if (mesh.wraps[d]) at = fmt::format("({}) mod {}", at, mesh.sizes[d]);
    }
    to += (d > 0 ? ", " : "") + at;
  }
  std::string text = fmt::format("%n{}{} = df.interconnects %l1, %l1 {{ map = affine_map<({}) -> "
                                 "({})>, bandwidth = {} B/cycle, "
                                 "latency = {} cycle",
                                 along, step > 0 ? "p" : "m", dimNames(mesh.sizes.size()), to,
                                 num(m[Part::LinkRate]), num(m[Part::LinkLatency]));
  if (m[Part::LinkSetup] > 0) text += fmt::format(", setup = {} cycle", num(m[Part::LinkSetup]));
  if (m[Part::LinkSync] > 0) text += fmt::format(", sync = {} cycle", num(m[Part::LinkSync]));
  if (m[Part::Packet] > 0) text += fmt::format(", packet = {} B", num(m[Part::Packet]));
  if (m[Part::MulticastRate] == 0) text += ", multicast = no";
  if (m[Part::MulticastRate] > 0) {
    text +=
        fmt::format(", multicast = {} B/cycle", num(m[Part::MulticastRate] * m[Part::LinkRate]));
  }
  return text + " }\n";
}

std::string units(const Machine& m) {
  std::string text;
  if (m[Part::MatrixRows] > 0) {
    const double step = 2 * m[Part::MatrixRows] * m[Part::MatrixColumns] * m[Part::MatrixDepth];
    text += fmt::format("%mxu = df.mat {{ shape = [{}, {}, {}], throughput = {} flop/cycle",
                        num(m[Part::MatrixRows]), num(m[Part::MatrixColumns]),
                        num(m[Part::MatrixDepth]), num(step / m[Part::MatrixSteps]));
    if (m[Part::MatrixIssue] > 0)
      text += fmt::format(", issue = {} cycle", num(m[Part::MatrixIssue]));
    if (m[Part::OperandRate] > 0) {
      text += fmt::format(", operand_bandwidth = {} B/cycle", num(m[Part::OperandRate]));
    }
    text += " }\n";
  }
  return text + fmt::format("%vpu = df.vec {{ shape = [{}], throughput = {} elem/cycle }}\n",
                            num(m[Part::Lanes]), num(m[Part::VectorRate]));
}

std::string cores(const Machine& m, const Mesh& mesh, const std::string& dims) {
  std::string text =
      fmt::format("%cores = df.core {{ scaleout = ({}), scalein = ({}), clock = 1 GHz", dims,
                  m[Part::MatrixRows] > 0 ? "%mxu, %vpu" : "%vpu");
  if (m[Part::Launch] > 0) text += fmt::format(", launch = {} cycle", num(m[Part::Launch]));
  if (m[Part::Disabled] > 0 && mesh.sizes[0] > 1) {
    std::string at;
    for (std::size_t d = 0; d < mesh.sizes.size(); ++d) {
      at += fmt::format("{}{}", d > 0 ? ", " : "", mesh.sizes[d] - 1);
    }
    text += fmt::format(", disabled = [({})]", at);
  }
  return text + " }\n";
}

std::string local(const Machine& m, const std::string& dims) {
  std::string text =
      fmt::format("%l1 = df.memory {{ scaleout = ({}), size = {} B, bandwidth = {} B/cycle", dims,
                  static_cast<std::int64_t>(m[Part::LocalSize]), num(m[Part::LocalRate]));
  if (m[Part::LocalDma] > 0 && m[Part::DmaRate] > 0) {
    text += fmt::format(", dma = {{ in = {0}, out = {0}, rate = {1} B/cycle }}",
                        num(m[Part::LocalDma]), num(m[Part::DmaRate]));
  } else if (m[Part::LocalDma] > 0) {
    text += fmt::format(", dma = {}", num(m[Part::LocalDma]));
  }
  return text + " }\n";
}

std::string sharedBuffers(const Machine& m, const Mesh& mesh) {
  const auto buffer = [&](const char* name, const char* of, int factor) {
    const std::string dma =
        m[Part::SharedDma] > 0 ? fmt::format(", dma = {}", num(m[Part::SharedDma])) : "";
    return fmt::format(
        "%{} = df.memory {{ scaleout = ({}), size = {} B, bandwidth = {} B/cycle{} }}\n", name, of,
        static_cast<std::int64_t>(factor * m[Part::SharedSize]), num(m[Part::SharedRate]), dma);
  };
  std::string text;
  if (m[Part::SharedLevels] > 0) {
    text += buffer("cluster", "%x", 1) +
            fmt::format("%to_cluster = df.interconnects %cores, %cluster {{ map = affine_map<({}) "
                        "-> (d0)>, bandwidth = 64 B/cycle }}\n",
                        dimNames(mesh.sizes.size()));
  }
  if (m[Part::SharedLevels] > 1) {
    text += "%one = df.spatial_dim 1\n" + buffer("chip", "%one", 4) +
            "%to_chip = df.interconnects %cluster, %chip { map = affine_map<(d0) -> (0)>, "
            "bandwidth = 64 B/cycle }\n";
  }
  return text;
}

// Every channel has a core that leads to it, also when the line of a disabled core is out of use.
int channelsOf(const Machine& m, const Mesh& mesh) {
  const bool fewer = m[Part::Disabled] > 0 && mesh.sizes[0] > 1;
  const int rows = mesh.sizes.size() > 1 ? mesh.sizes[1] : 1;
  return std::clamp(static_cast<int>(m[Part::Channels]), 1,
                    (mesh.sizes[0] - (fewer ? 1 : 0)) * rows);
}

std::string global(const Machine& m, const Mesh& mesh) {
  const int channels = channelsOf(m, mesh);
  std::string text = fmt::format("%c = df.spatial_dim {}\n%dram = df.memory {{ scaleout = (%c), "
                                 "size = 4 GiB, bandwidth = {} B/cycle",
                                 channels, num(m[Part::DramRate]));
  if (m[Part::WriteRate] > 0) {
    text += fmt::format(", read_bandwidth = {} B/cycle, write_bandwidth = {} B/cycle",
                        num(m[Part::DramRate]), num(m[Part::WriteRate] * m[Part::DramRate]));
  }
  if (m[Part::Duplex] > 0) text += ", duplex = yes";
  if (m[Part::DramLatency] > 0)
    text += fmt::format(", latency = {} cycle", num(m[Part::DramLatency]));
  if (m[Part::DramSetup] > 0) text += fmt::format(", setup = {} cycle", num(m[Part::DramSetup]));
  if (m[Part::Page] > 0) text += fmt::format(", interleave = {} B", num(m[Part::Page]));
  if (m[Part::Stripes] > 0)
    text += fmt::format(", stripes = {{ parts = 2, size = {} B }}", num(m[Part::Stripes]));
  if (m[Part::PagesOnly] > 0) text += ", layout = page";
  const std::string at = mesh.sizes.size() == 1 ? "d0" : fmt::format("d0 + d1 * {}", mesh.sizes[0]);
  text += fmt::format(", kind = global }}\n%ports = df.interconnects %l1, %dram {{ map = "
                      "affine_map<({}) -> (({}) mod "
                      "{})>, bandwidth = {} B/cycle }}\n",
                      dimNames(mesh.sizes.size()), at, channels, num(m[Part::PortRate]));
  return text;
}

}  // namespace

Machine randomMachine(Random& random) {
  Machine m;
  for (const PartInfo& info : infos()) {
    m[info.part] = info.choices[random.below(info.choices.size())];
  }
  return m;
}

std::string textOf(const Machine& m) {
  const Mesh mesh = meshOf(m);
  std::string text = units(m), dims;
  for (std::size_t d = 0; d < mesh.sizes.size(); ++d) {
    text += fmt::format("{} = df.spatial_dim {}\n", mesh.names[d], mesh.sizes[d]);
    dims += (d > 0 ? ", " : "") + mesh.names[d];
  }
  text += cores(m, mesh, dims) + local(m, dims);
  for (std::size_t d = 0; d < mesh.sizes.size(); ++d) {
    text += linksAlong(m, mesh, d, 1);
    if (d > 0 || m[Part::OneWay] == 0 || !mesh.wraps[0]) text += linksAlong(m, mesh, d, -1);
  }
  return text + global(m, mesh) + sharedBuffers(m, mesh);
}

std::vector<Machine> simplerThan(const Machine& machine) {
  std::vector<Machine> simpler;
  const auto add = [&](Part part, double value) {
    if (machine[part] == value) return;
    simpler.push_back(machine);
    simpler.back()[part] = value;
  };
  for (const PartInfo& info : infos()) add(info.part, info.plain);
  for (const Part part : {Part::Columns, Part::Rows, Part::Layers, Part::Channels}) {
    if (machine[part] > 3) add(part, static_cast<int>(machine[part] / 2));
  }
  return simpler;
}

std::span<const Part> resources() {
  static constexpr std::array all{
      Part::OperandRate, Part::VectorRate, Part::LocalSize, Part::LocalRate, Part::LocalDma,
      Part::DmaRate,     Part::LinkRate,   Part::DramRate,  Part::PortRate,  Part::MatrixSteps,
      Part::SharedSize,  Part::SharedRate, Part::SharedDma};
  return all;
}

std::string nameOf(Part part) { return std::ranges::find(infos(), part, &PartInfo::part)->name; }

Machine withTwice(const Machine& machine, Part part) {
  Machine twice = machine;
  twice[part] *= part == Part::MatrixSteps ? 0.5 : 2;
  return twice;
}

}  // namespace gridloom::fuzz
