// SPDX-License-Identifier: Apache-2.0
// Slices that are smaller in some iterations, and slices with strides: what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"

namespace gridloom {
namespace {

std::string refusal(const std::string& text) {
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.kernels, "") << text;
  EXPECT_FALSE(imported.finding.hint.empty()) << text;
  return imported.finding.message;
}

// The message, if it is not read after all: other forms of it are.
std::string message(const std::string& text) {
  return importer::importMlir(text, "f.mlir", {}).finding.message;
}

// For each of two tiles, a number from the tile `%s` of the first six of eight elements. The size
// of the tile is `size`, a map of the tile's first index.
std::string tiles(const std::string& size, const std::string& body) {
  return R"(func.func @f(%a: tensor<8xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = scf.forall (%t) in (2) shared_outs(%o = %0) -> (tensor<2xf32>) {
    %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
    %n = affine.min affine_map<(d0) -> )" +
         size + R"(>(%i)
    %s = tensor.extract_slice %a[%i] [%n] [1] : tensor<8xf32> to tensor<?xf32>
)" + body +
         R"(
    %v = tensor.extract %sum[] : tensor<f32>
    %one = tensor.empty() : tensor<1xf32>
    %f = linalg.fill ins(%v : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%t] [1] [1] : tensor<1xf32> into tensor<2xf32>
    }
  }
  return %r : tensor<2xf32>
}
)";
}

constexpr const char* kSum =
    "    %sum = linalg.reduce { arith.addf } ins(%s : tensor<?xf32>) outs(%z : tensor<f32>) "
    "dimensions = [0]\n";

TEST(ImportedSlices, OfSeveralSizesAreNotSummed) {
  const std::string all = "takes all elements of a slice that is smaller in some iterations";
  EXPECT_EQ(refusal(tiles("(-d0 + 6, 4)", kSum)), "`linalg.reduce` " + all);
  EXPECT_EQ(refusal(tiles("(d0 floordiv 4 + 1)", kSum)), "`linalg.reduce` " + all);
  // Through a tensor that an operation writes, a loop, and a cast.
  EXPECT_EQ(refusal(tiles("(-d0 + 6, 4)", R"(
    %w = tensor.empty(%n) : tensor<?xf32>
    %x = linalg.exp ins(%s : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
    %l = scf.for %k = %c0 to %c1 step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
      %q = linalg.exp ins(%y : tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %q : tensor<?xf32>
    }
    %cast = tensor.cast %l : tensor<?xf32> to tensor<?xf32>
    %sum = linalg.reduce { arith.addf } ins(%cast : tensor<?xf32>) outs(%z : tensor<f32>) dimensions = [0]
)")),
            "`linalg.reduce` " + all);
  EXPECT_EQ(refusal(tiles("(-d0 + 6, 4)", R"(
    %size = tensor.dim %s, %c0 : tensor<?xf32>
    %i64 = arith.index_cast %size : index to i64
    %value = arith.sitofp %i64 : i64 to f32
    %sum = linalg.fill ins(%value : f32) outs(%e : tensor<f32>) -> tensor<f32>
)")),
            "it takes the size of a slice that is smaller in some iterations");
  EXPECT_EQ(refusal(tiles("(-d0 + 6, 4)", R"(
    %p = tensor.pad %s low[0] high[1] {
    ^bb0(%k: index):
      tensor.yield %zero : f32
    } : tensor<?xf32> to tensor<?xf32>
    %sum = linalg.reduce { arith.addf } ins(%p : tensor<?xf32>) outs(%z : tensor<f32>) dimensions = [0]
)")),
            "`tensor.pad` " + all);
}

// Results of calls: the same function may return a slice of one size and one of several.
TEST(ImportedSlices, OfSeveralSizesAreNotSummedBehindCalls) {
  const auto calling = [](const char* size) {
    const std::string cut = R"(func.func private @cut(%a: tensor<8xf32>, %i: index, %n: index)
    -> tensor<?xf32> {
  %s = tensor.extract_slice %a[%i] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}
)";
    return cut +
           tiles("(-d0 + 6, 4)", fmt::format(R"(
    %two = arith.constant 2 : index
    %p = func.call @cut(%a, %i, {}) : (tensor<8xf32>, index, index) -> tensor<?xf32>
    %other = func.call @cut(%a, %i, {}) : (tensor<8xf32>, index, index) -> tensor<?xf32>
    %sum = linalg.reduce {{ arith.addf }} ins(%p : tensor<?xf32>) outs(%z : tensor<f32>)
      dimensions = [0]
)",
                                             size, size == std::string("%n") ? "%two" : "%n"));
  };
  EXPECT_EQ(refusal(calling("%n")),
            "`linalg.reduce` takes all elements of a slice that is smaller in some iterations");
  const auto imported = importer::importMlir(calling("%two"), "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("sum(j) a[4 * i + j]"), std::string::npos) << imported.kernels;
}

// The first ten of twelve elements, in tiles of up to four: views of memory, and tensors of those.
std::string views(const std::string& body) {
  return R"(#edge = affine_map<(d0) -> (-d0 + 10, 4)>
!tile = memref<?xf32, strided<[1], offset: ?>>
func.func @f(%a: memref<12xf32>, %o: memref<12xf32>, %p: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  linalg.fill ins(%zero : f32) outs(%p : memref<f32>)
  scf.for %i = %c0 to %c10 step %c4 {
    %n = affine.min #edge(%i)
    %x = memref.subview %a[%i] [%n] [1] : memref<12xf32> to !tile
    %y = memref.subview %o[%i] [%n] [1] : memref<12xf32> to !tile
)" + body +
         "  }\n  return\n}\n";
}

// `front_ends/turns.mlir` computes some of these.
TEST(ImportedSlices, OfMemoryOfSeveralSizesAreSummedWithTheLastTileApart) {
  EXPECT_EQ(message(views(R"(
    linalg.reduce { arith.addf } ins(%x : !tile) outs(%p : memref<f32>) dimensions = [0]
)")),
            "");
  EXPECT_EQ(message(views(R"(
    linalg.dot ins(%x, %y : !tile, !tile) outs(%p : memref<f32>)
)")),
            "");
  EXPECT_EQ(message(views(R"(
    %t = bufferization.to_tensor %x restrict : !tile
    %e = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<?xf32>) outs(%f : tensor<f32>)
      dimensions = [0]
    %v = tensor.extract %s[] : tensor<f32>
    memref.store %v, %o[%i] : memref<12xf32>
)")),
            "");
  const auto imported = importer::importMlir(
      views("    linalg.exp ins(%x : !tile) outs(%y : !tile)\n"), "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("exp(a["), std::string::npos) << imported.kernels;
}

TEST(ImportedSlices, OfOneSizeAreSummed) {
  const auto imported = importer::importMlir(tiles("(4, 8)", kSum), "f.mlir", {});
  EXPECT_EQ(imported.finding.message, "");
  EXPECT_NE(imported.kernels.find("sum(j) a[4 * i + j]"), std::string::npos) << imported.kernels;
}

// A tile at an edge in a tensor of the tile's own size: what the tile leaves keeps its values.
TEST(ImportedSlices, OfSeveralSizesAreNotInsertedAsWholeTiles) {
  const std::string size = "the size of a slice depends on a loop";
  EXPECT_EQ(refusal(tiles("(-d0 + 6, 4)", R"(
    %b = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%zero : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    %p = tensor.insert_slice %s into %w[0] [%n] [1] : tensor<?xf32> into tensor<4xf32>
    %sum = linalg.reduce { arith.addf } ins(%p : tensor<4xf32>) outs(%z : tensor<f32>)
      dimensions = [0]
)")),
            size);
  // Sums of every fourth element, which a loop carries: with the last tile apart.
  EXPECT_EQ(message(R"(func.func @f(%a: tensor<8xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c4 iter_args(%o = %w) -> (tensor<4xf32>) {
    %n = affine.min affine_map<(d0) -> (-d0 + 6, 4)>(%i)
    %s = tensor.extract_slice %a[%i] [%n] [1] : tensor<8xf32> to tensor<?xf32>
    %to = tensor.extract_slice %o[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
    %x = linalg.add ins(%s, %to : tensor<?xf32>, tensor<?xf32>) outs(%to : tensor<?xf32>)
      -> tensor<?xf32>
    %q = tensor.insert_slice %x into %o[0] [%n] [1] : tensor<?xf32> into tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
)"),
            "");
}

TEST(ImportedSlices, WithStridesAreInserted) {
  const auto inserted = [](const char* value, const char* offset) {
    return fmt::format(
        "func.func @f(%x: tensor<3xf32>) -> tensor<8xf32> {{\n"
        "  %z = arith.constant {} : f32\n  %e = tensor.empty() : tensor<8xf32>\n"
        "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
        "  %s = tensor.insert_slice %x into %f[{}] [3] [2] : tensor<3xf32> into "
        "tensor<8xf32>\n  return %s : tensor<8xf32>\n}}\n",
        value, offset);
  };
  EXPECT_EQ(importer::importMlir(inserted("0.0", "1"), "f.mlir", {}).finding.message, "");
  EXPECT_EQ(importer::importMlir(inserted("1.0", "1"), "f.mlir", {}).finding.message, "");
}

}  // namespace
}  // namespace gridloom
