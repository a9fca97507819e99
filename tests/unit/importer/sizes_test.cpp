// SPDX-License-Identifier: Apache-2.0
// Sizes that operations hold equal have one value.
#include <gtest/gtest.h>

#include "importer/mlir_module.h"

namespace gridloom {
namespace {

using importer::importMlir;

constexpr const char* kProduct = R"(func.func @mm(%A: memref<?x?xf32>, %B: memref<?x?xf32>,
              %C: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%C : memref<?x?xf32>)
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}
)";

constexpr const char* kProductText = "kernel mm(A_0 = 8, A_1 = 8, B_1 = 8) {\n"
                                     "  tensor A[A_0, A_1]: f32\n"
                                     "  tensor B[A_1, B_1]: f32\n"
                                     "  tensor C[A_0, B_1]: f32\n\n"
                                     "  C[i, j] = sum(k) A[i, k] * B[k, j]\n}\n";

TEST(ImportedSizes, FollowThoseThatAnOperationHoldsEqual) {
  const auto few = importMlir(kProduct, "f.mlir", {{"A_0", 8}, {"A_1", 8}, {"B_1", 8}});
  EXPECT_EQ(few.kernels, kProductText) << few.finding.message;
  const auto others = importMlir(kProduct, "f.mlir", {{"C_0", 8}, {"B_0", 8}, {"C_1", 8}});
  EXPECT_EQ(others.kernels, kProductText) << others.finding.message;
  const auto all = importMlir(
      kProduct, "f.mlir", {{"A_0", 8}, {"A_1", 8}, {"B_0", 8}, {"B_1", 8}, {"C_0", 8}, {"C_1", 8}});
  EXPECT_EQ(all.kernels, kProductText) << all.finding.message;
}

TEST(ImportedSizes, ThatContradictEachOtherAreRefusedAtTheOperation) {
  const auto imported =
      importMlir(kProduct, "f.mlir", {{"A_0", 8}, {"A_1", 8}, {"B_0", 9}, {"B_1", 8}});
  EXPECT_EQ(imported.kernels, "");
  EXPECT_EQ(imported.finding.message,
            "`A_1` is 8 and `B_0` is 9, but the operation has one size for both");
  EXPECT_EQ(imported.finding.line, 5);
}

TEST(ImportedSizes, ThatAreMissingAreNamedWithThoseThatFollow) {
  const auto imported = importMlir(kProduct, "f.mlir", {{"A_0", 8}, {"B_1", 8}});
  EXPECT_EQ(imported.finding.message, "`A_1` has no value");
  EXPECT_EQ(imported.finding.needs, "A_1");
  EXPECT_NE(imported.finding.hint.find("it is the size of B_0, too"), std::string::npos);
}

constexpr const char* kAddedRows = R"(func.func @rows(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>,
                %n: index, %w: tensor<16xf32>) -> tensor<?x16xf32> {
  %s = arith.addf %x, %y : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%s, %w : tensor<?x?xf32>, tensor<16xf32>) outs(%e : tensor<?x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      linalg.yield %p : f32
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
)";

TEST(ImportedSizes, FollowTypesAndOperationsBetween) {
  const auto imported = importMlir(kAddedRows, "f.mlir", {{"x_0", 4}});
  EXPECT_EQ(imported.kernels, "kernel rows(x_0 = 4) {\n"
                              "  tensor x[x_0, 16]: f32\n  tensor y[x_0, 16]: f32\n"
                              "  tensor w[16]: f32\n  tensor out[x_0, 16]: f32\n\n"
                              "  out[i, j] = (x[i, j] + y[i, j]) * w[j]\n}\n")
      << imported.finding.message;
  const auto wrong = importMlir(kAddedRows, "f.mlir", {{"x_0", 4}, {"y_1", 17}});
  EXPECT_EQ(wrong.finding.message, "`y_1` is 17 by `--set`, and 16 by the types of the operation");
}

TEST(ImportedSizes, OfBranchesAreNotTied) {
  const auto imported =
      importMlir(R"(func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %k: index) {
  %c4 = arith.constant 4 : index
  %is = arith.cmpi eq, %k, %c4 : index
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
  scf.if %is {
    linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  }
  return
}
)",
                 "f.mlir", {{"a_0", 4}, {"b_0", 5}, {"k", 3}});
  EXPECT_EQ(imported.finding.message, "");
}

// What 60 stores to rows of a tensor leave of it is what no row has: the parts do not double with
// every store.
TEST(ImportedSizes, OfManyRowsLeaveTheOthers) {
  std::string text = "func.func @rows(%x: memref<8xf32>, %o: memref<61x8xf32>) {\n"
                     "  affine.for %i = 0 to 8 {\n    %a = affine.load %x[%i] : memref<8xf32>\n";
  for (int row = 0; row < 60; ++row) {
    text += "    affine.store %a, %o[" + std::to_string(row) + ", %i] : memref<61x8xf32>\n";
  }
  const auto imported = importMlir(text + "  }\n  return\n}\n", "f.mlir", {});
  EXPECT_NE(imported.kernels.find("o[j, i] = o_in[j, i] where j >= 60"), std::string::npos)
      << imported.finding.message << imported.kernels;
}

}  // namespace
}  // namespace gridloom
