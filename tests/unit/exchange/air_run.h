// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "exchange/air_transfers.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "unit/exchange/air_machine.h"
#include "unit/exchange/mlir_opt.h"

namespace gridloom::test {

/// Whether transfers of what the kernel computes reach over the edge of a tensor: the schedule
/// moves whole windows, AIR what lies inside.
inline bool reachesOutside(const Problem& p) {
  return std::ranges::any_of(p.nest.inputs, [](const kernel::Operand& input) {
    return input.produced && std::ranges::any_of(input.dims, [](const kernel::RegionDim& dim) {
             return dim.index.constant + dim.minOffset < 0;
           });
  });
}

/// Follows the elements of one run.
class AirRun {
 public:
  AirRun(const Problem& p, const schedule::Schedule& schedule)
      : m_problem(p), m_schedule(schedule) {
    for (const kernel::Tensor& tensor : p.kernel.tensors) {
      m_numbers.push_back(tensor.role == kernel::TensorRole::Local ? -1 : m_arguments++);
    }
  }

  /// What is wrong with the text; "" if nothing.
  std::string run(const std::string& text, const simulate::Simulation& simulated) {
    const MlirOptRun lowered = runMlirOpt(text, "--lower-affine --mlir-print-op-generic");
    if (!lowered.accepted) return lowered.said.substr(0, 500);
    const auto module = parseGenericMlir(lowered.said);
    AirMachine machine(
        *module, [&](const AirMachine::Call& call) { check(call); },
        [&](AirMachine::Element e) { return indexAt(e); },
        [&](const AirMachine::Forwarding& forwarding) { return nameOf(forwarding); });
    std::string wrong = machine.run();
    if (wrong.empty()) wrong = m_wrong;
    const bool less =
        reachesOutside(m_problem) && machine.loadedBytes() < simulated.traffic.dramRead;
    if (wrong.empty() && !less && machine.loadedBytes() != simulated.traffic.dramRead) {
      wrong = "loads " + std::to_string(machine.loadedBytes()) + " bytes, simulated " +
              std::to_string(simulated.traffic.dramRead);
    }
    if (wrong.empty() && machine.storedBytes() != simulated.traffic.dramWrite) {
      wrong = "stores " + std::to_string(machine.storedBytes()) + " bytes, simulated " +
              std::to_string(simulated.traffic.dramWrite);
    }
    if (wrong.empty() && m_tiles == 0) wrong = "no tile operation";
    for (const auto& [channel, bytes] : machine.bytesGot()) {
      if (!channel.starts_with("stored_")) got += bytes;  // tokens
    }
    loaded = machine.loadedBytes();
    if (wrong.empty()) wrong = earlyLoad(machine);
    return wrong.empty() ? missingStore(machine) : wrong;
  }
  double got = 0, loaded = 0;           ///< bytes: of channels, of loads
  std::vector<std::int64_t> tileSizes;  ///< per loop
  long range = 0;                       ///< of indices

 private:
  // Some element of every index tensor's range.
  long indexAt(AirMachine::Element e) const { return (e.at * 7 + 3) % range; }

  void check(const AirMachine::Call& call) {
    if (!call.function.starts_with(m_problem.kernel.name + "_tile")) return;
    if (call.function.find("_part") != std::string::npos) return;
    ++m_tiles;
    std::set<AirMachine::Element> held;
    for (const AirMachine::Memory* memory : call.memories) {
      held.insert(memory->begin(), memory->end());
    }
    if (!m_schedule.grids.empty()) return checkOperands(call, held);
    for (const kernel::Statement& statement : m_problem.kernel.statements) {
      for (const kernel::Access& read : statement.reads) checkRead(call, statement, read, held);
    }
  }

  // The loop of each dimension of an output, whose tiles are numbered row by row.
  AirMachine::Element nameOf(const AirMachine::Forwarding& forwarding) const {
    for (const schedule::Buffer& buffer : m_schedule.buffers) {
      if (forwarding.channel != "forwarded_" + exchange::mlirName(buffer.name)) continue;
      const auto output = static_cast<std::size_t>(buffer.need.awaits);
      const std::vector<mapping::LoopId>& grid = m_schedule.grids[output];
      const kernel::TensorId tensor = m_problem.nest.outputs[output].tensor;
      const std::vector<std::int64_t>& shape = m_problem.kernel.tensor(tensor).shape;
      const std::size_t inner = forwarding.offset.size() - grid.size();
      long left = forwarding.tile, element = 0, stride = 1;
      for (std::size_t d = grid.size(); d-- > 0;) {
        const mapping::LoopTiling& tiling = m_schedule.tiling.loops[grid[d].index()];
        const long tile = left % tiling.tiles;
        left /= tiling.tiles;
        element += (tile * tiling.tileSize + forwarding.offset[inner + d]) * stride;
        stride *= shape[d];
      }
      return {m_numbers[tensor.index()], element};
    }
    return {};
  }

  // What the kernel computes itself is loaded once it is stored.
  std::string earlyLoad(const AirMachine& machine) const {
    for (const AirMachine::Element& e : machine.early()) {
      for (const kernel::Operand& input : m_problem.nest.inputs) {
        if (!input.produced || m_numbers[input.tensor.index()] != e.tensor) continue;
        if (!machine.stores().contains(e)) continue;
        return "element " + std::to_string(e.at) + " of " + input.name +
               " is loaded before it is stored";
      }
    }
    return {};
  }

  // Inputs that every tile of the nest needs; others may be there for the last one only.
  bool isChecked(const kernel::Access& read) const {
    bool any = false, all = true;
    for (const kernel::Operand& input : m_problem.nest.inputs) {
      if (input.tensor != read.tensor) continue;
      any = true;
      all = all && input.phase == kernel::Phase::Every;
    }
    return any && all && m_numbers[read.tensor.index()] >= 0;
  }

  // Where a kernel reads what it computes, a tile needs what its operands say.
  void checkOperands(const AirMachine::Call& call, const std::set<AirMachine::Element>& held) {
    const std::size_t loops = m_problem.kernel.loops.size();
    std::vector<kernel::TileSpan> spans;
    for (std::size_t l = 0; l < loops; ++l) {
      const long from = call.indices[call.indices.size() - loops + l];
      const std::int64_t end = std::min(from + tileSizes[l], m_problem.kernel.loops[l].extent);
      spans.push_back({from, end, from / tileSizes[l], from / tileSizes[l]});
    }
    for (const schedule::Buffer& buffer : m_schedule.buffers) {
      if (buffer.use != schedule::Buffer::Use::Input) continue;
      const auto& input = m_problem.nest.inputs[static_cast<std::size_t>(buffer.operand)];
      if (input.phase == kernel::Phase::Every && input.guard.holds(spans)) {
        checkRegion(input, spans, held);
      }
    }
  }

  void checkRegion(const kernel::Operand& input, const std::vector<kernel::TileSpan>& spans,
                   const std::set<AirMachine::Element>& held) {
    const std::vector<std::int64_t>& shape = m_problem.kernel.tensor(input.tensor).shape;
    std::vector<std::int64_t> at(shape.size());
    const auto visit = [&](const auto& self, std::size_t d, long element) -> void {
      if (d == shape.size()) {
        const AirMachine::Element e{m_numbers[input.tensor.index()], element};
        if (held.contains(e) || isOfTile(input, at, spans) || !m_wrong.empty()) return;
        m_wrong = "a tile lacks element " + std::to_string(element) + " of " + input.name;
        return;
      }
      const kernel::RegionDim& dim = input.dims[d];
      std::int64_t low = dim.index.constant, high = low;
      for (std::size_t l = 0; l < spans.size(); ++l) {
        const std::int64_t c = dim.index.coefficient(l);
        low += c * (c > 0 ? spans[l].begin : spans[l].end - 1);
        high += c * (c > 0 ? spans[l].end - 1 : spans[l].begin);
      }
      if (dim.behind) high = low - 1 - dim.maxOffset;
      const std::int64_t last = std::min(high + dim.maxOffset, shape[d] - 1);
      for (at[d] = std::max<std::int64_t>(0, low + dim.minOffset); at[d] <= last; ++at[d]) {
        self(self, d + 1, element * shape[d] + at[d]);
      }
    };
    visit(visit, 0, 0);
  }

  void checkRead(const AirMachine::Call& call, const kernel::Statement& statement,
                 const kernel::Access& read, const std::set<AirMachine::Element>& held) {
    if (!isChecked(read)) return;
    std::vector<std::int64_t> point(m_problem.kernel.loops.size(), 0);
    const std::size_t first = call.indices.size() - point.size();
    for (std::size_t l = 0; l < point.size(); ++l) point[l] = call.indices[first + l];
    const std::vector<std::int64_t> origin = point;
    std::vector<kernel::LoopId> loops = kernel::loopsOf(statement.target);
    for (const kernel::Access& other : statement.reads) {
      const auto more = kernel::loopsOf(other);
      loops.insert(loops.end(), more.begin(), more.end());
    }
    std::ranges::sort(loops);
    loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
    const auto visit = [&](const auto& self, std::size_t n) -> void {
      if (n == loops.size()) return checkElement(read, statement, point, held);
      const std::size_t l = loops[n].index();
      const std::int64_t end = std::min(origin[l] + tileSizes[l], m_problem.kernel.loops[l].extent);
      for (point[l] = origin[l]; point[l] < end; ++point[l]) self(self, n + 1);
      point[l] = origin[l];
    };
    visit(visit, 0);
  }

  void checkElement(const kernel::Access& read, const kernel::Statement& statement,
                    const std::vector<std::int64_t>& point,
                    const std::set<AirMachine::Element>& held) {
    for (const affine::Constraint& c : statement.constraints) {
      const std::int64_t value = c.expr.evaluate(point);
      if (c.equality ? value != 0 : value < 0) return;
    }
    const long at = elementOf(read, point);
    const AirMachine::Element element{m_numbers[read.tensor.index()], at};
    if (at < 0 || held.contains(element) || !m_wrong.empty()) return;
    m_wrong = "a tile lacks element " + std::to_string(at) + " of " +
              m_problem.kernel.tensor(read.tensor).name;
  }

  // Whether the tile computes an element that it reads itself.
  bool isOfTile(const kernel::Operand& input, const std::vector<std::int64_t>& at,
                const std::vector<kernel::TileSpan>& spans) const {
    for (std::size_t o = 0; o < m_schedule.grids.size(); ++o) {
      if (m_problem.nest.outputs[o].tensor != input.tensor) continue;
      bool inside = true;
      for (std::size_t d = 0; d < at.size(); ++d) {
        const kernel::TileSpan& span = spans[m_schedule.grids[o][d].index()];
        inside = inside && at[d] >= span.begin && at[d] < span.end;
      }
      return inside;
    }
    return false;
  }

  // -1: outside of the tensor, where a select does not look.
  long elementOf(const kernel::Access& read, const std::vector<std::int64_t>& point) const {
    const std::vector<std::int64_t>& shape = m_problem.kernel.tensor(read.tensor).shape;
    long element = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t index = read.indices[d].evaluate(point);
      for (const kernel::IndexRead& gather : read.gathers) {
        if (gather.dim == d) index = indexAt({0, elementOf(gather.access, point)});
      }
      if (index < 0 || index >= shape[d]) return -1;
      element = element * shape[d] + index;
    }
    return element;
  }

  std::string missingStore(const AirMachine& machine) const {
    for (std::size_t t = 0; t < m_problem.kernel.tensors.size(); ++t) {
      const kernel::Tensor& tensor = m_problem.kernel.tensors[t];
      if (tensor.role != kernel::TensorRole::Output) continue;
      for (std::int64_t e = 0; e < kernel::elementCount(tensor); ++e) {
        if (!machine.stores().contains({m_numbers[t], e})) {
          return "element " + std::to_string(e) + " of " + tensor.name + " is not stored";
        }
      }
    }
    return {};
  }

  const Problem& m_problem;
  const schedule::Schedule& m_schedule;
  int m_arguments = 0, m_tiles = 0;
  std::vector<int> m_numbers;  ///< per tensor: its argument
  std::string m_wrong;
};

}  // namespace gridloom::test
