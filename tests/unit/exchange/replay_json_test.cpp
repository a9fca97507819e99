// SPDX-License-Identifier: Apache-2.0
#include "exchange/replay_json.h"

#include <gtest/gtest.h>

#include "unit/exchange/schema_check.h"

namespace gridloom::exchange {
namespace {

TEST(ReplayJson, TellsWhatItsSchemaSays) {
  report::ReplayRecord replay;
  replay.trace = "t.json";
  replay.hardware = "wormhole_n150";
  replay.issue = "paced";
  replay.recorded = 100;
  replay.simulated = 90;
  replay.issues = {{"free", 80, 0.2}, {"paced", 90, 0.1}, {"recorded", 110, 0.1}};
  replay.processors = {{"(1, 2)", "NCRISC", 3, 6144, {4, 100}, {4, 90}, 20}};
  replay.busiest = {{"noc0_v (1,11)->(1,0)", 0.5}};
  report::ReplayRecord other = replay;
  other.simulated = 130;
  const std::vector<report::ReplayRecord> replays{replay, other};

  const auto json = nlohmann::json::parse(replayJson(replays));
  EXPECT_EQ(test::schemaFindings(json, "replay.json"), std::vector<std::string>{});
  EXPECT_NEAR(json["traces"][0]["error"].get<double>(), -0.1, 1e-12);
  EXPECT_NEAR(json["mean_error"].get<double>(), 0.2, 1e-12);
  EXPECT_NEAR(json["worst_error"].get<double>(), 0.3, 1e-12);
}

}  // namespace
}  // namespace gridloom::exchange
