// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/tile_nest.h"
#include "mapping/transfers.h"
#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Buffers and channels of one operand, made from its transfers.
struct OperandPorts {
  std::array<BufferId, mapping::kBufferUses> buffers;  ///< by BufferUse; invalid where it has none
  /// Those in shared buffers instead, by level of Topology::sharedBuffers.
  std::array<BufferId, hardware::kMostSharedBuffers> shared;
  /// A channel and the step whose tiles it carries; a reduction tree has one per round.
  struct Wire {
    PortId channel;
    std::size_t step = 0;  ///< index into Transfers::steps
  };
  std::vector<Wire> wires;
  BufferId buffer(mapping::BufferUse use) const { return buffers[static_cast<std::size_t>(use)]; }
  BufferId in(mapping::Memory memory) const { return shared[memory.level()]; }
  /// The first channel of a kind of step; invalid where there is none.
  PortId channel(const mapping::Transfers& transfers, mapping::TransferStep::Kind kind) const;
  /// The first channel of a step, by its index.
  PortId channel(std::size_t step) const;
};

/// The parts of one core in the transfers of each operand: all that its program depends on. Cores
/// with equal roles share a program.
struct CoreRole {
  struct Part {
    bool absent = false;  ///< other cores do the work that needs it
    bool loads = false;   ///< from global memory, or from the cores that computed the tile
    /// a bit per step into a shared buffer whose tiles this core brings there, and sends on
    std::uint64_t feeds = 0;
    std::uint64_t receives = 0;  ///< a bit per OperandPorts::wires
    std::uint64_t sends = 0;
    std::int32_t gathers = 0;  ///< other cores whose tiles this one writes
    std::int32_t ring = 0;     ///< cores of its ring; 0: it moves whole tiles
    friend auto operator<=>(const Part&, const Part&) = default;
  };
  std::vector<Part> inputs, outputs, allReduces;  ///< as in TransferPlan
  bool finishes = true;                           ///< runs the epilogue of a reduction
  friend auto operator<=>(const CoreRole&, const CoreRole&) = default;
};

/// The part of a core in an operand's transfers, from its position among the active cores.
CoreRole::Part partOf(std::int32_t core, const Placement& placement,
                      const mapping::Transfers& transfers, const OperandPorts& ports,
                      const std::vector<Channel>& channels);

/// Writes the program of a class of cores.
class ProgramWriter {
 public:
  using Ports = std::vector<OperandPorts>;
  /// `loops`: number of temporal loops.
  ProgramWriter(const kernel::TileNest& nest, const mapping::TransferPlan& plan, int loops,
                int outputLevel, const Ports& inputs, const Ports& outputs, const Ports& allReduces)
      : m_nest(nest),
        m_plan(plan),
        m_loops(loops),
        m_outputLevel(outputLevel),
        m_inputs(inputs),
        m_outputs(outputs),
        m_allReduces(allReduces) {
    for (std::size_t r = 0; r < plan.allReduces.size(); ++r) {
      if (!plan.allReduces[r].steps.empty()) m_splitAllReduces.push_back(r);
    }
  }

  Program write(const CoreRole& roles);

 private:
  using Code = std::vector<Instruction>;
  void addMover(std::size_t input, const CoreRole::Part& part);
  void addFeeder(std::size_t input, std::size_t step);
  void addAllGatherer(std::size_t input, const CoreRole::Part& part);
  void addScatterer(std::size_t output, const CoreRole::Part& part);
  void reduceScatter(Code& code, std::size_t output, const CoreRole::Part& part) const;
  void addCompute(const CoreRole& roles);
  void addAllReduce(std::size_t reduce, const CoreRole::Part& part);
  void addPartialReceiver(std::size_t operand, const mapping::Transfers& transfers,
                          const OperandPorts& ports, const CoreRole::Part& part);
  void addGatherer(std::size_t output, const CoreRole::Part& part);
  void addSharedBufferWriter(std::size_t output, std::size_t step);
  void addWriter(std::size_t output, const CoreRole::Part& part);
  void add(Process::Role role, std::size_t operand, int level, const Code& body);

  void computeFrom(Code& code, int depth, const CoreRole& roles) const;
  void computeParts(Code& code, const CoreRole& roles) const;
  static void reduceInto(Code& code, std::size_t operand, const mapping::Transfers& transfers,
                         const OperandPorts& ports, const CoreRole::Part& part);
  void reduceOutput(Code& code, std::size_t output, const CoreRole& roles) const;
  void finishScope(Code& code, const CoreRole& roles) const;
  bool waitsInEpilogue(std::size_t input, const CoreRole& roles) const;
  BufferId inputBuffer(std::size_t input) const {
    return m_inputs[input].buffer(mapping::BufferUse::Input);
  }
  BufferId outputBuffer(std::size_t output) const {
    return m_outputs[output].buffer(mapping::BufferUse::Output);
  }
  std::string nameFor(const CoreRole& roles) const;

  const kernel::TileNest& m_nest;
  const mapping::TransferPlan& m_plan;
  int m_loops, m_outputLevel;
  const Ports& m_inputs;
  const Ports& m_outputs;
  const Ports& m_allReduces;
  std::vector<std::size_t> m_splitAllReduces;
  Program m_program;
};

}  // namespace gridloom::schedule
