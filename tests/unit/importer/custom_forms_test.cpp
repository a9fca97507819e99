// SPDX-License-Identifier: Apache-2.0
// Spellings of other dialects and releases.
#include "importer/custom_forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "importer/mlir_module.h"

namespace gridloom {
namespace {

TEST(CustomForms, ScansAreReadAsTorchMlirPrintsThem) {
  const auto imported = importer::importMlir(
      R"(module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @main(%x: tensor<3x5xf32>, %a: tensor<3xf32>) -> tensor<3x5xf32> {
    %e = tensor.empty() : tensor<3x5xf32>
    %r:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<3x5xf32>)
      outs(%e, %a : tensor<3x5xf32>, tensor<3xf32>) {
    ^bb0(%s: f32, %i: f32):
      %t = arith.mulf %s, %i : f32
      tm_tensor.yield %t : f32
    } -> tensor<3x5xf32>, tensor<3xf32>
    return %r#0 : tensor<3x5xf32>
  }
}
)",
      "f.mlir", {});
  EXPECT_NE(imported.kernels.find("t0[i, j] = t0[i, j - 1] * x[i, j] where j >= 1"),
            std::string::npos)
      << imported.kernels << imported.finding.message;
}

// Each program of a launch has its own.
TEST(CustomForms, CumulativeSumsAreReadAsTritonSharedPrintsThem) {
  const std::string cumsum = "ttx.cumsum {axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>} "
                             "ins(%t : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>";
  const auto imported =
      importer::importMlir(
          R"(func.func @f(%x: memref<*xf32>, %y: memref<*xf32>, %n: i32,
    %g0: i32, %g1: i32, %g2: i32, %p0: i32, %p1: i32, %p2: i32) {
  %o = arith.muli %p0, %n : i32
  %at = arith.index_cast %o : i32 to index
  %from = memref.reinterpret_cast %x to offset: [%at], sizes: [64], strides: [1]
    : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
  %a = memref.alloc() : memref<64xf32>
  memref.copy %from, %a : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %c = )" + cumsum +
              R"(
  %to = memref.reinterpret_cast %y to offset: [%at], sizes: [64], strides: [1]
    : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %c in writable %to
    : (tensor<64xf32>, memref<64xf32, strided<[1], offset: ?>>) -> ()
  return
}
)",
          "f.mlir", {{"n", 64}, {"grid_x", 4}});
  EXPECT_NE(imported.kernels.find("t0[i, j] = t0[i, j - 1] + x[i, j] where j >= 1"),
            std::string::npos)
      << imported.kernels << imported.finding.message;
}

TEST(CustomForms, EmptyTensorsAndExpandedShapesOfEarlierReleases) {
  EXPECT_EQ(importer::withParsedForms("%0 = linalg.init_tensor [4, %n, 8] : tensor<4x?x8xf32>"),
            "%0 = tensor.empty(%n) : tensor<4x?x8xf32>");
  EXPECT_EQ(importer::withParsedForms("linalg.init_tensor [8] : tensor<8xf32>"),
            "tensor.empty() : tensor<8xf32>");
  const std::string expanded =
      "tensor.expand_shape %x [[0, 1], [2]] : tensor<8x4xf32> into tensor<";
  EXPECT_EQ(importer::withParsedForms(expanded + "8x1x4xf32>"),
            "tensor.expand_shape %x [[0, 1], [2]] output_shape [8, 1, 4] : tensor<8x4xf32> into "
            "tensor<8x1x4xf32>");
  EXPECT_EQ(importer::withParsedForms(expanded + "8x?x4xf32>"), expanded + "8x?x4xf32>");
  const std::string later =
      "tensor.expand_shape %x [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>";
  EXPECT_EQ(importer::withParsedForms(later), later);
}

// What is no such operation stays as it is, and so do the lines.
TEST(CustomForms, OtherTextsStay) {
  for (const std::string text : {"tm_tensor.scan dimension(0)",
                                 "tm_tensor.scan dimension(0) inclusive(true) ins(%x : t) "
                                 "outs(%y : t) {",
                                 "ttx.cumsum {", "linalg.init_tensor [", "expand_shape"})
    EXPECT_EQ(importer::withParsedForms(text), text);
  const std::string lines = "tm_tensor.scan dimension(0)\n inclusive(true)\n ins(%x : t)\n "
                            "outs(%y, %z : t, t) {\n^bb0:\n} -> t, t\n";
  const std::string parsed = importer::withParsedForms(lines);
  EXPECT_EQ(std::ranges::count(parsed, '\n'), std::ranges::count(lines, '\n')) << parsed;
  EXPECT_NE(parsed, lines);
}

// Of dialects that are not read, the step before.
TEST(CustomForms, OfOtherDialectsNameTheStepBefore) {
  const auto hint = [](const std::string& op) {
    return importer::importMlir("func.func @f(%x: tensor<4xf32>) {\n  " + op + "\n  return\n}\n",
                                "f.mlir", {})
        .finding.hint;
  };
  const auto says = [&](const std::string& op, const char* what) {
    EXPECT_NE(hint(op).find(what), std::string::npos) << op << ": " << hint(op);
  };
  says("air.wait_all", "--mlir-print-op-generic");
  says("%0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>", "tosa-to-linalg");
  says("%0 = hal.interface.workgroup.id[0] : index", "with the bindings as arguments");
  says("krnl.terminate", "lower it first to what is read");
}

}  // namespace
}  // namespace gridloom
