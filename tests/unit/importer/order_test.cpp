// SPDX-License-Identifier: Apache-2.0
// Memory that loops write and read in an order that recurrences do not have.
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"

namespace gridloom {
namespace {

void expectRefused(const std::string& text, const std::string& message, int line) {
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.kernels, "") << text;
  EXPECT_NE(imported.finding.message.find(message), std::string::npos)
      << imported.finding.message << text;
  EXPECT_EQ(imported.finding.line, line) << text;
  EXPECT_FALSE(imported.finding.hint.empty());
}

TEST(ImportedOrder, RefusesShiftedStoresDoNotCoverEarlierOnes) {
  expectRefused(R"(func.func @cover(%a: memref<6xf32>, %b: memref<6xf32>) {
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
)",
                "several statements write parts of one tensor", 8);
}

TEST(ImportedOrder, RefusesUpdatesOfMoreThanWasWritten) {
  expectRefused(R"(func.func @former(%a: memref<6xf32>, %c: memref<6xf32>) {
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
)",
                "it adds to elements of which only a part was written before", 10);
}

TEST(ImportedOrder, RefusesSumsOverMoreThanWasWritten) {
  expectRefused(R"(func.func @former_sum(%a: memref<6x8xf32>, %c: memref<6xf32>) {
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
)",
                "it adds to elements of which only a part was written before", 11);
}

TEST(ImportedOrder, RefusesOperationsOverMoreThanWasWritten) {
  expectRefused(R"(func.func @former_memref_tile(%a: memref<8xf32>, %c: memref<8xf32>) {
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
)",
                "it adds to elements of which only a part was written before", 10);
}

TEST(ImportedOrder, RefusesProductsOverMoreThanWasFilled) {
  expectRefused(R"(func.func @part_fill(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  %z = arith.constant 0.0 : f32
  %lo = memref.subview %c[0, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  linalg.fill ins(%z : f32) outs(%lo : memref<4x8xf32, strided<[8, 1]>>)
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
)",
                "it adds to elements of which only a part was written before", 5);
}

TEST(ImportedOrder, RefusesReadsBehindAStoreOfWhatLaterIterationsWrite) {
  expectRefused(R"(func.func @running(%a: memref<4x8xf32>, %c: memref<4x4xf32>, %m: memref<4xf32>) {
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
)",
                "whether they were written before depends on the loops", 6);
}

TEST(ImportedOrder, RefusesValuesKeptInMemory) {
  expectRefused(R"(func.func @prev(%a: memref<6xf32>, %c: memref<6xf32>) {
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
)",
                "a loop reads what its earlier iterations left in memory", 9);
}

TEST(ImportedOrder, RefusesRowsKeptInMemory) {
  expectRefused(R"(func.func @prev_row(%a: memref<4x8xf32>, %c: memref<4x8xf32>) {
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
)",
                "a loop reads what its earlier iterations left in memory", 11);
}

TEST(ImportedOrder, RefusesRunningReductions) {
  for (const std::string operation : {"addf", "maximumf"}) {
    expectRefused(R"(func.func @running(%a: memref<4x8xf32>, %c: memref<4xf32>) {
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
)",
                  "it uses what a loop around it has added up so far", 13);
  }
}

// The diagonal alone does not replace, or follow, what stands in the whole tensor.
TEST(ImportedOrder, RefusesDiagonalsOfWhatWasWritten) {
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
  expectRefused(begin + "    affine.store %one, %c[%i, %i]" + end,
                "several statements write parts of one tensor", 12);
  expectRefused(begin + "    affine.store %y, %c[%i, %i]" + end,
                "it writes only a part of the elements that were written before", 12);
}

// A value that was read in front of the store that replaces it, too.
TEST(ImportedOrder, RefusesOldValuesBehindTheStore) {
  expectRefused(R"(func.func @kept(%a: memref<6xf32>, %c: memref<6xf32>) {
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
)",
                "is used behind the store that replaces it", 1);
}

TEST(ImportedOrder, RefusesTwoKindsOfReductionInOneLoop) {
  expectRefused(R"(func.func @mixed(%a: memref<6xf32>, %c: memref<1xf32>) {
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
)",
                "it changes what a loop around it has added up so far", 9);
}

// The loop carries %a, not %c: elements of %c that later iterations write are the former ones.
TEST(ImportedOrder, RefusesElementsOfLaterIterationsBesideASweep) {
  expectRefused(R"(func.func @sweep(%a: memref<6xf32>, %c: memref<6xf32>) {
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
)",
                "whether they were written before depends on the loops", 7);
}

// %a[4] is one of the elements that another loop left as they were.
TEST(ImportedOrder, RefusesElementsThatTheLoopWritesAfterAnotherOne) {
  expectRefused(R"(func.func @f(%a: memref<6xf32>, %b: memref<6xf32>, %c: memref<6xf32>) {
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
)",
                "a loop reads elements of a tensor that its earlier iterations write", 10);
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
TEST(ImportedOrder, RefusesASecondStoreThatReadsWhatItStored) {
  expectRefused(R"(func.func @w1(%c: memref<8xf64>, %d: memref<8xf64>) {
  affine.for %t = 0 to 3 {
    affine.for %j = 0 to 8 {
      %v1 = affine.load %c[%j] : memref<8xf64>
      %v2 = affine.load %d[%j] : memref<8xf64>
      %v3 = arith.addf %v1, %v2 : f64
      affine.store %v3, %c[%j] : memref<8xf64>
    }
    affine.for %j = 0 to 7 {
      %v6 = affine.load %c[%j] : memref<8xf64>
      affine.store %v6, %c[%j + 1] : memref<8xf64>
    }
  }
  return
}
)",
                "whether they were written before depends on the loops", 11);
  expectRefused(R"(func.func @w4(%c: memref<8xf64>, %d: memref<8xf64>, %e: memref<3x8xf64>) {
  %h = arith.constant 0.5 : f64
  affine.for %t = 0 to 3 {
    affine.for %j = 0 to 8 {
      %v1 = affine.load %c[%j] : memref<8xf64>
      %v2 = affine.load %d[%j] : memref<8xf64>
      %v3 = arith.addf %v1, %v2 : f64
      affine.store %v3, %c[%j] : memref<8xf64>
    }
    affine.for %j = 1 to 8 {
      %v6 = affine.load %c[%j - 1] : memref<8xf64>
      affine.store %v6, %e[%t, %j] : memref<3x8xf64>
      %v7 = affine.load %c[%j] : memref<8xf64>
      %v8 = arith.mulf %v7, %h : f64
      affine.store %v8, %c[%j] : memref<8xf64>
    }
  }
  return
}
)",
                "reads elements of a tensor that its earlier iterations write", 15);
}

}  // namespace
}  // namespace gridloom
