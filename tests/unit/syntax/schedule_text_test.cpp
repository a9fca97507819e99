// SPDX-License-Identifier: Apache-2.0
//
// The text form of schedules: lowered schedules survive print and parse, and errors are located.
#include <gtest/gtest.h>

#include <random>

#include "schedule/verify.h"
#include "support/problem.h"
#include "support/rounds.h"
#include "support/verified.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"

namespace gridloom::syntax {
namespace {

base::Result<BoundSchedule> read(const std::string& text, const test::Problem& p) {
  auto parsed = parseSchedule(base::makeSource("t.prog", text));
  if (!parsed) return parsed.takeDiagnostics();
  return bindSchedule(*parsed, p.kernel, p.nest, p.hw);
}

std::string print(const schedule::Schedule& s, const test::Problem& p) {
  return printSchedule(s, p.kernel, p.nest, p.hw);
}

void expectSame(const schedule::Schedule& a, const schedule::Schedule& b) {
  EXPECT_EQ(a.mapping.tileSize, b.mapping.tileSize);
  EXPECT_EQ(a.mapping.space, b.mapping.space);
  EXPECT_EQ(a.mapping.order, b.mapping.order);
  EXPECT_TRUE(a.mapping == b.mapping);
  EXPECT_EQ(a.programOfCore, b.programOfCore);
  EXPECT_EQ(a.outputLevel, b.outputLevel);
  EXPECT_EQ(a.localBytes, b.localBytes);
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  ASSERT_EQ(a.channels.size(), b.channels.size());
  ASSERT_EQ(a.programs.size(), b.programs.size());
  for (std::size_t p = 0; p < a.programs.size(); ++p) {
    EXPECT_EQ(a.programs[p].cores, b.programs[p].cores);
    ASSERT_EQ(a.programs[p].processes.size(), b.programs[p].processes.size());
    for (std::size_t q = 0; q < a.programs[p].processes.size(); ++q) {
      const schedule::Process& one = a.programs[p].processes[q];
      const schedule::Process& two = b.programs[p].processes[q];
      EXPECT_EQ(one.role, two.role);
      EXPECT_EQ(one.operand, two.operand);
      ASSERT_EQ(one.code.size(), two.code.size());
      for (std::size_t i = 0; i < one.code.size(); ++i) {
        EXPECT_EQ(one.code[i].op, two.code[i].op);
        EXPECT_EQ(one.code[i].arg, two.code[i].arg);
        EXPECT_EQ(one.code[i].buffer, two.code[i].buffer);
        EXPECT_EQ(one.code[i].channel, two.code[i].channel);
      }
    }
  }
}

int roundTrips(const test::Problem& p) {
  int lowered = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const mapping::Mapping m = test::randomOrRing(p, seed);
    if (m.tileSize.empty()) continue;
    const auto s = schedule::lower(p.kernel, p.nest, p.hw, m);
    if (!s) continue;
    ++lowered;
    const std::string text = print(*s, p);
    const auto again = read(text, p);
    EXPECT_TRUE(again) << base::render(again.diagnostics()) << text;
    if (!again) return 0;
    expectSame(*s, again->schedule);
    EXPECT_EQ(print(again->schedule, p), text);
    EXPECT_EQ(again->places.programs.size(), s->programs.size());
    if (testing::Test::HasFailure()) return 0;
  }
  return lowered;
}

TEST(ScheduleText, WhatLoweringMakesSurvivesPrintAndParse) {
  const std::string mesh = test::smallMesh(4, 3);
  EXPECT_GT(roundTrips(test::makeProblem(mesh, "gemm", {{"M", 48}, {"N", 36}, {"K", 40}})), 40);
  EXPECT_GT(roundTrips(test::makeProblem(mesh, "gemm_bias_relu", {{"M", 32}, {"N", 24}})), 20);
  EXPECT_GT(roundTrips(test::makeProblem(mesh, "softmax")), 10);
}

constexpr const char* kHandWritten = R"(// two cores share the rows of A
launch gemm(M = 8, N = 8, K = 8) on test {
  loop i = 8 by 8
  loop j = 8 by 4 on x
  loop k = 8 by 4
  order k
  segment x = 2, y = 1 {
    buffer A: input A per k, 2 slots of 64 B
    buffer B: input B per k, 1 slot of 32 B
    buffer C: output C, 1 slot of 64 B
    channel a: multicast to A along x, depth 2
    herd root at (0, 0) {
      mover A { for k { acquire A load A send A to a publish A } }
      mover B { for k { acquire B load B publish B } }
      compute { acquire C for k { wait A wait B compute release A release B } publish C }
      writer C { wait C store C release C }
    }
    herd other at (1, 0) {
      mover A { for k { acquire A ready a receive a publish A } }
      mover B { for k { acquire B load B publish B } }
      compute { acquire C for k { wait A wait B compute release A release B } publish C }
      writer C { wait C store C release C }
    }
  }
}
)";

struct HandWritten : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 1), "gemm", {{"M", 8}, {"N", 8}, {"K", 8}});
  std::string text = kHandWritten;

  void put(const std::string& in, const std::string& out) {
    const auto at = text.find(in);
    ASSERT_NE(at, std::string::npos) << in;
    text.replace(at, in.size(), out);
  }
  std::string errors() const {
    const auto result = read(text, p);
    return result ? "" : base::render(result.diagnostics());
  }
  void expect(const std::string& words) const {
    EXPECT_NE(errors().find(words), std::string::npos) << errors();
  }
};

TEST_F(HandWritten, IsRead) {
  const auto result = read(text, p);
  ASSERT_TRUE(result) << base::render(result.diagnostics());
  const schedule::Schedule& s = result->schedule;
  EXPECT_EQ(test::findings(s, p), "");
  EXPECT_EQ(s.programs[1].name, "other");
  EXPECT_EQ(s.mapping.inputs[0].kind, mapping::MovementKind::Multicast);
  EXPECT_EQ(s.mapping.inputs[0].buffers, 2);
  EXPECT_EQ(s.mapping.inputs[1].kind, mapping::MovementKind::Direct);
  EXPECT_EQ(s.buffers[2].bytes, 64);
}

TEST_F(HandWritten, EverySlipHasItsPlace) {
  const std::pair<const char*, std::pair<const char*, const char*>> slips[] = {
      {"launch gemm", {"lunch gemm", "t.prog:2:1: error: expected `launch`"}},
      {"gemm(M",
       {"conv(M", "t.prog:2:8: error: the schedule is for kernel `conv`, this is `gemm`"}},
      {"M = 8,", {"M = 16,", "t.prog:2:17: error: the schedule is for M = 16, the kernel has 8"}},
      {"M = 8,", {"Q = 8,", "t.prog:2:13: error: kernel `gemm` has no parameter `Q`"}},
      {"loop i = 8", {"loop q = 8", "t.prog:3:8: error: there is no loop `q`"}},
      {"loop i = 8", {"loop i = 9", "t.prog:3:12: error: loop `i` has 8 iterations"}},
      {"i = 8 by 8", {"i = 8 by 0", "t.prog:3:17: error: a block is at least 1, got 0"}},
      {"i = 8 by 8", {"i = 8 by 16", "t.prog:3:17: error: a tile has at most"}},
      {"  loop i = 8 by 8\n", {"", "error: loop `i` of the kernel is missing"}},
      {"by 4 on x", {"by 4 on z", "t.prog:4:22: error: there is no mesh dimension `z`"}},
      {"by 8\n", {"by 8 on x\n", "t.prog:4:22: error: mesh dimension `x` carries two loops"}},
      {"order k", {"order k, k", "t.prog:6:12: error: `k` is named twice"}},
      {"order k", {"order k, i", "t.prog:6:12: error: loop `i` has one wave only"}},
      {"  order k\n", {"", "error: loop `k` has 2 waves and stands not in the order"}},
      {"x = 2", {"x = 3", "t.prog:7:15: error: the schedule is for x = 3, `test` has 2"}},
      {", y = 1", {"", "error: the segment does not name every mesh dimension"}},
      {"input A", {"input Z", "t.prog:8:21: error: there is no input `Z`"}},
      {"input A", {"inptu A", "t.prog:8:15: error: expected what the buffer is for"}},
      {"per k, 2", {"per i, 2", "t.prog:8:27: error: loop `i` has one wave only"}},
      {"2 slots", {"0 slots", "t.prog:8:30: error: a number of slots is between"}},
      {"of 64 B", {"of 64", "t.prog:9:5: error: expected `B`"}},
      {"buffer B:", {"buffer A:", "t.prog:9:12: error: there are two buffers `A`"}},
      {"output C, 1", {"output C per k, 1", "t.prog:10:24: error: only tiles of inputs"}},
      {"to A along", {"to D along", "t.prog:11:29: error: there is no buffer `D`"}},
      {"x, depth",
       {"x step 1, depth", "t.prog:11:44: error: only channels to neighbours and pairs"}},
      {"multicast to", {"neighbour to", "t.prog:11:5: error: a channel to a neighbour or a pair"}},
      {"(0, 0)", {"(0 to 1, 0)", "t.prog:18:19: error: core (1, 0) is in two herds"}},
      {"(1, 0)", {"(2, 0)", "t.prog:18:20: error: coordinates along x go from 0 to 1"}},
      {"(1, 0)", {"(1)", "t.prog:18:19: error: a core has 2 coordinates here, got 1"}},
      {"mover A", {"mvoer A", "t.prog:13:7: error: expected a mover, a compute or a writer"}},
      {"mover A", {"mover X", "t.prog:13:13: error: there is no input `X`"}},
      {"load A", {"lod A", "t.prog:13:35: error: expected a statement"}},
      {"acquire A load", {"acquire D load", "t.prog:13:33: error: there is no buffer `D`"}},
      {"to a publish", {"to b publish", "t.prog:13:52: error: there is no channel `b`"}},
      {"{ for k", {"{ for j", "t.prog:13:21: error: loop `j` cannot stand inside 0 other loops"}},
  };
  for (const auto& [in, to] : slips) {
    text = kHandWritten;
    put(in, to.first);
    expect(to.second);
  }
}

TEST_F(HandWritten, TokensAndBondsAreReadAndPrinted) {
  put("    herd root",
      "    token loaded, 1 at start\n    token turn\n    affinity mover A, mover B\n"
      "    concurrency mover A, writer C\n    herd root");
  put("publish A } }", "publish A signal turn } }");
  put("acquire B load B", "acquire B await turn load B");
  const auto result = read(text, p);
  ASSERT_TRUE(result) << base::render(result.diagnostics());
  const schedule::Schedule& s = result->schedule;
  ASSERT_EQ(s.tokens.size(), 2U);
  EXPECT_EQ(s.tokens[0].atStart, 1);
  ASSERT_EQ(s.dmaConstraints.size(), 2U);
  EXPECT_EQ(s.dmaConstraints[1].members[1], (schedule::DmaConstraint::Member{true, false, 0}));
  const std::string printed = print(s, p);
  const auto again = read(printed, p);
  ASSERT_TRUE(again) << base::render(again.diagnostics()) << printed;
  EXPECT_EQ(print(again->schedule, p), printed);
  for (const char* line :
       {"token loaded, 1 at start\n", "token turn\n", "affinity mover A, mover B\n",
        "concurrency mover A, writer C\n", "signal turn\n", "await turn\n"}) {
    EXPECT_NE(printed.find(line), std::string::npos) << line << printed;
  }
}

TEST_F(HandWritten, SlipsWithTokensAndBondsHaveTheirPlace) {
  const std::pair<const char*, const char*> slips[] = {
      {"token A", "t.prog:12:11: error: there is a buffer `A` already"},
      {"token t\n    token t", "t.prog:13:11: error: there are two tokens `t`"},
      {"token t, x at start", "t.prog:12:14: error: expected a number of signals"},
      {"token t, 1 at end", "t.prog:12:19: error: expected `start`"},
      {"affinity mover A", "t.prog:12:5: error: a DMA constraint is between two processes or more"},
      {"affinity mover A, mover A", "t.prog:12:29: error: `mover A` is named twice"},
      {"affinity mover A, compute", "t.prog:12:23: error: expected a mover or a writer"},
      {"concurrency mover A", "write `concurrency mover A, mover B`"},
      {"concurrency mover A, writer A", "t.prog:12:33: error: there is no output `A`"},
  };
  for (const auto& [line, words] : slips) {
    text = kHandWritten;
    put("    herd root", std::string("    ") + line + "\n    herd root");
    expect(words);
  }
}

TEST_F(HandWritten, ALineThatIsCutOffCostsOneError) {
  const std::pair<const char*, const char*> cuts[] = {
      {"acquire A load", "t.prog:14:7: error: expected a buffer, got `mover`"},
      {"acquire A", "t.prog:14:7: error: expected a statement or `}`"},
      {"mover A { for", "t.prog:14:7: error: expected a loop"},
      {"send A to", "t.prog:14:7: error: expected a channel"},
      {"2 slots of", "t.prog:9:5: error: expected a number of bytes"},
      {"segment x = 2,", "t.prog:8:12: error: expected `=`, got `A`"},
      {"herd root at (0, 0", "t.prog:13:7: error: expected `)`"},
  };
  for (const auto& [in, words] : cuts) {
    text = kHandWritten;
    const auto at = text.find(in) + std::string(in).size();
    text.erase(at, text.find('\n', at) - at);
    const auto parsed = parseSchedule(base::makeSource("t.prog", text));
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.diagnostics().size(), 1U) << base::render(parsed.diagnostics());
    expect(words);
  }
}

// Wherever a line of a printed schedule is cut off, the lines after it parse as usual.
TEST(ScheduleText, ALineThatIsCutOffCostsOneErrorOrTwo) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 48}, {"N", 36}, {"K", 40}});
  std::mt19937 random(11);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const mapping::Mapping m = test::randomMapping(p, seed);
    if (m.tileSize.empty()) continue;
    const std::string whole = print(*schedule::lower(p.kernel, p.nest, p.hw, m), p);
    for (int cut = 0; cut < 60; ++cut) {
      std::string text = whole;
      const std::size_t end = text.find('\n', 1 + random() % (text.size() - 2));
      const std::size_t begin = text.rfind(' ', end - 1);
      if (end == std::string::npos || text[end - 1] == '}') continue;
      text.erase(begin, end - begin);
      const auto parsed = parseSchedule(base::makeSource("t.prog", text));
      if (parsed) continue;
      EXPECT_LE(parsed.diagnostics().size(), 2U)
          << base::render(parsed.diagnostics()) << whole.substr(begin, end - begin);
    }
  }
}

TEST_F(HandWritten, OnlyStatementsOnGatheredBuffersSayOfWhichCore) {
  put("wait C store", "wait C of 1 store");
  expect("t.prog:16:28: error: `of` tells from which core a gathered tile is");
  text = kHandWritten;
  put("    herd root", "    token t, 1 at start\n    herd root");
  put("acquire B load", "acquire B await t of 3 load");
  expect("error: `of` tells from which core a gathered tile is");
}

TEST_F(HandWritten, TheElementTypeIsPrintedAndHeldAgainstTheKernels) {
  const std::string printed = print(read(text, p)->schedule, p);
  EXPECT_NE(printed.find("\n  dtype f16\n"), std::string::npos) << printed;
  put("  order k\n", "  order k\n  dtype bf16\n");
  expect("t.prog:7:9: error: the schedule is for bf16, the kernel has f16");
  expect("set it: --dtype bf16");
}

TEST_F(HandWritten, SeveralSlipsAreToldInOneRun) {
  put("acquire A load", "acquire D load");
  put("ready a", "ready b");
  expect("there is no buffer `D`");
  expect("there is no channel `b`");
}

std::string verified(const std::string& text, const test::Problem& p) {
  const auto result = read(text, p);
  if (!result) return base::render(result.diagnostics());
  return test::findings(result->schedule, p, &result->places);
}

TEST_F(HandWritten, WhatItDoesWrongIsToldWhereItDoes) {
  const std::pair<const char*, std::pair<const char*, const char*>> slips[] = {
      {"2 slots of 64 B", {"2 slots of 32 B", "t.prog:8:5: error: a tile of A has 64 bytes"}},
      {"2 slots of", {"3 slots of", "t.prog:11:5: error: channel a has depth 2, buffer A"}},
      {"1 slot of 32 B", {"32767 slots of 32 B", "bytes of local memory on each core"}},
      {"1 slot of 32 B", {"32768 slots of", "a number of slots is between 1 and 32767, got 32768"}},
      {"acquire A load A send",
       {"acquire A send", "t.prog:13:35: error: mover of A on core (0,0) at `send A via a`: "
                          "nothing was written to that slot"}},
      {"load B publish",
       {"load B load B publish", "t.prog:14:42: error: mover of B on core (0,0) at `load B`: the "
                                 "tile in that slot would be overwritten"}},
      {"wait A wait B compute release A release B",
       {"wait A compute release A",
        "t.prog:15:42: error: compute on core (0,0) uses B without a slot of it"}},
      {"ready a receive a",
       {"receive a", "t.prog:13:42: error: deadlock: mover of A on core (0,0) at `send A via a`, "
                     "which waits for mover of A on core (1,0) at `receive A via a`"}},
      {"send A to a publish",
       {"send A to a send A to a publish",
        "t.prog:13:42: error: stuck: mover of A on core (0,0) at `send A via a`"}},
      {"release A release B",
       {"release A", "error: compute on core (0,0) at `wait B`: it holds a slot"}},
      {"wait C store C release C",
       {"wait C release C", "t.prog:16:25: error: writer of C on core (0,0) at `release C`: the "
                            "result in that slot would be lost"}},
      {"mover B { for k { acquire B load B publish B } }",
       {"", "t.prog:15:42: error: stuck: compute on core (0,0) at `wait B`"}},
      {"mover B {",
       {"mover B { acquire B load B publish B } mover B {",
        "t.prog:14:27: error: it stands inside 0 loops, 1 are wanted"}},
      {"compute release A",
       {"compute compute release A", "t.prog:15:57: error: the iteration is "
                                     "computed a second time"}},
      {"compute release A", {"release A", "t.prog:12:5: error: `root` never computes"}},
      {"publish C }",
       {"epilogue publish C }", "t.prog:12:5: error: nothing follows the reduction"}},
      {"multicast to A along x, depth 2",
       {"multicast to B along x, depth 1", "t.prog:11:5: error: core (x, y) needs tile x of B "
                                           "along j, channel a delivers tile 0"}},
      {"send A to a", {"send B to a", "t.prog:13:42: error: channel a carries tiles for buffer A"}},
      {"at (1, 0)", {"at (1, 0) { compute { } } herd idle at (0, 0)", "is in two herds"}},
  };
  for (const auto& [in, to] : slips) {
    text = kHandWritten;
    put(in, to.first);
    const std::string found = verified(text, p);
    EXPECT_NE(found.find(to.second), std::string::npos) << to.first << "\n" << found;
  }
}

TEST_F(HandWritten, TokensThatDoNotMeetAreToldWhereTheyStand) {
  struct Slip {
    const char *declared, *inA, *inB, *words;
  };
  const Slip slips[] = {
      {"token t", "signal t", "",
       "t.prog:14:64: error: token t is signalled here, and no process of"},
      {"token t", "", "await t", "error: token t is awaited here, and no process of this program"},
      {"token t", "", "", "t.prog:12:5: error: token t is neither signalled nor awaited"},
      {"token t", "", "signal t", "error: token t is signalled here"},
      {"token t", "signal t await t", "", "error: a process does not wait for its own signal of t"},
      {"token t", "signal t signal t", "await t",
       "t.prog:12:5: error: token t: 2 signal(s) are left"},
      {"token t", "signal t", "await t await t", "stuck: mover of B on core (0,0) at `await t`"},
      {"token t\n    token u", "await u signal t", "await t signal u", "error: deadlock: mover of"},
  };
  for (const Slip& slip : slips) {
    text = kHandWritten;
    put("    herd root", std::string("    ") + slip.declared + "\n    herd root");
    put("publish A }", std::string("publish A ") + slip.inA + " }");
    put("acquire B load", std::string("acquire B ") + slip.inB + " load");
    const std::string found = verified(text, p);
    EXPECT_NE(found.find(slip.words), std::string::npos) << slip.words << "\n" << found;
  }
}

// Three operands of one core: B from the left and C from the right arrive together on the middle
// core only.
TEST(ScheduleText, StreamsThatRunAgainstEachOtherAreWarnedOf) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(3, 1), "mttkrp", {{"I", 12}, {"J", 8}, {"K", 8}, {"L", 8}});
  mapping::Mapping m;
  m.tileSize.assign(4, 4);
  m.space = {kernel::LoopId(0), {}};
  m.dimOrder = {0, 1};
  for (std::size_t l = 1; l < 4; ++l) m.order.push_back(kernel::LoopId::of(l));
  for (const kernel::Operand& input : p.nest.inputs) {
    const bool shared = !input.dependsOn(kernel::LoopId(0));
    m.inputs.push_back({shared ? mapping::MovementKind::Stream : mapping::MovementKind::Direct,
                        shared ? 1U : 0U, 0, 3, 1});
  }
  m.outputs = {{mapping::ReductionTopology::None, -1, 1}};
  std::string text = print(*schedule::lower(p.kernel, p.nest, p.hw, m), p);
  const auto forward = read(text, p);
  ASSERT_TRUE(forward) << base::render(forward.diagnostics());
  EXPECT_TRUE(forward.diagnostics().empty());
  const std::string ahead = "neighbour to C along x step 1";
  ASSERT_NE(text.find(ahead), std::string::npos) << text;
  text.replace(text.find(ahead), ahead.size(), "neighbour to C along x step -1");
  const auto against = read(text, p);
  ASSERT_TRUE(against) << base::render(against.diagnostics());
  const std::string found = base::render(against.diagnostics());
  EXPECT_NE(found.find("warning: tiles of C arrive at core (x, y) -x + 2 step(s)"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("tiles of B x: they arrive together on one core only"), std::string::npos)
      << found;
}

TEST_F(HandWritten, MutatedTextsAreReadOrRefused) {
  std::mt19937 random(7);
  const std::string pieces = "{}(),:= \n\"0914AB/*-";
  for (int n = 0; n < test::rounds(4000); ++n) {
    text = kHandWritten;
    for (unsigned edits = 1 + random() % 4; edits-- > 0;) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = pieces[random() % pieces.size()];
        break;
      case 1:
        text.erase(at, 1 + random() % 12);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), random() % 24));
        break;
      default:
        text.insert(at, 1, pieces[random() % pieces.size()]);
      }
    }
    const auto result = read(text, p);
    if (!result) {
      EXPECT_NE(result.diagnostics().front().source, nullptr) << text;
      continue;
    }
    const std::string printed = print(result->schedule, p);
    const auto again = read(printed, p);
    ASSERT_TRUE(again) << base::render(again.diagnostics()) << printed;
    EXPECT_EQ(print(again->schedule, p), printed);
  }
}

}  // namespace
}  // namespace gridloom::syntax
