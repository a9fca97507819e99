// SPDX-License-Identifier: Apache-2.0
// What people and continuous integration read: HTML, SARIF and JUnit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exchange/html_report.h"
#include "exchange/junit.h"
#include "exchange/sarif.h"
#include "exchange/svg_figures.h"
#include "exchange/xml_text.h"

namespace gridloom::exchange {
namespace {

TEST(Sarif, AFindingHasItsPlaceInCharacters) {
  const base::SourceRef source = base::makeSource("a b.hw", "// \xC3\xA9\n\xC3\xA9 %x = 3\n");
  const auto log = nlohmann::json::parse(
      sarifText({{"dir/a b.hw", {base::warningAt(source, {8, 10}, "odd", "write 4")}},
                 {"gone.rec", {base::plainError("not readable")}}},
                "1.2"));
  EXPECT_EQ(log["version"], "2.1.0");
  const auto& run = log["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2u);
  ASSERT_EQ(run["results"].size(), 2u);
  const auto& first = run["results"][0];
  EXPECT_EQ(first["level"], "warning");
  EXPECT_EQ(first["ruleId"], "hw");
  EXPECT_EQ(first["message"]["text"], "odd\nhelp: write 4");
  const auto& place = first["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "dir/a%20b.hw");
  EXPECT_EQ(place["region"]["startLine"], 2);
  EXPECT_EQ(place["region"]["startColumn"], 2);  // after one character of two bytes
  EXPECT_EQ(place["region"]["endColumn"], 4);
  EXPECT_FALSE(run["results"][1]["locations"][0]["physicalLocation"].contains("region"));
}

TEST(Sarif, BytesThatAreNotTextAreReplaced) {
  const auto log = nlohmann::json::parse(sarifText({{"\xFF.hw", {base::plainError("\xFE?")}}}, ""));
  EXPECT_EQ(
      log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
      "%FF.hw");
}

TEST(Junit, WhatUsersNamedIsEscaped) {
  EXPECT_EQ(escapedXml("<a href=\"x\">'&\x01\n"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;?\n");
  const std::string text =
      junitText("s<1>", {{"cycles", "k & h", "grew", "a < b"}, {"bytes", "k & h", "", ""}});
  EXPECT_EQ(text, R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1">
  <testsuite name="s&lt;1&gt;" tests="2" failures="1">
    <testcase classname="k &amp; h" name="cycles">
      <failure message="grew">a &lt; b</failure>
    </testcase>
    <testcase classname="k &amp; h" name="bytes"></testcase>
  </testsuite>
</testsuites>
)");
}

/// The tags that are still open at the end of a page, the innermost last.
std::vector<std::string> openTags(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return {"<"};
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(tag.front() == '/' ? 1 : 0,
                                        tag.find_first_of(" >/", 1) - (tag.front() == '/' ? 1 : 0));
    if (tag.front() == '!' || tag.back() == '/' || name == "meta") continue;
    if (tag.front() != '/') {
      open.push_back(name);
    } else if (!open.empty() && open.back() == name) {
      open.pop_back();
    } else {
      return {"</" + name};
    }
  }
  return open;
}

TEST(Html, APageIsWholeAndWhatUsersNamedIsEscaped) {
  HtmlReport page;
  page.asked = "gridloom explore --hardware <a>.hw";
  report::ExplorationRecord ranking;
  ranking.hardware.name = "<script>alert(1)</script>";
  ranking.hardware.dims = {{"x\"", 3}, {"y", 2}};
  ranking.kernel.name = "k & co";
  ranking.top.resize(1);
  ranking.top[0].rank = 1;
  ranking.top[0].predicted.cycles = 100;
  ranking.top[0].mapping.line = "i<j>";
  page.ranking = ranking;
  report::ExplanationRecord best;
  best.run.hardware = ranking.hardware;
  best.run.simulated.cycles = 200;
  best.run.cores = {{{0, 0}, {150, 50}}, {{2, 1}, {20, 180}}};
  best.waterfall = {200, 6, 10, 0, 0.4, {{"unit_rate", "Unit <rate>", "", 120, 0.6, {}}}};
  page.best = best;
  page.loopNest = "for i < 4";
  const std::string html = htmlText(page);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("k &amp; co on &lt;script&gt;"), std::string::npos);
  EXPECT_NE(html.find("Unit &lt;rate&gt;"), std::string::npos);
  EXPECT_NE(html.find("for i &lt; 4"), std::string::npos);
  EXPECT_NE(html.find("(0, 0): 75.0%"), std::string::npos) << "a core's share of its time";
  EXPECT_EQ(openTags(html), std::vector<std::string>{});
}

TEST(Html, WithoutAMappingItSaysWhatHelps) {
  HtmlReport page;
  report::ExplorationRecord& ranking = page.ranking.emplace();
  ranking.space.stopped = search::Stop::None;
  ranking.whyNone = {"i is not tiled: <a>", "there are mappings with --set N=8"};
  const std::string html = htmlText(page);
  EXPECT_NE(html.find("i is not tiled: &lt;a&gt;"), std::string::npos) << html;
  EXPECT_NE(html.find("--set N=8"), std::string::npos) << html;
  EXPECT_EQ(openTags(html), std::vector<std::string>{});
}

TEST(Html, AMeshOfManyCoresShowsBlocks) {
  report::SimulationRecord run;
  run.hardware.dims = {{"x", 128}, {"y", 256}};
  run.simulated.cycles = 10;
  for (std::int64_t x = 0; x < 128; ++x) {
    for (std::int64_t y = 0; y < 256; ++y) run.cores.push_back({{x, y}, {x < 64 ? 10.0 : 5.0}});
  }
  const std::string figure = meshFigure(run);
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = figure.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("<rect"), 32u * 64u);
  EXPECT_EQ(count(": 100.0%"), 16u * 64u);
  EXPECT_EQ(count(": 50.0%"), 16u * 64u);
}

}  // namespace
}  // namespace gridloom::exchange
