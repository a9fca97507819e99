// SPDX-License-Identifier: Apache-2.0
// What is wrong with the recurrences that a kernel in MLIR becomes is said at the line of MLIR.
#include <gtest/gtest.h>

#include "service/workspace.h"

namespace gridloom::service {
namespace {

base::Diagnostics findings(const std::string& text) {
  const auto kernel = openKernel(base::makeSource("f.mlir", text), {});
  if (!kernel) return kernel.diagnostics();
  return (*kernel)->nest ? (*kernel)->remarks : (*kernel)->notMapped;
}

void expectAt(const std::string& text, std::uint32_t line, const std::string& word,
              const std::string& said) {
  const base::Diagnostics all = findings(text);
  ASSERT_FALSE(all.empty()) << text;
  const base::Diagnostic& first = all.front();
  ASSERT_TRUE(first.source) << first.message;
  EXPECT_EQ(first.source->name(), "f.mlir");
  EXPECT_EQ(first.source->lineColumn(first.span.begin).line, line) << base::render(first);
  EXPECT_EQ(first.source->text().substr(first.span.begin, first.span.end - first.span.begin), word);
  EXPECT_NE(first.message.find(said), std::string::npos) << first.message;
}

TEST(PlacesInMlir, AreThoseOfTheAccess) {
  expectAt(R"(func.func @f(%a: memref<16xf32>, %b: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i * 4 + %j * 2] : memref<16xf32>
      %y = affine.load %b[%i] : memref<4xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%i] : memref<4xf32>
    }
  }
  return
}
)",
           4, "affine.load", "index 0 reaches 26, outside the memory's dimension of 16");
}

TEST(PlacesInMlir, AreThoseOfTheOperationOnTensors) {
  expectAt(R"(func.func @f(%a: tensor<4xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<8xf32>) {
    ^bb0(%y: f32):
      %i = linalg.index 0 : index
      %k = arith.muli %i, %c2 : index
      %x = tensor.extract %a[%k] : tensor<4xf32>
      linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
)",
           3, "linalg.generic", "out[");
}

TEST(PlacesInMlir, AreThoseOfTheArgument) {
  expectAt(R"(func.func @f(%a: memref<4xf32>,
                %b: memref<4611686018427387904xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32>
    affine.store %x, %b[%i] : memref<4611686018427387904xf32>
  }
  return
}
)",
           2, "%b", "tensor b");
}

// A file may say that its operations come from lines of another one, or from none.
TEST(PlacesInMlir, AreInTheFileItself) {
  for (const std::string from : {"loc(\"/home/u/softmax.py\":120:5)", "loc(unknown)"}) {
    const base::Diagnostics all = findings(R"(func.func @f(%a: memref<4x4xf32>, %b: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      affine.store %x, %b[%i + 1] : memref<4xf32> )" + from + R"(
    }
  }
  return
}
)");
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0].source->lineColumn(all[0].span.begin).line, 5U) << base::render(all[0]);
  }
}

// A number that memory keeps, and that nobody reads: the known forms make a kernel without an
// output of it, exact dataflow leaves it out.
TEST(PlacesInMlir, ExactDataflowIsAskedWhereRecurrencesDoNotCheck) {
  const base::Diagnostics all = findings(R"(func.func @f(%b: memref<8xf64>) {
  %z = arith.constant 0.5 : f64
  %s = memref.alloc() : memref<f64>
  affine.store %z, %s[] : memref<f64>
  affine.for %i = 0 to 4 {
    %x = affine.load %b[7 - %i] : memref<8xf64>
    affine.store %x, %b[%i] : memref<8xf64>
  }
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 5 {
      %x = affine.load %b[2] : memref<8xf64>
      %y = affine.load %s[] : memref<f64>
      %m = arith.maximumf %y, %x : f64
      affine.store %m, %s[] : memref<f64>
    }
  }
  affine.for %i = 0 to 3 {
    %x = affine.load %b[2 * %i] : memref<8xf64>
    affine.store %x, %s[] : memref<f64>
  }
  return
}
)");
  EXPECT_FALSE(base::hasError(all)) << base::render(all);
}

}  // namespace
}  // namespace gridloom::service
