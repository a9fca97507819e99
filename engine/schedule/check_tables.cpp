// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "schedule/check_programs.h"
#include "schedule/op_names.h"
#include "schedule/placement.h"
#include "schedule/shared_copies.h"

namespace gridloom::schedule {
namespace {

/// Checks the tables that programs refer to against the nest and the mesh.
class TableCheck {
 public:
  TableCheck(const Schedule& schedule, const kernel::TileNest& nest, const hardware::Topology& hw,
             Findings& findings)
      : m_schedule(schedule), m_nest(nest), m_hw(hw), m_findings(findings) {}

  void run() {
    checkShape();
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) checkBuffer(b);
    for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) checkChannel(c);
    if (!m_findings.empty()) return;
    checkOperands(Buffer::Use::Input, m_nest.inputs.size());
    checkOperands(Buffer::Use::Output, m_nest.outputs.size());
    checkCapacity();
  }

 private:
  void checkShape() {
    const mapping::Mapping& mapping = m_schedule.mapping;
    if (m_schedule.programOfCore.size() != static_cast<std::size_t>(m_hw.coreCount())) {
      m_findings.whole(fmt::format("the schedule is for {} cores, the hardware has {}",
                                   m_schedule.programOfCore.size(), m_hw.coreCount()));
    }
    if (mapping.inputs.size() != m_nest.inputs.size() ||
        mapping.outputs.size() != m_nest.outputs.size() ||
        mapping.allReduces.size() != m_nest.allReduces.size()) {
      m_findings.whole("the schedule is for another kernel: the operands differ");
    }
    for (const ProgramId program : m_schedule.programOfCore) {
      if (!program.valid() || program.index() < m_schedule.programs.size()) continue;
      m_findings.whole("a core runs a program that does not exist");
      break;
    }
  }

  std::size_t operandsOf(Buffer::Use use) const {
    if (isOfInput(use)) return m_nest.inputs.size();
    if (isOfAllReduce(use)) return m_nest.allReduces.size();
    return use == Buffer::Use::Local ? m_nest.locals.size() : m_nest.outputs.size();
  }

  void checkBuffer(std::size_t b) {
    const Buffer& buffer = m_schedule.buffers[b];
    if (buffer.slots < 1 || buffer.bytes < 0) {
      m_findings.atBuffer(b, fmt::format("buffer {} has {} slots of {} bytes", buffer.name,
                                         buffer.slots, buffer.bytes));
    }
    if (buffer.operand < 0 || static_cast<std::size_t>(buffer.operand) >= operandsOf(buffer.use)) {
      m_findings.atBuffer(
          b, fmt::format("buffer {} is of an operand that does not exist", buffer.name));
    }
    for (std::size_t earlier = 0; earlier < b; ++earlier) {
      const Buffer& other = m_schedule.buffers[earlier];
      if (other.use != buffer.use || other.operand != buffer.operand) continue;
      m_findings.atBuffer(b, fmt::format("{} and {} hold the same tiles", other.name, buffer.name),
                          "one buffer with more slots is meant");
    }
  }

  void checkChannel(std::size_t c) {
    const Channel& channel = m_schedule.channels[c];
    const bool unroll = channel.kind == Channel::Kind::Feed || channel.kind == Channel::Kind::Drain;
    const bool mayUseSharedBuffer = unroll && m_hw.hasSharedBuffer();
    const bool onMesh =
        (channel.along != 0 || mayUseSharedBuffer) && channel.along >> m_hw.dims().size() == 0;
    const bool lands = channel.target.valid() && channel.target.index() < m_schedule.buffers.size();
    if (!onMesh || !lands) {
      m_findings.atChannel(
          c, fmt::format("channel {} has no mesh dimension or no buffer at its end", channel.name));
      return;
    }
    const Buffer& target = m_schedule.buffers[channel.target.index()];
    if (channel.depth != target.slots) {
      m_findings.atChannel(c,
                           fmt::format("channel {} has depth {}, buffer {} at its end {} slot(s)",
                                       channel.name, channel.depth, target.name, target.slots),
                           "the receiver's slots are what bounds a channel");
    }
    if (!suits(channel.kind, target.use)) {
      m_findings.atChannel(c, fmt::format("a {} channel cannot fill {} buffer {}",
                                          nameOf(channel.kind), nameOf(target.use), target.name));
    }
    if (channel.kind == Channel::Kind::Share) checkShared(c, channel, target);
  }

  // A shared copy needs one memory, and one ring of slots that all cores count alike.
  void checkShared(std::size_t c, const Channel& channel, const Buffer& target) {
    if ((channel.along & ~m_hw.local().sharedDims) != 0) {
      m_findings.atChannel(
          c,
          fmt::format("the cores that channel {} connects do not share an instance "
                      "of {}",
                      channel.name, m_hw.local().name),
          "a multicast gives each core a copy of its own");
    }
    if (sharingChannel(m_schedule, channel.target) != PortId::of(c)) {
      m_findings.atChannel(
          c, fmt::format("another channel shares the slots of {} already", target.name));
    }
    if (target.slots > kMostSharedSlots) {
      m_findings.atChannel(c, fmt::format("a shared ring has at most {} slots, {} has {}",
                                          kMostSharedSlots, target.name, target.slots));
    }
  }

  static bool suits(Channel::Kind kind, Buffer::Use use) {
    switch (use) {
    case Buffer::Use::Input:
      return kind == Channel::Kind::Multicast || kind == Channel::Kind::Neighbour ||
             kind == Channel::Kind::Feed || kind == Channel::Kind::Share;
    case Buffer::Use::Partial:
    case Buffer::Use::Contributed:
      return kind == Channel::Kind::Neighbour || kind == Channel::Kind::Pair;
    case Buffer::Use::Total:
      return kind == Channel::Kind::Multicast || kind == Channel::Kind::Neighbour;
    case Buffer::Use::Gather:
      return kind == Channel::Kind::ToRoot;
    case Buffer::Use::SharedOutput:
      return kind == Channel::Kind::Drain;
    case Buffer::Use::Output:
    case Buffer::Use::Local:
    case Buffer::Use::Stationary:
    case Buffer::Use::SharedInput:
    case Buffer::Use::Resident:
    case Buffer::Use::Remaining:
    case Buffer::Use::Held:
    case Buffer::Use::Contribution:
      break;
    }
    return false;
  }

  void checkOperands(Buffer::Use use, std::size_t operands) {
    for (std::size_t o = 0; o < operands; ++o) {
      const bool held = std::ranges::any_of(m_schedule.buffers, [&](const Buffer& buffer) {
        const bool keeps = use == Buffer::Use::Input && buffer.use == Buffer::Use::Stationary;
        const bool holds = keeps || buffer.use == use;
        return holds && buffer.operand == static_cast<int>(o);
      });
      if (held) continue;
      const auto& all = use == Buffer::Use::Input ? m_nest.inputs : m_nest.outputs;
      m_findings.whole(fmt::format("no buffer holds {} {}", nameOf(use), all[o].name));
    }
  }

  /// Bytes that a slot must hold, from the tile sizes and the loops around the transfer.
  std::int64_t tileBytes(const Buffer& buffer) const {
    const mapping::Mapping& mapping = m_schedule.mapping;
    const auto o = static_cast<std::size_t>(buffer.operand);
    if (buffer.use == Buffer::Use::Resident || buffer.use == Buffer::Use::Remaining) {
      return residentBytes(buffer.use, o);
    }
    if (isOfInput(buffer.use)) {
      const bool shared = buffer.use == Buffer::Use::SharedInput;
      const mapping::InputMovement& move = mapping.inputs[o];
      const bool inPlace = move.layout == mapping::TensorLayout::Local &&
                           move.kind == mapping::MovementKind::Direct;
      if (inPlace && !shared) return 0;
      return mapping::tileBytes(m_nest.inputs[o], m_schedule.tiling, mapping.order,
                                shared ? move.sharedBuffer.level : move.level);
    }
    if (isOfAllReduce(buffer.use)) {
      return kernel::resultBytes(m_nest.allReduces[o], m_schedule.tiling.tileSizes);
    }
    if (buffer.use == Buffer::Use::Local) {
      return mapping::localBufferBytes(m_nest, m_nest.locals[o], m_schedule.tiling, mapping.order);
    }
    if (buffer.use == Buffer::Use::Held) {
      return mapping::heldBytes(m_nest.outputs[o], 1, m_schedule.tiling, mapping.order);
    }
    const kernel::Operand& output = m_nest.outputs[o];
    const bool joins = mapping.outputs[o].reduction != mapping::ReductionTopology::None;
    const std::int64_t partial =
        joins ? mapping::partialBytes(m_nest, output, m_schedule.tiling, mapping.order) : 0;
    if (buffer.use == Buffer::Use::Partial) return partial;
    const std::int64_t tile =
        mapping::tileBytes(output, m_schedule.tiling, mapping.order, m_schedule.outputLevel);
    return buffer.use == Buffer::Use::Output ? std::max(tile, partial) : tile;
  }

  std::int64_t residentBytes(Buffer::Use use, std::size_t operand) const {
    const mapping::Mapping& mapping = m_schedule.mapping;
    if (use == Buffer::Use::Resident) {
      return mapping::residentBytes(m_nest.inputs[operand], mapping.inputs[operand],
                                    m_schedule.tiling);
    }
    return mapping::residentBytes(m_nest, m_nest.outputs[operand], mapping.outputs[operand],
                                  m_schedule.tiling, mapping.order);
  }

  /// Tensors in local memory have room there for the tiles that their slots do not hold. Other
  /// tensors have none.
  void checkResidents(Buffer::Use use, const std::vector<kernel::Operand>& operands) {
    for (std::size_t o = 0; o < operands.size(); ++o) {
      const auto held = std::ranges::find_if(m_schedule.buffers, [&](const Buffer& buffer) {
        return buffer.use == use && buffer.operand == static_cast<int>(o);
      });
      const std::int64_t bytes = residentBytes(use, o);
      const bool has = held != m_schedule.buffers.end();
      if (has == (bytes > 0)) continue;
      if (has) {
        m_findings.atBuffer(static_cast<std::size_t>(held - m_schedule.buffers.begin()),
                            fmt::format("buffer {} is of a tensor that does not live in local "
                                        "memory beside its slots",
                                        held->name),
                            "leave it out, or give the tensor `layout local`");
        continue;
      }
      m_findings.whole(
          fmt::format("{} lives in local memory (`layout local`), but no buffer holds its "
                      "{} bytes on each core",
                      operands[o].name, bytes),
          fmt::format("write `buffer R: {} {}, 1 slot of {} B`", nameOf(use), operands[o].name,
                      bytes));
    }
  }

  /// Forwarded outputs have room for all tiles that are not taken yet. Other outputs have none.
  void checkHeld() {
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
      const kernel::Operand& output = m_nest.outputs[o];
      const std::int64_t wanted =
          mapping::heldIterations(m_nest, m_schedule.mapping, m_schedule.tiling, output);
      const auto held = std::ranges::find_if(m_schedule.buffers, [&](const Buffer& buffer) {
        return buffer.use == Buffer::Use::Held && buffer.operand == static_cast<int>(o);
      });
      const bool has = held != m_schedule.buffers.end();
      if (wanted == 0 && has) {
        m_findings.atBuffer(static_cast<std::size_t>(held - m_schedule.buffers.begin()),
                            fmt::format("buffer {} holds tiles that no core takes", held->name),
                            "leave it out");
      } else if (wanted > 0 && (!has || held->slots < wanted)) {
        m_findings.whole(
            fmt::format("cores take tiles of {} from each other, but there is no room for {} "
                        "iteration(s) of them",
                        output.name, wanted),
            fmt::format(
                "write `buffer H: held {}, {} slots of {} B`", output.name, wanted,
                mapping::heldBytes(output, 1, m_schedule.tiling, m_schedule.mapping.order)));
      }
    }
  }

  void checkCapacity() {
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_schedule.buffers[b];
      const std::int64_t tile = tileBytes(buffer);
      if (buffer.bytes >= tile) continue;
      m_findings.atBuffer(b, fmt::format("a tile of {} has {} bytes, a slot of buffer {} {}",
                                         buffer.name, tile, buffer.name, buffer.bytes));
    }
    checkResidents(Buffer::Use::Resident, m_nest.inputs);
    checkResidents(Buffer::Use::Remaining, m_nest.outputs);
    checkHeld();
    checkSharedBuffers();
    const std::int64_t bytes = localBytesOf(m_schedule, m_hw);
    if (bytes <= m_hw.local().bytes) return;
    const bool own = m_hw.local().sharedBy == 1;
    m_findings.whole(fmt::format("the buffers need {} bytes of local memory {}, {} has {}", bytes,
                                 own ? "on each core" : "for the cores that share it",
                                 m_hw.local().name, m_hw.local().bytes),
                     "smaller tile sizes, transfers further inside, or single buffers");
  }

  void checkSharedBuffers() {
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_schedule.buffers[b];
      const auto operand = static_cast<std::size_t>(buffer.operand);
      if (!isInSharedBuffer(buffer.use)) continue;
      const bool usesSharedBuffer = buffer.use == Buffer::Use::SharedInput
                                        ? m_schedule.mapping.inputs[operand].usesSharedBuffer()
                                        : m_schedule.mapping.outputs[operand].usesSharedBuffer();
      if (usesSharedBuffer) continue;
      m_findings.atBuffer(
          b, fmt::format("buffer {} is for an operand that does not use the shared buffer",
                         buffer.name));
    }
    std::int64_t bytes = 0;
    for (const Buffer& buffer : m_schedule.buffers) {
      if (isInSharedBuffer(buffer.use))
        bytes = base::saturatingAdd(bytes, bytesInSharedBuffer(buffer));
    }
    if (bytes <= m_hw.sharedBuffer().bytes) return;
    m_findings.whole(fmt::format("the buffers need {} bytes of an instance of {}, it has {}", bytes,
                                 m_hw.sharedBuffer().name, m_hw.sharedBuffer().bytes),
                     "smaller tile sizes, stays further inside, or single buffers");
  }

  // Bytes in the fullest instance, for slots of the schedule's number and size.
  std::int64_t bytesInSharedBuffer(const Buffer& buffer) const {
    const auto o = static_cast<std::size_t>(buffer.operand);
    const mapping::DimMask along =
        buffer.use == Buffer::Use::SharedInput ? m_schedule.mapping.inputs[o].along : 0;
    return base::saturatingMul(
        mapping::groupsPerInstance(m_hw, m_schedule.tiling.active, along),
        base::saturatingMul(buffer.bytes, buffer.slots));
  }

  const Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Findings& m_findings;
};

/// The epilogue runs where partial results end. Other cores lack the values for it.
class EpilogueCheck {
 public:
  EpilogueCheck(const Schedule& schedule, const kernel::TileNest& nest)
      : m_wanted(kernel::hasEpilogue(nest)), m_splits(mapping::splitDims(nest, schedule.mapping)) {
    const auto runs = [](const Process& process) {
      return std::ranges::find(process.code, Op::Epilogue, &Instruction::op) != process.code.end();
    };
    for (const Program& program : schedule.programs) {
      m_runs.push_back(std::ranges::any_of(program.processes, runs));
    }
  }

  bool check(std::size_t program, std::int32_t core, const Placement& placement,
             Findings& findings) const {
    const bool finishes = m_wanted && placement.rootOf(core, m_splits) == core;
    if (finishes == m_runs[program]) return true;
    if (finishes) {
      findings.atProgram(program, "the epilogue of the reduction is never computed here",
                         "write `epilogue` behind the loops of the reduction, before `publish`");
    } else {
      findings.atProgram(program,
                         m_wanted ? "the epilogue runs on partial results here"
                                  : "nothing follows the reduction in this kernel",
                         "leave `epilogue` out");
    }
    return false;
  }

 private:
  bool m_wanted = false;
  mapping::DimMask m_splits = 0;
  std::vector<bool> m_runs;  ///< per program
};

}  // namespace

void findInTables(const Schedule& schedule, const kernel::TileNest& nest,
                  const hardware::Topology& hw, Findings& findings) {
  TableCheck(schedule, nest, hw, findings).run();
}

void findInPlacement(const Schedule& schedule, const kernel::TileNest& nest,
                     const hardware::Topology& hw, Findings& findings) {
  const Placement placement(schedule.mapping, schedule.tiling, hw);
  const EpilogueCheck epilogues(schedule, nest);
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    const ProgramId program = schedule.programOfCore[static_cast<std::size_t>(core)];
    if (program.valid() == placement.active(core)) {
      if (program.valid() && !epilogues.check(program.index(), core, placement, findings)) return;
      continue;
    }
    std::string at;
    for (int d = 0; d < placement.dims(); ++d) {
      at += fmt::format("{}{}", d == 0 ? "" : ",", placement.coordinate(core, d));
    }
    if (program.valid()) {
      findings.atProgram(
          program.index(), fmt::format("core ({}) has a program, but no tile to work on", at),
          "tiles are assigned cyclically from coordinate 0, along the dimensions of the loops");
    } else {
      findings.whole(fmt::format("core ({}) has tiles to work on, but no program", at));
    }
    return;
  }
}

}  // namespace gridloom::schedule
