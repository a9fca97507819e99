// SPDX-License-Identifier: Apache-2.0
//
// Exclusions (`not`) that would leave no choice beside what other directives pin.
#include <algorithm>
#include <optional>

#include "mapping/admit.h"
#include "mapping/constraint_lookup.h"

namespace gridloom::mapping {

namespace {

template <class T> bool agree(const std::optional<T>& excluded, const std::optional<T>& pinned) {
  return excluded && pinned && *excluded == *pinned;
}

// Whether everything that an exclusion says of the shared buffers is pinned.
bool excludesUses(const Constraints::SharedUses& e, const Constraints::SharedUses& p) {
  bool any = false;
  for (std::size_t k = 0; k < e.size(); ++k) {
    if (!e[k].isUsed) continue;
    any = true;
    if (!agree(e[k].isUsed, p[k].isUsed) || (e[k].outside && !agree(e[k].outside, p[k].outside)) ||
        (e[k].buffers && !agree(e[k].buffers, p[k].buffers)) ||
        (e[k].along && !agree(e[k].along, p[k].along))) {
      return false;
    }
  }
  return any;
}

bool excludesInput(const Constraints::Input& e, const Constraints::Input& p) {
  const bool kind = agree(e.kind, p.kind) && (!e.along || agree(e.along, p.along)) &&
                    (!e.first || agree(e.first, p.first));
  const bool level =
      (e.prefetch && p.prefetch) ||
      (!p.hoistOutside.empty() && loopsAlsoIn(p.hoistOutside, e.hoistOutside) == p.hoistOutside);
  return kind || level || excludesUses(e.sharedBuffers, p.sharedBuffers) ||
         agree(e.buffers, p.buffers) || agree(e.layout, p.layout) || agree(e.shared, p.shared);
}

bool excludesOutput(const Constraints::Output& e, const Constraints::Output& p) {
  return excludesUses(e.sharedBuffers, p.sharedBuffers) || agree(e.reduction, p.reduction) ||
         agree(e.gather, p.gather) || agree(e.buffers, p.buffers) || agree(e.layout, p.layout);
}

bool covers(const std::vector<TileSizeRange>& excluded, const std::vector<TileSizeRange>& pinned) {
  return std::all_of(pinned.begin(), pinned.end(), [&](const TileSizeRange& p) {
    return std::any_of(excluded.begin(), excluded.end(), [&](const TileSizeRange& e) {
      return e.least <= p.least && p.most <= e.most;
    });
  });
}

}  // namespace

bool excludesPinned(const Constraints& exclusion, const Constraints& pinned) {
  for (const auto& [loop, sizes] : exclusion.tileSizes) {
    const auto* wanted = lookUp(pinned.tileSizes, loop);
    if (wanted && covers(sizes, *wanted)) return true;
  }
  const bool space =
      !exclusion.space.empty() &&
      std::all_of(exclusion.space.begin(), exclusion.space.end(), [&](const auto& e) {
        const auto* loop = lookUp(pinned.space, e.first);
        return loop && *loop == e.second;
      });
  const bool tilingOrder =
      std::all_of(exclusion.dimOrder.begin(), exclusion.dimOrder.end(), [&](const auto& e) {
        const auto* dims = lookUp(pinned.dimOrder, e.first);
        return dims && *dims == e.second;
      });
  if (space && tilingOrder) return true;
  if (exclusion.order && pinned.order &&
      loopsAlsoIn(*pinned.order, *exclusion.order) == *exclusion.order) {
    return true;
  }
  for (const auto& [input, e] : exclusion.inputs) {
    const auto* p = lookUp(pinned.inputs, input);
    if (p && excludesInput(e, *p)) return true;
  }
  for (const auto& [output, e] : exclusion.outputs) {
    const auto* p = lookUp(pinned.outputs, output);
    if (p && excludesOutput(e, *p)) return true;
  }
  return std::ranges::any_of(exclusion.allReduces, [&](const auto& e) {
    const auto* p = lookUp(pinned.allReduces, e.first);
    return p && agree(e.second, *p);
  });
}

}  // namespace gridloom::mapping
