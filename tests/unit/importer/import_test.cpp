// SPDX-License-Identifier: Apache-2.0
// Functions in MLIR, in the forms of different front ends: what they become, and that it computes
// what MLIR's own tools compute.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "importer/mlir_module.h"
#include "importer/parameters.h"
#include "original.h"
#include "recurrences.h"
#include "syntax/limits.h"

namespace gridloom {
namespace {

using test::Argument;
using test::Call;

const std::vector<Call>& calls() {
  static const std::vector<Call> all{
      {"matmul_tensors.mlir",
       "matmul",
       {{"A", "tensor", {12, 20}}, {"B", "tensor", {20, 8}}},
       {},
       "",
       {12, 8}},
      {"grid_matmul.mlir",
       "matmul",
       {{"A", "unranked", {12, 20}},
        {"B", "unranked", {20, 8}},
        {"C", "unranked", {12, 8}},
        {"grid_dim_x", "index", {}, 3},
        {"grid_dim_y", "index", {}, 2},
        {"grid_dim_z", "index", {}, 1}},
       {},
       "C",
       {12, 8}},
      {"triton_matmul.mlir",
       "matmul_kernel",
       {{"arg0", "unranked", {32, 24}},
        {"arg1", "unranked", {24, 16}},
        {"arg2", "unranked", {32, 16}},
        {"M", "i32", {}, 32},
        {"N", "i32", {}, 16},
        {"K", "i32", {}, 24}},
       {4},
       "arg2",
       {32, 16}},
      {"affine_2mm.mlir",
       "two_products",
       {{"alpha", "f32", {}, 2},
        {"beta", "f32", {}, 3},
        {"tmp", "memref", {6, 8}},
        {"A", "memref", {6, 10}},
        {"B", "memref", {10, 8}},
        {"C", "memref", {8, 4}},
        {"D", "memref", {6, 4}}},
       {},
       "D",
       {6, 4}},
      {"softmax_generic.mlir", "softmax", {{"X", "tensor", {6, 16}}}, {}, "", {6, 16}},
      {"conv_relu.mlir",
       "conv",
       {{"image", "tensor", {1, 3, 8, 8}},
        {"filter", "tensor", {4, 3, 3, 3}},
        {"bias", "tensor", {4}}},
       {},
       "",
       {1, 4, 6, 6}},
      {"vector_add.mlir",
       "add_kernel",
       {{"x", "unranked", {128}},
        {"y", "unranked", {128}},
        {"out", "unranked", {128}},
        {"n", "i32", {}, 128}},
       {4},
       "out",
       {128}},
      {"masked_add.mlir",
       "masked_add",
       {{"x", "unranked", {100}},
        {"y", "unranked", {100}},
        {"out", "unranked", {100}},
        {"n", "i32", {}, 100}},
       {4},
       "out",
       {100}},
      {"mlp_tensors.mlir",
       "mlp",
       {{"X", "tensor", {8, 12}},
        {"W1", "tensor", {12, 16}},
        {"b", "tensor", {16}},
        {"W2", "tensor", {16, 4}}},
       {},
       "",
       {8, 4}},
      {"syrk_affine.mlir",
       "syrk",
       {{"alpha", "f32", {}, 2},
        {"beta", "f32", {}, 3},
        {"C", "memref", {8, 8}},
        {"A", "memref", {8, 6}}},
       {},
       "C",
       {8, 8}},
      {"triton_softmax.mlir",
       "rowsoftmax",
       {{"out", "unranked", {8, 128}},
        {"rows", "unranked", {8, 128}},
        {"stride_in", "i32", {}, 128},
        {"stride_out", "i32", {}, 128},
        {"n", "i32", {}, 128}},
       {8},
       "out",
       {8, 128}},
      {"grid_sizes.mlir",
       "matmul",
       {{"A", "unranked", {512, 512}},
        {"B", "unranked", {512, 512}},
        {"C", "unranked", {512, 512}},
        {"grid_x", "index", {}, 16},
        {"grid_y", "index", {}, 16},
        {"BM", "index", {}, 32},
        {"BN", "index", {}, 32},
        {"BK", "index", {}, 64}},
       {},
       "C",
       {512, 512},
       false},
      {"attention_tensors.mlir",
       "attention",
       {{"Q", "tensor", {2, 64, 32}}, {"K", "tensor", {2, 64, 32}}, {"V", "tensor", {2, 64, 32}}},
       {},
       "",
       {2, 64, 32}},
      {"small_forms.mlir",
       "gemm",
       {{"A", "memref", {8, 12}}, {"B", "memref", {12, 16}}, {"C", "memref", {8, 16}}},
       {},
       "C",
       {8, 16}},
      {"small_forms.mlir",
       "acc",
       {{"A", "memref", {8, 12}}, {"B", "memref", {12, 16}}, {"C", "memref", {8, 16}}},
       {},
       "C",
       {8, 16}},
      {"small_forms.mlir",
       "batch",
       {{"A", "tensor", {4, 8, 12}}, {"B", "tensor", {4, 12, 16}}},
       {},
       "",
       {4, 8, 16}},
      {"small_forms.mlir", "transposed", {{"A", "tensor", {8, 12}}}, {}, "", {12, 8}},
      {"small_forms.mlir",
       "pool",
       {{"I", "tensor", {1, 8, 8, 4}}, {"w", "tensor", {2, 2}}},
       {},
       "",
       {1, 4, 4, 4}},
      {"softmax_op.mlir", "soft", {{"X", "tensor", {4, 16}}}, {}, "", {4, 16}},
      {"small_forms.mlir", "gelu", {{"X", "tensor", {4, 16}}}, {}, "", {4, 16}},
      {"small_forms.mlir",
       "jacobi",
       {{"A", "memref", {10, 10}}, {"B", "memref", {10, 10}}},
       {},
       "B",
       {10, 10}},
      {"triton_flash.mlir",
       "flash",
       {{"q", "unranked", {2, 32, 16}},
        {"k", "unranked", {2, 32, 16}},
        {"v", "unranked", {2, 32, 16}},
        {"o", "unranked", {2, 32, 16}},
        {"scale", "f32", {}, 1},
        {"n", "i32", {}, 32}},
       {2, 2},
       "o",
       {2, 32, 16}},
      {"loop_carried.mlir",
       "prefix",
       {{"x", "memref", {12}}, {"y", "memref", {12}}},
       {},
       "y",
       {12}},
      {"loop_carried.mlir",
       "online",
       {{"x", "memref", {6, 10}}, {"y", "memref", {6}}},
       {},
       "y",
       {6}},
      {"loop_carried.mlir",
       "recurrent",
       {{"W", "tensor", {8, 8}}, {"X", "tensor", {5, 8}}, {"h0", "tensor", {8}}},
       {},
       "",
       {8}},
      {"loop_carried.mlir",
       "triangle",
       {{"A", "memref", {9, 9}}, {"y", "memref", {9}}},
       {},
       "y",
       {9}},
      {"gathers.mlir",
       "embed",
       {{"table", "tensor", {12, 8}}, {"id", "tensor", {4, 3}, 0, "i64", 12}},
       {},
       "",
       {4, 3, 8}},
      {"gathers.mlir",
       "pick",
       {{"x", "memref", {12}}, {"at", "memref", {6}, 0, "i32", 12}, {"y", "memref", {6}}},
       {},
       "y",
       {6}},
      {"slices.mlir",
       "tiled",
       {{"A", "tensor", {8, 12}}, {"B", "tensor", {12, 16}}},
       {},
       "",
       {8, 16}},
      {"slices.mlir",
       "forall",
       {{"A", "tensor", {8, 12}}, {"B", "tensor", {12, 16}}},
       {},
       "",
       {8, 16}},
      {"slices.mlir",
       "padded",
       {{"I", "tensor", {1, 2, 6, 6}}, {"F", "tensor", {3, 2, 3, 3}}},
       {},
       "",
       {1, 3, 6, 6}},
      {"slices.mlir", "concat", {{"A", "tensor", {3, 4}}, {"B", "tensor", {5, 4}}}, {}, "", {8, 4}},
      {"slices.mlir",
       "summed",
       {{"A", "tensor", {4, 8}}, {"B", "tensor", {8, 4}}, {"C", "tensor", {4, 4}}},
       {},
       "",
       {4, 4}},
      {"packed.mlir",
       "packed",
       {{"A", "tensor", {7, 12}}, {"B", "tensor", {12, 16}}},
       {},
       "",
       {7, 16}},
      {"branches.mlir", "twice", {{"x", "tensor", {6, 8}}}, {}, "", {6, 8}},
      {"branches.mlir",
       "border",
       {{"x", "memref", {8, 8}}, {"y", "memref", {8, 8}}},
       {},
       "y",
       {8, 8}},
      {"branches.mlir", "clamped", {{"x", "memref", {10}}, {"y", "memref", {10}}}, {}, "y", {10}},
      {"branches.mlir",
       "lower",
       {{"x", "memref", {6, 6}}, {"y", "memref", {6, 6}}},
       {},
       "y",
       {6, 6}},
      {"branches.mlir",
       "kept_local",
       {{"x", "memref", {6, 6}}, {"y", "memref", {6, 6}}},
       {},
       "y",
       {6, 6}},
      {"branches.mlir", "kept_written", {{"x", "memref", {6}}, {"y", "memref", {6}}}, {}, "y", {6}},
      {"branches.mlir",
       "filled_if",
       {{"x", "memref", {6, 4}}, {"y", "memref", {6, 4}}},
       {},
       "y",
       {6, 4}},
      {"branches.mlir",
       "copied_if",
       {{"x", "memref", {6, 4}}, {"y", "memref", {6, 4}}},
       {},
       "y",
       {6, 4}},
      {"branches.mlir",
       "either",
       {{"x", "memref", {6, 6}}, {"y", "memref", {6, 6}}},
       {},
       "y",
       {6, 6}},
      {"branches.mlir",
       "kept_triangle",
       {{"x", "memref", {6, 6}}, {"y", "memref", {6, 6}}},
       {},
       "y",
       {6, 6}},
      {"front_ends.mlir",
       "layernorm_torch",
       {{"x", "tensor", {4, 16}}, {"g", "tensor", {16}}, {"b", "tensor", {16}}},
       {},
       "",
       {4, 16}},
      {"front_ends.mlir", "pool_max", {{"x", "tensor", {1, 3, 8, 8}}}, {}, "", {1, 3, 4, 4}},
      {"front_ends.mlir",
       "depthwise",
       {{"x", "tensor", {1, 8, 8, 4}}, {"k", "tensor", {3, 3, 4}}},
       {},
       "",
       {1, 6, 6, 4}},
      {"front_ends.mlir",
       "elemwise",
       {{"x", "tensor", {4, 8}}, {"y", "tensor", {4, 8}}},
       {},
       "",
       {4, 8}},
      {"front_ends.mlir",
       "concat_op",
       {{"x", "tensor", {4, 3}}, {"y", "tensor", {4, 5}}},
       {},
       "",
       {4, 8}},
      {"front_ends.mlir", "generate", {{"x", "tensor", {8}}}, {}, "", {4, 8}},
      {"front_ends.mlir", "argmax", {{"x", "tensor", {4, 8}}}, {}, "", {4}},
      {"in_place.mlir", "shifted", {{"a", "memref", {8}}, {"b", "memref", {8}}}, {}, "b", {8}},
      {"in_place.mlir",
       "two_sums",
       {{"a", "memref", {8, 4}}, {"b", "memref", {8}}, {"s", "memref", {8}}},
       {},
       "s",
       {8}},
      {"in_place.mlir", "seidel", {{"A", "memref", {8, 8}}}, {}, "A", {8, 8}},
      {"in_place.mlir",
       "masked_tail",
       {{"a", "memref", {5, 6}}, {"b", "memref", {6, 11}}, {"c", "memref", {5, 11}}},
       {},
       "c",
       {5, 11}},
      {"in_place.mlir",
       "trisolv",
       {{"L", "memref", {8, 8}}, {"x", "memref", {8}}, {"b", "memref", {8}}},
       {},
       "x",
       {8}},
      {"in_place.mlir",
       "par_reduce",
       {{"x", "memref", {8, 4}}, {"y", "memref", {4}}},
       {},
       "y",
       {4}},
      {"in_place.mlir",
       "affine_par_reduce",
       {{"x", "memref", {8, 4}}, {"y", "memref", {4}}},
       {},
       "y",
       {4}},
      {"in_place.mlir",
       "temp_buffer",
       {{"x", "memref", {8, 8}}, {"y", "memref", {8}}},
       {},
       "y",
       {8}},
      {"sweeps.mlir", "jacobi_time", {{"A", "memref", {10}}, {"B", "memref", {10}}}, {}, "A", {10}},
      {"sweeps.mlir", "seidel_t", {{"A", "memref", {8, 8}}}, {}, "A", {8, 8}},
      {"sweeps.mlir", "heat_alloc", {{"A", "memref", {10}}, {"B", "memref", {10}}}, {}, "A", {10}},
      {"sweeps.mlir", "waves", {{"e", "memref", {8}}, {"h", "memref", {8}}}, {}, "h", {8}},
      {"flat_parts.mlir",
       "flat_triangle",
       {{"x", "unranked", {8, 8}}, {"y", "unranked", {8, 8}}},
       {},
       "y",
       {8, 8}},
      {"flat_parts.mlir",
       "flat_stride",
       {{"x", "unranked", {8}}, {"y", "unranked", {8, 2}}},
       {},
       "y",
       {8, 2}},
      {"flat_parts.mlir",
       "flat_rows",
       {{"x", "unranked", {4, 12}}, {"y", "unranked", {5, 12}}},
       {},
       "y",
       {5, 12}},
      {"triton_causal.mlir",
       "causal_triton",
       {{"s", "memref", {32, 32}}, {"o", "memref", {32}}},
       {4},
       "o",
       {32}},
      {"triton_layernorm.mlir",
       "rownorm",
       {{"X", "unranked", {4, 64}},
        {"Y", "unranked", {4, 64}},
        {"W", "unranked", {64}},
        {"stride", "i32", {}, 64},
        {"N", "i32", {}, 64}},
       {4},
       "Y",
       {4, 64}},
  };
  return all;
}

class Imported : public testing::TestWithParam<Call> {
 protected:
  static std::string kernels() {
    const auto imported = importer::importMlir(test::caseText(GetParam().file), GetParam().file,
                                               test::settingsOf(GetParam()));
    EXPECT_EQ(imported.finding.message, "") << imported.finding.line;
    return imported.kernels;
  }
};

TEST_P(Imported, IsAsExpected) {
  const std::string golden =
      std::string(GRIDLOOM_TEST_DATA_DIR "/unit/importer/cases/") + GetParam().file + ".rec";
  const std::string text = kernels();
  if (std::getenv("GRIDLOOM_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  std::ifstream in(golden);
  EXPECT_EQ(text, std::string((std::istreambuf_iterator<char>(in)), {}));
}

TEST_P(Imported, ComputesWhatTheOriginalComputes) {
  const Call& call = GetParam();
  if (!call.runs) GTEST_SKIP() << "MLIR's own tools do not run it";
  const auto expected = test::runOriginal(call);
  if (!expected) GTEST_SKIP() << "mlir-opt and mlir-cpu-runner (mlir-19-tools) are not installed";
  ASSERT_FALSE(expected->empty());
  const std::vector<double> got = test::computed(call, kernels());
  ASSERT_EQ(got.size(), expected->size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    EXPECT_NEAR(got[n], (*expected)[n], 1e-4 * std::max(1.0, std::abs((*expected)[n]))) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(, Imported, testing::ValuesIn(calls()), [](const auto& which) {
  std::string name = which.param.file.substr(0, which.param.file.find('.')) + which.param.function;
  std::erase(name, '_');
  return name;
});

struct Refused {
  const char* what;
  const char* text;
  const char* message;
};

TEST(Import, SaysWhatItDoesNotRead) {
  const Refused all[] = {
      {"unknown operations",
       "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"foo.bar\"(%a) : "
       "(tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
       "`foo.bar` is not imported"},
      {"text that is no MLIR", "kernel gemm() {}", "custom op 'kernel' is unknown"},
      {"modules without functions", "module {}", "there is no func.func with a body"},
      {"scatters",
       "func.func @f(%x: memref<8xf32>, %i: memref<8xindex>, %y: memref<8xf32>) {\n"
       "  affine.for %n = 0 to 8 {\n    %k = affine.load %i[%n] : memref<8xindex>\n"
       "    %v = affine.load %x[%n] : memref<8xf32>\n"
       "    memref.store %v, %y[%k] : memref<8xf32>\n  }\n  return\n}\n",
       "it writes where data say"},
      {"loops of unknown length",
       "func.func @f(%x: memref<4xf32>) {\n  %c = arith.constant 0 : index\n"
       "  %r = scf.while (%i = %c) : (index) -> index {\n    %t = arith.constant true\n"
       "    scf.condition(%t) %i : index\n  } do {\n  ^bb0(%i: index):\n"
       "    scf.yield %i : index\n  }\n  return\n}\n",
       "how often a loop runs"},
      {"the counter behind a loop",
       "func.func @f(%x: memref<4xf32>) -> index {\n  %z = arith.constant 0 : index\n"
       "  %n = arith.constant 4 : index\n  %o = arith.constant 1 : index\n"
       "  %v = arith.constant 1.0 : f32\n"
       "  %r = scf.while (%i = %z) : (index) -> index {\n"
       "    %t = arith.cmpi slt, %i, %n : index\n    scf.condition(%t) %i : index\n  } do {\n"
       "  ^bb0(%i: index):\n    memref.store %v, %x[%i] : memref<4xf32>\n"
       "    %j = arith.addi %i, %o : index\n    scf.yield %j : index\n  }\n"
       "  return %r : index\n}\n",
       "how often a loop runs"},
      {"regions with jumps",
       "func.func @f(%x: memref<4xf32>) {\n  scf.execute_region {\n    cf.br ^bb1\n  ^bb1:\n"
       "    scf.yield\n  }\n  return\n}\n",
       "a region has jumps between blocks"},
      {"stores to the memory of a tensor",
       "func.func @f(%a: memref<4xf32>) {\n  %z = arith.constant 1.0 : f32\n"
       "  %t = bufferization.to_tensor %a restrict writable : memref<4xf32>\n"
       "  %m = bufferization.to_memref %t : memref<4xf32>\n"
       "  affine.for %i = 0 to 4 {\n    affine.store %z, %m[%i] : memref<4xf32>\n  }\n"
       "  return\n}\n",
       "it writes constant memory"},
      {"random numbers",
       "func.func @f(%o: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
       "  %a = arith.constant 1.0 : f64\n  %s = arith.constant 42 : i32\n"
       "  %r = linalg.fill_rng_2d ins(%a, %a, %s : f64, f64, i32) outs(%o : tensor<4x8xf32>) -> "
       "tensor<4x8xf32>\n  return %r : tensor<4x8xf32>\n}\n",
       "a generator that wraps around"},
      {"large tables",
       "func.func @f(%x: tensor<40xi32>) -> tensor<40xi32> {\n"
       "  %t = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, "
       "18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]> : "
       "tensor<40xi32>\n  %r = arith.addi %x, %t : tensor<40xi32>\n"
       "  return %r : tensor<40xi32>\n}\n",
       "a table of 40 constants, which are more than 32 ranges"},
      {"memory of the module",
       "memref.global @g : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>\n"
       "func.func @f(%x: memref<4xf32>) {\n  %g = memref.get_global @g : memref<4xf32>\n"
       "  memref.copy %g, %x : memref<4xf32> to memref<4xf32>\n  return\n}\n",
       "`@g` is memory of the module that is not constant"},
      {"stores to constants",
       "memref.global constant @g : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>\n"
       "func.func @f(%x: memref<4xf32>) {\n  %g = memref.get_global @g : memref<4xf32>\n"
       "  affine.for %i = 0 to 4 {\n    %v = affine.load %x[%i] : memref<4xf32>\n"
       "    affine.store %v, %g[%i] : memref<4xf32>\n  }\n  return\n}\n",
       "it writes constant memory"},
      {"fills of constants",
       "memref.global constant @g : memref<2xf32> = dense<[2.0, 1.0]>\n"
       "func.func @f(%y: memref<2xf32>) {\n  %t = memref.get_global @g : memref<2xf32>\n"
       "  %z = arith.constant 7.0 : f32\n  linalg.fill ins(%z : f32) outs(%t : memref<2xf32>)\n"
       "  memref.copy %t, %y : memref<2xf32> to memref<2xf32>\n  return\n}\n",
       "it writes constant memory"},
      {"unsigned constants",
       "memref.global constant @g : memref<2xui8> = dense<[255, 1]>\n"
       "func.func @f(%y: memref<2xui8>) {\n  %t = memref.get_global @g : memref<2xui8>\n"
       "  memref.copy %t, %y : memref<2xui8> to memref<2xui8>\n  return\n}\n",
       "unsigned"},
      {"integers that are returned",
       "func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) -> i32 {\n"
       "  %c = arith.constant 3 : i32\n"
       "  memref.copy %x, %y : memref<4xf32> to memref<4xf32>\n  return %c : i32\n}\n",
       "an integer is returned"},
      {"sums of parallel iterations beside exact dataflow",
       "func.func @f(%x: memref<4xf32>, %y: memref<1xf32>) {\n"
       "  affine.parallel (%i) = (0) to (4) {\n    %a = affine.load %x[%i] : memref<4xf32>\n"
       "    %b = affine.load %y[0] : memref<1xf32>\n    %c = arith.addf %a, %b : f32\n"
       "    affine.store %c, %y[0] : memref<1xf32>\n  }\n  affine.for %i = 0 to 3 {\n"
       "    %a = affine.load %x[%i] : memref<4xf32>\n"
       "    affine.store %a, %x[%i + 1] : memref<4xf32>\n"
       "    affine.store %a, %x[%i] : memref<4xf32>\n  }\n  return\n}\n",
       "iterations of a parallel loop read or replace"},
      {"sizes without values",
       "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}\n",
       "`x_0` has no value"},
  };
  for (const Refused& refused : all) {
    const auto imported = importer::importMlir(refused.text, "f.mlir", {});
    EXPECT_EQ(imported.kernels, "") << refused.what;
    EXPECT_NE(imported.finding.message.find(refused.message), std::string::npos)
        << refused.what << ": " << imported.finding.message;
  }
  const auto deep = importer::importMlir(std::string(5000, '('), "f.mlir", {});
  EXPECT_NE(deep.finding.message.find("nested more than 200 deep"), std::string::npos);
  std::string many;
  for (int n = 0; n < 257; ++n)
    many += "func.func @f" + std::to_string(n) + "(%x: memref<4xf32>) { return }\n";
  const auto tooMany = importer::importMlir(many, "f.mlir", {}, importer::MemoryOrder::KnownForms,
                                            syntax::kMaxKernels);
  EXPECT_NE(tooMany.finding.message.find("257 functions"), std::string::npos);
  EXPECT_EQ(tooMany.finding.line, 257);
  const auto unused =
      importer::importMlir(test::caseText("matmul_tensors.mlir"), "f.mlir", {{"q", 3}});
  EXPECT_NE(unused.finding.message.find("no function has an argument `q`"), std::string::npos);
}

TEST(Import, ChoosesConstantsOfTheModule) {
  const auto imported = importer::importMlir(
      "memref.global \"private\" constant @taps : memref<3xf32> = dense<[0.25, 0.5, 0.25]>\n"
      "func.func @blur(%x: memref<10xf32>, %y: memref<8xf32>) {\n"
      "  %t = memref.get_global @taps : memref<3xf32>\n  %z = arith.constant 0.0 : f32\n"
      "  affine.for %i = 0 to 8 {\n    affine.store %z, %y[%i] : memref<8xf32>\n"
      "    affine.for %k = 0 to 3 {\n      %a = affine.load %x[%i + %k] : memref<10xf32>\n"
      "      %b = affine.load %t[%k] : memref<3xf32>\n      %p = arith.mulf %a, %b : f32\n"
      "      %o = affine.load %y[%i] : memref<8xf32>\n      %s = arith.addf %o, %p : f32\n"
      "      affine.store %s, %y[%i] : memref<8xf32>\n    }\n  }\n  return\n}\n",
      "f.mlir", {});
  EXPECT_EQ(imported.kernels,
            "kernel blur() {\n  tensor x[10]: f32\n  tensor y[8]: f32\n  for j in 0..3\n\n"
            "  y[i] = sum(j) x[i + j] * select(j <= 0, 0.25, select(j <= 1, 0.5, 0.25))\n}\n");
}

TEST(Import, ConstantsKeepTheirSign) {
  for (const std::string type : {"i8", "i32", "index"}) {
    for (const std::string table : {"[-1, 2, -3]", "-5"}) {
      const auto imported = importer::importMlir(
          fmt::format("func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {{\n"
                      "  %t = arith.constant dense<{0}> : tensor<3x{1}>\n"
                      "  %e = tensor.empty() : tensor<3xf32>\n"
                      "  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, "
                      "affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = "
                      "[\"parallel\"]}} ins(%x, %t : tensor<3xf32>, tensor<3x{1}>) "
                      "outs(%e : tensor<3xf32>) {{\n  ^bb0(%a: f32, %b: {1}, %o: f32):\n{2}"
                      "    %f = arith.sitofp %n : i64 to f32\n    %s = arith.mulf %a, %f : f32\n"
                      "    linalg.yield %s : f32\n  }} -> tensor<3xf32>\n"
                      "  return %r : tensor<3xf32>\n}}\n",
                      table, type,
                      type == "index" ? "    %n = arith.index_cast %b : index to i64\n"
                                      : "    %n = arith.extsi %b : " + type + " to i64\n"),
          "f.mlir", {});
      EXPECT_EQ(imported.finding.message, "") << type;
      const bool isOne = table == "-5";
      for (const std::string& value :
           isOne ? std::vector<std::string>{"-5"} : std::vector<std::string>{"-1", "-3"})
        EXPECT_NE(imported.kernels.find(value), std::string::npos) << imported.kernels;
    }
  }
}

TEST(Import, TablesMayBeEmpty) {
  const auto imported =
      importer::importMlir("func.func @f(%x: memref<2xf32>, %y: memref<2xf32>) {\n"
                           "  %t = arith.constant dense<> : tensor<0xf32>\n"
                           "  memref.copy %x, %y : memref<2xf32> to memref<2xf32>\n  return\n}\n",
                           "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("y[i] = x[i]"), std::string::npos) << imported.kernels;
}

TEST(Import, SizesComeFromSettings) {
  const auto imported =
      importer::importMlir(test::caseText("dynamic_sizes.mlir"), "dynamic_sizes.mlir",
                           {{"A_0", 8}, {"A_1", 12}, {"B_0", 12}, {"B_1", 16}});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_EQ(imported.kernels,
            "kernel dyn_matmul(A_0 = 8, A_1 = 12, B_1 = 16) {\n  tensor A[A_0, A_1]: f32\n"
            "  tensor B[A_1, B_1]: f32\n  tensor out[A_0, B_1]: f32\n\n"
            "  out[i, j] = sum(k) A[i, k] * B[k, j]\n}\n");
  const auto missing = importer::importMlir(test::caseText("dynamic_sizes.mlir"), "f.mlir", {});
  EXPECT_EQ(missing.finding.message, "`A_0` has no value");
}

// The text with other values of its parameters is what the file becomes for them.
TEST(Import, ParametersOfThePrintedKernelAreTheSizesOfTheFile) {
  const std::string text = "func.func @f(%x: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {\n"
                           "  %z = arith.constant 0.0 : f32\n  %c0 = arith.constant 0 : index\n"
                           "  %r = tensor.dim %x, %c0 : tensor<?x?xf32>\n"
                           "  %e = tensor.empty(%r) : tensor<?xf32>\n"
                           "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> "
                           "tensor<?xf32>\n"
                           "  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) "
                           "outs(%f : tensor<?xf32>) dimensions = [1]\n"
                           "  %k = arith.muli %n, %n : index\n  %ki = arith.index_cast %k : index "
                           "to i64\n  %kf = arith.sitofp %ki : i64 to f32\n"
                           "  %t = tensor.splat %kf[%r] : tensor<?xf32>\n"
                           "  %o = arith.divf %s, %t : tensor<?xf32>\n"
                           "  return %o : tensor<?xf32>\n}\n";
  const auto at = [&](std::int64_t rows, std::int64_t columns) {
    return importer::importMlir(text, "f.mlir", {{"x_0", rows}, {"x_1", columns}, {"n", 3}});
  };
  const auto small = at(4, 6), large = at(40, 7);
  ASSERT_EQ(small.finding.message, "");
  // A square does not grow in proportion: it stays a number.
  EXPECT_NE(small.kernels.find("/ 9"), std::string::npos) << small.kernels;
  std::string changed = small.kernels;
  changed.replace(changed.find("x_0 = 4, x_1 = 6"), 16, "x_0 = 40, x_1 = 7");
  EXPECT_EQ(changed, large.kernels);
}

// A loop up to `bound`, a map of %n, that copies elements.
std::string copyUpTo(const std::string& bound) {
  return "func.func @f(%x: memref<9000xf32>, %y: memref<9000xf32>, %n: index) {\n"
         "  affine.for %i = 0 to " +
         bound +
         " {\n    %v = affine.load %x[%i] : memref<9000xf32>\n"
         "    affine.store %v, %y[%i] : memref<9000xf32>\n  }\n  return\n}\n";
}

TEST(Import, NumbersThatHoldNearTheValueOrForMultiplesAreNoParameters) {
  const auto least = importer::importMlir(copyUpTo("min affine_map<(d0) -> (d0, 300)>(%n)"),
                                          "f.mlir", {{"n", 64}});
  EXPECT_EQ(least.finding.message, "");
  EXPECT_NE(least.kernels.find("kernel f()"), std::string::npos) << least.kernels;
  const auto even = importer::importMlir(copyUpTo("affine_map<(d0) -> ((d0 floordiv 2) * 2)>(%n)"),
                                         "f.mlir", {{"n", 8}});
  EXPECT_EQ(even.finding.message, "");
  EXPECT_NE(even.kernels.find("kernel f()"), std::string::npos) << even.kernels;
}

TEST(Import, ParametersHaveNamesOfTheirOwn) {
  const auto text = [](const importer::Values& values) -> std::optional<std::string> {
    return fmt::format("kernel f() {{\n  tensor x[{}, {}]: f32\n  x[i, j] = 1\n}}\n",
                       values.at("i"), values.at("i_size"));
  };
  const importer::Values values{{"i", 4}, {"i_size", 8}};
  EXPECT_EQ(importer::withParameters(*text(values), values, text),
            "kernel f(i_size = 4, i_size_size = 8) {\n  tensor x[i_size, i_size_size]: f32\n"
            "  x[i, j] = 1\n}\n");
}

TEST(Import, ReadsTheSpellingsOfLaterReleases) {
  const std::string later =
      "  %1 = bufferization.to_tensor %0 restrict writable : memref<4xf32> to tensor<4xf32>\n"
      "  %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>\n"
      "  memref<4x4xf32, strided<[8, 1]>, offset: ?>\n"
      "  %3 = linalg.pack %2 into %4\n  %5 = \"linalg.unpack\"(%3)\n  linalg.packing\n";
  const std::string older = importer::olderSpelling(later);
  EXPECT_EQ(older.size(), later.size()) << "positions stay";
  EXPECT_EQ(older.find("to tensor"), std::string::npos);
  EXPECT_NE(older.find("bufferization.to_memref %1 :"), std::string::npos);
  EXPECT_NE(older.find("strided<[8, 1], offset: ?>>"), std::string::npos);
  EXPECT_NE(older.find("%3 = tensor.pack %2 into %4\n  %5 = \"tensor.unpack\"(%3)"),
            std::string::npos);
  EXPECT_NE(older.find("linalg.packing"), std::string::npos);
}

TEST(Import, ReadsTheSpellingsOfEarlierReleases) {
  EXPECT_EQ(importer::olderSpelling("arith.maxf %a arith.minf %b arith.maxfoo"),
            "arith.maximumf %a arith.minimumf %b arith.maxfoo");
}

// Their values are known when the function is called.
TEST(Import, FloatingPointArgumentsAreInputsOfOneElement) {
  const std::string text =
      "func.func @scaled(%x: memref<8xf32>, %alpha: f32, %y: memref<8xf32>) {\n"
      "  affine.for %i = 0 to 8 {\n    %a = affine.load %x[%i] : memref<8xf32>\n"
      "    %one = arith.constant 1.0 : f32\n    %r = arith.divf %one, %alpha : f32\n"
      "    %b = arith.mulf %a, %r : f32\n    affine.store %b, %y[%i] : memref<8xf32>\n  }\n"
      "  return\n}\n";
  const std::string open = importer::importMlir(text, "f.mlir", {}).kernels;
  EXPECT_NE(open.find("tensor alpha[1]: f32"), std::string::npos) << open;
  EXPECT_NE(open.find("y[i] = x[i] * (1 / alpha[0])"), std::string::npos) << open;
  const std::string given = importer::importMlir(text, "f.mlir", {{"alpha", 2}}).kernels;
  EXPECT_NE(given.find("y[i] = x[i] * 0.5"), std::string::npos) << given;
}

// Operations of later releases are those that this one has under other names.
TEST(Import, ReadsOperationsOfLaterReleases) {
  const auto kernelsOf = [](const std::string& op, const std::string& type) {
    const auto imported = importer::importMlir(
        "#a = affine_map<(i, j, k) -> (i, k)>\n#b = affine_map<(i, j, k) -> (k, j)>\n"
        "#c = affine_map<(i, j, k) -> (i, j)>\nfunc.func @f(%x: tensor<4x4x" +
            type + ">, %y: tensor<4x4x" + type + ">) -> tensor<4x4x" + type + "> {\n  %r = " + op +
            " ins(%x, %y : tensor<4x4x" + type + ">, tensor<4x4x" + type +
            ">) outs(%x : " + "tensor<4x4x" + type + ">) -> tensor<4x4x" + type +
            ">\n  return %r : tensor<4x4x" + type + ">\n}\n",
        "f.mlir", {});
    EXPECT_EQ(imported.finding.message, "") << op;
    return imported.kernels;
  };
  for (const char* const type : {"f32", "i32"}) {
    EXPECT_EQ(kernelsOf("linalg.contract indexing_maps = [#a, #b, #c]", type),
              kernelsOf("linalg.matmul", type));
    EXPECT_EQ(kernelsOf("linalg.contract\n    indexing_maps = [#a, #b,\n    #c]", type),
              kernelsOf("linalg.matmul", type));
    for (const char* const kind : {"add", "sub", "mul"}) {
      EXPECT_EQ(
          kernelsOf(std::string("linalg.elementwise kind=#linalg.elementwise_kind<") + kind + ">",
                    type),
          kernelsOf(std::string("linalg.") + kind, type));
    }
  }
  const auto unknown = importer::importMlir(
      "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %r = linalg.elementwise kind=#linalg.elementwise_kind<sinh> ins(%x : tensor<4xf32>) "
      "outs(%x : tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>\n}\n",
      "f.mlir", {});
  EXPECT_NE(unknown.finding.message.find("linalg.elementwise"), std::string::npos);
  EXPECT_EQ(unknown.finding.line, 2);
}

// Whatever the names, types and blanks around them.
TEST(Import, ReadsOperationsOfLaterReleasesAsTheyAreWritten) {
  const auto contract = [](const std::string& x, const std::string& operands) {
    return importer::importMlir(
        "#a = affine_map<(i, j, k) -> (i, k)>\n#b = affine_map<(i, j, k) -> (k, j)>\n"
        "#c = affine_map<(i, j, k) -> (i, j)>\n!t = tensor<4x4xi8>\nfunc.func @f(" +
            x +
            ": !t, %old: tensor<4x4xf32>) -> tensor<4x4xf32> {\n  %product = linalg.contract "
            "indexing_maps = [#a, #b, #c] ins(" +
            operands +
            ") outs(%old : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
            "  return %product : tensor<4x4xf32>\n}\n",
        "f.mlir", {});
  };
  for (const char* const name : {"%in0", "%later_in0"}) {
    const std::string x(name);
    const auto imported = contract(x, x + ", " + x + ": !t, !t");
    EXPECT_EQ(imported.finding.message, "") << name;
    EXPECT_NE(imported.kernels.find("sum("), std::string::npos) << imported.kernels;
  }
  // Far too long for what it could be.
  const auto endless = contract("%x", std::string(400'000, 'x'));
  EXPECT_NE(endless.finding.message.find("linalg.contract"), std::string::npos);
}

// Loops over numbers of another type keep their memories, and are refused as they were.
TEST(Import, MemoriesTakeTurnsInLoopsOverIndices) {
  const auto messageOf = [](const std::string& type) {
    const std::string text =
        "func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {\n  %c0 = arith.constant 0 : " + type +
        "\n  %c1 = arith.constant 1 : " + type + "\n  %c4 = arith.constant 4 : " + type +
        "\n  %r:2 = scf.for %t = %c0 to %c4 step %c1 iter_args(%s = %a, %d = %b) -> "
        "(memref<4xf32>, memref<4xf32>)" +
        (type == "index" ? "" : " : " + type) +
        " {\n    linalg.exp ins(%s : memref<4xf32>) outs(%d : memref<4xf32>)\n"
        "    scf.yield %d, %s : memref<4xf32>, memref<4xf32>\n  }\n  return\n}\n";
    return importer::importMlir(text, "f.mlir", {}).finding.message;
  };
  EXPECT_EQ(messageOf("index"), "");
  EXPECT_EQ(messageOf("i32"), "memory that a loop carries does not move on by a constant");
}

// What stores leave is counted where its parts are joined.
TEST(Import, ManyBlocksLeaveFewParts) {
  std::string text = "func.func @f(%x: memref<1xf32>, %y: memref<64x64xf32>) {\n"
                     "  %v = affine.load %x[0] : memref<1xf32>\n";
  for (int n = 0; n < 20; ++n) {
    text += fmt::format("  affine.for %i = 0 to {} {{\n    affine.store %v, %y[%i, {}] : "
                        "memref<64x64xf32>\n  }}\n",
                        20 + n, 3 * n);
  }
  const auto imported = importer::importMlir(text + "  return\n}\n", "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
}

// MLIR's bufferization ends by a fault where a size that is not known is a number.
constexpr const char* kKnownSizes = R"(func.func @f(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%c4, %c4] : tensor<?xf32> into tensor<?x?xf32>
)";

TEST(Import, SurvivesFaultsOfOtherForms) {
  const std::string text = std::string(kKnownSizes) + R"(  %s = math.cbrt %r : tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
)";
  const auto imported = importer::importMlir(text, "f.mlir", {{"x_0", 16}});
  EXPECT_EQ(imported.finding.line, 4) << imported.finding.message;
  EXPECT_NE(imported.finding.message.find("math.cbrt"), std::string::npos);
}

TEST(Import, NamesSettingsThatNoFunctionTakes) {
  const std::string text = std::string(kKnownSizes) + "  return %r : tensor<?x?xf32>\n}\n";
  const auto imported = importer::importMlir(text, "f.mlir", {{"x_0", 16}, {"zz", 3}});
  EXPECT_NE(imported.finding.message.find("`zz`"), std::string::npos) << imported.finding.message;
  EXPECT_EQ(importer::importMlir(text, "f.mlir", {{"x_0", 16}}).finding.message, "");
}

TEST(Import, SurvivesDamagedText) {
  const std::string text = test::caseText("grid_matmul.mlir");
  for (std::size_t seed = 0; seed < 300; ++seed) {
    std::string damaged = text;
    for (std::size_t change = 0; change <= seed % 3; ++change) {
      const std::size_t at = (seed * 7919 + change * 104729) % damaged.size();
      if (seed % 2 == 0) {
        damaged.erase(at, 1 + seed % 5);
      } else {
        damaged[at] = "%:<>(){}=0x1"[(seed + change) % 12];
      }
    }
    const auto imported =
        importer::importMlir(damaged, "f.mlir", {{"grid_dim_x", 3}, {"grid_dim_y", 2}});
    EXPECT_NE(imported.kernels.empty(), imported.finding.message.empty()) << seed;
  }
}

}  // namespace
}  // namespace gridloom
