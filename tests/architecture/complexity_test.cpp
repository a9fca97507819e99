// SPDX-License-Identifier: Apache-2.0
#include "complexity.h"

#include <gtest/gtest.h>

namespace gridloom::architecture {
namespace {

TEST(Complexity, CountsWaysThroughAFunction) {
  const auto found = complexitiesOf(R"cc(
#define IF(x) if (x)
namespace a {
// if (a && b)
enum class Kind { A, B };
struct B {
  B(int x) : m_x{x ? 1 : 2}, m_y(0) {
    if (x > 1'000 && m_y == 'f') return;  // if
  }
  int m_x, m_y;
};
template <class T> bool B::isOne(T t) const {
  const char* text = "if && for";
  switch (t) {
  case 1:
  case 2:
    return std::any_of(text, [&](char c) { return c == '"' || c == 2; });
  }
  return false;
}
}  // namespace a
)cc");
  ASSERT_EQ(found.size(), 3U) << "the member that begins with braces counts apart";
  EXPECT_EQ(found[0].complexity, 2);
  EXPECT_EQ(found[1].name, "B");
  EXPECT_EQ(found[1].complexity, 3);
  EXPECT_EQ(found[2].name, "B::isOne");
  EXPECT_EQ(found[2].line, 12);
  EXPECT_EQ(found[2].complexity, 3);
}

TEST(Complexity, FollowsOneFunctionAfterAnother) {
  const auto found = complexitiesOf("int f() { return 1; }\nint g() {\n  while (f()) {}\n}\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].complexity, 1);
  EXPECT_EQ(found[1].line, 2);
  EXPECT_EQ(found[1].complexity, 2);
}

}  // namespace
}  // namespace gridloom::architecture
