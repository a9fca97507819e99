// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_binder.h"

#include <fmt/format.h>

#include <algorithm>

#include "mapping/space.h"
#include "mapping/units.h"
#include "schedule/arrivals.h"
#include "schedule/movements.h"
#include "schedule/op_names.h"
#include "schedule/shared_copies.h"
#include "schedule/tile_demand.h"
#include "syntax/schedule_buffers.h"
#include "syntax/schedule_domain.h"
#include "syntax/schedule_programs.h"
#include "syntax/schedule_scope.h"

namespace gridloom::syntax {

namespace {

using mapping::LoopId;
using schedule::Buffer;
using Name = ScheduleText::Name;

/// Binds a text step by step. The members are in the order in which they are built.
class Binder {
 public:
  Binder(const ScheduleText& text, const kernel::Kernel& kernel, const kernel::TileNest& nest,
         const hardware::Topology& hw)
      : m_text(text), m_kernel(kernel), m_nest(nest), m_hw(hw), m_scope(text, kernel, nest, hw) {}

  base::Result<BoundSchedule> run() {
    checkKernel();
    checkUnits();
    bindLoops();
    bindMesh();
    if (sound()) bindOrder();
    if (sound()) bindWork();
    if (sound()) bindBuffers(m_text, m_scope, m_kernel, m_nest, m_out);
    if (sound()) bindChannels();
    if (sound()) bindTokens();
    if (!sound()) return std::move(m_scope.errors());
    bindPrograms(m_text, m_scope, m_nest, m_hw, m_out);
    m_out.places.source = m_text.source;
    m_out.places.whole = m_text.span;
    base::Diagnostics warnings;
    if (sound()) schedule::readMovements(m_out.schedule, m_nest);
    if (sound()) warnings = checkChannelTiles();
    if (sound()) checkMapping();
    if (!sound()) return std::move(m_scope.errors());
    return {std::move(m_out), std::move(warnings)};
  }

 private:
  bool sound() { return m_scope.errors().empty(); }
  mapping::Mapping& mapping() { return m_out.schedule.mapping; }

  void checkKernel() {
    if (m_text.kernel.text != m_kernel.name) {
      m_scope.fail(m_text.kernel.span, fmt::format("the schedule is for kernel `{}`, this is `{}`",
                                                   m_text.kernel.text, m_kernel.name));
    }
    const std::string dtype = commonDType(m_kernel);
    if (!m_text.dtype.text.empty() && m_text.dtype.text != dtype) {
      m_scope.fail(m_text.dtype.span,
                   fmt::format("the schedule is for {}, the kernel has {}", m_text.dtype.text,
                               dtype.empty() ? "several element types" : dtype),
                   fmt::format("set it: --dtype {}", m_text.dtype.text));
    }
    for (const ScheduleText::Sized& given : m_text.parameters) {
      const auto known =
          std::ranges::find(m_kernel.parameters, given.name.text, &kernel::Parameter::name);
      if (known == m_kernel.parameters.end()) {
        m_scope.fail(given.name.span, fmt::format("kernel `{}` has no parameter `{}`",
                                                  m_kernel.name, given.name.text));
      } else if (known->value != given.value.value) {
        m_scope.fail(given.value.span,
                     fmt::format("the schedule is for {} = {}, the kernel has {}", known->name,
                                 given.value.value, known->value),
                     fmt::format("set it: --set {}={}", known->name, given.value.value));
      }
    }
  }

  /// The nest has the units of the text; which ones there are, `resolve` has checked.
  void checkUnits() {
    const auto pinned = mapping::pinnedUnits(m_kernel, m_nest);
    for (const ScheduleText::Unit& given : m_text.units) {
      const auto at = pinned.find(given.tensor.text);
      if (at != pinned.end() && nameOf(at->second) == given.unit.text) continue;
      m_scope.fail(given.span,
                   fmt::format("products of `{}` do not run on the {} unit here", given.tensor.text,
                               given.unit.text),
                   fmt::format("`unit({}, {})` is the directive for it", given.tensor.text,
                               given.unit.text));
    }
  }

  void bindLoops() {
    mapping().tileSize.assign(m_kernel.loops.size(), 0);
    mapping().space.assign(m_hw.dims().size(), LoopId{});
    for (const ScheduleText::Loop& loop : m_text.loops) {
      const auto at = m_scope.loop(loop.name);
      if (!at) continue;
      const std::int64_t extent = m_kernel.loops[*at].extent;
      if (loop.extent.value != extent) {
        m_scope.fail(loop.extent.span, fmt::format("loop `{}` has {} iterations in the kernel",
                                                   loop.name.text, extent));
      } else if (loop.tileSize.value > extent) {
        m_scope.fail(loop.tileSize.span,
                     fmt::format("a tile has at most the loop's {} iterations", extent));
      }
      mapping().tileSize[*at] = loop.tileSize.value;
      for (const Name& dim : loop.dims) deal(dim, LoopId::of(*at));
    }
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      if (mapping().tileSize[l] > 0) continue;
      const kernel::Loop& loop = m_kernel.loops[l];
      m_scope.fail(m_text.span, fmt::format("loop `{}` of the kernel is missing", loop.name),
                   fmt::format("write `loop {0} = {1} by {1}`", loop.name, loop.extent));
    }
  }

  void deal(const Name& dim, LoopId loop) {
    const auto d = m_scope.dim(dim);
    if (!d) return;
    if (mapping().space[*d].valid()) {
      m_scope.fail(dim.span, fmt::format("mesh dimension `{}` carries two loops", dim.text));
    }
    mapping().space[*d] = loop;
  }

  void bindMesh() {
    for (const ScheduleText::Sized& given : m_text.mesh) {
      const auto d = m_scope.dim(given.name);
      if (!d) continue;
      mapping().dimOrder.push_back(static_cast<std::uint8_t>(*d));
      const std::int64_t size = m_hw.dims()[*d].size;
      if (given.value.value == size) continue;
      m_scope.fail(given.value.span,
                   fmt::format("the schedule is for {} = {}, `{}` has {}", given.name.text,
                               given.value.value, m_hw.name(), size));
    }
    if (!sound() || mapping().dimOrder.size() == m_hw.dims().size()) return;
    std::string all;
    for (const hardware::MeshDim& dim : m_hw.dims()) {
      all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", dim.name, dim.size);
    }
    m_scope.fail(m_text.span, "the segment does not name every mesh dimension",
                 "write `segment " + all + " { ... }`");
  }

  // The temporal loops of a core: all loops with more than one wave, each once.
  void bindOrder() {
    m_out.schedule.tiling = mapping::tilingOf(mapping(), m_kernel, m_hw);
    const auto& tilings = m_out.schedule.tiling.loops;
    for (const Name& name : m_text.order) {
      const auto loop = m_scope.loop(name);
      if (!loop) continue;
      mapping().order.push_back(LoopId::of(*loop));
      if (tilings[*loop].trips > 1) continue;
      m_scope.fail(name.span, fmt::format("loop `{}` has one wave only", name.text),
                   "leave it out of the order");
    }
    for (std::size_t l = 0; l < tilings.size(); ++l) {
      const auto& order = mapping().order;
      if (tilings[l].trips > std::numeric_limits<std::int32_t>::max()) {
        m_scope.fail(m_text.span,
                     fmt::format("too many waves of loop `{}`: {}", m_kernel.loops[l].name,
                                 tilings[l].trips),
                     "use larger tile sizes");
      }
      if (tilings[l].trips == 1 || std::ranges::find(order, LoopId::of(l)) != order.end()) continue;
      m_scope.fail(m_text.span,
                   fmt::format("loop `{}` has {} waves and stands not in the order",
                               m_kernel.loops[l].name, tilings[l].trips),
                   "name it: `order ...`");
    }
    m_out.schedule.outputLevel = mapping::outputLevel(m_nest, mapping().order);
  }

  // The domain follows from the kernel; a schedule repeats it for its readers. They must agree.
  void bindWork() {
    m_out.schedule.work = bindDomain(m_text.where, m_scope);
    m_out.schedule.grids = schedule::outputGrids(m_nest);
    checkDomain(m_text.where, m_out.schedule.work, m_nest.work, "iterations have work", m_text.span,
                m_kernel, m_scope);
  }

  void bindChannels() {
    for (const ScheduleText::Channel& from : m_text.channels) {
      schedule::Channel to;
      to.name = from.name.text;
      to.kind = from.kind;
      for (const Name& dim : from.along) {
        if (const auto d = m_scope.dim(dim)) {
          to.along |= mapping::DimMask{1} << *d;
          to.first = static_cast<std::uint8_t>(*d);
        }
      }
      if (!from.first.text.empty()) {
        if (const auto d = m_scope.dim(from.first)) to.first = static_cast<std::uint8_t>(*d);
      }
      if (const auto b = m_scope.buffer(from.target)) to.target = schedule::BufferId::of(*b);
      to.step = static_cast<int>(from.step.value);
      to.depth = static_cast<int>(from.depth.value);
      checkChannel(from, to);
      m_out.schedule.channels.push_back(std::move(to));
      m_out.places.channels.push_back(from.span);
    }
    m_out.schedule.localBytes = schedule::localBytesOf(m_out.schedule, m_hw);
  }

  void checkChannel(const ScheduleText::Channel& from, const schedule::Channel& to) {
    using Kind = schedule::Channel::Kind;
    const bool steps = to.kind == Kind::Neighbour || to.kind == Kind::Pair;
    if (steps == (to.step == 0)) {
      m_scope.fail(from.step.value == 0 ? from.span : from.step.span,
                   steps ? "a channel to a neighbour or a pair has a step"
                         : "only channels to neighbours and pairs have a step",
                   steps ? "write `along x step 1`" : "leave `step` out");
    }
    const bool casts = to.kind == Kind::Multicast || to.kind == Kind::Feed;
    if (!casts && to.kind != Kind::Share && from.along.size() > 1) {
      m_scope.fail(from.along[1].span,
                   "only a multicast and what is shared run along several dimensions");
    }
    if (casts && from.along.size() > 2) {
      m_scope.fail(from.along[2].span, "a multicast runs along at most two dimensions");
    }
    if (!from.first.text.empty() && (to.along >> to.first & 1U) == 0) {
      m_scope.fail(from.first.span, "the first dimension is not one the multicast runs along");
    }
  }

  void bindTokens() {
    for (const ScheduleText::Token& token : m_text.tokens) {
      m_out.schedule.tokens.push_back(
          {token.name.text, static_cast<std::int32_t>(token.atStart.value)});
      m_out.places.tokens.push_back(token.span);
    }
    for (const ScheduleText::DmaConstraint& from : m_text.dmaConstraints) {
      schedule::DmaConstraint& to = m_out.schedule.dmaConstraints.emplace_back();
      to.kind = from.kind;
      for (const ScheduleText::DmaConstraint::Member& member : from.members) bindMember(member, to);
      m_out.places.dmaConstraints.push_back(from.span);
    }
  }

  void bindMember(const ScheduleText::DmaConstraint::Member& from,
                  schedule::DmaConstraint& dmaConstraint) {
    const bool writes = from.role == schedule::Process::Role::Writer;
    const bool input = !writes && m_scope.isInput(from.operand);
    const auto operand =
        m_scope.operand(input ? Buffer::Use::Input : Buffer::Use::Output, from.operand);
    if (!operand) return;
    const schedule::DmaConstraint::Member member{writes, input, static_cast<int>(*operand)};
    if (std::ranges::find(dmaConstraint.members, member) != dmaConstraint.members.end()) {
      m_scope.fail(from.operand.span,
                   fmt::format("`{} {}` is named twice", nameOf(from.role), from.operand.text));
    }
    dmaConstraint.members.push_back(member);
  }

  /// Errors stop the binding as all others do; warnings are returned.
  base::Diagnostics checkChannelTiles() {
    base::Diagnostics found =
        schedule::checkArrivals(m_out.schedule, m_kernel, m_nest, m_hw, &m_out.places);
    if (base::hasError(found)) m_scope.errors() = found;
    return found;
  }

  void checkMapping() {
    for (base::Diagnostic& error :
         mapping::checkMapping(m_kernel, m_nest, m_hw, m_out.schedule.mapping)) {
      if (error.severity == base::Severity::Error) {
        m_scope.fail(m_text.span, std::move(error.message), std::move(error.hint));
      }
    }
  }

  const ScheduleText& m_text;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  ScheduleScope m_scope;
  BoundSchedule m_out;
};

}  // namespace

base::Result<BoundSchedule> bindSchedule(const ScheduleText& text, const kernel::Kernel& kernel,
                                         const kernel::TileNest& nest,
                                         const hardware::Topology& hw) {
  return Binder(text, kernel, nest, hw).run();
}

}  // namespace gridloom::syntax
