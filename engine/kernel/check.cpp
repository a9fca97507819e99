// SPDX-License-Identifier: Apache-2.0
#include "kernel/check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "kernel/aligned_loops.h"
#include "kernel/dependent_nest.h"
#include "kernel/diagonals.h"
#include "kernel/folded_parts.h"
#include "kernel/inlined_neighbours.h"
#include "kernel/joined_loops.h"
#include "kernel/kernel_checker.h"
#include "kernel/kernel_forms.h"
#include "kernel/local_state.h"
#include "kernel/masked_reductions.h"
#include "kernel/output_parts.h"
#include "kernel/output_rows.h"
#include "kernel/output_state.h"
#include "kernel/pinned_reads.h"
#include "kernel/read_outputs.h"
#include "kernel/rolled_terms.h"
#include "kernel/scaled_terms.h"
#include "kernel/shifted_targets.h"
#include "kernel/split_choices.h"
#include "kernel/split_locals.h"
#include "kernel/statement_order.h"
#include "kernel/step_rows.h"
#include "kernel/tile_nest.h"
#include "kernel/transposed_sums.h"
#include "kernel/unrolled_stencils.h"

namespace gridloom::kernel {

namespace {

bool takeMappedForm(Kernel& kernel, std::optional<Kernel> form, const HoldsForm& holds) {
  Kernel mapped = kernel;
  if (!takeForm(mapped, std::move(form), holds) || !tileNest(mapped)) return false;
  kernel = std::move(mapped);
  return true;
}

// Outputs that need themselves are all state where they can be nothing else: beside outputs that
// count down, that have other loops, or whose sums end at other loops.
std::optional<Kernel> withStateAlone(const Kernel& form, Diagonals diagonals,
                                     const HoldsForm& holds) {
  if (tileNest(form)) return std::nullopt;
  Kernel present = form;
  takeForm(present, withShiftedTargets(form), holds);
  if (const auto forward = withForwardState(present)) return withLocalState(*forward, diagonals);
  takeForm(present, withAlikeLoops(present), holds);
  return withLocalState(present, diagonals);
}

// Statements that need each other call their loops alike.
std::optional<Kernel> withAlignedState(const Kernel& form, Reads reads, const HoldsForm& holds) {
  if (tileNest(form)) return std::nullopt;
  Kernel present = form;
  takeForm(present, withShiftedTargets(form), holds);
  if (!takeForm(present, withAlignedLoops(present, reads), holds)) return std::nullopt;
  takeForm(present, withSortedStatements(present), holds);
  for (const Diagonals each : {Diagonals::Placed, Diagonals::Kept}) {
    auto state = withLocalState(present, each);
    if (state && tileNest(*state)) return state;
  }
  return present;
}

// Tiles of outputs that need each other need no later neighbours of the same step.
std::optional<Kernel> withParallelSteps(const Kernel& form) {
  if (!outputsDependOnOutputs(form, flowDependences(form))) return std::nullopt;
  return withInlinedNeighbours(form);
}

// What one output holds of several statements that need each other, and factors in locals or under
// other loops, in outputs that are tiled.
std::optional<Kernel> withPartsApart(const Kernel& form, bool aligned, const HoldsForm& holds) {
  if (tileNest(form)) return std::nullopt;
  Kernel parts = form;
  bool changed = aligned && takeForm(parts, withAlignedLoops(form), holds);
  if (changed != aligned) return std::nullopt;
  changed = takeForm(parts, withOutputParts(parts), holds) || changed;
  changed = takeForm(parts, withDiagonalLocals(parts), holds) || changed;
  changed = takeForm(parts, withStoredLocals(parts), holds) || changed;
  if (!changed) return std::nullopt;
  takeForm(parts, withTransposedSums(parts), holds);
  takeForm(parts, withSortedStatements(parts), holds);
  return parts;
}

// Outputs that need each other and are tiled, in place of state where that is only copied.
std::optional<Kernel> tiledOutputs(Kernel form, const HoldsForm& holds) {
  takeForm(form, withOutputState(form), holds);
  if (!tileNest(form)) takeForm(form, withStoredLocals(form), holds);
  takeForm(form, withOutputRows(form), holds);
  if (!tileNest(form)) takeForm(form, withTransposedSums(form), holds);
  if (!outputsDependOnOutputs(form, flowDependences(form)) || !tileNest(form)) return std::nullopt;
  return form;
}

// Of several ways to write loops and terms, the one that tiles best; whether there was another one.
bool takeSpellings(Kernel& form, const HoldsForm& holds) {
  bool changed = takeForm(form, withJoinedLoops(form), holds);
  changed = takeMappedForm(form, withPinnedReads(form, TensorRole::Input), holds) || changed;
  changed = takeMappedForm(form, withRolledTerms(form), holds) || changed;
  changed = takeMappedForm(form, withFoldedParts(form), holds) || changed;
  changed = takeMappedForm(form, withSplitBorders(form), holds) || changed;
  changed = takeMappedForm(form, withMaskedReductions(form), holds) || changed;
  return takeMappedForm(form, withScaledTerms(form), holds) || changed;
}

// Recurrences define the present step, reductions over neighbours are terms, gates in one local are
// several, and cases in one choice are statements, where outputs that need each other are tiled so.
bool takeTerms(Kernel& form, const HoldsForm& holds) {
  Kernel terms = form;
  bool changed = takeForm(terms, withShiftedTargets(form), holds);
  if (!tileNest(terms)) changed = takeForm(terms, withAlikeLoops(terms), holds) || changed;
  changed = takeForm(terms, withUnrolledStencils(terms), holds) || changed;
  changed = takeForm(terms, withSplitLocals(terms), holds) || changed;
  Kernel cases = terms;
  std::optional<Kernel> tiled;
  if (takeForm(cases, withSplitChoices(terms), holds)) {
    takeForm(cases, withMaskedReductions(cases), holds);
    tiled = tiledOutputs(cases, holds);
  }
  if (!tiled && changed) tiled = tiledOutputs(std::move(terms), holds);
  if (tiled) form = *std::move(tiled);
  return tiled.has_value();
}

// Those that are taken whatever the hardware is; whether there are any.
bool takeForms(Kernel& form, const HoldsForm& holds, std::optional<Kernel>* apart = nullptr) {
  bool changed = false;
  if (!tileNest(form)) {
    changed = takeMappedForm(form, withTransposedSums(form), holds);
    changed = takeMappedForm(form, withPartsApart(form, false, holds), holds) || changed;
    changed = takeMappedForm(form, withPartsApart(form, true, holds), holds) || changed;
    changed = takeMappedForm(form, withLocalIntermediates(form), holds) || changed;
    changed = takeMappedForm(form, withForwardState(form), holds) || changed;
    for (const Diagonals each : {Diagonals::Placed, Diagonals::Kept})
      changed = takeMappedForm(form, withStateAlone(form, each, holds), holds) || changed;
    for (const Reads each :
         {Reads::FirstCounts, Reads::LastCounts, Reads::DiagonalsCount, Reads::NamesCount})
      changed = takeMappedForm(form, withAlignedState(form, each, holds), holds) || changed;
  }
  changed = takeRunningForms(form, holds, apart) || changed;
  changed = takeMappedForm(form, withParallelSteps(form), holds) || changed;
  return takeMappedForm(form, withFewestSteps(form), holds) || changed;
}

// The form with state beside one with outputs; null where it is not mapped.
std::shared_ptr<const Kernel> mappedState(Kernel state, bool isUnrolled, const HoldsForm& holds) {
  if (isUnrolled) {
    takeForm(state, withLocalState(state), holds);
    takeForms(state, holds);
  } else {
    takeRunningForms(state, holds);
  }
  return tileNest(state) ? std::make_shared<const Kernel>(std::move(state)) : nullptr;
}

// Cores that share the steps of small outputs mostly wait for each other.
bool isSmall(const Kernel& kernel) {
  constexpr std::int64_t kSmall = 1 << 16;
  return std::ranges::all_of(kernel.tensors, [](const Tensor& tensor) {
    return tensor.role != TensorRole::Output || elementCount(tensor) <= kSmall;
  });
}

// Outputs that need themselves, in place of state where it is only copied; whether there are any.
bool takeOutputs(Kernel& form, bool& changed, const HoldsForm& holds) {
  const bool hasOutputState = takeMappedForm(form, withOutputState(form), holds);
  if (!tileNest(form)) changed = takeMappedForm(form, withStoredLocals(form), holds) || changed;
  changed = takeMappedForm(form, withOutputRows(form), holds) || hasOutputState || changed;
  changed = takeMappedForm(form, withPinnedReads(form, TensorRole::Output), holds) || changed;
  return hasOutputState;
}

// Cores share the steps of a recurrence that needs rows of its own steps; the form with its state
// in one core is the alternative.
bool shareSteps(Kernel& form, const Kernel& outputs, const std::shared_ptr<const Kernel>& written,
                const HoldsForm& holds) {
  Kernel shared = outputs;
  takeForm(shared, withShiftedTargets(shared), holds);
  if (!takeForm(shared, withStepRows(shared), holds)) return false;
  takeForm(shared, withSortedStatements(shared), holds);
  takeForm(shared, withFewestSteps(shared), holds);
  if (!tileNest(shared)) return false;
  shared.written = form.written = written;
  if (tileNest(form)) shared.alternative = std::make_shared<const Kernel>(std::move(form));
  form = std::move(shared);
  return true;
}

// The form with rows apart, where it is mapped, is the alternative.
void keepApart(Kernel& form, std::optional<Kernel> apart,
               const std::shared_ptr<const Kernel>& written) {
  if (!apart || !tileNest(*apart)) return;
  apart->written = written;
  form.alternative = std::make_shared<const Kernel>(*std::move(apart));
}

}  // namespace

// The kernel that is mapped is an equivalent one, where that has more tiles or less work:
//
// - where statements cannot be mapped in the order of the text, they are sorted; outputs that need
//   each other are sorted so that a tile takes the fewest steps,
// - borders of an output that are statements of their own are computed in its tiles, from the
//   elements of inputs that lie beside them,
// - loops that index one output alike are one loop,
// - elements that are read at one index alone, far from all others, are named by their number,
// - chains of alike terms are reductions over new loops,
// - scales of groups are those of their terms, where that takes fewer operations,
// - halves of a dimension, or few positions, that need each other are computed in one tile,
// - choices between values and borders are statements,
// - reductions over few neighbours of a recurrence are terms, values in one local are several,
//   and cases in one choice are statements,
// - choices between a value and nothing in a reduction are limits of it,
// - locals of one index in the recurrence of a matrix are the diagonal of another one,
// - results of several statements in one output are computed in outputs of their own,
// - outputs whose sums end at another index than those of others are computed transposed,
// - outputs replace state that they only copy; the kernel with the state is the alternative, also
//   where the recurrence is written on an output,
// - rows of its own step that a recurrence needs are computed again from the step before,
// - outputs that are read again are copies of local tensors,
// - later neighbours of one step of outputs that need each other are computed where they are read,
// - reductions are statements of their own, along the loops of what reads the same row; the kernel
//   with rows apart is the alternative,
// - what several statements need is computed once,
// - softmaxes run tile by tile.
//
// The kernel as it was written is kept beside it.
base::Result<Kernel> check(Kernel draft) {
  base::Diagnostics errors = KernelChecker(draft).run();
  if (!errors.empty()) return errors;
  const auto holds = [](Kernel& form) { return KernelChecker(form).runAgain().empty(); };
  Kernel form = draft;
  bool changed = takeForm(form, withOutputRows(form), holds);
  errors = KernelChecker(draft).finish();
  if (!errors.empty()) return errors;
  changed = changed && KernelChecker(form).finish().empty();
  if (!changed) form = draft;
  if (!tileNest(form)) changed = takeForm(form, withSortedStatements(form), holds) || changed;
  changed = takeSpellings(form, holds) || changed;
  Kernel state = form;
  const bool isUnrolled = takeTerms(form, holds);
  const bool hasOutputState = takeOutputs(form, changed, holds) || isUnrolled;
  changed = changed || isUnrolled;
  const bool isMapped = tileNest(form).ok();
  std::optional<Kernel> apart;
  changed = takeForms(form, holds, &apart) || changed;
  const auto written = std::make_shared<const Kernel>(std::move(draft));
  if (!isMapped && shareSteps(form, state, written, holds)) return form;
  if (changed) form.written = written;
  const bool mayBeState = isMapped && (!hasStepsInParallel(state) || isSmall(state));
  const bool hasState =
      hasOutputState || (mayBeState && takeForm(state, withLocalState(state), holds));
  if (!hasState || !tileNest(form)) {
    keepApart(form, std::move(apart), written);
    return form;
  }
  state.written = written;
  form.alternative = mappedState(std::move(state), isUnrolled, holds);
  return form;
}

}  // namespace gridloom::kernel
