// SPDX-License-Identifier: Apache-2.0
#include "schedule/engines.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "schedule/op_names.h"
#include "timing/dma_assignment.h"

namespace gridloom::schedule {

namespace {

/// Sets of processes that share channels, one bit per process.
using Mask = std::uint64_t;

Mask membersOf(const Schedule& schedule, const Program& program,
               const DmaConstraint& dmaConstraint) {
  Mask mask = 0;
  for (std::size_t p = 0; p < program.processes.size(); ++p) {
    const bool in =
        std::ranges::any_of(dmaConstraint.members, [&](const DmaConstraint::Member& member) {
          return isMember(schedule, program.processes[p], member);
        });
    if (in) mask |= Mask{1} << p;
  }
  return mask;
}

/// The processes of `flows` in groups: those with a channel of their own, and those that share one.
struct Groups {
  std::vector<Mask> alone, others;
  bool contradict = false;  ///< a process has both affinity and concurrency
};

Groups groupsOf(const Schedule& schedule, const Program& program, Mask flows) {
  Mask exclusive = 0;
  std::vector<Mask> tied;
  for (const DmaConstraint& dmaConstraint : schedule.dmaConstraints) {
    Mask mask = membersOf(schedule, program, dmaConstraint) & flows;
    if (dmaConstraint.kind == DmaConstraint::Kind::Concurrency) {
      exclusive |= mask;
      continue;
    }
    // Affinities with a common process merge into one.
    std::erase_if(tied, [&](Mask known) {
      if ((known & mask) == 0) return false;
      mask |= known;
      return true;
    });
    tied.push_back(mask);
  }
  Groups groups;
  for (std::size_t p = 0; p < program.processes.size(); ++p) {
    const Mask self = Mask{1} << p;
    if ((flows & self) == 0) continue;
    const auto own = std::ranges::find_if(tied, [&](Mask mask) { return (mask & self) != 0; });
    const Mask group = own == tied.end() ? self : *own;
    if ((exclusive & self) != 0) {
      groups.contradict = groups.contradict || group != self;
      groups.alone.push_back(self);
    } else if ((group & (self - 1)) == 0) {  // each group is handled once, at its first process
      groups.others.push_back(group & ~exclusive);
    }
  }
  return groups;
}

/// A tile that is already in place: loaded from, or stored to, the memory it lies in, or read from
/// a shared copy.
bool isInPlace(const Schedule& schedule, const Instruction& i) {
  if (i.op == Op::Send || i.op == Op::Receive) {
    return schedule.channels[i.channel.index()].kind == Channel::Kind::Share;
  }
  if (i.op != Op::Load && i.op != Op::Store) return false;
  const Buffer& buffer = schedule.buffers[i.buffer.index()];
  const auto operand = static_cast<std::size_t>(buffer.operand);
  const auto& mapping = schedule.mapping;
  return (isOfInput(buffer.use) ? mapping.inputs[operand].layout
                                : mapping.outputs[operand].layout) == mapping::TensorLayout::Local;
}

bool entersItsBuffer(Op op) { return op == Op::Load || op == Op::Receive; }
bool leavesItsBuffer(Op op) { return op == Op::Store || op == Op::Send; }

bool isTransfer(const Schedule& schedule, const Instruction& i) {
  return (entersItsBuffer(i.op) || leavesItsBuffer(i.op)) && !isInPlace(schedule, i);
}

/// Bytes that a process transfers into or out of local memory, as if all its tiles were whole.
double bytesOf(const Schedule& schedule, const Process& process, Direction direction) {
  std::vector<double> trips{1};
  double bytes = 0;
  for (const Instruction& i : process.code) {
    if (i.op == Op::LoopBegin) {
      const mapping::LoopId loop = schedule.order[static_cast<std::size_t>(i.arg)];
      const mapping::LoopTiling& tiling = schedule.tiling.loops[loop.index()];
      const std::int64_t iterations = (tiling.tiles + tiling.unroll - 1) / tiling.unroll;
      trips.push_back(trips.back() * static_cast<double>(iterations));
    } else if (i.op == Op::LoopEnd) {
      trips.pop_back();
    } else if (isTransfer(schedule, i)) {
      const Buffer& buffer = schedule.buffers[i.buffer.index()];
      const bool counts =
          !isInSharedBuffer(buffer.use) && entersItsBuffer(i.op) == (direction == Direction::In);
      if (counts) bytes += trips.back() * static_cast<double>(buffer.bytes);
    }
  }
  return bytes;
}

/// The bytes of processes that share one channel.
struct Load {
  Mask group = 0;
  double bytes = 0;
};

std::vector<Load> loadsOf(const Schedule& schedule, const Program& program,
                          const std::vector<Mask>& groups, Direction direction) {
  std::vector<Load> loads;
  for (const Mask group : groups) {
    double bytes = 0;
    for (std::size_t p = 0; p < program.processes.size(); ++p) {
      if ((group >> p & 1U) != 0) bytes += bytesOf(schedule, program.processes[p], direction);
    }
    loads.push_back({group, bytes});
  }
  return loads;
}

}  // namespace

Flows flowsOf(const Schedule& schedule, const Process& process) {
  Flows flows;
  for (const Instruction& i : process.code) {
    if (!isTransfer(schedule, i)) continue;
    const Buffer& buffer = schedule.buffers[i.buffer.index()];
    const bool enters = entersItsBuffer(i.op);
    if (isInSharedBuffer(buffer.use)) {
      (enters ? flows.sharedIn : flows.sharedOut) = static_cast<int>(buffer.sharedLevel);
    } else {
      (enters ? flows.localIn : flows.localOut) = true;
    }
  }
  return flows;
}

bool isMember(const Schedule& schedule, const Process& process,
              const DmaConstraint::Member& member) {
  const auto role = member.writes ? Process::Role::Writer : Process::Role::Mover;
  if (process.role != role) return false;
  return std::ranges::any_of(process.code, [&](const Instruction& i) {
    if (!i.buffer.valid()) return false;
    const Buffer& buffer = schedule.buffers[i.buffer.index()];
    return !isOfAllReduce(buffer.use) && isOfInput(buffer.use) == member.ofInput &&
           buffer.operand == member.operand;
  });
}

ChannelPlan planChannels(const Schedule& schedule, const Program& program, Direction direction,
                         std::int64_t limit) {
  ChannelPlan plan;
  plan.channelOf.assign(program.processes.size(), -1);
  Mask flows = 0;
  for (std::size_t p = 0; p < program.processes.size(); ++p) {
    const Flows of = flowsOf(schedule, program.processes[p]);
    if (direction == Direction::In ? of.localIn : of.localOut) flows |= Mask{1} << p;
  }
  plan.flows = std::popcount(flows);
  Groups groups = groupsOf(schedule, program, flows);
  const auto alone = static_cast<int>(groups.alone.size());
  plan.needed = alone + (groups.others.empty() ? 0 : 1);
  plan.feasible = !groups.contradict && (limit == 0 || plan.needed <= limit);
  if (!plan.feasible) return plan;
  const auto give = [&](Mask group, int channel) {
    for (std::size_t p = 0; p < plan.channelOf.size(); ++p) {
      if ((group >> p & 1U) != 0) plan.channelOf[p] = channel;
    }
  };
  for (int n = 0; n < alone; ++n) give(groups.alone[static_cast<std::size_t>(n)], n);
  std::vector<Load> loads = loadsOf(schedule, program, groups.others, direction);
  std::ranges::stable_sort(loads, std::greater<>(), &Load::bytes);
  timing::DmaBalance balance(limit == 0 ? loads.size() : static_cast<std::size_t>(limit - alone));
  for (const Load& load : loads) {
    give(load.group, alone + static_cast<int>(balance.assign(load.bytes)));
  }
  return plan;
}

bool limitsTransfers(const Schedule& schedule, const hardware::Topology& hw) {
  return hw.local().dma.limited() ||
         std::ranges::any_of(hw.sharedBuffers(), [](const auto& b) { return b.dma.limited(); }) ||
         std::ranges::any_of(schedule.dmaConstraints, [](const DmaConstraint& dmaConstraint) {
           return dmaConstraint.kind == DmaConstraint::Kind::Affinity;
         });
}

}  // namespace gridloom::schedule
