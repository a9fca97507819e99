// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "line/checks.h"

namespace gridloom::fuzz {
namespace {

void expectSound(const std::string& text, const std::string& name) {
  const auto inputs = open(text, name);
  ASSERT_TRUE(inputs) << base::render(inputs.diagnostics());
  for (const Failure& failure : checkLine(*inputs)) {
    ADD_FAILURE() << name << ": " << failure.check << ": " << failure.seen << '\n' << text;
  }
}

TEST(LineFuzz, WhatOnceFailedIsSound) {
  const std::filesystem::path corpus = GRIDLOOM_TEST_DATA_DIR "/fuzz/line/corpus";
  std::vector<std::filesystem::path> files(std::filesystem::directory_iterator{corpus}, {});
  std::ranges::sort(files);
  ASSERT_FALSE(files.empty());
  for (const auto& path : files) {
    std::ifstream file(path);
    expectSound(std::string(std::istreambuf_iterator<char>(file), {}), path.filename().string());
  }
}

class RandomProblems : public testing::TestWithParam<int> {};

TEST_P(RandomProblems, AreSound) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const std::string text = textOf(randomProblem(random));
  expectSound(text, "machine.hw");
}

INSTANTIATE_TEST_SUITE_P(LineFuzz, RandomProblems, testing::Range(1, 21));

}  // namespace
}  // namespace gridloom::fuzz
