// SPDX-License-Identifier: Apache-2.0
// Rounding, masks in memory, and integers that loops carry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"
#include "same_values.h"

namespace gridloom {
namespace {

TEST(ImportedNumbers, RoundAsMlirDoes) {
  for (const char* const op : {"math.round", "math.roundeven", "math.trunc", "math.floor"})
    test::expectSameValues(fmt::format(R"(func.func @f(%x: memref<26xf32>, %y: memref<26xf32>) {{
  affine.for %i = 0 to 26 {{
    %a = affine.load %x[%i] : memref<26xf32>
    %two = arith.constant 2.0 : f32
    %b = arith.mulf %a, %two : f32
    %v = {} %b : f32
    affine.store %v, %y[%i] : memref<26xf32>
  }}
  return
}}
)",
                                       op));
}

TEST(ImportedNumbers, MasksTakeAByte) {
  const auto imported = importer::importMlir(
      "func.func @f(%m: memref<8xi1>, %x: memref<8xf32>, %y: memref<8xf32>) {\n"
      "  affine.for %i = 0 to 8 {\n    %c = affine.load %m[%i] : memref<8xi1>\n"
      "    %a = affine.load %x[%i] : memref<8xf32>\n    %z = arith.constant 0.0 : f32\n"
      "    %v = arith.select %c, %a, %z : f32\n    affine.store %v, %y[%i] : memref<8xf32>\n"
      "  }\n  return\n}\n",
      "f.mlir", {});
  EXPECT_NE(imported.kernels.find("tensor m[8]: i8"), std::string::npos) << imported.kernels;
  EXPECT_NE(imported.kernels.find("select(m[i], x[i], 0)"), std::string::npos) << imported.kernels;
}

// A loop over 4 that carries integers from `first` on to `next`, and reads at `%at`.
std::string carrying(const std::string& first, const std::string& next, const std::string& at) {
  return fmt::format(R"(func.func @f(%x: memref<16xf32>, %y: memref<4xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 iter_args({}) -> (index, index) {{
    %a = memref.load %x[{}] : memref<16xf32>
    memref.store %a, %y[%i] : memref<4xf32>
    {}
  }}
  return
}}
)",
                     first, at, next);
}

TEST(ImportedNumbers, CarriedIntegersFollowOneAnother) {
  // One that is set to what it was from the start is added to one that grows.
  test::expectSameValues(carrying("%p = %c2, %q = %c0",
                                  "%r = arith.addi %p, %c2 : index\n"
                                  "    %s = arith.addi %r, %q : index\n"
                                  "    scf.yield %s, %c0 : index, index",
                                  "%p"));
  // One is what the other was in the iteration before.
  test::expectSameValues(carrying("%p = %c2, %q = %c0",
                                  "%r = arith.addi %p, %c2 : index\n"
                                  "    scf.yield %r, %p : index, index",
                                  "%q"));
}

TEST(ImportedNumbers, CarriedIntegersThatAreNotAffineAreRefused) {
  for (const char* const next :
       {"%r = arith.addi %p, %q : index\n"
        "    %s = arith.addi %q, %c1 : index\n"
        "    scf.yield %r, %s : index, index",
        "scf.yield %c4, %c2 : index, index", "scf.yield %q, %p : index, index"}) {
    const auto imported =
        importer::importMlir(carrying("%p = %c2, %q = %c0", next, "%p"), "f.mlir", {});
    EXPECT_EQ(imported.finding.message,
              "an integer that a loop carries does not grow by a constant");
  }
}

// A tensor that a generic operation takes for its shape alone is not read twice.
TEST(ImportedNumbers, TensorsThatGiveAShapeAreNotKept) {
  const auto imported = importer::importMlir(
      "#m = affine_map<(i, j) -> (i, j)>\n"
      "func.func @f(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8x8xf32>)"
      " -> tensor<8x8xf32> {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() :"
      " tensor<8x8xf32>\n  %s = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) ->"
      " tensor<8x8xf32>\n  %p = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>)"
      " outs(%s : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
      "  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = [\"parallel\","
      " \"parallel\"]} ins(%p, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%p : tensor<8x8xf32>) "
      "{\n"
      "  ^bb0(%c: f32, %d: f32, %o: f32):\n    %v = arith.addf %c, %d : f32\n"
      "    linalg.yield %v : f32\n  } -> tensor<8x8xf32>\n  return %r : tensor<8x8xf32>\n}\n",
      "f.mlir", {});
  EXPECT_EQ(imported.kernels.find("local"), std::string::npos) << imported.kernels;
}

}  // namespace
}  // namespace gridloom
