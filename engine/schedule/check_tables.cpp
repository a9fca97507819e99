// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "schedule/check_programs.h"
#include "schedule/op_names.h"
#include "schedule/shared_copies.h"
#include "schedule/slot_rings.h"

namespace gridloom::schedule {
namespace {

/// Checks the tables that programs refer to against the nest and the mesh, all but sizes.
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
    findInCapacities(m_schedule, m_nest, m_hw, m_findings);
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
    if (buffer.bytes < 0) {
      m_findings.atBuffer(
          b, fmt::format("buffer {} has slots of {} bytes", buffer.name, buffer.bytes));
    }
    if (buffer.slots < 1 || buffer.slots > kMostSlots) {
      m_findings.atBuffer(b, fmt::format("buffer {}: a number of slots is between 1 and {}, got {}",
                                         buffer.name, kMostSlots, buffer.slots));
    }
    if (buffer.operand < 0 || static_cast<std::size_t>(buffer.operand) >= operandsOf(buffer.use)) {
      m_findings.atBuffer(
          b, fmt::format("buffer {} is of an operand that does not exist", buffer.name));
    }
    if (isInSharedBuffer(buffer.use) && buffer.sharedLevel >= m_hw.sharedBuffers().size()) {
      m_findings.atBuffer(
          b, fmt::format("buffer {} is in a shared buffer that the hardware lacks", buffer.name));
    }
    for (std::size_t earlier = 0; earlier < b; ++earlier) {
      const Buffer& other = m_schedule.buffers[earlier];
      if (other.use != buffer.use || other.operand != buffer.operand ||
          other.sharedLevel != buffer.sharedLevel) {
        continue;
      }
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
    if (channel.kind == Channel::Kind::Rotate) checkRotated(c, channel, target);
  }

  // Its rounds follow from the movement that all channels into the buffer make together.
  void checkRotated(std::size_t c, const Channel& channel, const Buffer& target) {
    const auto& inputs = m_schedule.mapping.inputs;
    const auto operand = static_cast<std::size_t>(target.operand);
    const bool rotates = target.use == Buffer::Use::Input && operand < inputs.size() &&
                         inputs[operand].kind == mapping::MovementKind::Rotate &&
                         inputs[operand].level > 0;
    if (rotates) return;
    m_findings.atChannel(
        c, fmt::format("channel {} does not fill {} alone, once per iteration of a loop",
                       channel.name, target.name));
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
             kind == Channel::Kind::Feed || kind == Channel::Kind::Share ||
             kind == Channel::Kind::Ring || kind == Channel::Kind::Rotate;
    case Buffer::Use::Partial:
      if (kind == Channel::Kind::Ring) return true;
      [[fallthrough]];
    case Buffer::Use::Contributed:
      return kind == Channel::Kind::Neighbour || kind == Channel::Kind::Pair;
    case Buffer::Use::Total:
      return kind == Channel::Kind::Multicast || kind == Channel::Kind::Neighbour;
    case Buffer::Use::Gather:
      return kind == Channel::Kind::ToRoot;
    case Buffer::Use::SharedOutput:
      return kind == Channel::Kind::Drain;
    case Buffer::Use::SharedInput:
      return kind == Channel::Kind::Feed;
    case Buffer::Use::Output:
    case Buffer::Use::Local:
    case Buffer::Use::Stationary:
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

  const Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Findings& m_findings;
};

}  // namespace

void findInTables(const Schedule& schedule, const kernel::TileNest& nest,
                  const hardware::Topology& hw, Findings& findings) {
  TableCheck(schedule, nest, hw, findings).run();
}

}  // namespace gridloom::schedule
