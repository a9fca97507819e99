// SPDX-License-Identifier: Apache-2.0
#include "mapping/admit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "mapping/constraint_lookup.h"

namespace gridloom::mapping {

namespace {

// Whether a choice agrees with one set of constraints; nothing when they leave it free.
using Says = std::optional<bool>;

template <class Speak> bool admits(const Constraints& constraints, Speak speak) {
  if (!speak(constraints).value_or(true)) return false;
  return std::none_of(constraints.excluded.begin(), constraints.excluded.end(),
                      [&](const Constraints& e) { return speak(e).value_or(false); });
}

Says aboutSpace(const Constraints& c, const std::vector<LoopId>& space,
                const std::vector<std::uint8_t>& dimOrder) {
  if (c.space.empty()) return std::nullopt;
  for (const auto& [dim, loop] : c.space) {
    if (space[static_cast<std::size_t>(dim)] != loop) return false;
  }
  for (const auto& [loop, wanted] : c.dimOrder) {
    std::vector<std::uint8_t> have;
    for (const std::uint8_t d : dimOrder) {
      if (space[d] == loop) have.push_back(d);
    }
    if (have != wanted) return false;
  }
  return true;
}

Says aboutOrder(const Constraints& c, const std::vector<LoopId>& order) {
  if (!c.order) return std::nullopt;
  const std::vector<LoopId> wanted = loopsAlsoIn(*c.order, order);
  // An order with fewer than two temporal loops constrains nothing.
  if (wanted.size() < 2) return std::nullopt;
  return loopsAlsoIn(order, *c.order) == wanted;
}

Says aboutMovement(const Constraints::Input* in, MovementKind kind, DimMask along,
                   std::uint8_t first) {
  if (!in || (!in->kind && !in->along && !in->first)) return std::nullopt;
  return !(in->kind && kind != *in->kind) && !(in->along && along != *in->along) &&
         !(in->first && along != 0 && first != *in->first);
}

Says aboutLevel(const Constraints::Input* in, int level, int deepest,
                const std::vector<LoopId>& order) {
  if (!in || (!in->prefetch && in->hoistOutside.empty())) return std::nullopt;
  if (in->prefetch) return level == 0;
  return std::any_of(in->hoistOutside.begin(), in->hoistOutside.end(),
                     [&](LoopId loop) { return levelOutside(loop, order, deepest) == level; });
}

template <class T> Says about(const std::optional<T>& wanted, T choice) {
  return wanted ? Says(*wanted == choice) : std::nullopt;
}

// What directives say of each shared buffer, together. `agrees(said, level)`: whether the choice
// does, where the level is used as they say.
template <class Uses, class Agrees>
Says aboutSharedBuffers(const Constraints::SharedUses& said, const Uses& uses,
                        const Agrees& agrees) {
  Says all;
  for (std::size_t k = 0; k < said.size(); ++k) {
    if (!said[k].isUsed) continue;
    const bool one = uses(k) == *said[k].isUsed && (!uses(k) || agrees(said[k], k));
    all = all.value_or(true) && one;
  }
  return all;
}

bool agrees(const Constraints::SharedUse& said, const SharedBufferUse& use,
            const std::vector<LoopId>& order) {
  const auto level = static_cast<std::size_t>(use.level);
  const LoopId inside = level < order.size() ? order[level] : LoopId{};
  return !(said.outside && inside != *said.outside) &&
         !(said.buffers && level > 0 && use.buffers != *said.buffers) &&
         !(said.along && use.along != *said.along);
}

const Constraints::Input* inputOf(const Constraints& c, std::size_t input) {
  return lookUp(c.inputs, static_cast<int>(input));
}

// Whether a choice agrees with one member of an output's constraints; nothing when it is free.
template <class T>
Says aboutOutput(const Constraints& c, std::size_t output,
                 std::optional<T> Constraints::Output::*member, T choice) {
  const Constraints::Output* out = lookUp(c.outputs, static_cast<int>(output));
  return out ? about(out->*member, choice) : std::nullopt;
}

}  // namespace

bool contains(const std::vector<TileSizeRange>& sizes, std::int64_t size) {
  return std::any_of(sizes.begin(), sizes.end(),
                     [&](const TileSizeRange& r) { return r.least <= size && size <= r.most; });
}

bool admitsTileSize(const Constraints& constraints, LoopId loop, std::int64_t size) {
  return admits(constraints, [&](const Constraints& c) -> Says {
    const auto* sizes = lookUp(c.tileSizes, loop);
    return sizes ? Says(contains(*sizes, size)) : std::nullopt;
  });
}

bool admitsSpace(const Constraints& constraints, const std::vector<LoopId>& space,
                 const std::vector<std::uint8_t>& dimOrder) {
  return admits(constraints, [&](const Constraints& c) { return aboutSpace(c, space, dimOrder); });
}

bool admitsOrder(const Constraints& constraints, const std::vector<LoopId>& order) {
  return admits(constraints, [&](const Constraints& c) { return aboutOrder(c, order); });
}

bool admitsMovement(const Constraints& constraints, std::size_t input, MovementKind kind,
                    DimMask along, std::uint8_t first) {
  return admits(constraints, [&](const Constraints& c) {
    return aboutMovement(inputOf(c, input), kind, along, first);
  });
}

bool admitsLevel(const Constraints& constraints, std::size_t input, int level, int deepest,
                 const std::vector<LoopId>& order) {
  return admits(constraints, [&](const Constraints& c) {
    return aboutLevel(inputOf(c, input), level, deepest, order);
  });
}

bool admitsInputBuffers(const Constraints& constraints, std::size_t input, std::uint8_t buffers) {
  return admits(constraints, [&](const Constraints& c) {
    const Constraints::Input* in = inputOf(c, input);
    return in ? about(in->buffers, buffers) : std::nullopt;
  });
}

bool admitsShared(const Constraints& constraints, std::size_t input, DimMask shared) {
  return admits(constraints, [&](const Constraints& c) {
    const Constraints::Input* in = inputOf(c, input);
    return in ? about(in->shared, shared) : std::nullopt;
  });
}

bool admitsSharedBuffers(const Constraints& constraints, std::size_t input,
                         const InputMovement& movement, const std::vector<LoopId>& order) {
  return admits(constraints, [&](const Constraints& c) -> Says {
    const Constraints::Input* in = inputOf(c, input);
    if (!in) return std::nullopt;
    return aboutSharedBuffers(
        in->sharedBuffers, [&](std::size_t k) { return movement.sharedBuffers[k].isUsed(); },
        [&](const Constraints::SharedUse& said, std::size_t k) {
          return agrees(said, movement.sharedBuffers[k], order);
        });
  });
}

bool admitsReduction(const Constraints& constraints, std::size_t output,
                     ReductionTopology reduction) {
  return admits(constraints, [&](const Constraints& c) {
    return aboutOutput(c, output, &Constraints::Output::reduction, reduction);
  });
}

bool admitsAllReduce(const Constraints& constraints, std::size_t reduce,
                     ReductionTopology reduction) {
  return admits(constraints, [&](const Constraints& c) -> Says {
    const auto* asked = lookUp(c.allReduces, static_cast<int>(reduce));
    return asked ? about(*asked, reduction) : std::nullopt;
  });
}

bool admitsGather(const Constraints& constraints, std::size_t output, int gather) {
  return admits(constraints, [&](const Constraints& c) {
    return aboutOutput(c, output, &Constraints::Output::gather, gather);
  });
}

bool admitsOutputBuffers(const Constraints& constraints, std::size_t output, std::uint8_t buffers) {
  return admits(constraints, [&](const Constraints& c) {
    return aboutOutput(c, output, &Constraints::Output::buffers, buffers);
  });
}

bool admitsSharedBuffers(const Constraints& constraints, std::size_t output,
                         const OutputMovement& movement) {
  return admits(constraints, [&](const Constraints& c) -> Says {
    const Constraints::Output* out = lookUp(c.outputs, static_cast<int>(output));
    if (!out) return std::nullopt;
    return aboutSharedBuffers(
        out->sharedBuffers, [&](std::size_t k) { return movement.sharedBuffers[k] > 0; },
        [&](const Constraints::SharedUse& said, std::size_t k) {
          return !said.buffers || *said.buffers == movement.sharedBuffers[k];
        });
  });
}

bool admitsInputLayout(const Constraints& constraints, std::size_t input, TensorLayout layout) {
  return admits(constraints, [&](const Constraints& c) {
    const Constraints::Input* in = inputOf(c, input);
    return in ? about(in->layout, layout) : std::nullopt;
  });
}

bool admitsOutputLayout(const Constraints& constraints, std::size_t output, TensorLayout layout) {
  return admits(constraints, [&](const Constraints& c) {
    return aboutOutput(c, output, &Constraints::Output::layout, layout);
  });
}

int levelOutside(LoopId loop, const std::vector<LoopId>& order, int deepest) {
  const auto at = std::find(order.begin(), order.end(), loop);
  return at == order.end() ? deepest : std::min(deepest, static_cast<int>(at - order.begin()));
}

base::Diagnostic Constraints::errorAbout(Axis axis, int index, std::string message,
                                         std::string hint) const {
  const auto last = std::find_if(origins.rbegin(), origins.rend(), [&](const Origin& o) {
    return o.axis == axis && o.index == index;
  });
  if (last == origins.rend()) return base::plainError(std::move(message), std::move(hint));
  return base::errorAt(source, last->span, std::move(message), std::move(hint));
}

}  // namespace gridloom::mapping
