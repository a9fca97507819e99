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
  BufferId sharedBuffer;  ///< valid where the operand stays in the middle memory
  PortId first;           ///< multicast, stream, feed, or the first stage
  PortId second;          ///< the second stage
  PortId shared;          ///< to the mates that read one copy
};

/// Channels and buffers of one output operand.
struct OutputPorts {
  BufferId buffer, partial, gathered;
  BufferId outgoing;  ///< valid where tiles pass the middle memory
  std::vector<PortId>
      reduction;  ///< chain: one per split dimension; tree: one per dimension and round
  PortId gather, drain;
};

/// Channels and buffers of one all-reduce; none where no core has a share only.
struct ReducePorts {
  BufferId contribution, contributed, total;
  std::vector<PortId> reduction;  ///< as of an output
  std::vector<PortId> back;       ///< per step of mapping::wayBack
};

/// What one core does for each operand: all that its program depends on. Cores with equal duties share a
/// program.
struct CoreRole {
  struct Input {
    bool absent = false;  ///< another core does what needs it
    bool loads = false;
    bool feeds = false;  ///< loads into the middle memory, and sends from there
    bool receivesFirst = false, sendsFirst = false;
    bool receivesSecond = false, sendsSecond = false;
    bool reads = false;   ///< the copy of a mate
    bool shares = false;  ///< keeps a copy that mates read
    friend auto operator<=>(const Input&, const Input&) = default;
  };
  /// Results that cores join, on their way to coordinate 0: positions in `combine` of the ports.
  struct Joins {
    std::vector<std::int32_t> partialsFrom;  ///< in order
    std::int32_t partialTo = -1;
    friend auto operator<=>(const Joins&, const Joins&) = default;
  };
  struct Output : Joins {
    std::int32_t gathers = 0;  ///< other cores whose tiles this one writes
    bool sendsToGather = false;
    bool absent = false;  ///< another core makes it
    friend auto operator<=>(const Output&, const Output&) = default;
  };
  struct Reduce : Joins {
    std::int32_t backFrom = -1;  ///< position in ReducePorts::back; -1: it joins the last results
    std::vector<std::int32_t> backTo;  ///< positions there
    friend auto operator<=>(const Reduce&, const Reduce&) = default;
  };
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Reduce> reduces;  ///< per TileNest::allReduces
  bool finishes = true;         ///< does what follows a reduction
  friend auto operator<=>(const CoreRole&, const CoreRole&) = default;
};

/// Decides the duties of a core from its place among the working ones.
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
