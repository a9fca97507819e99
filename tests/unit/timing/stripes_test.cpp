// SPDX-License-Identifier: Apache-2.0
#include "timing/stripes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace gridloom::timing {
namespace {

using hardware::MemoryStripes;
using kernel::RegionRows;

// Bytes of the busiest part against the mean of all, of rows that are written down one by one.
double walked(std::int64_t rowBytes, std::int64_t apart, const MemoryStripes& stripes) {
  std::vector<double> parts(static_cast<std::size_t>(stripes.parts));
  const std::int64_t rows = stripes.parts * stripes.bytes;  // whole periods, whatever `apart` is
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t byte = row * apart; byte < row * apart + rowBytes; ++byte)
      ++parts[static_cast<std::size_t>(byte / stripes.bytes % stripes.parts)];
  }
  double all = 0;
  for (const double bytes : parts) all += bytes;
  return *std::ranges::max_element(parts) * static_cast<double>(stripes.parts) / all;
}

TEST(Stripes, RowsInFewPartsTakeAsLongAsTheBusiestPart) {
  std::mt19937 random(7);
  const auto number = [&](int least, int most) {
    return static_cast<std::int64_t>(std::uniform_int_distribution(least, most)(random));
  };
  for (int round = 0; round < 300; ++round) {
    const MemoryStripes stripes{number(1, 6), number(1, 8)};
    const std::int64_t apart = stripes.bytes * number(1, 20);
    const std::int64_t row = number(1, 40);
    EXPECT_NEAR(stripeFactor({row, apart}, stripes), walked(row, apart, stripes), 1e-9)
        << stripes.parts << " parts of " << stripes.bytes << " bytes, rows of " << row << " bytes, "
        << apart << " apart";
  }
}

// The shapes that were measured on the Strix NPU: rows of 128 of K in bf16, K of 2048 and of 896.
TEST(Stripes, RowsOfMatricesWhoseWidthIsAPowerOfTwoShareAPart) {
  const MemoryStripes stripes{2, 256};
  EXPECT_EQ(stripeFactor({256, 2 * 2048}, stripes), 2);
  EXPECT_EQ(stripeFactor({256, 2 * 896}, stripes), 1);
  EXPECT_EQ(stripeFactor({512, 2 * 2048}, stripes), 1);
  EXPECT_EQ(stripeFactor({128, 2 * 2048}, stripes), 2);
}

TEST(Stripes, OneRowAndOnePartAreAsLongAsTheirBytes) {
  EXPECT_EQ(stripeFactor({64, 0}, {2, 256}), 1);
  EXPECT_EQ(stripeFactor({64, 512}, {1, 256}), 1);
  EXPECT_EQ(stripeFactor({0, 512}, {2, 256}), 1);
}

// Rows of a region of a tensor of 3 x 4 x 10 elements of two bytes.
TEST(Stripes, ARegionsRowsLieTogetherAsFarAsDimensionsAreWhole) {
  kernel::Operand operand;
  operand.dtype = kernel::DType::F16;
  operand.shape = {3, 4, 10};
  for (std::size_t d = 0; d < 3; ++d) operand.dims.push_back({affine::LinearExpr::dim(d)});
  const auto rows = [&](std::vector<std::int64_t> extents) {
    const RegionRows found = kernel::regionRows(operand, extents);
    return std::vector<std::int64_t>{found.bytes, found.apart};
  };
  using Figures = std::vector<std::int64_t>;
  EXPECT_EQ(rows({3, 4, 10}), (Figures{240, 0}));
  EXPECT_EQ(rows({3, 2, 10}), (Figures{40, 80}));
  EXPECT_EQ(rows({3, 1, 5}), (Figures{10, 80}));
  EXPECT_EQ(rows({1, 4, 5}), (Figures{10, 20}));
  EXPECT_EQ(rows({2, 4, 5}), (Figures{10, 20}));
  EXPECT_EQ(rows({1, 1, 5}), (Figures{10, 0}));
  operand.shape.clear();  // gathered
  EXPECT_EQ(rows({1, 4, 5})[1], 0);
}

}  // namespace
}  // namespace gridloom::timing
