// SPDX-License-Identifier: Apache-2.0

// Meshes become tori and tori meshes, by edits of the text.

#include <gtest/gtest.h>

#include "edited_text.h"
#include "language/language.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::language {
namespace {

base::SourceRef machine(const std::string& links) {
  return base::makeSource("a.hw", R"(
param cols = 4
%mxu = df.mat { shape = [8, 8, 8], throughput = 64 flop/cycle }
%vpu = df.vec { shape = [8], throughput = 8 elem/cycle }
%x = df.spatial_dim cols
%y = df.spatial_dim 3
%cores = df.core { scaleout = (%x, %y), scalein = (%mxu, %vpu, [1, 1]), clock = 1 GHz }
%l1 = df.memory { scaleout = (%x, %y), size = 64 KiB, bandwidth = 64 B/cycle }
)" + links + R"(
%c = df.spatial_dim 1
%dram = df.memory { scaleout = (%c), size = 1 GiB, bandwidth = 8 B/cycle, kind = global }
%port = df.interconnects %l1, %dram { map = affine_map<(d0, d1) -> (0)>, bandwidth = 8 B/cycle }
)");
}

std::string network(const std::string& name, const std::string& map) {
  return "%" + name + " = df.interconnects %l1, %l1 { map = affine_map<(d0, d1) -> (" + map +
         ")>, bandwidth = 8 B/cycle }\n";
}

TEST(WrapLinks, ATorusOfOneWayRingsGetsLinksBackAsAMesh) {
  const auto torus =
      machine(network("east", "(d0 + 1) mod cols, d1") + network("south", "d0, (d1 + 1) mod 3"));
  ASSERT_TRUE(service::openHardware(torus).ok());
  EXPECT_EQ(edgeLinks(torus).wrapped, 2);
  EXPECT_EQ(edgeLinks(torus).open, 0);
  const auto mesh = edited(torus, wrapLinks(torus, false));
  EXPECT_EQ(edgeLinks(mesh).open, 4);
  EXPECT_NE(mesh->text().find("%east_back"), std::string_view::npos);
  EXPECT_NE(mesh->text().find("(d0 - 1, d1)"), std::string_view::npos);
  const auto opened = service::openHardware(mesh);
  ASSERT_TRUE(opened.ok()) << base::render(opened.diagnostics());
  EXPECT_FALSE((*opened)->topology.wrapsAround(0, 0));
  const auto again = edited(mesh, wrapLinks(mesh, true));
  EXPECT_NE(again->text().find("((d0 - 1) mod cols, d1)"), std::string_view::npos);
  EXPECT_NE(again->text().find("(d0, (d1 + 1) mod 3)"), std::string_view::npos);
  const auto both = service::openHardware(again);
  ASSERT_TRUE(both.ok()) << base::render(both.diagnostics());
  EXPECT_TRUE((*both)->topology.wrapsAround(0, 0));
}

TEST(WrapLinks, NothingChangesWhereNothingIsToChange) {
  const auto mesh = machine(network("e", "d0 + 1, d1") + network("w", "d0 - 1, d1") +
                            network("s", "d0, d1 + 1") + network("n", "d0, d1 - 1"));
  EXPECT_TRUE(wrapLinks(mesh, false).empty());
  EXPECT_EQ(wrapLinks(mesh, true).size(), 4U);
  const auto none = base::makeSource("a.hw", "%x = df.spatial_dim 4\n");
  EXPECT_TRUE(wrapLinks(none, true).empty());
  EXPECT_EQ(edgeLinks(none).open + edgeLinks(none).wrapped, 0);
  const auto unknown = base::makeSource(
      "a.hw", "%e = df.interconnects %l, %l { map = affine_map<(d0) -> (d0 + 1)> }\n");
  EXPECT_TRUE(wrapLinks(unknown, true).empty()) << "no size to wrap at";
  EXPECT_TRUE(wrapLinks(base::makeSource("a.hw", "%e = df.interconnects %l, {{"), true).empty());
}

TEST(WrapLinks, EveryPresetResolvesAsMeshAndAsTorus) {
  int changed = 0;
  for (const texts::Preset& preset : texts::listHardware()) {
    // The wafer is a mesh like the others, and slow to resolve under sanitizers.
    if (preset.name == "cerebras_like") continue;
    const auto text = *texts::loadHardwareText(preset.name);
    const EdgeLinks before = edgeLinks(text);
    if (before.wrapped + before.open == 0) continue;
    for (const bool wraps : {false, true}) {
      const auto now = edited(text, wrapLinks(text, wraps));
      const EdgeLinks links = edgeLinks(now);
      EXPECT_EQ(wraps ? links.open : links.wrapped, 0) << preset.name;
      EXPECT_GE(links.wrapped + links.open, before.wrapped + before.open) << preset.name;
      EXPECT_TRUE(wrapLinks(now, wraps).empty()) << preset.name;
      const auto opened = service::openHardware(now);
      EXPECT_TRUE(opened.ok()) << preset.name << "\n" << base::render(opened.diagnostics());
      changed += now->text() == text->text() ? 0 : 1;
    }
  }
  EXPECT_GE(changed, 8);
}

}  // namespace
}  // namespace gridloom::language
