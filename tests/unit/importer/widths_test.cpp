// SPDX-License-Identifier: Apache-2.0
// Integers of a width, with and without a sign, and masks of vectors in another order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "importer/mlir_module.h"
#include "same_values.h"

namespace gridloom {
namespace {

// `%v` of a type, made of `%x`, an i32 of `x`, in line 4, is stored to `y`.
importer::Imported ofData(const std::string& operation, const std::string& type) {
  return importer::importMlir(
      fmt::format("func.func @f(%x: memref<8xi32>, %y: memref<8x{1}>) {{\n"
                  "  affine.for %n = 0 to 8 {{\n    %a = affine.load %x[%n] : memref<8xi32>\n"
                  "    {0}\n    affine.store %v, %y[%n] : memref<8x{1}>\n  }}\n  return\n}}\n",
                  operation, type),
      "f.mlir", {});
}

void expectRefused(const importer::Imported& imported, const std::string& message) {
  EXPECT_EQ(imported.kernels, "");
  EXPECT_NE(imported.finding.message.find(message), std::string::npos) << imported.finding.message;
  EXPECT_EQ(imported.finding.line, 4);
  EXPECT_FALSE(imported.finding.hint.empty());
}

TEST(ImportedWidths, DataWithoutASignAreRefused) {
  const std::string operations[][2] = {
      {"%v = arith.maxui %a, %a : i32", "i32"},
      {"%v = arith.minui %a, %a : i32", "i32"},
      {"%v = arith.divui %a, %a : i32", "i32"},
      {"%v = arith.remui %a, %a : i32", "i32"},
      {"%c = arith.cmpi ult, %a, %a : i32 %v = arith.extui %c : i1 to i32", "i32"},
      {"%c = arith.cmpi uge, %a, %a : i32 %v = arith.extui %c : i1 to i32", "i32"},
  };
  for (const auto& [operation, type] : operations)
    expectRefused(ofData(operation, type),
                  "numbers that may be negative as numbers without a sign");
}

// `%v`, a number, made of `%a` between -480 and 480, of 32 bits.
std::string ofWhole(const std::string& operations) {
  return fmt::format(R"(func.func @f(%x: memref<26xf32>, %y: memref<26xf32>) {{
  %scale = arith.constant 320.0 : f32
  affine.for %n = 0 to 26 {{
    %e = affine.load %x[%n] : memref<26xf32>
    %s = arith.mulf %e, %scale : f32
    %a = arith.fptosi %s : f32 to i32
    {}
    affine.store %v, %y[%n] : memref<26xf32>
  }}
  return
}}
)",
                     operations);
}

TEST(ImportedWidths, CastsKeepTheBitsOfData) {
  for (const char* const operations : {
           "%b = arith.trunci %a : i32 to i8 %v = arith.sitofp %b : i8 to f32",
           "%b = arith.trunci %a : i32 to i8 %v = arith.uitofp %b : i8 to f32",
           "%b = arith.trunci %a : i32 to i9 %w = arith.extui %b : i9 to i32 "
           "%v = arith.sitofp %w : i32 to f32",
           "%b = arith.trunci %a : i32 to i1 %v = arith.uitofp %b : i1 to f32",
       })
    test::expectSameValues(ofWhole(operations));
}

TEST(ImportedWidths, NumbersThatFitAreNotCut) {
  const auto clamped = ofData("%l = arith.constant -128 : i32 %h = arith.constant 127 : i32 "
                              "%m = arith.minsi %a, %h : i32 %k = arith.maxsi %m, %l : i32 "
                              "%v = arith.trunci %k : i32 to i8",
                              "i8");
  EXPECT_EQ(clamped.kernels.find("mod"), std::string::npos) << clamped.kernels;
  const auto cut = ofData("%v = arith.trunci %a : i32 to i8", "i8");
  EXPECT_NE(cut.kernels.find("mod(x[i] + 128, 256) - 128"), std::string::npos) << cut.kernels;
}

TEST(ImportedWidths, BitsBeyondThoseThatAreExactAreRefused) {
  expectRefused(ofData("%w = arith.extsi %a : i32 to i64 %v = arith.uitofp %w : i64 to f32", "f32"),
                "keeps 64 bits");
}

TEST(ImportedWidths, BitsOfTwoNumbersAreRefused) {
  expectRefused(ofData("%c = arith.constant 5 : i32 %v = arith.xori %a, %c : i32", "i32"),
                "`arith.xori` is not imported");
}

TEST(ImportedWidths, ConditionsAreMinusOneWithASign) {
  const std::string compare = "%z = arith.constant 0 : i32 %c = arith.cmpi slt, %a, %z : i32 ";
  const auto with = ofData(compare + "%v = arith.extsi %c : i1 to i32", "i32");
  EXPECT_NE(with.kernels.find("= -(x[i] < 0)"), std::string::npos) << with.kernels;
  const auto asFloat = ofData(compare + "%v = arith.sitofp %c : i1 to f32", "f32");
  EXPECT_NE(asFloat.kernels.find("= -(x[i] < 0)"), std::string::npos) << asFloat.kernels;
  const auto without = ofData(compare + "%v = arith.extui %c : i1 to i32", "i32");
  EXPECT_NE(without.kernels.find("= x[i] < 0"), std::string::npos) << without.kernels;
}

// Of loops, the range is known.
TEST(ImportedWidths, LoopsAreReadWithoutASignWhereTheyAreNotNegative) {
  const std::string remainder = "%k = arith.constant 4 : index "
                                "%r = arith.remui %m, %k : index "
                                "%i = arith.index_cast %r : index to i32 "
                                "%v = arith.trunci %i : i32 to i8";
  const auto above = ofData("%m = affine.apply affine_map<(d0) -> (d0)>(%n) " + remainder, "i8");
  EXPECT_EQ(above.finding.message, "");
  expectRefused(ofData("%m = affine.apply affine_map<(d0) -> (d0 - 3)>(%n) " + remainder, "i8"),
                "numbers that may be negative as numbers without a sign");
  const std::string cut = "%m = affine.apply affine_map<(d0) -> (d0 * 50)>(%n) "
                          "%i = arith.index_cast %m : index to i32 "
                          "%v = arith.trunci %i : i32 to i8";
  EXPECT_EQ(ofData(cut, "i8").finding.message, "");
}

// A mask has the dimensions of the memory, in the memory's order.
TEST(ImportedMasks, FollowTheMemoryAndNotTheVector) {
  const std::string begin = R"(func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %p = arith.constant 0.0 : f32
  %m = vector.create_mask %c2, %c7 : vector<4x8xi1>
)";
  const std::string map = "permutation_map = affine_map<(d0, d1) -> (d1, d0)>, ";
  const std::string end = "in_bounds = [true, true]} : ";
  const auto read = importer::importMlir(
      begin + "  %v = vector.transfer_read %a[%c0, %c0], %p, %m {" + map + end +
          "memref<4x8xf32>, vector<8x4xf32>\n  vector.transfer_write %v, %b[%c0, %c0] {" + end +
          "vector<8x4xf32>, memref<8x4xf32>\n  return\n}\n",
      "f.mlir", {});
  EXPECT_NE(read.kernels.find("b[i, j] = select(j <= 1 and i <= 6, a[j, i], 0)"), std::string::npos)
      << read.kernels << read.finding.message;
  const auto written = importer::importMlir(
      begin + "  %v = vector.transfer_read %b[%c0, %c0], %p {" + end +
          "memref<8x4xf32>, vector<8x4xf32>\n  vector.transfer_write %v, %a[%c0, %c0], %m {" + map +
          end + "vector<8x4xf32>, memref<4x8xf32>\n  return\n}\n",
      "f.mlir", {});
  EXPECT_NE(written.kernels.find("a[i, j] = b[j, i] where i <= 1, j <= 6"), std::string::npos)
      << written.kernels << written.finding.message;
  const auto repeated =
      importer::importMlir(R"(func.func @f(%a: memref<4xf32>, %b: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant 0.0 : f32
  %m = vector.create_mask %c2 : vector<4xi1>
  %v = vector.transfer_read %a[%c0], %p, %m {permutation_map = affine_map<(d0) -> (0, d0)>,
      in_bounds = [true, true]} : memref<4xf32>, vector<8x4xf32>
  vector.transfer_write %v, %b[%c0, %c0] {in_bounds = [true, true]} :
      vector<8x4xf32>, memref<8x4xf32>
  return
}
)",
                           "f.mlir", {});
  EXPECT_NE(repeated.kernels.find("b[i, j] = select(j <= 1, a[j], 0)"), std::string::npos)
      << repeated.kernels << repeated.finding.message;
}

}  // namespace
}  // namespace gridloom
