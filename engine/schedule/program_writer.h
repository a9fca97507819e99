// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/tile_nest.h"
#include "mapping/all_reduce.h"
#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Channels and buffers of one input operand.
struct InputPorts {
  BufferId buffer;
  BufferId sharedBuffer;  ///< valid where the operand goes through a shared buffer
  PortId first;           ///< multicast, stream, feed, or the first stage of a two-stage multicast
  PortId second;          ///< the second stage
  PortId shared;          ///< to the cores that read the same copy
};

/// Channels and buffers of one output operand.
struct OutputPorts {
  BufferId buffer, partial, gathered;
  BufferId outgoing;  ///< valid where tiles go through a shared buffer
  /// chain: one per split dimension; tree: one per dimension and round
  std::vector<PortId> reduction;
  PortId gather, drain;
};

/// Channels and buffers of one all-reduce; empty where every core reduces the whole loop itself.
struct ReducePorts {
  BufferId contribution, contributed, total;
  std::vector<PortId> reduction;  ///< as in OutputPorts
  std::vector<PortId> back;       ///< per step of mapping::wayBack
};

/// The role of one core for each operand: all that its program depends on. Cores with equal roles
/// share a program.
struct CoreRole {
  struct Input {
    bool absent = false;  ///< another core does the work that needs it
    bool loads = false;
    bool feeds = false;  ///< loads into the shared buffer and sends from there
    bool receivesFirst = false, sendsFirst = false;
    bool receivesSecond = false, sendsSecond = false;
    bool reads = false;   ///< reads another core's copy
    bool shares = false;  ///< holds a copy that other cores read
    friend auto operator<=>(const Input&, const Input&) = default;
  };
  /// A core's part in a reduction towards coordinate 0: positions in `reduction` of the ports.
  struct Joins {
    std::vector<std::int32_t> partialsFrom;  ///< in the order of their reduction
    std::int32_t partialTo = -1;
    friend auto operator<=>(const Joins&, const Joins&) = default;
  };
  struct Output : Joins {
    std::int32_t gathers = 0;  ///< other cores whose tiles this one writes
    bool sendsToGather = false;
    bool absent = false;  ///< another core computes it
    friend auto operator<=>(const Output&, const Output&) = default;
  };
  struct Reduce : Joins {
    std::int32_t backFrom = -1;  ///< position in ReducePorts::back; -1: this core makes the total
    std::vector<std::int32_t> backTo;  ///< positions in ReducePorts::back
    friend auto operator<=>(const Reduce&, const Reduce&) = default;
  };
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Reduce> reduces;  ///< per TileNest::allReduces
  bool finishes = true;         ///< runs the epilogue of a reduction
  friend auto operator<=>(const CoreRole&, const CoreRole&) = default;
};

/// Determines the role of a core from its position among the active cores.
CoreRole roleOf(std::int32_t core, const Placement& placement, const kernel::TileNest& nest,
                const mapping::Mapping& mapping, const std::vector<Channel>& channels,
                const std::vector<OutputPorts>& outputs, const std::vector<ReducePorts>& reduces);

/// Writes the program of a class of cores.
class ProgramWriter {
 public:
  ProgramWriter(const kernel::TileNest& nest, const mapping::Mapping& mapping, int outputLevel,
                const std::vector<InputPorts>& inputs, const std::vector<OutputPorts>& outputs,
                const std::vector<ReducePorts>& reduces)
      : m_nest(nest),
        m_mapping(mapping),
        m_outputLevel(outputLevel),
        m_inputs(inputs),
        m_outputs(outputs),
        m_reduces(reduces),
        m_splitAllReduces(mapping::splitAllReduces(nest, mapping)) {}

  Program write(const CoreRole& roles);

 private:
  using Code = std::vector<Instruction>;
  void addMover(std::size_t input, const CoreRole::Input& role);
  void addFeeder(std::size_t input);
  void addCompute(const CoreRole& roles);
  void addReduce(std::size_t reduce, const CoreRole::Reduce& role);
  void addPartialReceiver(std::size_t operand, BufferId partial,
                          const std::vector<PortId>& reduction, const CoreRole::Joins& role);
  void addGatherer(std::size_t output, const CoreRole::Output& role);
  void addPassing(std::size_t output);
  void addWriter(std::size_t output, const CoreRole::Output& role);
  void add(Process::Role role, std::size_t operand, int level, const Code& body);

  void computeFrom(Code& code, int depth, const CoreRole& roles) const;
  void computeParts(Code& code, const CoreRole& roles) const;
  static void join(Code& code, std::size_t operand, BufferId partial, const CoreRole::Joins& role);
  void finishScope(Code& code, const CoreRole& roles) const;
  bool waitsInEpilogue(std::size_t input, const CoreRole& roles) const;
  std::string nameFor(const CoreRole& roles) const;

  const kernel::TileNest& m_nest;
  const mapping::Mapping& m_mapping;
  int m_outputLevel;
  const std::vector<InputPorts>& m_inputs;
  const std::vector<OutputPorts>& m_outputs;
  const std::vector<ReducePorts>& m_reduces;
  std::vector<std::size_t> m_splitAllReduces;
  Program m_program;
};

}  // namespace gridloom::schedule
