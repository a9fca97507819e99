// SPDX-License-Identifier: Apache-2.0

// Texts of machines get networks, shared buffers and other places of channels.

#include <gtest/gtest.h>

#include "edited_text.h"
#include "language/language.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::language {
namespace {

service::HardwareRef opened(const base::SourceRef& source, const std::string& what) {
  auto hardware = service::openHardware(source);
  EXPECT_TRUE(hardware.ok()) << what << '\n' << base::render(hardware.diagnostics());
  return hardware ? *hardware : nullptr;
}

TEST(ExtendHardware, EveryPresetTakesPartsAndStillChecks) {
  int buffers = 0, networks = 0, channels = 0;
  for (const texts::Preset& preset : texts::listHardware()) {
    // The wafer is a mesh like the others, and slow to resolve under sanitizers.
    if (preset.name == "cerebras_like") continue;
    const auto text = *texts::loadHardwareText(preset.name);
    const service::HardwareRef before = opened(text, preset.name);
    const hardware::Topology& hw = before->topology;
    if (const auto edits = addNetwork(text); !edits.empty()) {
      const service::HardwareRef after = opened(edited(text, edits), preset.name);
      ASSERT_TRUE(after);
      EXPECT_EQ(after->topology.planes(), hw.planes() + 1) << preset.name;
      ++networks;
    }
    for (const bool perColumn : {true, false}) {
      const auto edits = addSharedBuffer(text, hw.local().name, perColumn);
      if (edits.empty()) continue;
      const service::HardwareRef after = opened(edited(text, edits), preset.name);
      ASSERT_TRUE(after);
      EXPECT_EQ(after->topology.sharedBuffers().size(), hw.sharedBuffers().size() + 1)
          << preset.name;
      ++buffers;
    }
    if (hw.nodeGrid().size() != 2) continue;
    std::vector<PortRouters> routers;
    for (std::int64_t c = 0; c < hw.global().channels; ++c)
      routers.push_back({{c % hw.nodeGrid()[0], c % hw.nodeGrid()[1]}});
    const auto edits = placeChannels(text, hw.global().name, routers);
    ASSERT_FALSE(edits.empty()) << preset.name;
    const service::HardwareRef after = opened(edited(text, edits), preset.name);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->topology.global().channels, hw.global().channels) << preset.name;
    ++channels;
  }
  EXPECT_GE(networks, 10);
  EXPECT_GE(buffers, 15);
  EXPECT_GE(channels, 8);
}

TEST(ExtendHardware, NamesStayFreeAndPlanesApart) {
  const auto once = edited(*texts::loadHardwareText("wormhole_8x8"),
                           addNetwork(*texts::loadHardwareText("wormhole_8x8")));
  const auto twice = edited(once, addNetwork(once));
  EXPECT_NE(twice->text().find("%noc_h_2 ="), std::string_view::npos);
  EXPECT_NE(twice->text().find("%noc_h_2_2 ="), std::string_view::npos);
  EXPECT_NE(twice->text().find("plane = 2"), std::string_view::npos);
  EXPECT_EQ(opened(twice, "twice")->topology.planes(), 3);
  const auto buffer = edited(twice, addSharedBuffer(twice, "l1", true));
  const auto both = edited(buffer, addSharedBuffer(buffer, "l1", true));
  EXPECT_NE(both->text().find("%column_buffer_2 ="), std::string_view::npos);
  EXPECT_NE(both->text().find("size = 5856 KiB"), std::string_view::npos);
}

/// `noc` becomes `noc_2_2`, as `noc_2` is taken; `noc_2` must not become it, too.
TEST(ExtendHardware, NewNamesDifferFromEachOther) {
  std::string words((*texts::loadHardwareText("wormhole_8x8"))->text());
  for (const auto& [from, to] : {std::pair("%noc_h ", "%noc "), std::pair("%noc_v ", "%noc_2 ")}) {
    const auto place = words.find(from);
    ASSERT_NE(place, std::string::npos);
    words.replace(place, std::string_view(from).size(), to);
  }
  const auto text = base::makeSource("a.hw", words);
  const auto once = edited(text, addNetwork(text));
  const service::HardwareRef after = opened(once, "once");
  ASSERT_TRUE(after) << once->text();
  EXPECT_EQ(after->topology.planes(), 2);
}

TEST(ExtendHardware, AnItemOfAListOfPlacesIsReplaced) {
  const auto text = *texts::loadHardwareText("npu_phoenix_4x4");
  const auto edits = placePort(text, "ddr", 1, 0, {{{0, 0}}, {{1, 5}}, {{2, 0}}, {{3, 0}}});
  const auto after = edited(text, edits);
  EXPECT_NE(after->text().find("at = [(0, 0), (1, 5), (2, 0), (3, 0)], kind = global"),
            std::string_view::npos);
  EXPECT_TRUE(placePort(text, "ddr", 1, 0, {{{0, 0}}, {{1, 5}}}).empty()) << "another number";
  EXPECT_TRUE(placePort(text, "ddr", 4, 0, {{{0, 0}}, {{1, 0}}, {{2, 0}}, {{3, 0}}}).empty());
  EXPECT_TRUE(placePort(text, "no such memory", 0, 0, {{{0, 0}}}).empty());
}

TEST(ExtendHardware, AChannelHasPortsThatMoveByThemselves) {
  const auto strix = *texts::loadHardwareText("npu_strix_4x8");
  PortRouters ports;
  for (std::int64_t column = 0; column < 8; ++column) ports.push_back({column, 0});
  ports[5] = {5, 3};
  const auto after = edited(strix, placePort(strix, "ddr", 0, 5, {ports}));
  EXPECT_NE(after->text().find("(4, 0), (5, 3), (6, 0)"), std::string_view::npos);
  EXPECT_TRUE(opened(after, "strix"));
  EXPECT_TRUE(placePort(strix, "ddr", 0, 8, {ports}).empty()) << "no such port";
  ports.pop_back();
  EXPECT_TRUE(placePort(strix, "ddr", 0, 5, {ports}).empty()) << "another number of ports";
  // A map gives every core a port; the first that moves writes them all.
  const auto wormhole = *texts::loadHardwareText("wormhole_8x8");
  const service::HardwareRef before = opened(wormhole, "before");
  std::vector<PortRouters> all(4);
  for (std::int64_t y = 0; y < 8; ++y)
    for (std::int64_t x = 0; x < 8; ++x)
      all[static_cast<std::size_t>(x / 4 + 2 * (y / 4))].push_back({x, y});
  const service::HardwareRef same = opened(edited(wormhole, placeChannels(wormhole, "drams", all)), "same");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->topology.links().size(), before->topology.links().size());
}

TEST(ExtendHardware, AWholeListOfPlacesIsReplaced) {
  const auto text = *texts::loadHardwareText("npu_phoenix_4x4");
  const auto after = edited(text, placeChannels(text, "ddr", {{{0, 0}}, {{1, 5}}}));
  EXPECT_NE(after->text().find("at = [(0, 0), (1, 5)], kind = global"), std::string_view::npos);
  EXPECT_TRUE(placeChannels(text, "no such memory", {{{0, 0}}}).empty());
  EXPECT_TRUE(placeChannels(text, "ddr", {}).empty());
}

TEST(ExtendHardware, SizesKeepTheirDigits) {
  const auto text = base::makeSource(
      "a.hw", "%x = df.spatial_dim 4\n%y = df.spatial_dim 4\n"
              "%cores = df.core { scaleout = (%x, %y) }\n"
              "%l1 = df.memory { scaleout = (%x, %y), size = 1499137 B, bandwidth = 8 B/cycle }\n");
  const auto after = edited(text, addSharedBuffer(text, "l1", false));
  EXPECT_NE(after->text().find("size = 23986192 B"), std::string_view::npos) << after->text();
}

TEST(ExtendHardware, WhatIsNoMachineStaysAsItIs) {
  for (const char* words : {"", "%x = df.spatial_dim 4\n", "%e = df.interconnects %l, {{",
                            "%cores = df.core { scaleout = (%x) }\n%l1 = df.memory { size = x }"}) {
    const auto text = base::makeSource("a.hw", words);
    EXPECT_TRUE(addNetwork(text).empty()) << words;
    EXPECT_TRUE(addSharedBuffer(text, "l1", true).empty()) << words;
    EXPECT_TRUE(placePort(text, "l", 0, 0, {{{0, 0}}}).empty()) << words;
  }
}

}  // namespace
}  // namespace gridloom::language
