// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"

namespace gridloom {
namespace {

// Adds a vector to another one `stride` elements further on, by a map with the same alias in each.
std::string part(const std::string& name, int stride) {
  return "#map = affine_map<(d0) -> (d0 + " + std::to_string(stride) +
         ")>\nmodule {\n  func.func @" + name +
         "(%x: memref<16xf32>, %y: memref<8xf32>) {\n"
         "    affine.for %i = 0 to 8 {\n"
         "      %j = affine.apply #map(%i)\n"
         "      %v = affine.load %x[%j] : memref<16xf32>\n"
         "      %r = func.call @" +
         name +
         "_twice(%v) : (f32) -> f32\n"
         "      affine.store %r, %y[%i] : memref<8xf32>\n    }\n    return\n  }\n"
         "  func.func private @" +
         name +
         "_twice(%v: f32) -> f32 {\n    %s = arith.addf %v, %v : f32\n    return %s : f32\n  "
         "}\n}\n";
}

// Each part has aliases of its own; functions of one name become kernels of two.
TEST(ImportParts, AreReadAsSplitFilesAre) {
  const std::string text = part("f", 1) + "\n// -----\n" + part("f", 2) + "// -----\n\n// none\n";
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_EQ(imported.kernels, "kernel f() {\n  tensor x[16]: f32\n  tensor y[8]: f32\n\n"
                              "  y[i] = x[i + 1] + x[i + 1]\n}\n\n"
                              "kernel f_2() {\n  tensor x[16]: f32\n  tensor y_f_2[8]: f32\n\n"
                              "  y_f_2[i] = x[i + 2] + x[i + 2]\n}\n");
}

// The new name of a function is none that its part has: @f_2 there is another one.
TEST(ImportParts, NamesOfAPartStayApart) {
  const auto function = [](const std::string& name, const std::string& op) {
    return "func.func private @" + name + "(%v: f32) -> f32 {\n  %s = arith." + op +
           " %v, %v : f32\n  return %s : f32\n}\n";
  };
  const std::string second = function("f", "addf") + function("f_2", "mulf") +
                             "func.func @g(%x: memref<8xf32>, %y: memref<8xf32>) {\n"
                             "  affine.for %i = 0 to 8 {\n"
                             "    %v = affine.load %x[%i] : memref<8xf32>\n"
                             "    %a = func.call @f(%v) : (f32) -> f32\n"
                             "    %b = func.call @f_2(%v) : (f32) -> f32\n"
                             "    %c = arith.subf %a, %b : f32\n"
                             "    affine.store %c, %y[%i] : memref<8xf32>\n  }\n  return\n}\n";
  const auto imported =
      importer::importMlir("#map = affine_map<(d0) -> (d0)>\n" + function("f", "mulf") +
                               "  // -----\n#map = affine_map<(d0) -> (d0)>\n" + second,
                           "f.mlir", {});
  EXPECT_NE(imported.kernels.find("y[i] = x[i] + x[i] - x[i] * x[i]"), std::string::npos)
      << imported.kernels;
}

TEST(ImportParts, MessagesSayWhereInTheFile) {
  std::string wrong = part("g", 2);
  wrong.replace(wrong.find("affine.store"), 12, "affine.stare");
  const auto imported = importer::importMlir(part("f", 1) + "// -----\n" + wrong, "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "custom op 'affine.stare' is unknown");
  EXPECT_EQ(imported.finding.line, 25);
  EXPECT_EQ(imported.finding.column, 7);
}

// The line may be there for its looks.
TEST(ImportParts, AFileIsReadAsAWholeWhereItIsOne) {
  const std::string maps = "#map = affine_map<(d0) -> (d0 + 1)>\n// -----\n";
  std::string rest = part("f", 1);
  rest.erase(0, rest.find('\n') + 1);
  EXPECT_EQ(importer::importMlir(maps + rest, "f.mlir", {}).finding.message, "");
  rest.replace(rest.find("affine.store"), 12, "affine.stare");
  EXPECT_EQ(importer::importMlir(maps + rest, "f.mlir", {}).finding.message,
            "custom op 'affine.stare' is unknown");
}

TEST(ImportParts, AreAsManyAsKernels) {
  std::string text = "#a = affine_map<(d0) -> (d0)>\n";
  for (int n = 0; n < 4; ++n) text += "// -----\n#a = affine_map<(d0) -> (d0)>\n";
  const auto imported =
      importer::importMlir(text, "f.mlir", {}, importer::MemoryOrder::KnownForms, 3);
  EXPECT_EQ(imported.finding.message,
            "the file has 5 parts between lines `// -----`, and a text at most 3 kernels");
}

// Sums that share no tensor, as the gradients of two weights: they run over the same tiles, and no
// core has to keep all of one of them.
TEST(ImportLoops, OfStatementsThatAreAlikeHaveTheSameNames) {
  const std::string reduce = "dimensions = [0] (%in: f32, %init: f32) {\n"
                             "    %s = arith.addf %in, %init : f32\n"
                             "    linalg.yield %s : f32\n  }\n";
  const std::string text =
      "func.func @f(%x: tensor<4x8x16xf32>, %y: tensor<4x8x16xf32>) -> (tensor<16xf32>, "
      "tensor<16xf32>) {\n  %zero = arith.constant 0.0 : f32\n"
      "  %e = tensor.empty() : tensor<16xf32>\n"
      "  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>\n"
      "  %p = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>\n"
      "  %q = tensor.collapse_shape %y [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>\n"
      "  %a = linalg.reduce ins(%p : tensor<32x16xf32>) outs(%o : tensor<16xf32>) " +
      reduce + "  %b = linalg.reduce ins(%q : tensor<32x16xf32>) outs(%o : tensor<16xf32>) " +
      reduce + "  return %a, %b : tensor<16xf32>, tensor<16xf32>\n}\n";
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("out1[k] = sum(j, i) t1[i, j, k]"), std::string::npos)
      << imported.kernels;
}

// The product of what the function wrote, of which each half is a part, is a kernel of its own.
TEST(ImportKernels, ProductsThatAreMirroredBeginOne) {
  const std::string text = R"(func.func @gram(%x: memref<6x4xf32>, %g: memref<4x4xf32>) {
  %h = arith.constant 0.5 : f32
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<6x4xf32>
      %b = arith.mulf %a, %h : f32
      affine.store %b, %x[%i, %j] : memref<6x4xf32>
    }
  }
  affine.for %i = 0 to 3 {
    affine.store %h, %g[%i, %i] : memref<4x4xf32>
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 4 {
      affine.store %z, %g[%i, %j] : memref<4x4xf32>
      affine.for %k = 0 to 6 {
        %a = affine.load %x[%k, %i] : memref<6x4xf32>
        %b = affine.load %x[%k, %j] : memref<6x4xf32>
        %c = arith.mulf %a, %b : f32
        %d = affine.load %g[%i, %j] : memref<4x4xf32>
        %e = arith.addf %c, %d : f32
        affine.store %e, %g[%i, %j] : memref<4x4xf32>
      }
      %f = affine.load %g[%i, %j] : memref<4x4xf32>
      affine.store %f, %g[%j, %i] : memref<4x4xf32>
    }
  }
  affine.store %h, %g[3, 3] : memref<4x4xf32>
  return
}
)";
  const auto imported =
      importer::importMlir(text, "f.mlir", {}, importer::MemoryOrder::ExactDataflow);
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("kernel gram_2() {\n  tensor g[4, 4]: f32\n"), std::string::npos)
      << imported.kernels;
}

// What is read against the order of its recurrence does not run with it.
TEST(ImportLoops, OfReadersHaveNamesOfTheirOwn) {
  const std::string text = R"(func.func @reversed(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8xf32>
  %s = affine.for %i = 0 to 8 iter_args(%sum = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<8xf32>
    %w = arith.addf %sum, %v : f32
    affine.store %w, %t[%i] : memref<8xf32>
    affine.yield %w : f32
  }
  affine.for %j = 0 to 8 {
    %v = affine.load %t[-%j + 7] : memref<8xf32>
    affine.store %v, %y[%j] : memref<8xf32>
  }
  return
}
)";
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("y[j] = "), std::string::npos) << imported.kernels;
}

// Sweeps along the columns of one tensor, then along the rows of the other one: each needs all of
// the other one's, and both run over the same loops.
TEST(ImportLoops, OfTensorsThatNeedEachOtherStandInOneOrder) {
  const std::string text = R"(func.func @alternate(%u: memref<6x6xf32>, %v: memref<6x6xf32>) {
  %h = arith.constant 0.5 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 0 to 6 {
      affine.for %j = 1 to 6 {
        %a = affine.load %u[%j, %i] : memref<6x6xf32>
        %b = affine.load %v[%i, %j - 1] : memref<6x6xf32>
        %c = arith.mulf %a, %b : f32
        affine.store %c, %v[%i, %j] : memref<6x6xf32>
      }
    }
    affine.for %i = 0 to 6 {
      affine.for %j = 1 to 6 {
        %a = affine.load %v[%j, %i] : memref<6x6xf32>
        %b = affine.load %u[%i, %j - 1] : memref<6x6xf32>
        %c = arith.mulf %a, %b : f32
        %d = arith.mulf %c, %h : f32
        affine.store %d, %u[%i, %j] : memref<6x6xf32>
      }
    }
  }
  return
}
)";
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("t0[i, j, k + 1] ="), std::string::npos) << imported.kernels;
  EXPECT_NE(imported.kernels.find("t1[i, j, k + 1] ="), std::string::npos) << imported.kernels;
}

}  // namespace
}  // namespace gridloom
