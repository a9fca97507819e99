// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "mapping/tile_buffers.h"
#include "schedule/check_programs.h"
#include "schedule/op_names.h"
#include "schedule/shared_copies.h"

namespace gridloom::schedule {
namespace {

/// Checks the sizes of buffers: each slot holds its tile, and the memories hold all slots.
class CapacityCheck {
 public:
  CapacityCheck(const Schedule& schedule, const kernel::TileNest& nest,
                const hardware::Topology& hw, Findings& findings)
      : m_schedule(schedule), m_nest(nest), m_hw(hw), m_findings(findings) {}

  void run() {
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

 private:
  /// The first buffer of an operand with this use; invalid: none.
  BufferId find(Buffer::Use use, std::size_t operand) const {
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_schedule.buffers[b];
      if (buffer.use == use && buffer.operand == static_cast<int>(operand)) return BufferId::of(b);
    }
    return {};
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
      const bool inPlace =
          move.layout == mapping::TensorLayout::Local && move.kind == mapping::MovementKind::Direct;
      if (inPlace && !shared) return 0;
      return mapping::tileBytes(m_nest.inputs[o], m_schedule.tiling, mapping.order,
                                shared ? move.sharedBuffers[buffer.sharedLevel].level : move.level);
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
    if (buffer.use == Buffer::Use::Partial) {
      return mapping::receivedBytes(m_nest, mapping, m_schedule.tiling, output,
                                    mapping.outputs[o].reduction);
    }
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
      const BufferId held = find(use, o);
      const std::int64_t bytes = residentBytes(use, o);
      if (held.valid() == (bytes > 0)) continue;
      if (held.valid()) {
        m_findings.atBuffer(held.index(),
                            fmt::format("buffer {} is of a tensor that does not live in local "
                                        "memory beside its slots",
                                        m_schedule.buffers[held.index()].name),
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
      const BufferId held = find(Buffer::Use::Held, o);
      const Buffer* room = held.valid() ? &m_schedule.buffers[held.index()] : nullptr;
      if (wanted == 0 && room != nullptr) {
        m_findings.atBuffer(held.index(),
                            fmt::format("buffer {} holds tiles that no core takes", room->name),
                            "leave it out");
      } else if (wanted > (room == nullptr ? 0 : room->slots)) {
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

  void checkSharedBuffers() {
    std::vector<std::int64_t> bytes(m_hw.sharedBuffers().size(), 0);
    for (std::size_t b = 0; b < m_schedule.buffers.size(); ++b) {
      const Buffer& buffer = m_schedule.buffers[b];
      if (!isInSharedBuffer(buffer.use)) continue;
      const auto operand = static_cast<std::size_t>(buffer.operand);
      const mapping::Mapping& mapping = m_schedule.mapping;
      const bool isUsed = buffer.use == Buffer::Use::SharedInput
                              ? mapping.inputs[operand].sharedBuffers[buffer.sharedLevel].isUsed()
                              : mapping.outputs[operand].sharedBuffers[buffer.sharedLevel] > 0;
      if (isUsed) {
        std::int64_t& all = bytes[buffer.sharedLevel];
        all = base::saturatingAdd(all, bytesInSharedBuffer(buffer));
        continue;
      }
      m_findings.atBuffer(
          b, fmt::format("buffer {} is for an operand that does not use the shared buffer",
                         buffer.name));
    }
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      const hardware::SharedBuffer& there = m_hw.sharedBuffer(k);
      if (bytes[k] <= there.bytes) continue;
      m_findings.whole(fmt::format("the buffers need {} bytes of an instance of {}, it has {}",
                                   bytes[k], there.name, there.bytes),
                       "smaller tile sizes, transfers into it further inside, or single buffers");
    }
  }

  // Bytes in the fullest instance, for slots of the schedule's number and size.
  std::int64_t bytesInSharedBuffer(const Buffer& buffer) const {
    return base::saturatingMul(mapping::groupsPerInstance(m_hw.sharedBuffer(buffer.sharedLevel),
                                                          m_schedule.tiling.active,
                                                          sharersOf(m_schedule, buffer)),
                               base::saturatingMul(buffer.bytes, buffer.slots));
  }

  const Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Findings& m_findings;
};

}  // namespace

void findInCapacities(const Schedule& schedule, const kernel::TileNest& nest,
                      const hardware::Topology& hw, Findings& findings) {
  CapacityCheck(schedule, nest, hw, findings).run();
}

}  // namespace gridloom::schedule
