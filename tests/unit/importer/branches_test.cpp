// SPDX-License-Identifier: Apache-2.0
// Branches and calls that have no form as recurrences, and what is said of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"
#include "same_values.h"

namespace gridloom {
namespace {

void expectRefused(const std::string& text, const std::string& message, std::size_t line) {
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.kernels, "") << text;
  EXPECT_NE(imported.finding.message.find(message), std::string::npos) << imported.finding.message;
  EXPECT_EQ(static_cast<std::size_t>(imported.finding.line), line) << text;
  EXPECT_FALSE(imported.finding.hint.empty());
}

// A loop over x and y around the body, which starts in line 6.
std::string looped(const std::string& body) {
  return "func.func @f(%x: memref<6xf32>, %y: memref<6xf32>) {\n"
         "  %z = arith.constant 0.0 : f32\n  %t = memref.alloc() : memref<6xf32>\n"
         "  linalg.fill ins(%z : f32) outs(%t : memref<6xf32>)\n  affine.for %i = 0 to 6 {\n" +
         body + "  }\n  return\n}\n";
}

// A branch that yields a value, which is stored, and does something more.
std::string affineBranch(const std::string& more) {
  return looped("    %v = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) -> f32 {\n" + more +
                "      affine.yield %z : f32\n    } else {\n      affine.yield %z : f32\n    }\n"
                "    affine.store %v, %y[%i] : memref<6xf32>\n");
}

std::string scfBranch(const std::string& more) {
  return looped("    %a = affine.load %x[%i] : memref<6xf32>\n"
                "    %c = arith.cmpf ogt, %a, %z : f32\n    %v = scf.if %c -> f32 {\n" +
                more +
                "      scf.yield %a : f32\n    } else {\n      scf.yield %z : f32\n    }\n"
                "    affine.store %v, %y[%i] : memref<6xf32>\n");
}

TEST(ImportedBranches, ThatYieldValuesWriteNoMemoryFromOutside) {
  const std::string message = "a branch that yields values writes memory, too";
  const std::string stores[] = {
      "      affine.store %z, %x[%i] : memref<6xf32>\n",
      "      memref.store %z, %t[%i] : memref<6xf32>\n",
      "      linalg.fill ins(%z : f32) outs(%t : memref<6xf32>)\n",
      "      memref.copy %x, %t : memref<6xf32> to memref<6xf32>\n",
  };
  for (const std::string& store : stores) {
    expectRefused(affineBranch(store), message, 7);
    expectRefused(scfBranch(store), message, 9);
  }
  expectRefused(affineBranch("      %w = memref.cast %t : memref<6xf32> to memref<?xf32>\n"
                             "      memref.store %z, %w[%i] : memref<?xf32>\n"),
                message, 8);
}

TEST(ImportedBranches, ThatYieldValuesMayWriteMemoryOfTheirOwn) {
  const std::string own = "      %o = memref.alloc() : memref<6xf32>\n"
                          "      linalg.fill ins(%z : f32) outs(%o : memref<6xf32>)\n";
  for (const std::string& text : {affineBranch(own), scfBranch(own)}) {
    const auto imported = importer::importMlir(text, "f.mlir", {});
    EXPECT_EQ(imported.finding.message, "") << text;
  }
}

TEST(ImportedBranches, OnDataFillWhatWasWritten) {
  test::expectSameValues(looped("    %a = affine.load %x[%i] : memref<6xf32>\n"
                                "    %c = arith.cmpf ogt, %a, %z : f32\n    scf.if %c {\n"
                                "      linalg.fill ins(%a : f32) outs(%t : memref<6xf32>)\n    }\n"
                                "    %b = affine.load %t[%i] : memref<6xf32>\n"
                                "    affine.store %b, %y[%i] : memref<6xf32>\n"));
}

TEST(ImportedBranches, WriteAnElementAgainInSomeIterations) {
  test::expectSameValues(looped("    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {\n"
                                "      %a = affine.load %x[%i] : memref<6xf32>\n"
                                "      affine.store %a, %t[0] : memref<6xf32>\n    }\n"
                                "    %b = affine.load %t[0] : memref<6xf32>\n"
                                "    affine.store %b, %y[%i] : memref<6xf32>\n"));
}

TEST(ImportedBranches, InAPartOfATensorDoNotLoseTheRest) {
  for (const std::string first : {"  linalg.fill ins(%z : f32) outs(%y : memref<6xf32>)\n",
                                  "  affine.for %n = 0 to 6 {\n"
                                  "    affine.store %z, %y[%n] : memref<6xf32>\n  }\n"}) {
    test::expectSameValues(
        "func.func @f(%x: memref<6xf32>, %y: memref<6xf32>) {\n"
        "  %z = arith.constant 2.0 : f32\n" +
        first +
        "  affine.for %i = 0 to 3 {\n"
        "    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {\n"
        "      %a = affine.load %x[%i] : memref<6xf32>\n"
        "      affine.store %a, %y[%i] : memref<6xf32>\n    }\n  }\n  return\n}\n");
  }
}

// A branch that wrote only some of the elements that are updated behind it.
TEST(ImportedBranches, InFrontOfAnUpdateDoNotLimitIt) {
  test::expectSameValues("func.func @f(%s: memref<1xf32>, %n: memref<8xf32>, %a: memref<8xf32>) {\n"
                         "  affine.for %i = 1 to 5 {\n"
                         "    affine.if affine_set<(d0) : (-d0 + 2 >= 0)>(%i) {\n"
                         "      %1 = affine.load %s[0] : memref<1xf32>\n"
                         "      affine.store %1, %a[%i] : memref<8xf32>\n    }\n"
                         "    %2 = affine.load %a[%i] : memref<8xf32>\n"
                         "    %3 = affine.load %n[%i - 1] : memref<8xf32>\n"
                         "    %4 = arith.maximumf %2, %3 : f32\n"
                         "    affine.store %4, %a[%i] : memref<8xf32>\n  }\n  return\n}\n");
}

TEST(ImportedCalls, HaveOneBlock) {
  expectRefused("func.func private @g(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {\n"
                "  cf.cond_br %c, ^a, ^b\n^a:\n  return %x : tensor<4xf32>\n^b:\n"
                "  %y = arith.addf %x, %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n"
                "func.func @f(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {\n"
                "  %r = func.call @g(%x, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>\n"
                "  return %r : tensor<4xf32>\n}\n",
                "`g` has jumps between blocks", 10);
}

TEST(ImportedCalls, KeepNoValueOfAnEarlierCall) {
  const auto imported = importer::importMlir(
      "func.func private @g(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {\n"
      "  %v = memref.load %x[%n] : memref<4xf32>\n  memref.store %v, %y[%n] : memref<4xf32>\n"
      "  return\n}\n"
      "func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>, %n: index) {\n"
      "  %c = arith.constant 0 : index\n"
      "  func.call @g(%x, %y, %c) : (memref<4xf32>, memref<4xf32>, index) -> ()\n"
      "  func.call @g(%x, %z, %n) : (memref<4xf32>, memref<4xf32>, index) -> ()\n"
      "  return\n}\n",
      "f.mlir", {});
  EXPECT_EQ(imported.kernels, "");
  EXPECT_NE(imported.finding.message.find("has no value"), std::string::npos)
      << imported.finding.message;
}

TEST(ImportedCalls, AreLimitedInNumber) {
  std::string text = "func.func private @g0(%x: f32) -> f32 {\n  return %x : f32\n}\n";
  for (int n = 1; n <= 24; ++n) {
    text += fmt::format("func.func private @g{0}(%x: f32) -> f32 {{\n"
                        "  %a = func.call @g{1}(%x) : (f32) -> f32\n"
                        "  %b = func.call @g{1}(%a) : (f32) -> f32\n  return %b : f32\n}}\n",
                        n, n - 1);
  }
  text += "func.func @f(%x: memref<4xf32>) {\n  affine.for %i = 0 to 4 {\n"
          "    %a = affine.load %x[%i] : memref<4xf32>\n"
          "    %b = func.call @g24(%a) : (f32) -> f32\n"
          "    affine.store %b, %x[%i] : memref<4xf32>\n  }\n  return\n}\n";
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "there are more than 1024 calls of functions");
}

// Branches and loops of which every iteration, or none, is known when the file is read.
TEST(ImportedBranches, ThatAreNeverTakenAreDropped) {
  const auto imported = importer::importMlir(R"(func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c9 = arith.constant 9 : index
  affine.for %i = 0 to 8 {
    %never = arith.cmpi sgt, %i, %c9 : index
    %x = affine.load %a[%i] : memref<8xf32>
    scf.if %never {
      affine.store %x, %b[0] : memref<8xf32>
    } else {
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i] : memref<8xf32>
    }
    affine.for %j = 0 to affine_map<(d0) -> (d0 - 7)>(%i) {
      affine.store %x, %b[%j] : memref<8xf32>
    }
    affine.parallel (%j) = (%i) to (0) {
      affine.store %x, %b[%j] : memref<8xf32>
    }
    affine.if affine_set<(d0) : (d0 * 3 - 7 == 0, d0 >= 0)>(%i) {
      affine.store %x, %b[3] : memref<8xf32>
    }
  }
  return
}
)",
                                             "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("\n\n  b[i] = a[i] + a[i]\n}\n"), std::string::npos)
      << imported.kernels;
}

TEST(ImportedBranches, ThatAreAlwaysTakenAreNone) {
  const auto imported = importer::importMlir(R"(func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %y = affine.if affine_set<(d0) : (d0 >= 0, 7 - d0 >= 0)>(%i) -> f32 {
      affine.yield %x : f32
    } else {
      %z = arith.negf %x : f32
      affine.yield %z : f32
    }
    affine.store %y, %b[%i] : memref<8xf32>
  }
  return
}
)",
                                             "f.mlir", {});
  EXPECT_NE(imported.kernels.find("\n\n  b[i] = a[i]\n}\n"), std::string::npos)
      << imported.kernels << imported.finding.message;
}

// Branches on one element after the other, as loops over 24 elements unroll to.
std::string unrolled(const std::string& branch) {
  std::string text = "func.func @f(%a: memref<24xf32>, %o: memref<3xf32>) {\n"
                     "  %z = arith.constant 0.0 : f32\n  %m = memref.alloca() : memref<f32>\n"
                     "  affine.store %z, %m[] : memref<f32>\n";
  for (int n = 0; n < 24; ++n) {
    std::string one =
        "  %x# = affine.load %a[" + std::to_string(n) + "] : memref<24xf32>\n" + branch;
    for (std::size_t at = 0; (at = one.find('#')) != std::string::npos;)
      one.replace(at, 1, std::to_string(n));
    text += one;
  }
  return text + "  %r = affine.load %m[] : memref<f32>\n"
                "  affine.store %r, %o[1] : memref<3xf32>\n  return\n}\n";
}

TEST(ImportedBranches, ThatAddToOneValueStaySums) {
  test::expectSameValues(unrolled(R"(  %c# = arith.cmpf ogt, %x#, %z : f32
  scf.if %c# {
    %l# = affine.load %m[] : memref<f32>
    %s# = arith.addf %l#, %x# : f32
    affine.store %s#, %m[] : memref<f32>
  }
)"));
  test::expectSameValues(unrolled(R"(  %c# = arith.cmpf olt, %x#, %z : f32
  %l# = affine.load %m[] : memref<f32>
  %y# = scf.if %c# -> f32 {
    scf.yield %l# : f32
  } else {
    %s# = arith.subf %l#, %x# : f32
    scf.yield %s# : f32
  }
  affine.store %y#, %m[] : memref<f32>
)"));
}

// Of a number and NaN, a minimum is the first.
TEST(ImportedBranches, ThatTakeAMinimumKeepItsOrder) {
  for (const bool isLast : {false, true}) {
    const std::string arguments = isLast ? "%x#, %l#" : "%l#, %x#";
    const auto imported = importer::importMlir(
        unrolled("  %c# = arith.cmpf ogt, %x#, %z : f32\n  scf.if %c# {\n"
                 "    %l# = affine.load %m[] : memref<f32>\n"
                 "    %s# = arith.minimumf " +
                 arguments + " : f32\n    affine.store %s#, %m[] : memref<f32>\n  }\n"),
        "f.mlir", {});
    EXPECT_EQ(imported.kernels.find("inf), 0)") != std::string::npos, isLast) << imported.kernels;
    EXPECT_EQ(imported.kernels.find("min(0, select(") != std::string::npos, !isLast)
        << imported.kernels;
  }
}

TEST(ImportedBranches, ThatChooseByTheValueBeforeComputeItOnce) {
  test::expectSameValues(unrolled(R"(  %l# = affine.load %m[] : memref<f32>
  %c# = arith.cmpf ogt, %x#, %l# : f32
  scf.if %c# {
    affine.store %x#, %m[] : memref<f32>
  }
)"));
}

// Each value is needed twice for the next one.
TEST(ImportedBranches, ThatGrowWithoutEndAreRefusedInTime) {
  std::string text = "func.func @f(%a: f32) -> f32 {\n  %x0 = arith.addf %a, %a : f32\n";
  for (int n = 1; n < 40; ++n)
    text += fmt::format("  %x{} = arith.mulf %x{}, %x{} : f32\n", n, n - 1, n - 1);
  expectRefused(text + "  return %x39 : f32\n}\n", "more than 50,000 operations", 16);
}

TEST(ImportedBranches, ThatAreNeverTakenWriteNothing) {
  expectRefused("func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {\n"
                "  affine.for %i = 0 to 8 {\n"
                "    affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%i) {\n"
                "      %x = affine.load %a[%i] : memref<8xf32>\n"
                "      affine.store %x, %b[%i] : memref<8xf32>\n    }\n  }\n  return\n}\n",
                "the function returns nothing and writes no memory", 1);
}

}  // namespace
}  // namespace gridloom
