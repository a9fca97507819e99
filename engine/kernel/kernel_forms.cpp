// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_forms.h"

#include "kernel/alike_reductions.h"
#include "kernel/masked_softmax.h"
#include "kernel/running_softmax.h"
#include "kernel/scaled_weights.h"
#include "kernel/shared_values.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

namespace {

// The points that every tile has: those of the loops without tiles.
double leastTile(const Kernel& kernel, const TileNest& nest) {
  double points = 1;
  for (const TileNest::Whole& whole : nest.whole) {
    points *= static_cast<double>(kernel.loop(whole.loop).extent);
  }
  return points;
}

// Only where tiles may stay as small as they are.
template <typename WithValue>
bool shareValues(Kernel& kernel, const HoldsForm& holds, const WithValue& withValue) {
  bool changed = false;
  for (int values = 0; values < kMostSharedValues; ++values) {
    Kernel form = kernel;
    if (!takeForm(form, withValue(kernel), holds)) break;
    const auto before = tileNest(kernel), after = tileNest(form);
    if (!before || !after || leastTile(kernel, *after) > leastTile(kernel, *before)) break;
    kernel = std::move(form);
    changed = true;
  }
  return changed;
}

bool shareValues(Kernel& kernel, const HoldsForm& holds) {
  const bool hadNested = shareValues(kernel, holds, withNestedSum);
  return shareValues(kernel, holds, withSharedValue) || hadNested;
}

// The divisors of weights divide their sums, where that lets a softmax run tile by tile.
bool divideSums(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
  for (int weights = 0; weights < kMostSharedValues; ++weights) {
    if (!takeForm(kernel, withDividedWeight(kernel), holds)) break;
  }
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    changed = takeForm(kernel, withWholeWeights(kernel, s), holds) || changed;
  }
  return changed;
}

bool runSoftmax(Kernel& kernel, std::size_t s, const HoldsForm& holds) {
  Kernel masked = kernel;
  if (takeForm(masked, withMaskedSoftmax(kernel, s), holds) &&
      takeForm(masked, withRunningSoftmax(masked, s), holds)) {
    kernel = std::move(masked);
    return true;
  }
  return takeForm(kernel, withRunningSoftmax(kernel, s), holds);
}

bool runSoftmaxes(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    changed = runSoftmax(kernel, s, holds) || changed;
  }
  return changed;
}

}  // namespace

bool takeForm(Kernel& kernel, std::optional<Kernel> form, const HoldsForm& holds) {
  if (!form || !holds(*form)) return false;
  kernel = *std::move(form);
  return true;
}

bool takeRunningForms(Kernel& kernel, const HoldsForm& holds) {
  const bool hadAlike = takeForm(kernel, withAlikeReductions(kernel), holds);
  Kernel divided = kernel;
  if (divideSums(divided, holds)) {
    shareValues(divided, holds);
    if (runSoftmaxes(divided, holds)) {
      kernel = std::move(divided);
      return true;
    }
  }
  const bool changed = shareValues(kernel, holds) || hadAlike;
  return runSoftmaxes(kernel, holds) || changed;
}

}  // namespace gridloom::kernel
