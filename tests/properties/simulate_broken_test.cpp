// SPDX-License-Identifier: Apache-2.0
//
// Schedules broken at random: neither the check nor the simulator may crash or hang, and what the
// check lets pass must run to its end.
#include <gtest/gtest.h>

#include <random>

#include "schedule/verify.h"
#include "simulate/simulation.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::simulate::simulate_broken_property {
namespace {

using schedule::Instruction;
using schedule::Op;
using schedule::Schedule;

class Breaker {
 public:
  explicit Breaker(std::uint64_t seed) : m_random(seed) {}

  void breakOnce(Schedule& s) {
    schedule::Program& program = s.programs[pick(s.programs.size())];
    if (program.processes.empty()) return;
    schedule::Process& process = program.processes[pick(program.processes.size())];
    std::vector<Instruction>& code = process.code;
    if (code.empty()) return;
    const std::size_t at = pick(code.size());
    switch (pick(7)) {
    case 0:
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 1:
      code.insert(code.begin() + static_cast<std::ptrdiff_t>(at), code[at]);
      return;
    case 2:
      std::swap(code[at], code[pick(code.size())]);
      return;
    case 3:
      code[at].op = static_cast<Op>(pick(14));
      return;
    case 4:
      code[at].buffer = schedule::BufferId::of(pick(s.buffers.size()));
      return;
    case 5:
      code[at].arg = static_cast<std::int32_t>(pick(5)) - 1;
      return;
    default:
      breakChannel(s);
    }
  }

 private:
  void breakChannel(Schedule& s) {
    if (s.channels.empty()) return;
    schedule::Channel& channel = s.channels[pick(s.channels.size())];
    channel.kind = static_cast<schedule::Channel::Kind>(pick(4));
    channel.along = static_cast<mapping::DimMask>(pick(5));
    channel.step = static_cast<int>(pick(5)) - 2;
  }
  std::size_t pick(std::size_t size) { return m_random() % size; }

  std::mt19937_64 m_random;
};

TEST(BrokenSchedules, AreFoundOrRunToTheirEnd) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(3, 2, 2), "gemm", {{"M", 13}, {"N", 11}, {"K", 10}});
  int refused = 0, passed = 0;
  Options options;
  options.maxEvents = 1'000'000;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const mapping::Mapping m = test::randomMapping(p, seed % 60);
    if (m.inputs.empty()) continue;
    Schedule s = *schedule::lower(p.kernel, p.nest, p.hw, m);
    Breaker breaker(seed);
    for (std::uint64_t n = 0; n <= seed % 3; ++n) breaker.breakOnce(s);
    const bool sound = test::findings(s, p).empty();
    (sound ? passed : refused) += 1;
    // Long schedules are verified in part only: the simulator stops them at what is wrong behind.
    schedule::VerifyEffort none{.maxSteps = 0};
    const auto unproved = schedule::verify(s, p.kernel, p.nest, p.hw, nullptr, nullptr, &none);
    if (!unproved) continue;
    base::Progress progress;
    const auto result = simulate(*unproved, options, progress);
    if (!result.ok()) {
      EXPECT_FALSE(sound) << "seed " << seed << ": " << render(result.diagnostics());
      EXPECT_EQ(render(result.diagnostics()).find("internal error"), std::string::npos)
          << "seed " << seed << ": " << render(result.diagnostics());
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(passed, 100) << "some changes do no harm";
}

}  // namespace
}  // namespace gridloom::simulate::simulate_broken_property
