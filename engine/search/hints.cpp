// SPDX-License-Identifier: Apache-2.0
#include "search/hints.h"

#include <algorithm>

namespace gridloom::search {

namespace {

void addSentence(std::string& to, bool holds, const char* sentence) {
  if (holds) to += (to.empty() ? "" : "; ") + std::string(sentence);
}

bool wantsAny(const mapping::Constraints::SharedUses& uses) {
  return std::ranges::any_of(uses, [](const auto& use) { return use.isUsed.value_or(false); });
}

bool namesLoop(const mapping::Constraints::SharedUses& uses) {
  return std::ranges::any_of(uses, [](const auto& use) { return use.outside.has_value(); });
}

}  // namespace

std::string hintAbout(const mapping::Constraints::Input& asked) {
  using mapping::MovementKind;
  const auto is = [&](MovementKind kind) { return asked.kind == kind; };
  std::string hint;
  addSentence(hint, is(MovementKind::Stationary) || is(MovementKind::Forwarded),
              "only tiles that the kernel makes itself are stationary or forwarded");
  addSentence(hint,
              is(MovementKind::Multicast) || is(MovementKind::TwoStage) ||
                  is(MovementKind::Stream) || is(MovementKind::AllGather),
              "an operand is shared only along dimensions with several cores whose loop it does "
              "not depend on");
  addSentence(hint, is(MovementKind::Rotate),
              "tiles rotate over a sum just outside their transfer, with two buffers, where the "
              "sum's tiles are whole and a multiple of the cores that share them");
  addSentence(hint, is(MovementKind::AllGather),
              "a ring needs interleaved pages and all its cores in every wave: a number of tiles "
              "of the loop along it that its cores divide, or a transfer outside of that loop");
  addSentence(hint, !asked.hoistOutside.empty() || asked.prefetch || namesLoop(asked.sharedBuffers),
              "a transfer stands directly inside a loop that the operand depends on, or before the "
              "first iteration when it depends on none");
  addSentence(
      hint, wantsAny(asked.sharedBuffers),
      "an input goes through a shared buffer only with direct or multicast movement, and whole "
      "lines of the mesh share the memory");
  addSentence(hint, asked.layout == mapping::TensorLayout::Local,
              "a tensor in local layout does not go through a shared buffer");
  return hint.empty() ? kLoosen : hint;
}

std::string hintAbout(const mapping::Constraints::Output& asked) {
  std::string hint;
  addSentence(hint, asked.reduction && *asked.reduction != mapping::ReductionTopology::None,
              "partial results are reduced over cores only where a loop is split in space, on "
              "cores that can add");
  addSentence(hint, asked.reduction == mapping::ReductionTopology::ReduceScatter,
              "a ring has one dimension, stores interleaved tiles, and nothing follows the sums");
  addSentence(hint, asked.reduction == mapping::ReductionTopology::None,
              "a reduction that is split has partial results to reduce");
  addSentence(hint, asked.gather && *asked.gather >= 0,
              "tiles are gathered only along a dimension with several cores, and not while a "
              "reduction is split");
  addSentence(hint, wantsAny(asked.sharedBuffers),
              "an output goes through a shared buffer only when it is neither gathered nor reduced "
              "over cores");
  return hint.empty() ? kLoosen : hint;
}

}  // namespace gridloom::search
