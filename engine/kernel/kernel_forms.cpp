// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_forms.h"

#include "kernel/alike_reductions.h"
#include "kernel/masked_softmax.h"
#include "kernel/row_loops.h"
#include "kernel/running_softmax.h"
#include "kernel/scaled_weights.h"
#include "kernel/shared_values.h"
#include "kernel/sums_apart.h"
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

// Whether tiles of another form may stay as small as they are.
bool keepsTiles(const Kernel& kernel, const Kernel& form) {
  const auto before = tileNest(kernel), after = tileNest(form);
  return before && after && leastTile(form, *after) <= leastTile(kernel, *before);
}

bool shareValues(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
  for (int values = 0; values < kMostSharedValues; ++values) {
    Kernel form = kernel;
    if (!takeForm(form, withSharedValue(kernel), holds)) break;
    if (!keepsTiles(kernel, form)) break;
    kernel = std::move(form);
    changed = true;
  }
  return changed;
}

// Reductions are statements of their own, and those that read one local call its loops alike.
bool takeReductions(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
  Kernel form = kernel;
  for (int values = 0; values <= kMostSharedValues; ++values) {
    const bool hasNames = takeForm(form, withRowLoops(form, Rows::Apart), holds);
    if ((values > 0 || hasNames) && keepsTiles(kernel, form)) {
      kernel = form;
      changed = true;
    }
    if (!takeForm(form, withOwnReduction(form), holds)) break;
  }
  return changed;
}

// Reductions of one element with limits of their own are tiled together.
bool partSums(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
  for (int sums = 0; sums < kMostSharedValues; ++sums) {
    Kernel form = kernel;
    if (!takeForm(form, withSumsApart(kernel), holds) || !keepsTiles(kernel, form)) break;
    kernel = std::move(form);
    changed = true;
  }
  return changed;
}

// One form of loops' names: reductions over one row run together.
bool joinRows(Kernel& kernel, const HoldsForm& holds) {
  Kernel joined = kernel;
  if (!takeForm(joined, withRowLoops(kernel, Rows::Joined), holds) || !tileNest(joined))
    return false;
  kernel = std::move(joined);
  return true;
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

// What several statements need is computed once, and softmaxes run tile by tile.
bool takeSoftmaxes(Kernel& kernel, const HoldsForm& holds) {
  Kernel divided = kernel;
  if (takeForm(divided, withWholeWeights(kernel), holds)) {
    shareValues(divided, holds);
    if (runSoftmaxes(divided, holds)) {
      kernel = std::move(divided);
      return true;
    }
  }
  const bool changed = shareValues(kernel, holds);
  return runSoftmaxes(kernel, holds) || changed;
}

}  // namespace

bool takeForm(Kernel& kernel, std::optional<Kernel> form, const HoldsForm& holds) {
  if (!form || !holds(*form)) return false;
  kernel = *std::move(form);
  return true;
}

bool takeRunningForms(Kernel& kernel, const HoldsForm& holds, std::optional<Kernel>* apart) {
  bool changed = takeForm(kernel, withAlikeReductions(kernel), holds);
  changed = partSums(kernel, holds) || changed;
  changed = takeReductions(kernel, holds) || changed;
  Kernel rows = kernel;
  if (joinRows(kernel, holds)) {
    changed = true;
    takeSoftmaxes(rows, holds);
    if (apart != nullptr) *apart = std::move(rows);
  }
  return takeSoftmaxes(kernel, holds) || changed;
}

}  // namespace gridloom::kernel
