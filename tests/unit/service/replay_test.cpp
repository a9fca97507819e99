// SPDX-License-Identifier: Apache-2.0
#include "service/replay.h"
#include "texts/presets.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace gridloom::service {
namespace {

using exchange::NocEvent;
using Step = network::TransferStep;

std::string event(int x, int y, const std::string& type, std::int64_t cycle,
                  const std::string& rest = "") {
  return fmt::format(
      R"({{ "proc":"NCRISC", "noc":"NOC_0", "vc":-1, "sx":{}, "sy":{}, "type":"{}", "timestamp":{}{}{} }})",
      x, y, type, cycle, rest.empty() ? "" : ", ", rest);
}
std::string to(int x, int y, int bytes) {
  return fmt::format(R"("dx":{}, "dy":{}, "num_bytes":{})", x, y, bytes);
}
std::string traceOf(const std::vector<std::string>& events) {
  return fmt::format("[\n{}\n]\n", fmt::join(events, ",\n"));
}

base::Result<exchange::NocTrace> readText(const std::string& text) {
  return exchange::readNocTrace(base::makeSource("t.json", text));
}

const HardwareRef& wormhole() {
  static const HardwareRef hardware = [] {
    auto text = texts::loadHardwareText("wormhole_n150");
    auto opened = openHardware(*std::move(text));
    return *std::move(opened);
  }();
  return hardware;
}

exchange::ReplayProgram programOf(const std::string& text) {
  auto trace = readText(text);
  EXPECT_TRUE(trace.ok()) << base::render(trace.diagnostics());
  auto program = exchange::replayProgram(*trace, wormhole()->topology);
  EXPECT_TRUE(program.ok()) << base::render(program.diagnostics());
  return *std::move(program);
}

std::string errorsOf(const std::string& text) {
  auto trace = readText(text);
  if (!trace) return base::render(trace.diagnostics());
  auto program = exchange::replayProgram(*trace, wormhole()->topology);
  return program.ok() ? "" : base::render(program.diagnostics());
}

TEST(NocTrace, EventsBecomeStepsOfTheirProcessors) {
  const exchange::ReplayProgram made = programOf(traceOf(
      {R"({ "proc":"NCRISC", "zone":"NCRISC-KERNEL", "zone_phase":"begin", "sx":1, "sy":2, "timestamp":900 })",
       event(1, 2, "READ", 1000, to(0, 11, 2048)), event(1, 2, "READ", 1124, to(2, 2, 64)),
       event(1, 2, "READ_BARRIER_START", 1240, R"("dx":-1, "dy":-1, "num_bytes":0)"),
       event(1, 2, "READ_BARRIER_END", 1700), event(3, 4, "WRITE_", 950, to(5, 1, 32))}));
  ASSERT_EQ(made.program.processors.size(), 2u);
  const auto& steps = made.program.processors[0].steps;
  ASSERT_EQ(steps.size(), 3u) << "the ends of a barrier are one step";
  EXPECT_EQ(steps[0].kind, Step::Kind::Read);
  EXPECT_EQ(steps[0].channel, 0) << "(0, 11) serves the first channel";
  EXPECT_EQ(steps[1].channel, -1) << "(2, 2) is a tile";
  EXPECT_EQ(steps[0].start, 100) << "from the first timestamp of all";
  EXPECT_EQ(steps[0].work, 124);
  EXPECT_EQ(steps[2].kind, Step::Kind::Wait);
  EXPECT_EQ(steps[2].end, 800);
  EXPECT_EQ(made.cycles, 800);
  EXPECT_EQ(made.program.processors[1].steps[0].kind, Step::Kind::Write);
  EXPECT_NEAR(made.eventCost, 124 - wormhole()->topology.coreInterface().readIssue, 1e-9);
}

TEST(NocTrace, StatesNameDestinationAndSizeOfWhatFollows) {
  const auto steps = programOf(traceOf({event(1, 1, "WRITE_SET_STATE", 0, to(4, 4, 512)),
                                        event(1, 1, "WRITE_WITH_STATE", 50, R"("num_bytes":0)")}))
                         .program.processors[0]
                         .steps;
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].kind, Step::Kind::Work);
  EXPECT_EQ(steps[1].bytes, 512);
  EXPECT_EQ(steps[1].peer, 4 * 12 + 4);
}

TEST(NocTrace, MulticastsAndSemaphoresAreUnderstood) {
  const auto made = programOf(traceOf(
      {event(
           1, 1, "WRITE_MULTICAST", 0,
           R"("mcast_start_x":1, "mcast_start_y":1, "mcast_end_x":4, "mcast_end_y":2, "num_bytes":1024)"),
       event(1, 1, "SEMAPHORE_INC", 100, R"("dx":2, "dy":2)"), event(2, 2, "SEMAPHORE_WAIT", 20),
       event(2, 2, "WRITE_FLUSH", 300)}));
  const auto& cast = made.program.processors[0].steps[0];
  EXPECT_EQ(cast.kind, Step::Kind::Multicast);
  EXPECT_EQ(made.program.areas[0].last, (std::vector<std::int64_t>{4, 2}));
  const auto& signal = made.program.processors[0].steps[1];
  const auto& await = made.program.processors[1].steps[0];
  EXPECT_EQ(await.kind, Step::Kind::Await);
  EXPECT_EQ(await.signal, signal.signal);
}

TEST(NocTrace, UnknownKindsAreRemarkedOnceAndLeftOut) {
  auto trace = readText(traceOf({event(1, 1, "FABRIC_WARP", 0), event(1, 1, "FABRIC_WARP", 9),
                                 event(1, 1, "READ", 20, to(2, 2, 64))}));
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->remarks.size(), 1u);
  EXPECT_NE(base::render(trace->remarks).find("t.json:2:1: warning"), std::string::npos)
      << base::render(trace->remarks);
  EXPECT_EQ(trace->events.size(), 3u);
}

TEST(NocTrace, ErrorsSayWhere) {
  const std::string good = event(1, 1, "READ", 0, to(2, 2, 64));
  EXPECT_NE(errorsOf("{}").find("t.json:1:1: error: expected an array"), std::string::npos);
  EXPECT_NE(errorsOf("[\n1]").find("t.json:2:"), std::string::npos);
  EXPECT_NE(errorsOf("[\n" + good + ",\n{ \"proc\":").find("t.json:3:"), std::string::npos);
  EXPECT_NE(errorsOf("[\n" + good + ",\n{ \"proc\":").find("ends in the middle"),
            std::string::npos);
  EXPECT_NE(errorsOf("[ nonsense ]").find("not JSON"), std::string::npos);
  const std::string noBytes = errorsOf(traceOf({event(1, 1, "READ", 0, R"("dx":2, "dy":2)")}));
  EXPECT_NE(noBytes.find("t.json:2:1: error: `READ` without `num_bytes`"), std::string::npos)
      << noBytes;
  const std::string outside = errorsOf(traceOf({event(1, 1, "READ", 0, to(16, 2, 64))}));
  EXPECT_NE(outside.find("t.json:2:1: error: (16, 2) is not a router"), std::string::npos)
      << outside;
  EXPECT_NE(errorsOf(traceOf({event(1, 1, "WRITE_WITH_STATE", 0)})).find("no state"),
            std::string::npos);
  EXPECT_NE(errorsOf(traceOf({event(1, 1, "READ", -4, to(2, 2, 4))})).find("expected a cycle"),
            std::string::npos);
  EXPECT_EQ(errorsOf("[]"), "");
  // A wrong value is not also reported as missing. A number too large for JSON readers has a
  // message of our own.
  const auto sized = [](const char* bytes) {
    const std::string rest = R"("dx":2, "dy":2, "num_bytes":)";
    return errorsOf(traceOf({event(1, 1, "READ", 0, rest + bytes)}));
  };
  EXPECT_EQ(sized("-3").find("without"), std::string::npos) << sized("-3");
  EXPECT_NE(sized("-3").find("expected a number of bytes"), std::string::npos) << sized("-3");
  EXPECT_NE(sized("1e400").find("error: the number 1e400 is too large"), std::string::npos)
      << sized("1e400");
}

TEST(NocTrace, NumbersWithExponentsAreWholeOrNot) {
  const auto sized = [](const std::string& bytes) {
    return errorsOf(
        traceOf({event(1, 1, "READ", 0, "\"dx\":2, \"dy\":2, \"num_bytes\":" + bytes)}));
  };
  EXPECT_EQ(sized("1e3"), "");
  EXPECT_NE(sized("1e30").find("error: expected a number of bytes up to 2^26, got 1e30"),
            std::string::npos)
      << sized("1e30");
  EXPECT_NE(sized("2.5").find("expected a number of bytes up to 2^26, got 2.5"), std::string::npos);
  EXPECT_NE(sized("1e9").find("expected a number of bytes up to 2^26, got 1000000000"),
            std::string::npos);
}

TEST(Replay, TracesWithoutTransfersAreRefused) {
  for (const std::string& text :
       {std::string("[]"), traceOf({event(1, 1, "READ_BARRIER_END", 5)})}) {
    auto trace = readText(text);
    ASSERT_TRUE(trace.ok()) << text;
    base::Progress progress;
    const auto replayed = replay(*trace, *wormhole(), "wormhole_n150", "paced", progress);
    ASSERT_FALSE(replayed.ok()) << text;
    EXPECT_NE(
        base::render(replayed.diagnostics()).find("t.json:1:1: error: the trace has no transfers"),
        std::string::npos)
        << base::render(replayed.diagnostics());
  }
}

TEST(NocTrace, EveryBeginningOfATraceEndsInAMessage) {
  const std::string text =
      traceOf({event(1, 1, "READ", 0, to(2, 2, 64)), event(1, 1, "READ_BARRIER_START", 130),
               event(1, 1, "READ_BARRIER_END", 500)});
  for (std::size_t n = 0; n + 3 < text.size(); ++n) {
    EXPECT_NE(errorsOf(text.substr(0, n)), "") << n;
  }
}

TEST(Replay, AllWaysToIssueAreHeldAgainstTheRecord) {
  auto trace = readText(
      traceOf({event(1, 1, "READ", 0, to(0, 11, 2048)), event(1, 1, "READ", 124, to(0, 5, 2048)),
               event(1, 1, "READ_BARRIER_START", 242), event(1, 1, "READ_BARRIER_END", 632)}));
  ASSERT_TRUE(trace.ok());
  base::Progress progress;
  const auto replayed = replay(*trace, *wormhole(), "wormhole_n150", "paced", progress);
  ASSERT_TRUE(replayed.ok()) << base::render(replayed.diagnostics());
  ASSERT_TRUE(replayed->has_value());
  const report::ReplayRecord& record = **replayed;
  EXPECT_EQ(record.recorded, 632);
  EXPECT_EQ(record.issues.size(), 3u);
  EXPECT_EQ(record.transfers, 2);
  // The last read takes 390 cycles longer than the start of its barrier on the card.
  EXPECT_NEAR(record.simulated, 632, 60);
  const std::string json = jsonOf(std::span(&record, 1));
  EXPECT_NE(json.find("\"schema\": \"gridloom.replay/1\""), std::string::npos);
  EXPECT_NE(report::replayText(std::span(&record, 1)).find("(1, 1)"), std::string::npos);
  progress.cancel();
}

}  // namespace
}  // namespace gridloom::service
