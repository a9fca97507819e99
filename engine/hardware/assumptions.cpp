// SPDX-License-Identifier: Apache-2.0
#include "hardware/assumptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/message_limit.h"
#include "hardware/assumed_maps.h"
#include "hardware/assumed_networks.h"
#include "hardware/part_rings.h"

namespace gridloom::hardware {

namespace {

// Assumed figures: a scratchpad of 1 MiB that feeds 512 bits a cycle, and a DRAM of 16 GiB.
constexpr double kMemoryBandwidth = 64;
constexpr double kLocalBytes = 1048576;
constexpr double kGlobalBytes = 17179869184;
// Of a core whose units are not named: a product of 16 x 16 x 16, and 16 lanes.
constexpr std::int64_t kUnitExtent = 16;

class Completion {
 public:
  Completion(HardwareSpec& spec, base::Diagnostics& out) : m_spec(spec), m_out(out) {}

  void run(bool all) {
    for (MatrixUnit& unit : m_spec.matrixUnits) completeMatrix(unit);
    for (VectorUnit& unit : m_spec.vectorUnits) completeVector(unit);
    for (Memory& memory : m_spec.memories) completeMemory(memory);
    for (Interconnect& link : m_spec.interconnects) completeBandwidth(link);
    if (m_spec.cores.size() != 1) return;
    addLocalMemory(m_spec.cores.front());
    if (!all) return;
    addGlobalMemory(m_spec.cores.front());
    addUnits(m_spec.cores.front());
  }

 private:
  void assume(base::Span span, const std::string& name, std::string_view attribute,
              const std::string& text, std::string_view why) {
    base::report(m_out, base::warningAt(m_spec.source, span,
                                        fmt::format("`%{}` has no `{}`; assumed {}, {}", name,
                                                    attribute, text, why),
                                        fmt::format("write `{} = {}`", attribute, text)));
  }

  /// An array that takes all of its two largest extents at once: k steps for m x n x k.
  void completeMatrix(MatrixUnit& unit) {
    if (!unit.throughput.empty()) return;
    std::vector<std::int64_t> extents = unit.shape;
    std::sort(extents.begin(), extents.end(), std::greater<>());
    const auto rate = 2.0 * static_cast<double>(extents[0]) * static_cast<double>(extents[1]);
    unit.throughput.emplace_back("", Figure{rate, {}, rate, unit.span});
    assume(unit.span, unit.name, "throughput", fmt::format("{} flop/cycle", rate),
           "a product for each element of its larger face");
  }

  void completeVector(VectorUnit& unit) {
    if (!unit.throughput.empty()) return;
    const auto rate = static_cast<double>(unit.shape[0]);
    unit.throughput.emplace_back("", Figure{rate, {}, rate, unit.span});
    assume(unit.span, unit.name, "throughput", fmt::format("{} elem/cycle", rate),
           "one element per lane");
  }

  bool isOfTheCores(const Memory& memory) const {
    return hardware::isOfTheCores(m_spec, memory);
  }

  void completeMemory(Memory& memory) {
    if (memory.size.value == 0) {
      const bool local = isOfTheCores(memory);
      memory.size = local ? Figure{kLocalBytes, "MiB", 1, memory.span}
                          : Figure{kGlobalBytes, "GiB", 16, memory.span};
      assume(memory.span, memory.name, "size", local ? "1 MiB" : "16 GiB", "for each instance");
    }
    if (memory.bandwidth.value == 0) {
      memory.bandwidth = Figure{kMemoryBandwidth, {}, kMemoryBandwidth, memory.span};
      assume(memory.span, memory.name, "bandwidth", fmt::format("{} B/cycle", kMemoryBandwidth),
             "for each instance");
    }
  }

  const Memory* memoryNamed(const std::string& name) const {
    for (const Memory& memory : m_spec.memories) {
      if (memory.name == name) return &memory;
    }
    return nullptr;
  }

  /// A network's links get a usual width; a link to a memory from elsewhere carries what the memory
  /// gives.
  void completeBandwidth(Interconnect& link) {
    if (link.bandwidth.value != 0) return;
    double rate = kAssumedLinkBandwidth;
    std::string_view why = "a link of 256 bits";
    if (link.source != link.destination) {
      const Memory* from = memoryNamed(link.source);
      const Memory* to = memoryNamed(link.destination);
      const Memory* farther =
          to == nullptr || (from != nullptr && !isOfTheCores(*from)) ? from : to;
      if (farther != nullptr) {
        rate = farther->bandwidth.value;
        why = "what an instance of the memory gives";
      }
    }
    link.bandwidth = Figure{rate, {}, rate, link.span};
    assume(link.span, link.name, "bandwidth", fmt::format("{} B/cycle", rate), why);
  }

  void addLocalMemory(const CoreArray& cores) {
    const auto isLocal = [&](const Memory& memory) { return isOfTheCores(memory); };
    if (std::any_of(m_spec.memories.begin(), m_spec.memories.end(), isLocal)) return;
    Memory memory;
    memory.name = freeName(m_spec, "l1");
    memory.scaleout = cores.scaleout;
    memory.size = Figure{kLocalBytes, "MiB", 1, cores.span};
    memory.bandwidth = Figure{kMemoryBandwidth, {}, kMemoryBandwidth, cores.span};
    memory.span = cores.span;
    std::string dims;
    for (const SpatialDimId dim : cores.scaleout) {
      dims += (dims.empty() ? "%" : ", %") + m_spec.dims[dim.index()].name;
    }
    base::report(
        m_out,
        base::warningAt(
            m_spec.source, cores.span,
            fmt::format("no memory belongs to the cores `%{}`; assumed 1 MiB for each", cores.name),
            fmt::format("write `%{} = df.memory {{ scaleout = ({}), size = 1 MiB, "
                        "bandwidth = {} B/cycle }}`, or a `df.mux` from the cores to a memory",
                        memory.name, dims, kMemoryBandwidth)));
    addOp(m_spec, HardwareSpec::OpRef::Kind::Memory, m_spec.memories.size());
    m_spec.memories.push_back(std::move(memory));
  }

  /// Tensors lie somewhere: behind the memory of the cores.
  void addGlobalMemory(const CoreArray& cores) {
    const auto isGlobal = [&](const Memory& m) { return !isOfTheCores(m); };
    if (std::any_of(m_spec.memories.begin(), m_spec.memories.end(), isGlobal)) return;
    const auto local = std::find_if(m_spec.memories.begin(), m_spec.memories.end(),
                                    [&](const Memory& m) { return isOfTheCores(m); });
    if (local == m_spec.memories.end()) return;
    Interconnect port;
    port.name = freeName(m_spec, "to_dram");
    port.source = local->name;
    port.map.numDims = static_cast<std::int64_t>(local->scaleout.size());
    port.map.results = {affine::AffineExpr::constant(0)};
    port.bandwidth = Figure{kMemoryBandwidth, {}, kMemoryBandwidth, cores.span};
    port.span = cores.span;
    SpatialDim one{freeName(m_spec, "channels"), 1, cores.span};
    Memory memory;
    memory.name = freeName(m_spec, "dram");
    port.destination = memory.name;
    memory.scaleout = {SpatialDimId(static_cast<std::int32_t>(m_spec.dims.size()))};
    memory.size = Figure{kGlobalBytes, "GiB", 16, cores.span};
    memory.bandwidth = Figure{kMemoryBandwidth, {}, kMemoryBandwidth, cores.span};
    memory.global = true;
    memory.span = cores.span;
    base::report(
        m_out, base::warningAt(
                   m_spec.source, cores.span,
                   fmt::format("no memory holds tensors; assumed 16 GiB with {} B/cycle "
                               "behind `%{}`",
                               kMemoryBandwidth, local->name),
                   fmt::format("write `%{} = df.memory {{ scaleout = (%{}), size = 16 "
                               "GiB, bandwidth = {} B/cycle, kind = global }}` and a "
                               "`df.interconnects %{}, %{}`",
                               memory.name, one.name, kMemoryBandwidth, local->name, memory.name)));
    addOp(m_spec, HardwareSpec::OpRef::Kind::Dim, m_spec.dims.size());
    m_spec.dims.push_back(std::move(one));
    addOp(m_spec, HardwareSpec::OpRef::Kind::Memory, m_spec.memories.size());
    m_spec.memories.push_back(std::move(memory));
    addOp(m_spec, HardwareSpec::OpRef::Kind::Interconnect, m_spec.interconnects.size());
    m_spec.interconnects.push_back(std::move(port));
  }

  /// In front of the cores, which name them.
  void addUnits(CoreArray& cores) {
    if (!cores.scalein.empty()) return;
    MatrixUnit matrix;
    matrix.name = freeName(m_spec, "mat");
    matrix.shape = {kUnitExtent, kUnitExtent, kUnitExtent};
    matrix.span = cores.span;
    constexpr auto extent = static_cast<double>(kUnitExtent);
    matrix.throughput.emplace_back("", Figure{2 * extent * extent, {}, 2 * extent * extent, {}});
    VectorUnit vector;
    vector.name = freeName(m_spec, "vec");
    vector.shape = {kUnitExtent};
    vector.span = cores.span;
    vector.throughput.emplace_back("", Figure{extent, {}, extent, {}});
    cores.scalein = {{matrix.name, 1}, {vector.name, 1}};
    base::report(m_out,
                 base::warningAt(
                     m_spec.source, cores.span,
                     fmt::format("the cores `%{}` have no compute unit; assumed a matrix unit of "
                                 "{} flop/cycle and a vector unit of {} lanes",
                                 cores.name, 2 * extent * extent, kUnitExtent),
                     fmt::format("write `%{0} = df.mat {{ shape = [{2}, {2}, {2}], throughput = "
                                 "{3} flop/cycle }}`, `%{1} = df.vec {{ shape = [{2}], "
                                 "throughput = {2} elem/cycle }}`, and name them in `scalein`",
                                 matrix.name, vector.name, kUnitExtent, 2 * extent * extent)));
    using OpKind = HardwareSpec::OpRef::Kind;
    m_spec.order.insert(m_spec.order.begin(),
                        {{OpKind::Matrix, m_spec.matrixUnits.size(), {}, "// assumed"},
                         {OpKind::Vector, m_spec.vectorUnits.size(), {}, "// assumed"}});
    m_spec.matrixUnits.push_back(std::move(matrix));
    m_spec.vectorUnits.push_back(std::move(vector));
  }

  HardwareSpec& m_spec;
  base::Diagnostics& m_out;
};

}  // namespace

void completeSpec(HardwareSpec& spec, base::Diagnostics& out, bool all) {
  Completion(spec, out).run(all);
  splitPartRings(spec, out);
  if (all) completeNetworks(spec, out);
  completeMaps(spec, out);
}

}  // namespace gridloom::hardware
