// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/tile_nest.h"
#include "schedule/placement.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// Channels and buffers of one input operand.
struct InputPorts {
  BufferId buffer;
  BufferId middle;  ///< valid where the operand stays in the middle memory
  PortId first;     ///< multicast, stream, feed, or the first stage
  PortId second;    ///< the second stage
  PortId shared;    ///< to the mates that read one copy
};

/// Channels and buffers of one output operand.
struct OutputPorts {
  BufferId buffer, partial, gathered;
  BufferId outgoing;  ///< valid where tiles pass the middle memory
  std::vector<PortId>
      combine;  ///< chain: one per split dimension; tree: one per dimension and round
  PortId gather, drain;
};

/// What one core does for each operand: all that its program depends on. Cores with equal duties share a
/// program.
struct Duties {
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
  struct Output {
    std::vector<std::int32_t> partialsFrom;  ///< positions in OutputPorts::combine, in order
    std::int32_t partialTo = -1;             ///< position in OutputPorts::combine
    std::int32_t gathers = 0;                ///< other cores whose tiles this one writes
    bool sendsToGather = false;
    bool absent = false;  ///< another core makes it
    friend auto operator<=>(const Output&, const Output&) = default;
  };
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  bool finishes = true;  ///< does what follows a reduction
  friend auto operator<=>(const Duties&, const Duties&) = default;
};

/// Decides the duties of a core from its place among the working ones.
Duties dutiesOf(std::int32_t core, const Placement& placement, const kernel::TileNest& nest,
                const mapping::Mapping& mapping, const std::vector<Channel>& channels,
                const std::vector<OutputPorts>& outputs);

/// Writes the program of a class of cores.
class ProgramWriter {
 public:
  ProgramWriter(const kernel::TileNest& nest, const mapping::Mapping& mapping, int outputLevel,
                const std::vector<InputPorts>& inputs, const std::vector<OutputPorts>& outputs)
      : m_nest(nest),
        m_mapping(mapping),
        m_outputLevel(outputLevel),
        m_inputs(inputs),
        m_outputs(outputs) {}

  Program write(const Duties& duties);

 private:
  using Code = std::vector<Instruction>;
  void addMover(std::size_t input, const Duties::Input& duty);
  void addFeeder(std::size_t input);
  void addCompute(const Duties& duties);
  void addPartialReceiver(std::size_t output, const Duties::Output& duty);
  void addGatherer(std::size_t output, const Duties::Output& duty);
  void addPassing(std::size_t output);
  void addWriter(std::size_t output, const Duties::Output& duty);
  void add(Process::Role role, std::size_t operand, int level, const Code& body);

  void computeFrom(Code& code, int depth, const Duties& duties) const;
  void finishScope(Code& code, const Duties& duties) const;
  bool waitsInEpilogue(std::size_t input, const Duties& duties) const;
  std::string nameFor(const Duties& duties) const;

  const kernel::TileNest& m_nest;
  const mapping::Mapping& m_mapping;
  int m_outputLevel;
  const std::vector<InputPorts>& m_inputs;
  const std::vector<OutputPorts>& m_outputs;
  Program m_program;
};

}  // namespace gridloom::schedule
