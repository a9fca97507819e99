// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "mapping/constraints.h"
#include "mapping/space.h"
#include "mapping/transfers.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::test {

/// A small gemm on a mesh: M and N 24, K 16.
struct GemmOn : testing::Test {
  explicit GemmOn(const std::string& mesh) : p(onMesh(mesh)) {}

  static Problem onMesh(const std::string& mesh) {
    return makeProblem(mesh, "gemm", {{"M", 24}, {"N", 24}, {"K", 16}});
  }
  /// i over x, j over y, order i j k, tile sizes 4: A[i, k] is the same for the cores along y,
  /// B[k, j] for those along x.
  static mapping::Mapping base() {
    mapping::Mapping m;
    m.tileSize = {4, 4, 4};
    m.space = {kernel::LoopId(0), kernel::LoopId(1)};
    m.dimOrder = {0, 1};
    m.order = {kernel::LoopId(0), kernel::LoopId(1), kernel::LoopId(2)};
    m.inputs.assign(2, {mapping::MovementKind::Direct, 0, 0, 3, 2});
    m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
    return m;
  }
  mapping::Tiling tiling(const mapping::Mapping& m) const { return tilingOf(m, p.kernel, p.hw); }
  gridloom::base::Result<mapping::Constraints> resolved(const std::string& text) const {
    auto directives = syntax::parseDirectives(gridloom::base::makeSource("test.sched", text));
    if (!directives) return directives.takeDiagnostics();
    return resolve(*directives, p.kernel, p.nest, p.hw);
  }

  Problem p;
};

}  // namespace gridloom::test
