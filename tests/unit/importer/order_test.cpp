// SPDX-License-Identifier: Apache-2.0
// Memory that loops write and read in orders of their own.
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"
#include "same_values.h"

namespace gridloom {
namespace {

using test::expectSameValues;

TEST(ImportedOrder, ShiftedStoresDoNotCoverEarlierOnes) {
  expectSameValues(R"(func.func @cover(%a: memref<6xf32>, %b: memref<6xf32>) {
  affine.for %i = 0 to 5 {
    %x = affine.load %a[%i] : memref<6xf32>
    affine.store %x, %b[%i + 1] : memref<6xf32>
  }
  affine.for %i = 0 to 5 {
    %x = affine.load %a[%i + 1] : memref<6xf32>
    affine.store %x, %b[%i] : memref<6xf32>
  }
  return
}
)");
}

// An equation between the loops of a sum is kept as bounds.
TEST(ImportedOrder, SumsOverADiagonal) {
  expectSameValues(R"(func.func @diagonal(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %j = 0 to 4 {
    affine.for %k = 0 to 4 {
      affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%j, %k) {
        %b0 = affine.load %b[%j] : memref<8xf32>
        %a0 = affine.load %a[5] : memref<8xf32>
        %s = arith.addf %a0, %b0 : f32
        affine.store %s, %a[5] : memref<8xf32>
      }
    }
  }
  affine.for %i = 1 to 4 {
    %x = affine.load %a[%i + 2] : memref<8xf32>
    affine.store %x, %a[%i + 1] : memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsUpdatesOfMoreThanWasWritten) {
  expectSameValues(R"(func.func @former(%a: memref<6xf32>, %c: memref<6xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<6xf32>
    affine.store %x, %c[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 6 {
    %x = affine.load %c[%i] : memref<6xf32>
    %y = arith.addf %x, %one : f32
    affine.store %y, %c[%i] : memref<6xf32>
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsSumsOverMoreThanWasWritten) {
  expectSameValues(R"(func.func @former_sum(%a: memref<6x8xf32>, %c: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %z, %c[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 8 {
      %x = affine.load %c[%i] : memref<6xf32>
      %w = affine.load %a[%i, %j] : memref<6x8xf32>
      %y = arith.addf %x, %w : f32
      affine.store %y, %c[%i] : memref<6xf32>
    }
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsOperationsOverMoreThanWasWritten) {
  expectSameValues(R"(func.func @former_memref_tile(%a: memref<8xf32>, %c: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %lo = memref.subview %c[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  linalg.fill ins(%one : f32) outs(%lo : memref<4xf32, strided<[1]>>)
  linalg.generic
      {indexing_maps=[affine_map<(i)->(i)>, affine_map<(i)->(i)>],
       iterator_types=["parallel"]} ins(%a : memref<8xf32>)
      outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsProductsOverMoreThanWasFilled) {
  expectSameValues(R"(func.func @part_fill(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  %z = arith.constant 0.0 : f32
  %lo = memref.subview %c[0, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  linalg.fill ins(%z : f32) outs(%lo : memref<4x8xf32, strided<[8, 1]>>)
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
)");
}

TEST(ImportedOrder, ReadsBehindAStoreWhatLaterIterationsWrite) {
  expectSameValues(
      R"(func.func @running(%a: memref<4x8xf32>, %c: memref<4x4xf32>, %m: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i, 0] : memref<4x8xf32>
    affine.store %x, %m[%i] : memref<4xf32>
    affine.for %j = 0 to 4 {
      %y = affine.load %m[%j] : memref<4xf32>
      affine.store %y, %c[%i, %j] : memref<4x4xf32>
    }
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsValuesKeptInMemory) {
  expectSameValues(R"(func.func @prev(%a: memref<6xf32>, %c: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<f32>
  affine.store %z, %s[] : memref<f32>
  affine.for %i = 0 to 6 {
    %p = affine.load %s[] : memref<f32>
    affine.store %p, %c[%i] : memref<6xf32>
    %x = affine.load %a[%i] : memref<6xf32>
    affine.store %x, %s[] : memref<f32>
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsRowsKeptInMemory) {
  expectSameValues(R"(func.func @prev_row(%a: memref<4x8xf32>, %c: memref<4x8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%t : memref<8xf32>)
  affine.for %i = 0 to 4 {
    %row = memref.subview %a[%i, 0] [1, 8] [1, 1] :
        memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %out = memref.subview %c[%i, 0] [1, 8] [1, 1] :
        memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %t, %out : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %row, %t : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsRunningReductions) {
  for (const std::string operation : {"addf", "maximumf"}) {
    expectSameValues(R"(func.func @running(%a: memref<4x8xf32>, %c: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<f32>
  memref.store %z, %s[] : memref<f32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xf32>
      %o = memref.load %s[] : memref<f32>
      %n = arith.)" + operation +
                     R"( %x, %o : f32
      memref.store %n, %s[] : memref<f32>
    }
    %o = memref.load %s[] : memref<f32>
    affine.store %o, %c[%i] : memref<4xf32>
  }
  return
}
)");
  }
}

// The diagonal alone does not replace, or follow, what stands in the whole tensor.
TEST(ImportedOrder, ReadsDiagonalsOfWhatWasWritten) {
  const std::string begin = R"(func.func @diagonal(%c: memref<6x6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.store %z, %c[%i, %j] : memref<6x6xf32>
    }
  }
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 6 {
    %x = affine.load %c[%i, %i] : memref<6x6xf32>
    %y = arith.addf %x, %one : f32
)";
  const std::string end = " : memref<6x6xf32>\n  }\n  return\n}\n";
  expectSameValues(begin + "    affine.store %one, %c[%i, %i]" + end);
  expectSameValues(begin + "    affine.store %y, %c[%i, %i]" + end);
}

// A value that was read in front of the store that replaces it, too.
TEST(ImportedOrder, ReadsOldValuesBehindTheStore) {
  expectSameValues(R"(func.func @kept(%a: memref<6xf32>, %c: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<f32>
  affine.store %z, %s[] : memref<f32>
  affine.for %i = 0 to 6 {
    %p = affine.load %s[] : memref<f32>
    %x = affine.load %a[%i] : memref<6xf32>
    affine.store %x, %s[] : memref<f32>
    affine.store %p, %c[%i] : memref<6xf32>
  }
  return
}
)");
}

TEST(ImportedOrder, ReadsTwoKindsOfReductionInOneLoop) {
  expectSameValues(R"(func.func @mixed(%a: memref<6xf32>, %c: memref<1xf32>) {
  affine.for %i = 0 to 6 {
    %x = affine.load %a[%i] : memref<6xf32>
    %0 = affine.load %c[0] : memref<1xf32>
    %1 = arith.addf %0, %x : f32
    affine.store %1, %c[0] : memref<1xf32>
    %2 = affine.load %c[0] : memref<1xf32>
    %3 = arith.maximumf %2, %x : f32
    affine.store %3, %c[0] : memref<1xf32>
  }
  return
}
)");
}

// The loop carries %a, not %c: elements of %c that later iterations write are the former ones.
TEST(ImportedOrder, ReadsElementsOfLaterIterationsBesideASweep) {
  expectSameValues(R"(func.func @sweep(%a: memref<6xf32>, %c: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    %0 = affine.load %a[%i] : memref<6xf32>
    affine.store %0, %c[%i] : memref<6xf32>
    affine.for %j = 0 to 4 {
      %1 = affine.load %c[%i] : memref<6xf32>
      %2 = affine.load %c[%j + 1] : memref<6xf32>
      %3 = arith.subf %1, %2 : f32
      affine.store %3, %a[%j] : memref<6xf32>
    }
  }
  return
}
)");
}

// %a[4] is one of the elements that another loop left as they were.
TEST(ImportedOrder, ReadsElementsThatTheLoopWritesAfterAnotherOne) {
  expectSameValues(R"(func.func @f(%a: memref<6xf32>, %b: memref<6xf32>, %c: memref<6xf32>) {
  affine.for %i = 0 to 4 {
    %0 = affine.load %c[%i] : memref<6xf32>
    affine.store %0, %a[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 6 {
    %1 = affine.load %a[4] : memref<6xf32>
    affine.store %1, %b[%i] : memref<6xf32>
    %2 = affine.load %c[%i] : memref<6xf32>
    affine.store %2, %a[%i] : memref<6xf32>
  }
  return
}
)");
}

// The function, which first adds to the diagonal of %A, so that it divides by no small numbers.
std::string steady(std::string function) {
  const std::string first = "memref<7x7xf32>) {\n";
  function.insert(function.find(first) + first.size(),
                  "  %ten = arith.constant 10.0 : f32\n  affine.for %d = 0 to 7 {\n"
                  "    %old = affine.load %A[%d, %d] : memref<7x7xf32>\n"
                  "    %more = arith.addf %old, %ten : f32\n"
                  "    affine.store %more, %A[%d, %d] : memref<7x7xf32>\n  }\n");
  return function;
}

// Factorisations in place: an iteration of the outer loop writes several parts of the tensor. The
// sums are sums of the kernel, and each part is a local tensor, or the output itself.
TEST(ImportedOrder, ReadsFactorisationsInPlace) {
  const std::string lu = R"(func.func @lu(%A: memref<7x7xf32>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %a = affine.load %A[%i, %k] : memref<7x7xf32>
        %b = affine.load %A[%k, %j] : memref<7x7xf32>
        %c = affine.load %A[%i, %j] : memref<7x7xf32>
        %p = arith.mulf %a, %b : f32
        %d = arith.subf %c, %p : f32
        affine.store %d, %A[%i, %j] : memref<7x7xf32>
      }
      %x = affine.load %A[%i, %j] : memref<7x7xf32>
      %y = affine.load %A[%j, %j] : memref<7x7xf32>
      %z = arith.divf %x, %y : f32
      affine.store %z, %A[%i, %j] : memref<7x7xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 7 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %a = affine.load %A[%i, %k] : memref<7x7xf32>
        %b = affine.load %A[%k, %j] : memref<7x7xf32>
        %c = affine.load %A[%i, %j] : memref<7x7xf32>
        %p = arith.mulf %a, %b : f32
        %d = arith.subf %c, %p : f32
        affine.store %d, %A[%i, %j] : memref<7x7xf32>
      }
    }
  }
  return
}
)";
  expectSameValues(steady(lu));
  EXPECT_EQ(importer::importMlir(lu, "f.mlir", {}).kernels, R"(kernel lu() {
  tensor A_in[7, 7]: f32
  tensor A[7, 7]: f32

  A[i, j] = (A_in[i, j] - (sum(k) A[i, k] * A[k, j])) / A[j, j] where j < i, k < j
  A[i, j] = A_in[i, j] - (sum(k) A[i, k] * A[k, j]) where j >= i, k < i
}
)");
  const std::string cholesky = R"(func.func @cholesky(%A: memref<7x7xf32>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %a = affine.load %A[%i, %k] : memref<7x7xf32>
        %b = affine.load %A[%j, %k] : memref<7x7xf32>
        %c = affine.load %A[%i, %j] : memref<7x7xf32>
        %p = arith.mulf %a, %b : f32
        %d = arith.subf %c, %p : f32
        affine.store %d, %A[%i, %j] : memref<7x7xf32>
      }
      %x = affine.load %A[%i, %j] : memref<7x7xf32>
      %y = affine.load %A[%j, %j] : memref<7x7xf32>
      %z = arith.divf %x, %y : f32
      affine.store %z, %A[%i, %j] : memref<7x7xf32>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %A[%i, %k] : memref<7x7xf32>
      %c = affine.load %A[%i, %i] : memref<7x7xf32>
      %p = arith.mulf %a, %a : f32
      %d = arith.subf %c, %p : f32
      affine.store %d, %A[%i, %i] : memref<7x7xf32>
    }
    %x = affine.load %A[%i, %i] : memref<7x7xf32>
    %y = math.sqrt %x : f32
    affine.store %y, %A[%i, %i] : memref<7x7xf32>
  }
  return
}
)";
  expectSameValues(steady(cholesky));
  EXPECT_EQ(importer::importMlir(cholesky, "f.mlir", {}).kernels, R"(kernel cholesky() {
  tensor A_in[7, 7]: f32
  tensor A[7, 7]: f32

  A[i, j] = (A_in[i, j] - (sum(k) A[i, k] * A[j, k])) / A[j, j] where j < i, k < j
  A[j, j] = sqrt(A_in[j, j] - (sum(k) A[j, k] * A[j, k])) where k < j
  A[i, j] = A_in[i, j] where i < j
}
)");
}

TEST(ImportedOrder, ReadsFromBehind) {
  expectSameValues(
      "func.func @f(%x: memref<9xf32>) {\n  affine.for %n = 0 to 9 {\n"
      "    %v = affine.load %x[-%n + 8] : memref<9xf32>\n    affine.store %v, %x[%n] : "
      "memref<9xf32>\n  }\n  return\n}\n");
}

TEST(ImportedOrder, ReadsWhatEarlierIterationsWrite) {
  expectSameValues(
      "func.func @f(%x: memref<9xf32>, %y: memref<9xf32>) {\n  affine.for %n = 1 to 9 {\n"
      "    %v = affine.load %x[%n - 1] : memref<9xf32>\n    affine.store %v, %y[%n] : "
      "memref<9xf32>\n    %w = affine.load %x[%n] : memref<9xf32>\n"
      "    %z = arith.addf %w, %w : f32\n    affine.store %z, %x[%n] : memref<9xf32>\n  }\n"
      "  return\n}\n");
}

TEST(ImportedOrder, ReadsSweepsOverTime) {
  expectSameValues(
      "func.func @f(%x: memref<9xf32>, %y: memref<9xf32>) {\n  affine.for %t = 0 to 4 {\n"
      "    affine.for %n = 0 to 9 {\n      %v = affine.load %x[%n] : memref<9xf32>\n"
      "      affine.store %v, %y[%n] : memref<9xf32>\n    }\n  }\n  return\n}\n");
}

// Iterations of a parallel loop have no order.
TEST(ImportedOrder, RefusesRacesOfParallelLoops) {
  const std::string race =
      "func.func @f(%x: memref<6x8xf32>, %y: memref<6x8xf32>) {\n"
      "  %z = arith.constant 0.0 : f32\n  %t = memref.alloc() : memref<1xf32>\n"
      "  affine.for %i = 0 to 6 {\n    affine.store %z, %t[0] : memref<1xf32>\n"
      "    affine.parallel (%j) = (0) to (8) {\n      %a = affine.load %t[0] : memref<1xf32>\n"
      "      %v = affine.load %x[%i, %j] : memref<6x8xf32>\n      %s = arith.addf %a, %v : f32\n"
      "      affine.store %s, %t[0] : memref<1xf32>\n"
      "      affine.store %s, %y[%i, %j] : memref<6x8xf32>\n    }\n  }\n  return\n}\n";
  const auto imported = importer::importMlir(race, "f.mlir", {});
  EXPECT_EQ(imported.kernels, "");
  EXPECT_NE(imported.finding.message.find("iterations of a parallel loop"), std::string::npos);
  EXPECT_EQ(imported.finding.line, 10) << imported.finding.message;
}

// The last iteration that writes an element is a part of a diagonal.
TEST(ImportedOrder, ReadsStoresThatOverlapAtAStride) {
  expectSameValues(
      "func.func @f(%x: memref<4x4xf32>, %y: memref<7xf32>) {\n  affine.for %i = 0 to 4 {\n"
      "    affine.for %j = 0 to 4 {\n      %v = affine.load %x[%i, %j] : memref<4x4xf32>\n"
      "      affine.store %v, %y[%i + %j] : memref<7xf32>\n    }\n  }\n  return\n}\n");
}

// What an iteration adds up is used in it, too: it is no sum of which only the end counts.
TEST(ImportedOrder, ReadsPrefixSums) {
  expectSameValues(
      "func.func @f(%x: memref<6x8xf32>, %y: memref<6x8xf32>) {\n"
      "  %z = arith.constant 0.0 : f32\n  %t = memref.alloc() : memref<1xf32>\n"
      "  affine.for %i = 0 to 6 {\n    affine.store %z, %t[0] : memref<1xf32>\n"
      "    affine.for %j = 0 to 8 {\n      %a = affine.load %t[0] : memref<1xf32>\n"
      "      %v = affine.load %x[%i, %j] : memref<6x8xf32>\n      %s = arith.addf %a, %v : f32\n"
      "      affine.store %s, %t[0] : memref<1xf32>\n"
      "      affine.store %s, %y[%i, %j] : memref<6x8xf32>\n    }\n  }\n  return\n}\n");
}

// The first iteration of the first loop reads what stood in %b[4] before the second loop.
TEST(ImportedOrder, ReadsWhatALaterLoopReplaces) {
  expectSameValues(
      "func.func @f(%b: memref<8xf32>) {\n  %c = arith.constant 3.0 : f32\n"
      "  affine.for %i = 0 to 3 {\n    %1 = affine.load %b[%i + 4] : memref<8xf32>\n"
      "    affine.store %1, %b[%i + 5] : memref<8xf32>\n  }\n"
      "  affine.for %i = 0 to 4 {\n    affine.store %c, %b[%i + 1] : memref<8xf32>\n  }\n"
      "  return\n}\n");
}

// The sum runs over four elements, of which two are those of a shorter local tensor.
TEST(ImportedOrder, ReadsSumsOverPartsOfSeveralTensors) {
  expectSameValues(
      "func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<1xf32>) {\n"
      "  affine.for %i = 0 to 5 {\n    affine.for %j = 1 to 3 {\n"
      "      %1 = affine.load %b[%i + %j] : memref<8xf32>\n"
      "      %2 = affine.load %a[2] : memref<8xf32>\n      %3 = arith.addf %1, %2 : f32\n"
      "      affine.store %3, %a[%j] : memref<8xf32>\n    }\n  }\n"
      "  affine.for %i = 0 to 4 {\n    %1 = affine.load %c[0] : memref<1xf32>\n"
      "    %2 = affine.load %a[%i + 1] : memref<8xf32>\n    %3 = arith.subf %1, %2 : f32\n"
      "    affine.store %3, %c[0] : memref<1xf32>\n  }\n  return\n}\n");
}

// Memory that a function allocates and returns, and a number.
TEST(ImportedOrder, ReadsWhatIsReturned) {
  const auto imported = importer::importMlir(
      "func.func @f(%x: memref<6xf32>) -> (memref<6xf32>, f32, memref<6xf32>) {\n"
      "  %c = arith.constant 0 : index\n  %m = memref.alloc() : memref<6xf32>\n"
      "  affine.for %i = 0 to 6 {\n    %1 = affine.load %x[5 - %i] : memref<6xf32>\n"
      "    affine.store %1, %m[%i] : memref<6xf32>\n  }\n"
      "  %2 = affine.load %m[%c] : memref<6xf32>\n"
      "  return %m, %2, %x : memref<6xf32>, f32, memref<6xf32>\n}\n",
      "f.mlir", {});
  EXPECT_EQ(imported.kernels,
            "kernel f() {\n  tensor x[6]: f32\n  tensor out[6]: f32\n  tensor out1[1]: f32\n"
            "  local t0[6]: f32\n\n  t0[i] = x[-i + 5]\n  out[i] = t0[i]\n  out1[j] = t0[0]\n}\n")
      << imported.finding.message;
}

TEST(ImportedOrder, ReadsStoresAtAStride) {
  const std::string function =
      "func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {\n"
      "  affine.for %i = 0 to 3 {\n    %a = affine.load %x[%i] : memref<8xf32>\n"
      "    affine.store %a, %y[2 * %i + 1] : memref<8xf32>\n  }\n  return\n}\n";
  expectSameValues(function);
  EXPECT_EQ(importer::importMlir(function, "f.mlir", {}).kernels,
            "kernel f() {\n  tensor x[8]: f32\n  tensor y[8]: f32\n  tensor y_in[8]: f32\n"
            "  for j in 0..4\n\n  y[2 * i + 1] = x[i] where i <= 2\n"
            "  y[2 * j] = y_in[2 * j]\n  y[7] = y_in[7]\n}\n");
}

std::string blocksAtAStride(int blocks) {
  const std::string y = "memref<" + std::to_string(4 * blocks) + "xf32>";
  return "func.func @f(%x: memref<64xf32>, %y: " + y + ") {\n  affine.for %i = 0 to " +
         std::to_string(blocks) +
         " {\n    affine.for %j = 0 to 2 {\n"
         "      %a = affine.load %x[%i] : memref<64xf32>\n"
         "      affine.store %a, %y[4 * %i + %j] : " +
         y + "\n    }\n  }\n  return\n}\n";
}

TEST(ImportedOrder, ReadsFewBlocksAtAStride) { expectSameValues(blocksAtAStride(2)); }

TEST(ImportedOrder, ReadsAMemoryWithoutDimensionsBesideOthers) {
  const auto imported = importer::importMlir(
      "func.func @f(%a: memref<12xf32>, %o: memref<12xf32>, %p: memref<f32>) {\n"
      "  %two = arith.constant 2.0 : f32\n  affine.store %two, %p[] : memref<f32>\n"
      "  affine.for %i = 0 to 12 step 4 {\n    %v = affine.load %a[%i] : memref<12xf32>\n"
      "    affine.store %v, %o[%i + 1] : memref<12xf32>\n  }\n  return\n}\n",
      "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("p[0] = 2\n"), std::string::npos) << imported.kernels;
}

TEST(ImportedOrder, ReadsManyBlocksAtAStride) { expectSameValues(blocksAtAStride(64)); }

// What an earlier iteration wrote is read in front of the store, and stored behind it.
TEST(ImportedOrder, ReadsValuesThatAreStoredTwice) {
  expectSameValues(
      "func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {\n  affine.for %i = 0 to 6 {\n"
      "    %1 = affine.load %b[%i] : memref<8xf32>\n"
      "    affine.store %1, %b[%i + 1] : memref<8xf32>\n"
      "    affine.store %1, %a[%i] : memref<8xf32>\n  }\n  return\n}\n");
}

TEST(ImportedLines, ComeFromTheOperationsThatTheyCompute) {
  const auto imported = importer::importMlir(R"(func.func @f(%a: memref<6xf32>,
                %b: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    %0 = affine.load %a[%i] : memref<6xf32>
    affine.store %0, %b[%i] : memref<6xf32>
  }
  return
}
)",
                                             "f.mlir", {});
  std::vector<int> lines;
  for (const importer::Place& place : imported.places) lines.push_back(place.line);
  EXPECT_EQ(imported.kernels, "kernel f() {\n  tensor a[6]: f32\n  tensor b[6]: f32\n\n"
                              "  b[i] = a[i]\n}\n");
  EXPECT_EQ(lines, (std::vector<int>{1, 1, 2, 1, 5, 1}));
}

// A loop that carries memory stores it twice in an iteration: the second nest reads what its own
// earlier iterations stored.
TEST(ImportedOrder, ReadsASecondStoreThatReadsWhatItStored) {
  expectSameValues(R"(func.func @w1(%c: memref<8xf32>, %d: memref<8xf32>) {
  affine.for %t = 0 to 3 {
    affine.for %j = 0 to 8 {
      %v1 = affine.load %c[%j] : memref<8xf32>
      %v2 = affine.load %d[%j] : memref<8xf32>
      %v3 = arith.addf %v1, %v2 : f32
      affine.store %v3, %c[%j] : memref<8xf32>
    }
    affine.for %j = 0 to 7 {
      %v6 = affine.load %c[%j] : memref<8xf32>
      affine.store %v6, %c[%j + 1] : memref<8xf32>
    }
  }
  return
}
)");
  expectSameValues(R"(func.func @w4(%c: memref<8xf32>, %d: memref<8xf32>, %e: memref<3x8xf32>) {
  %h = arith.constant 0.5 : f32
  affine.for %t = 0 to 3 {
    affine.for %j = 0 to 8 {
      %v1 = affine.load %c[%j] : memref<8xf32>
      %v2 = affine.load %d[%j] : memref<8xf32>
      %v3 = arith.addf %v1, %v2 : f32
      affine.store %v3, %c[%j] : memref<8xf32>
    }
    affine.for %j = 1 to 8 {
      %v6 = affine.load %c[%j - 1] : memref<8xf32>
      affine.store %v6, %e[%t, %j] : memref<3x8xf32>
      %v7 = affine.load %c[%j] : memref<8xf32>
      %v8 = arith.mulf %v7, %h : f32
      affine.store %v8, %c[%j] : memref<8xf32>
    }
  }
  return
}
)");
}

// The table of a dynamic program, from its last row on. One branch of an iteration runs on a
// diagonal alone, against the direction of both loops.
TEST(ImportedOrder, ReadsTablesFromTheLastRowOn) {
  expectSameValues(R"(func.func @pairs(%w: memref<6xf32>, %t: memref<6x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (-d0 + 6)>(%i) to 6 {
      affine.if affine_set<(d0, d1) : (d0 + d1 - 7 >= 0)>(%i, %j) {
        %b = affine.load %t[-%i + 6, %j - 1] : memref<6x6xf32>
        %c = affine.load %w[%j] : memref<6xf32>
        %d = arith.addf %b, %c : f32
        affine.store %d, %t[-%i + 5, %j] : memref<6x6xf32>
      } else {
        %a = affine.load %t[-%i + 5, %j - 1] : memref<6x6xf32>
        %b = affine.load %t[-%i + 6, %j] : memref<6x6xf32>
        %d = arith.addf %a, %b : f32
        affine.store %d, %t[-%i + 5, %j] : memref<6x6xf32>
      }
      affine.for %k = affine_map<(d0) -> (-d0 + 6)>(%i) to affine_map<(d0) -> (d0)>(%j) {
        %a = affine.load %t[-%i + 5, %j] : memref<6x6xf32>
        %b = affine.load %t[-%i + 5, %k] : memref<6x6xf32>
        %c = affine.load %t[%k + 1, %j] : memref<6x6xf32>
        %d = arith.addf %b, %c : f32
        %e = arith.maximumf %a, %d : f32
        affine.store %e, %t[-%i + 5, %j] : memref<6x6xf32>
      }
    }
  }
  return
}
)");
}

// The least spread of a column is used for its rows; the spread itself, which the store of the
// least one reads twice, is no part of the result.
TEST(ImportedOrder, ReadsWhatAStoreReadsTwiceAndReplaces) {
  expectSameValues(R"(func.func @spread(%x: memref<4x5xf32>, %s: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 1.0 : f32
  affine.for %j = 0 to 5 {
    affine.store %zero, %s[%j] : memref<5xf32>
    affine.for %i = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<4x5xf32>
      %b = affine.load %s[%j] : memref<5xf32>
      %c = arith.mulf %a, %a : f32
      %d = arith.addf %b, %c : f32
      affine.store %d, %s[%j] : memref<5xf32>
    }
    %e = affine.load %s[%j] : memref<5xf32>
    %f = math.sqrt %e : f32
    affine.store %f, %s[%j] : memref<5xf32>
    %g = affine.load %s[%j] : memref<5xf32>
    %h = arith.cmpf ole, %g, %least : f32
    %k = arith.select %h, %least, %g : f32
    affine.store %k, %s[%j] : memref<5xf32>
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %a = affine.load %x[%i, %j] : memref<4x5xf32>
      %b = affine.load %s[%j] : memref<5xf32>
      %c = arith.divf %a, %b : f32
      affine.store %c, %x[%i, %j] : memref<4x5xf32>
      %d = affine.load %x[%i, %j] : memref<4x5xf32>
      %y = affine.load %x[0, %j] : memref<4x5xf32>
      %e = arith.addf %d, %y : f32
      affine.store %e, %x[%i, %j] : memref<4x5xf32>
    }
  }
  return
}
)");
}

// An iteration adds to the rows above its own, and then sets its own, which later ones add to.
TEST(ImportedOrder, ReadsSumsOverLaterIterations) {
  expectSameValues(R"(func.func @symmetric(%a: memref<5x5xf32>, %b: memref<5x4xf32>,
    %c: memref<5x4xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 4 {
      %b0 = affine.load %b[%i, %j] : memref<5x4xf32>
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %a0 = affine.load %a[%i, %k] : memref<5x5xf32>
        %c0 = affine.load %c[%k, %j] : memref<5x4xf32>
        %p = arith.mulf %a0, %b0 : f32
        %s = arith.addf %c0, %p : f32
        affine.store %s, %c[%k, %j] : memref<5x4xf32>
      }
      %a1 = affine.load %a[%i, %i] : memref<5x5xf32>
      %c1 = affine.load %c[%i, %j] : memref<5x4xf32>
      %q = arith.mulf %a1, %b0 : f32
      %t = arith.addf %c1, %q : f32
      affine.store %t, %c[%i, %j] : memref<5x4xf32>
    }
  }
  return
}
)");
}

// Attention whose maxima, sums and rows are kept in memory from one block of keys to the next. Its
// two products stand in one kernel, with the recurrences between them.
TEST(ImportedOrder, ReadsRunningAttentionAsOneKernel) {
  const std::string attention =
      R"(func.func @running(%q: memref<4x5xf32>, %k: memref<3x2x5xf32>, %v: memref<3x2x5xf32>, %o: memref<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1.0e+30 : f32
  affine.for %i = 0 to 4 {
    %m = memref.alloca() : memref<1xf32>
    %l = memref.alloca() : memref<1xf32>
    %a = memref.alloca() : memref<5xf32>
    affine.store %least, %m[0] : memref<1xf32>
    affine.store %zero, %l[0] : memref<1xf32>
    affine.for %d = 0 to 5 {
      affine.store %zero, %a[%d] : memref<5xf32>
    }
    affine.for %b = 0 to 3 {
      %p = memref.alloca() : memref<2xf32>
      affine.for %j = 0 to 2 {
        %y = affine.for %d = 0 to 5 iter_args(%all = %zero) -> (f32) {
          %q0 = affine.load %q[%i, %d] : memref<4x5xf32>
          %k0 = affine.load %k[%b, %j, %d] : memref<3x2x5xf32>
          %z = arith.mulf %q0, %k0 : f32
          %w = arith.addf %all, %z : f32
          affine.yield %w : f32
        }
        affine.store %y, %p[%j] : memref<2xf32>
      }
      %old = affine.load %m[0] : memref<1xf32>
      %new = affine.for %j = 0 to 2 iter_args(%most = %old) -> (f32) {
        %x = affine.load %p[%j] : memref<2xf32>
        %y = arith.maximumf %most, %x : f32
        affine.yield %y : f32
      }
      %sum = affine.for %j = 0 to 2 iter_args(%all = %zero) -> (f32) {
        %x = affine.load %p[%j] : memref<2xf32>
        %y = arith.subf %x, %new : f32
        %z = math.exp %y : f32
        affine.store %z, %p[%j] : memref<2xf32>
        %w = arith.addf %all, %z : f32
        affine.yield %w : f32
      }
      %apart = arith.subf %old, %new : f32
      %scale = math.exp %apart : f32
      %l0 = affine.load %l[0] : memref<1xf32>
      %l1 = arith.mulf %l0, %scale : f32
      %l2 = arith.addf %l1, %sum : f32
      affine.store %new, %m[0] : memref<1xf32>
      affine.store %l2, %l[0] : memref<1xf32>
      affine.for %d = 0 to 5 {
        %a0 = affine.load %a[%d] : memref<5xf32>
        %a1 = arith.mulf %a0, %scale : f32
        %a2 = affine.for %j = 0 to 2 iter_args(%all = %zero) -> (f32) {
          %x = affine.load %p[%j] : memref<2xf32>
          %y = affine.load %v[%b, %j, %d] : memref<3x2x5xf32>
          %z = arith.mulf %x, %y : f32
          %w = arith.addf %all, %z : f32
          affine.yield %w : f32
        }
        %a3 = arith.addf %a1, %a2 : f32
        affine.store %a3, %a[%d] : memref<5xf32>
      }
    }
    affine.for %d = 0 to 5 {
      %x = affine.load %a[%d] : memref<5xf32>
      %y = affine.load %l[0] : memref<1xf32>
      %z = arith.divf %x, %y : f32
      affine.store %z, %o[%i, %d] : memref<4x5xf32>
    }
  }
  return
}
)";
  expectSameValues(attention);
  const std::string kernels = importer::importMlir(attention, "f.mlir", {}).kernels;
  EXPECT_TRUE(kernels.starts_with("kernel running() {\n")) << kernels;
}

// The loop of an element that only one iteration of another loop leaves keeps its range.
TEST(ImportedOrder, ReadsDiagonalsThatLeaveTheTensor) {
  expectSameValues(R"(func.func @against(%a: memref<6x8xf32>, %c: memref<6x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 3 {
      %v = affine.load %a[%i, %j] : memref<6x8xf32>
      affine.store %v, %c[-%i + 5, %i] : memref<6x6xf32>
    }
  }
  return
}
)");
  expectSameValues(R"(func.func @along(%a: memref<6x8xf32>, %c: memref<6xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 3 {
    affine.for %k = 0 to 6 {
      affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %k) {
        affine.store %z, %c[%k + 1] : memref<6xf32>
        affine.for %j = 0 to 8 {
          %v = affine.load %a[%k + 1, %j] : memref<6x8xf32>
          %w = affine.load %c[%k + 1] : memref<6xf32>
          %s = arith.addf %v, %w : f32
          affine.store %s, %c[%k + 1] : memref<6xf32>
        }
      }
    }
  }
  return
}
)");
}

// The sum of a row behind the diagonal, unrolled by 3: the first loop takes whole steps.
std::string unrolledRows(const std::string& third) {
  return R"(func.func @rows(%a: memref<9x9xf32>, %x: memref<9xf32>, %y: memref<9xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i)
        to affine_map<(d0) -> (d0 + ((-d0 + 8) floordiv 3) * 3 + 1)>(%i) step 3
        iter_args(%c = %z) -> (f32) {
      %a0 = affine.load %a[%i, %j] : memref<9x9xf32>
      %x0 = affine.load %x[%j] : memref<9xf32>
      %p0 = arith.mulf %a0, %x0 : f32
      %s0 = arith.addf %c, %p0 : f32
      %a1 = affine.load %a[%i, %j + 1] : memref<9x9xf32>
      %x1 = affine.load %x[%j + 1] : memref<9xf32>
      %p1 = arith.mulf %a1, %x1 : f32
      %s1 = arith.addf %s0, %p1 : f32
      %a2 = affine.load %a[%i, %j + )" +
         third + R"(] : memref<9x9xf32>
      %x2 = affine.load %x[%j + 2] : memref<9xf32>
      %p2 = arith.mulf %a2, %x2 : f32
      %s2 = arith.addf %s1, %p2 : f32
      affine.yield %s2 : f32
    }
    %t = affine.for %j = affine_map<(d0) -> (d0 + ((-d0 + 8) floordiv 3) * 3 + 1)>(%i) to 9
        iter_args(%c = %s) -> (f32) {
      %a0 = affine.load %a[%i, %j] : memref<9x9xf32>
      %x0 = affine.load %x[%j] : memref<9xf32>
      %p0 = arith.mulf %a0, %x0 : f32
      %s0 = arith.addf %c, %p0 : f32
      affine.yield %s0 : f32
    }
    affine.store %t, %y[%i] : memref<9xf32>
  }
  return
}
)";
}

TEST(ImportedOrder, ReadsTriangularLoopsThatWereUnrolled) {
  expectSameValues(unrolledRows("2"));
  // No copy of the loop behind it.
  const auto other = importer::importMlir(unrolledRows("1"), "f.mlir", {});
  EXPECT_NE(other.finding.message.find("quotient is not affine"), std::string::npos)
      << other.kernels << other.finding.message;
}

TEST(ImportedOrder, ReadsLoopsOfWhichABoundLeavesOneIteration) {
  expectSameValues(R"(func.func @last(%a: memref<2x2xf32>, %y: memref<2xf32>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i, %j] : memref<2x2xf32>
      affine.store %x, %y[%j] : memref<2xf32>
    }
  }
  return
}
)");
}

TEST(ImportedOrder, GivesSumsOfManyStatementsFewLoops) {
  std::string text = "func.func @f(%a: memref<9x40xf32>, %y: memref<6x40xf32>) {\n"
                     "  %z = arith.constant 0.0 : f32\n  affine.for %i = 0 to 6 {\n";
  for (int n = 0; n < 36; ++n) {
    const std::string at = std::to_string(n);
    text += "    %s" + at +
            " = affine.for %j = 0 to 4 iter_args(%c = %z) -> (f32) {\n"
            "      %x = affine.load %a[%i + %j, " +
            at +
            "] : memref<9x40xf32>\n"
            "      %t = arith.addf %c, %x : f32\n      affine.yield %t : f32\n    }\n"
            "    affine.store %s" +
            at + ", %y[%i, " + at + "] : memref<6x40xf32>\n";
  }
  expectSameValues(text + "  }\n  return\n}\n");
}

// A sum along the row is used in one along the column.
TEST(ImportedOrder, ReadsSumsOverALoopOfTheElementsThatUseThem) {
  expectSameValues(R"(func.func @f(%a: memref<4xf32>, %x: memref<4x4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.if affine_set<(d0, d1) : (d0 + d1 - 2 >= 0)>(%i, %j) {
        affine.if affine_set<(d0, d1) : (1 - d1 >= 0)>(%i, %j) {
          %v = affine.load %a[%j] : memref<4xf32>
          %w = affine.load %x[%i, %j] : memref<4x4xf32>
          %s = arith.addf %v, %w : f32
          affine.store %s, %a[%j] : memref<4xf32>
        }
      } else {
        affine.if affine_set<(d0, d1) : (1 - d0 + d1 >= 0)>(%i, %j) {
          %v = affine.load %a[%i] : memref<4xf32>
          %w = affine.load %x[%j, %i] : memref<4x4xf32>
          %s = arith.subf %v, %w : f32
          affine.store %s, %a[%i] : memref<4xf32>
        }
      }
    }
  }
  return
}
)");
}

}  // namespace
}  // namespace gridloom
