// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/op_names.h"
#include "schedule/tile_demand.h"
#include "syntax/schedule_domain.h"

namespace gridloom::syntax {

namespace {

using mapping::LoopId;
using schedule::Buffer;
using Name = ScheduleText::Name;

class BufferBinder {
 public:
  BufferBinder(const ScheduleText& text, ScheduleScope& scope, const kernel::Kernel& kernel,
               const kernel::TileNest& nest, BoundSchedule& out)
      : m_text(text), m_scope(scope), m_kernel(kernel), m_nest(nest), m_out(out) {}

  void bind() {
    mapping().inputs.assign(m_nest.inputs.size(), {});
    mapping().outputs.assign(m_nest.outputs.size(), {});
    mapping().allReduces.assign(m_nest.allReduces.size(), mapping::ReductionTopology::None);
    for (const ScheduleText::Buffer& from : m_text.buffers) {
      const auto operand = m_scope.operand(from.use, from.operand);
      if (!operand) continue;
      m_out.schedule.buffers.push_back({from.name.text, from.use, static_cast<int>(*operand),
                                        from.bytes.value, static_cast<int>(from.slots.value),
                                        sharedLevel(from)});
      m_out.places.buffers.push_back(from.span);
      if (schedule::isOfInput(from.use)) bindInput(from, *operand);
      if (from.use == Buffer::Use::Output) mapping().outputs[*operand].layout = from.layout;
    }
    if (m_text.buffers.size() > 60) {
      m_scope.fail(m_text.buffers[60].span, "a schedule has at most 60 buffers");
    }
  }

 private:
  mapping::Mapping& mapping() { return m_out.schedule.mapping; }

  void bindInput(const ScheduleText::Buffer& from, std::size_t operand) {
    mapping::InputMovement& movement = mapping().inputs[operand];
    const bool holds = from.use == Buffer::Use::Input || from.use == Buffer::Use::Stationary;
    if (from.use == Buffer::Use::SharedInput) {
      movement.sharedBuffers[m_out.schedule.buffers.back().sharedLevel].level =
          static_cast<std::int8_t>(levelOf(from.per));
    }
    if (holds) {
      movement.level = levelOf(from.per);
      movement.layout = from.layout;
      if (from.use == Buffer::Use::Stationary) movement.kind = mapping::MovementKind::Stationary;
      if (from.awaits.passed && from.use == Buffer::Use::Input) {
        movement.kind = mapping::MovementKind::Forwarded;
      }
      bindNeed(from, m_nest.inputs[operand], movement);
      return;
    }
    if (!from.where.parts.empty() || !from.awaits.ranges.empty()) {
      m_scope.fail(from.span, "only buffers of inputs on the cores say which tiles they need",
                   "leave `where`, `awaits` and `takes` out");
    }
  }

  void bindNeed(const ScheduleText::Buffer& from, const kernel::Operand& operand,
                const mapping::InputMovement& movement) {
    schedule::TileDemand& need = m_out.schedule.buffers.back().need;
    need = schedule::demandOf(m_nest, operand, movement);
    const kernel::TileGuard given = bindDomain(from.where, m_scope);
    const bool brings = from.where.parts.empty() && need.awaits < 0 && !operand.produced;
    if (brings) {
      need.guard = {};  // tiles that nothing needs may be transferred, too
    } else {
      checkDomain(from.where, given, operand.guard, fmt::format("tiles need {}", operand.name),
                  m_text.span, m_kernel, m_scope);
    }
    const bool awaits = !from.awaits.ranges.empty();
    if (awaits == (need.awaits >= 0) &&
        (!awaits || isAwaited(from.awaits, operand, m_kernel, m_scope))) {
      return;
    }
    if (need.awaits < 0) {
      m_scope.fail(from.awaits.span,
                   fmt::format("nothing is to be awaited for {}: the kernel does not make it, or "
                               "it never leaves its core",
                               operand.name),
                   from.awaits.passed ? "leave `takes` out" : "leave `awaits` out");
    } else {
      m_scope.fail(awaits ? from.awaits.span : from.span,
                   fmt::format("{} is read from what the kernel makes itself: {}", operand.name,
                               awaitedText(operand, m_kernel)),
                   awaits
                       ? fmt::format("write `{} {}`", from.awaits.passed ? "takes" : "awaits",
                                     awaitedText(operand, m_kernel))
                       : fmt::format("write `awaits {0}` to load it once it is stored, or `takes "
                                     "{0}` to take it from the cores that make it",
                                     awaitedText(operand, m_kernel)));
    }
  }

  // Of a buffer in a shared buffer: the one it names, or the innermost.
  std::size_t sharedLevel(const ScheduleText::Buffer& from) {
    if (from.memory.text.empty()) return 0;
    if (schedule::isInSharedBuffer(from.use)) return m_scope.sharedBuffer(from.memory).value_or(0);
    m_scope.fail(from.memory.span, "only buffers in a shared buffer say which one",
                 "leave `in` out");
    return 0;
  }

  std::uint8_t levelOf(const Name& per) {
    if (per.text.empty()) return 0;
    const auto loop = m_scope.loop(per);
    if (!loop) return 0;
    const auto& order = mapping().order;
    const auto at = std::ranges::find(order, LoopId::of(*loop));
    if (at != order.end()) return static_cast<std::uint8_t>(at - order.begin() + 1);
    m_scope.fail(per.span, fmt::format("loop `{}` has one wave only", per.text),
                 "name a loop of the order, or leave `per` out");
    return 0;
  }

  const ScheduleText& m_text;
  ScheduleScope& m_scope;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  BoundSchedule& m_out;
};

}  // namespace

void bindBuffers(const ScheduleText& text, ScheduleScope& scope, const kernel::Kernel& kernel,
                 const kernel::TileNest& nest, BoundSchedule& out) {
  BufferBinder(text, scope, kernel, nest, out).bind();
}

void checkDomain(const ScheduleText::Domain& text, const kernel::TileGuard& given,
                 const kernel::TileGuard& wanted, std::string_view what, base::Span whole,
                 const kernel::Kernel& kernel, ScheduleScope& scope) {
  if (!scope.errors().empty() || isSame(given, wanted)) return;
  const base::Span at = text.parts.empty() ? whole : text.span;
  if (wanted.always()) {
    scope.fail(at, fmt::format("all {} in the kernel", what), "leave `where` out");
  } else {
    scope.fail(at, fmt::format("other {} in the kernel", what),
               "write `where " + domainText(wanted, kernel) + "`");
  }
}

}  // namespace gridloom::syntax
