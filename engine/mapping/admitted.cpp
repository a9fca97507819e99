// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mapping/admit.h"
#include "mapping/all_reduce.h"
#include "mapping/space.h"

namespace gridloom::mapping {

namespace {

template <class Choice> bool contains(const std::vector<Choice>& all, const Choice& one) {
  return std::ranges::find(all, one) != all.end();
}

/// Whether options(n) has the n-th choice, for all of them.
template <class Choice, class Options>
bool areAll(const std::vector<Choice>& choices, const Options& options) {
  for (std::size_t n = 0; n < choices.size(); ++n) {
    if (!contains(options(n), choices[n])) return false;
  }
  return true;
}

}  // namespace

bool isAdmitted(const kernel::TileNest& nest, const hardware::Topology& hw, const Mapping& mapping,
                const Constraints& constraints) {
  for (std::size_t loop = 0; loop < mapping.tileSize.size(); ++loop) {
    if (!admitsTileSize(constraints, LoopId::of(loop), mapping.tileSize[loop])) return false;
  }
  if (!admitsSpace(constraints, mapping.space, mapping.dimOrder)) return false;
  if (!admitsOrder(constraints, mapping.order)) return false;
  const auto inputs = [&](std::size_t i) {
    return inputOptions(nest, i, mapping, hw, constraints);
  };
  const auto outputs = [&](std::size_t o) {
    return outputOptions(nest, o, mapping, hw, constraints);
  };
  const auto reductions = [&](std::size_t r) {
    return allReduceOptions(nest, r, mapping, constraints);
  };
  return areAll(mapping.inputs, inputs) && areAll(mapping.outputs, outputs) &&
         areAll(mapping.allReduces, reductions);
}

}  // namespace gridloom::mapping
