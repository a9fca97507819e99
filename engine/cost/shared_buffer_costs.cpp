// SPDX-License-Identifier: Apache-2.0
// The stages of movements through shared buffers.
#include <algorithm>

#include "cost/edge_tile_fraction.h"
#include "cost/evaluator.h"
#include "mapping/partials.h"

namespace gridloom::cost {

using kernel::Operand;
using mapping::InputMovement;
using mapping::Memory;
using mapping::OutputMovement;
using mapping::TransferStep;
using mapping::TransferSteps;

// How long a transfer occupies the DMA channels of a shared buffer, on either side.
DmaUse::Shared Evaluator::sharedUse(const TiledCandidate& s, Memory memory, mapping::DimMask along,
                                    const Transfer& c) const {
  if (!memory.isShared()) return {};
  const hardware::SharedBuffer& buffer = m_hw.sharedBuffer(memory.level());
  return {static_cast<int>(memory.level()), c.start + c.alone(),
          static_cast<double>(mapping::groupsPerInstance(buffer, s.active, along))};
}

Stages Evaluator::stages(const TiledCandidate& s, std::size_t index, const InputMovement& m) const {
  Stages out;
  if (!m.usesSharedBuffer()) {
    out.push_back(input(s, index, m));
    return out;
  }
  const TransferSteps steps = mapping::inputSteps(m, 0);
  out.push_back(filled(s, index, m, steps));
  for (std::size_t n = 1; n < steps.size(); ++n) {
    out.push_back(fed(s, index, m, steps, n, out.back()));
  }
  std::reverse(out.begin(), out.end());  // each follows from the one before it
  return out;
}

namespace {

struct Entry {
  int level = 0, buffers = 1;
};

// How tiles enter the memory that a step leads to.
Entry entryOf(const InputMovement& m, const TransferStep& step) {
  if (!step.to.isShared()) return {m.level, m.buffers};
  const mapping::SharedBufferUse& use = m.sharedBuffers[step.to.level()];
  return {use.level, use.buffers};
}

}  // namespace

// Guards leave out transfers, and rounds of a rotation share one.
double Evaluator::bytesRead(const TiledCandidate& s, std::size_t index,
                            const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  if (operand.produced || !operand.guard.always() || m.kind == mapping::MovementKind::Rotate)
    return 0;
  if (m.usesSharedBuffer()) {
    const TransferStep step = mapping::inputSteps(m, 0)[0];
    return bytesOf(s, operand, step.zero, entryOf(m, step).level) *
           s.patterns->through(step).transfers;
  }
  const mapping::DimMask without = mapping::finishingDims(m_nest, operand, s.mapping) | m.shared;
  const traffic::Pattern& pattern = s.patterns->input(
      m, mapping::sharedDims(operand, s.mapping), without, windowAt(s, operand, m.level, m.layout));
  return bytesOf(s, operand, m.along | m.shared, m.level) * pattern.transfers;
}

// One transfer of an inner step without contention.
double Evaluator::onward(const TiledCandidate& s, const Operand& operand, const InputMovement& m,
                         const TransferStep& step) const {
  const traffic::Pattern& way = s.patterns->through(step);
  const Entry entry = entryOf(m, step);
  const Transfer c = arriving(s, operand, step.zero | step.along, entry.level, entry.buffers, way);
  return sendFixed() + way.loadLatency + c.bytes * way.together[0];
}

// What the steps further inwards mean for the transfers of step `n` into a shared buffer.
void Evaluator::leadOn(const TiledCandidate& s, const Operand& operand, const InputMovement& m,
                       const TransferSteps& steps, std::size_t n, Transfer& c, Load& load) const {
  // The last tile goes to the cores without contention.
  double rest = 0;
  for (std::size_t k = n + 1; k < steps.size(); ++k) rest += onward(s, operand, m, steps[k]);
  load.ahead = load.first - c.firstBytes() * c.pattern->loadPeak + rest;
  // Compute waits for the transfers to the cores, never for this one.
  c.overlapped = true;
  const Entry here = entryOf(m, steps[n]), next = entryOf(m, steps[n + 1]);
  if (here.buffers != 1) return;
  const double feed = onward(s, operand, m, steps[n + 1]);
  if (next.level == here.level)
    c.after = feed;  // the next tile enters when this one has left
  else
    load.feed = {next.level, static_cast<double>(next.buffers), feed};
}

// From global memory into the outermost shared buffer.
MovementCost Evaluator::filled(const TiledCandidate& s, std::size_t index, const InputMovement& m,
                               const TransferSteps& steps) const {
  const Operand& operand = m_nest.inputs[index];
  const TransferStep& step = steps[0];
  const Entry entry = entryOf(m, step);
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  cost.stage = Stage::Outer;
  Transfer& c = cost.transfer =
      arriving(s, operand, step.zero, entry.level, entry.buffers, s.patterns->through(step));
  throughChannels(s, operand, mapping::TensorLayout::PageInterleaved, c, false);
  Load load{step.zero};
  load.fills = operand.phase != kernel::Phase::Epilogue;
  load.first = c.allAtOnce();
  leadOn(s, operand, m, steps, 0, c, load);
  c.dma.sharedIn = sharedUse(s, step.to, step.zero, c);
  cost.kind = load;
  return cost;
}

// From a shared buffer to the cores, or to the next shared buffer inwards.
MovementCost Evaluator::fed(const TiledCandidate& s, std::size_t index, const InputMovement& m,
                            const TransferSteps& steps, std::size_t n,
                            const MovementCost& before) const {
  const Operand& operand = m_nest.inputs[index];
  const TransferStep& step = steps[n];
  const Entry entry = entryOf(m, step);
  const traffic::Pattern& p = s.patterns->through(step);
  const mapping::DimMask sharing = step.zero | step.along;
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  cost.stage = step.to.isShared() ? Stage::Outer : Stage::Cores;
  Transfer& c = cost.transfer = arriving(s, operand, sharing, entry.level, entry.buffers, p);
  c.start = sendFixed() + p.loadLatency;
  // Tiles that arrive in a shared buffer one after the other also leave it so.
  const Transfer& arrival = before.transfer;
  c.packet = m_packet;
  c.interleaves = c.bytes > c.packet && arrival.interleaves;
  Load load{sharing};
  load.fills = operand.phase != kernel::Phase::Epilogue;
  load.ahead = c.start + (arrival.interleaves ? std::get<Load>(before.kind).first
                                              : arrival.start + arrival.alone());
  load.first = load.ahead + std::max(c.firstBytes() * p.loadPeak, c.alone());
  c.dma.sharedOut = sharedUse(s, step.from, sharing, c);
  if (step.to.isShared()) {
    leadOn(s, operand, m, steps, n, c, load);
    c.dma.sharedIn = sharedUse(s, step.to, step.zero, c);
  } else {
    c.dma.first.in = c.dma.other.in = c.start + c.alone();
  }
  cost.kind = load;
  return cost;
}

Stages Evaluator::stages(const TiledCandidate& s, std::size_t index,
                         const OutputMovement& m) const {
  Stages out;
  if (!m.usesSharedBuffer()) {
    out.push_back(output(s, index, m));
    return out;
  }
  const TransferSteps steps = mapping::outputSteps(m, 0, m_hw);
  out.push_back(drained(s, index, m, steps[0]));
  for (std::size_t n = 1; n < steps.size(); ++n) {
    out.push_back(passedOn(s, index, m, steps[n], out.back()));
  }
  return out;
}

// From the cores to a shared buffer.
MovementCost Evaluator::drained(const TiledCandidate& s, std::size_t index, const OutputMovement& m,
                                const TransferStep& step) const {
  const Operand& operand = m_nest.outputs[index];
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  cost.stage = Stage::Cores;
  Transfer& c = cost.transfer = leaving(s, operand, s.patterns->through(step));
  c.overlapped = m.buffers == 2;
  c.packet = m_packet;
  c.turn = c.packet * c.pattern->loadPeak;
  // Tiles that leave the shared buffers one after the other also enter them so.
  c.interleaves = c.bytes > c.packet &&
                  c.bytes > channelsFor(mapping::TensorLayout::PageInterleaved, c.bytes,
                                        tileBytes(s, operand), m_hw.global().writeBandwidth)
                                .packet;
  c.start = sendFixed() + c.pattern->loadLatency;
  c.dma.first.out = c.dma.other.out = c.start + c.alone();
  c.dma.sharedIn = sharedUse(s, step.to, 0, c);
  cost.kind = Store{c.allAtOnce()};
  return cost;
}

// From a shared buffer to the next one outwards, or to global memory.
MovementCost Evaluator::passedOn(const TiledCandidate& s, std::size_t index,
                                 const OutputMovement& m, const TransferStep& step,
                                 const MovementCost& before) const {
  const Operand& operand = m_nest.outputs[index];
  const Transfer& first = before.transfer;
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  cost.stage = Stage::Outer;
  Transfer& c = cost.transfer = leaving(s, operand, s.patterns->through(step));
  c.overlapped = true;
  if (step.to.isShared()) {
    c.packet = m_packet;
    c.turn = c.packet * c.pattern->loadPeak;
    c.interleaves = first.interleaves;
    c.start = sendFixed() + c.pattern->loadLatency;
  } else {
    throughChannels(s, operand, mapping::TensorLayout::PageInterleaved, c, true);
  }
  c.dma.sharedOut = sharedUse(s, step.from, 0, c);
  c.dma.sharedIn = sharedUse(s, step.to, 0, c);
  // With a single buffer there, the next tile enters when this one has left.
  if (m.sharedBuffers[step.from.level()] == 1) c.after = first.start + first.together(0);
  // Finished tiles go through it one after the other, unless their packets interleave.
  const double last = std::get<Store>(before.kind).last;
  cost.kind = Store{first.interleaves ? last + c.allAtOnce()
                                      : std::max(last + c.start + c.alone(),
                                                 first.start + first.alone() + c.allAtOnce())};
  return cost;
}

}  // namespace gridloom::cost
