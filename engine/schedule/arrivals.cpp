// SPDX-License-Identifier: Apache-2.0
#include "schedule/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "affine/linear_expr.h"
#include "schedule/op_names.h"
#include "schedule/wiring.h"

namespace gridloom::schedule {
namespace {

using affine::LinearExpr;
using mapping::DimMask;

/// The space-time of a schedule: wave counters of the order, then mesh coordinates.
class SpaceTime {
 public:
  SpaceTime(const Schedule& schedule, const kernel::Kernel& kernel, const hardware::Topology& hw)
      : m_schedule(schedule) {
    for (const mapping::LoopId loop : schedule.mapping.order) {
      m_names.push_back(kernel.loop(loop).name);
    }
    for (const hardware::MeshDim& dim : hw.dims()) {
      m_names.push_back(dim.name);
      m_sizes.push_back(dim.size);
    }
  }

  std::size_t dims() const { return m_names.size() - m_schedule.mapping.order.size(); }
  LinearExpr coordinate(std::size_t dim) const {
    return LinearExpr::dim(m_schedule.mapping.order.size() + dim);
  }
  std::string text(const LinearExpr& expr) const { return toString(expr, m_names); }
  std::string at() const {
    std::string names;
    for (std::size_t d = 0; d < dims(); ++d) names += (d ? ", " : "") + text(coordinate(d));
    return names;
  }

  /// The tile of a loop that a core works on: wave * ways + position, both affine.
  LinearExpr tileOf(mapping::LoopId loop) const {
    const mapping::Mapping& mapping = m_schedule.mapping;
    const std::int64_t unroll = m_schedule.tiling.loops[loop.index()].unroll;
    LinearExpr tile = LinearExpr::number(0);
    for (std::size_t p = 0; p < mapping.order.size(); ++p) {
      if (mapping.order[p] == loop) tile = tile + LinearExpr::dim(p, unroll);
    }
    std::int64_t stride = 1;
    for (std::size_t n = mapping.dimOrder.size(); n-- > 0;) {
      const std::size_t d = mapping.dimOrder[n];
      if (mapping.space[d] != loop) continue;
      tile = tile + coordinate(d) * stride;
      stride *= m_sizes[d];
    }
    return tile;
  }

 private:
  const Schedule& m_schedule;
  std::vector<std::string> m_names;
  std::vector<std::int64_t> m_sizes;
};

/// Coordinates change by `from - to` between the ends of a channel.
LinearExpr senderShift(const Channel& channel, std::size_t dim, const SpaceTime& at,
                       const LinearExpr& tile, std::size_t column) {
  const std::int64_t factor = tile.coefficient(column);
  switch (channel.kind) {
  case Channel::Kind::Neighbour:
    return LinearExpr::number(-factor * channel.step);
  case Channel::Kind::Ring:
  case Channel::Kind::Rotate:
    return LinearExpr::number(-factor);
  case Channel::Kind::Pair:
    return LinearExpr::number(factor * channel.step);
  case Channel::Kind::Multicast:
  case Channel::Kind::ToRoot:
  case Channel::Kind::Drain:
  case Channel::Kind::Share:
  case Channel::Kind::Feed:
    break;
  }
  return at.coordinate(dim) * -factor;  // to or from coordinate 0
}

class ArrivalCheck {
 public:
  ArrivalCheck(const Schedule& schedule, const kernel::Kernel& kernel, const kernel::TileNest& nest,
               const hardware::Topology& hw, Findings& findings)
      : m_schedule(schedule),
        m_nest(nest),
        m_hw(hw),
        m_at(schedule, kernel, hw),
        m_kernel(kernel),
        m_findings(findings) {}

  void run() {
    for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) checkTiles(c);
    for (std::size_t c = 0; c < m_schedule.channels.size(); ++c) checkArrivalOrder(c);
  }

 private:
  const Buffer& targetOf(const Channel& channel) const {
    return m_schedule.buffers[channel.target.index()];
  }
  const std::string& nameOf(const Channel& channel) const {
    return operandName(m_nest, targetOf(channel).use, targetOf(channel).operand);
  }
  const std::vector<mapping::LoopId>& loopsOf(const Channel& channel) const {
    const Buffer& target = targetOf(channel);
    const auto o = static_cast<std::size_t>(target.operand);
    if (isOfAllReduce(target.use)) return m_nest.allReduces[o].loops;
    return isOfInput(target.use) ? m_nest.inputs[o].loops : m_nest.outputs[o].loops;
  }

  // A received tile must equal the receiver's tile of that iteration. The difference of the
  // sender's tile at the same waves and the receiver's own is affine and must vanish.
  void checkTiles(std::size_t c) {
    const Channel& channel = m_schedule.channels[c];
    if (targetOf(channel).use == Buffer::Use::Gather) return;
    for (const mapping::LoopId loop : loopsOf(channel)) {
      const LinearExpr tile = m_at.tileOf(loop);
      LinearExpr shift = LinearExpr::number(0);
      for (std::size_t d = 0; d < m_at.dims(); ++d) {
        if ((channel.along >> d & 1U) == 0) continue;
        const std::size_t column = m_schedule.mapping.order.size() + d;
        shift = shift + senderShift(channel, d, m_at, tile, column);
      }
      if (shift == LinearExpr::number(0)) continue;
      m_findings.atChannel(
          c,
          fmt::format("core ({}) needs tile {} of {} along {}, channel {} delivers tile {}",
                      m_at.at(), m_at.text(tile), nameOf(channel), m_kernel.loop(loop).name,
                      channel.name, m_at.text(tile + shift)),
          fmt::format("{} can be shared only along dimensions that carry no loop of its access",
                      nameOf(channel)));
      return;
    }
  }

  bool streams(const Channel& channel) const {
    return channel.kind == Channel::Kind::Neighbour && targetOf(channel).use == Buffer::Use::Input;
  }

  // A tile that is streamed along d arrives one hop later at each next core: at t = wave + step *
  // d, plus a delay at its source that may depend on the other coordinates only. Operands arrive
  // together when some choice of delays makes these functions equal. So along each dimension, all
  // streams must have the same direction.
  void checkArrivalOrder(std::size_t c) {
    const Channel& channel = m_schedule.channels[c];
    if (!streams(channel)) return;
    for (std::size_t e = 0; e < c; ++e) {
      const Channel& other = m_schedule.channels[e];
      const bool against =
          streams(other) && other.along == channel.along && other.step != channel.step;
      if (!against) continue;
      const auto dim = static_cast<std::size_t>(dimOf(channel.along));
      const std::int64_t apart = m_hw.dims()[dim].size - 1;
      m_findings.warnAtChannel(
          c,
          fmt::format("tiles of {} arrive at core ({}) {} step(s) after the start of their wave, "
                      "tiles of {} {}: they arrive together on one core only",
                      nameOf(channel), m_at.at(), arrival(channel, dim), nameOf(other),
                      arrival(other, dim)),
          fmt::format(
              "let both run in one direction, or give them {} slots more: they are up to {} "
              "waves apart",
              apart, apart));
    }
  }

  std::string arrival(const Channel& channel, std::size_t dim) const {
    LinearExpr at = m_at.coordinate(dim) * channel.step;
    if (channel.step < 0) at = at + LinearExpr::number(m_hw.dims()[dim].size - 1);
    return m_at.text(at);
  }

  const Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  SpaceTime m_at;
  const kernel::Kernel& m_kernel;
  Findings& m_findings;
};

}  // namespace

base::Diagnostics checkArrivals(const Schedule& schedule, const kernel::Kernel& kernel,
                                const kernel::TileNest& nest, const hardware::Topology& hw,
                                const SourceMap* places) {
  Findings findings(schedule, places);
  ArrivalCheck(schedule, kernel, nest, hw, findings).run();
  return findings.take();
}

}  // namespace gridloom::schedule
