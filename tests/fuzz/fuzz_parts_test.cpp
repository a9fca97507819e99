// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include <stdexcept>

#include "isolate.h"
#include "minimise.h"
#include "mutate.h"

namespace gridloom::fuzz {
namespace {

TEST(Mutate, DependsOnTheSeedAlone) {
  const std::vector<std::string> seeds{"space(i->x) tile(i, 64)\n", "order(i, j)\nhoist(A, k)\n"};
  std::vector<std::string> first, second;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random once(seed), twice(seed);
    first.push_back(mutated(seeds, once));
    second.push_back(mutated(seeds, twice));
    EXPECT_LE(first.back().size(), kLongest);
  }
  EXPECT_EQ(first, second);
  EXPECT_NE(first[0], first[1]);
}

TEST(Minimise, LeavesWhatFailsAlone) {
  std::string text;
  for (int line = 0; line < 100; ++line) text += "line " + std::to_string(line) + "\n";
  const auto fails = [](const std::string& part) {
    return part.find("17") != std::string::npos && part.find("63") != std::string::npos;
  };
  EXPECT_EQ(minimised(text, fails, 1000), "1763");
}

TEST(Isolate, TellsWhatFailsAndHow) {
  const auto reasonOf = [](const Check& check) {
    const auto failure = firstFailure(0, 10, check);
    return failure ? std::to_string(failure->input) + " " + failure->reason : "none";
  };
  EXPECT_EQ(reasonOf([](std::size_t) { return ""; }), "none");
  EXPECT_EQ(reasonOf([](std::size_t i) { return i == 3 ? "wrong" : ""; }), "3 wrong");
  EXPECT_EQ(reasonOf([](std::size_t i) -> std::string {
              if (i == 4) raise(SIGKILL);
              return "";
            }),
            "4 signal: Killed");
  EXPECT_EQ(reasonOf([](std::size_t i) -> std::string {
              if (i == 5) throw std::runtime_error("lost");
              return "";
            }),
            "5 exception: lost");
}

}  // namespace
}  // namespace gridloom::fuzz
