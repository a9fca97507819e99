// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_forms.h"

#include "kernel/masked_softmax.h"
#include "kernel/running_softmax.h"
#include "kernel/scaled_weights.h"
#include "kernel/shared_values.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

namespace {

constexpr int kMostSharedValues = 8;

// Only where no loop loses its tiles by that.
bool shareValues(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
  for (int values = 0; values < kMostSharedValues; ++values) {
    Kernel form = kernel;
    if (!takeForm(form, withSharedValue(kernel), holds)) break;
    const auto before = tileNest(kernel), after = tileNest(form);
    if (!before || !after || after->whole.size() > before->whole.size()) break;
    kernel = std::move(form);
    changed = true;
  }
  return changed;
}

// The divisors of weights divide their sums, where that lets a softmax run tile by tile.
bool divideSums(Kernel& kernel, const HoldsForm& holds) {
  bool changed = false;
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
  Kernel divided = kernel;
  if (divideSums(divided, holds)) {
    shareValues(divided, holds);
    if (runSoftmaxes(divided, holds)) {
      kernel = std::move(divided);
      return true;
    }
  }
  const bool changed = shareValues(kernel, holds);
  return runSoftmaxes(kernel, holds) || changed;
}

}  // namespace gridloom::kernel
