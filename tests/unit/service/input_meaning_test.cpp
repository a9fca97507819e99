// SPDX-License-Identifier: Apache-2.0
#include "service/input_meaning.h"

#include <gtest/gtest.h>

namespace gridloom::service {
namespace {

std::string of(const std::string& text) { return meaningOf(base::makeSource("a.rec", text)); }

TEST(InputMeaning, CommentsAndEmptyLinesMeanNothing) {
  const std::string plain = "kernel k(N = 4) {\n  tensor A[N]: f32\n}\n";
  EXPECT_EQ(of("// words\n\nkernel k(N = 4) {  // more\n\n  // words\n\ttensor A[N]: f32\n}"),
            of(plain));
  EXPECT_EQ(of("kernel k( N=4 ) {\n  tensor A [N] : f32\n}\n"), of(plain));
}

TEST(InputMeaning, NumbersNamesAndLinesMeanSomething) {
  EXPECT_NE(of("tile(k, 256)"), of("tile(k, 25 6)"));
  EXPECT_NE(of("tile(k, 256)"), of("tile(k, 255)"));
  EXPECT_NE(of("double(A)\nsingle(B)"), of("double(A) single(B)"));
  EXPECT_NE(of("\"a b\""), of("\"a  b\""));
}

TEST(InputMeaning, ATextWithErrorsIsItsOwnMeaning) {
  EXPECT_EQ(of("kernel \x01 // x"), "kernel \x01 // x");
}

}  // namespace
}  // namespace gridloom::service
