// SPDX-License-Identifier: Apache-2.0

// The checkers themselves, on text made up for the purpose: a rule that cannot fail checks nothing.

#include "house_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gridloom::architecture {
namespace {

using Messages = std::vector<std::string>;

RoomTable exampleTable() {
  auto table = parseRooms(R"(# comment
base     :                       : fmt
affine   : base                  : fmt isl
cost     : base affine           : fmt
simulate : base affine           : fmt tbb   # a comment here too
widgets  : base cost             : qt
app_cli  : base cost             : cli11 posix
app_view : base cost widgets     : qt
)");
  table->widgetFolders = {"bridge", "charts"};
  return *table;
}

TEST(RoomTable, ReadsRoomsAndLibraries) {
  const RoomTable table = exampleTable();
  EXPECT_EQ(table.order,
            (Messages{"base", "affine", "cost", "simulate", "widgets", "app_cli", "app_view"}));
  EXPECT_TRUE(table.rooms.at("cost").rooms.contains("affine"));
  EXPECT_FALSE(table.rooms.at("cost").rooms.contains("simulate"));
  EXPECT_TRUE(table.rooms.at("simulate").externals.contains("tbb"));
}

TEST(RoomTable, RefusesWhatIsMalformed) {
  EXPECT_FALSE(parseRooms("base : fmt\n"));
  EXPECT_FALSE(parseRooms("base : : fmt\nbase : : fmt\n"));
  EXPECT_FALSE(parseRooms("a b : : fmt\n"));
}

TEST(RoomTable, RefusesARoomSeenBeforeItsLine) {
  EXPECT_FALSE(parseRooms("base : cost :\ncost : base :\n"));
}

TEST(RoomOf, FollowsTheFolder) {
  EXPECT_EQ(roomOf("engine/cost/terms.cpp"), "cost");
  EXPECT_EQ(roomOf("engine/exchange/mlir/import.cpp"), "exchange");
  EXPECT_EQ(roomOf("widgets/canvas/mesh.cpp"), "widgets");
  EXPECT_EQ(roomOf("app/cli/main.cpp"), "app_cli");
  EXPECT_EQ(roomOf("tests/unit/cost/terms_test.cpp"), "");
}

TEST(Includes, AllowsWhatTheTableAllows) {
  const RoomTable table = exampleTable();
  EXPECT_EQ(checkIncludes(table, "engine/cost/a.cpp",
                          "#include \"cost/a.h\"\n#include \"base/units.h\"\n"
                          "#include <fmt/format.h>\n#include <vector>\n"),
            Messages{});
  EXPECT_EQ(checkIncludes(table, "engine/affine/a.cpp", "#include <isl/ctx.h>\n"), Messages{});
  EXPECT_EQ(checkIncludes(table, "widgets/charts/a.cpp",
                          "#include \"charts/a.h\"\n#include \"neighbour.h\"\n#include <QString>\n"
                          "#include <QtCharts/QChart>\n#include \"a.moc\"\n"),
            Messages{});
  EXPECT_EQ(checkIncludes(table, "app/view/main.cpp", "#include \"bridge/jobs.h\"\n"), Messages{});
  EXPECT_EQ(checkIncludes(table, "app/cli/main.cpp",
                          "#include \"options.h\"\n#include <CLI/CLI.hpp>\n#include <unistd.h>\n"),
            Messages{});
}

TEST(Includes, CostMayNotSeeSimulate) {
  EXPECT_EQ(checkIncludes(exampleTable(), "engine/cost/a.cpp",
                          "// line 1\n#include \"base/units.h\"\n#include \"simulate/run.h\"\n"),
            Messages{"engine/cost/a.cpp:3: #include \"simulate/run.h\": "
                     "room 'cost' may not see room 'simulate'"});
}

TEST(Names, WhatComesThroughAnotherRoomsHeaderCounts) {
  const RoomTable table = exampleTable();
  EXPECT_EQ(checkNames(table, "engine/cost/a.cpp",
                       "base::Result<int> a;\nauto b = simulate::run(cost::terms());\n"),
            Messages{"engine/cost/a.cpp:2: simulate::...: "
                     "room 'cost' may not see room 'simulate'"});
}

TEST(Names, CommentsMembersAndNestedNamesDoNotCount) {
  const RoomTable table = exampleTable();
  EXPECT_EQ(checkNames(table, "engine/cost/a.cpp",
                       "// simulate::run\nint a = other::simulate::b + c.simulate::d;\n"
                       "int simulate = 0, e = simulate ? 1 : 2;\n"),
            Messages{});
}

TEST(Includes, ARoomIsARoomInAngleBracketsToo) {
  EXPECT_EQ(checkIncludes(exampleTable(), "engine/simulate/a.h", "#include <cost/terms.h>\n"),
            Messages{"engine/simulate/a.h:1: #include <cost/terms.h>: "
                     "room 'simulate' may not see room 'cost'"});
}

TEST(Includes, TheEngineMayNotSeeQt) {
  const RoomTable table = exampleTable();
  const std::string_view path = "engine/base/a.h";
  const std::string rule = ": room 'base' may not see library 'qt'";
  EXPECT_EQ(checkIncludes(table, path, "#include <QString>\n"),
            Messages{"engine/base/a.h:1: #include <QString>" + rule});
  EXPECT_EQ(checkIncludes(table, path, "\n  #  include \"QtCore/QString\" // why\n"),
            Messages{"engine/base/a.h:2: #include \"QtCore/QString\"" + rule});
  EXPECT_EQ(checkIncludes(table, path, "#include <qglobal.h>\n"),
            Messages{"engine/base/a.h:1: #include <qglobal.h>" + rule});
}

TEST(Includes, EachLibraryHasItsRooms) {
  const RoomTable table = exampleTable();
  const auto refused = [&](const std::string& header, const std::string& library) {
    EXPECT_EQ(checkIncludes(table, "engine/cost/a.cpp", "#include <" + header + ">\n"),
              Messages{"engine/cost/a.cpp:1: #include <" + header +
                       ">: room 'cost' may not see library '" + library + "'"});
  };
  refused("isl/set.h", "isl");
  refused("tbb/parallel_for.h", "tbb");
  refused("oneapi/tbb/parallel_for.h", "tbb");
  refused("nlohmann/json.hpp", "nlohmann");
  refused("CLI/CLI.hpp", "cli11");
  refused("Eigen/Dense", "eigen");
  refused("mlir/IR/Builders.h", "mlir");
  refused("unistd.h", "posix");
}

TEST(Includes, UnknownHeadersAreRefused) {
  const RoomTable table = exampleTable();
  EXPECT_EQ(checkIncludes(table, "engine/cost/a.cpp", "#include <boost/graph.hpp>\n"),
            Messages{"engine/cost/a.cpp:1: #include <boost/graph.hpp>: "
                     "neither a standard header nor one of a known library"});
  EXPECT_EQ(checkIncludes(table, "engine/cost/a.cpp", "#include \"terms.h\"\n"),
            Messages{"engine/cost/a.cpp:1: #include \"terms.h\": "
                     "expected \"<room>/<file>.h\" with a room from engine/rooms.txt"});
  EXPECT_EQ(checkIncludes(table, "engine/cost/a.cpp", "#include \"../simulate/run.h\"\n"),
            Messages{"engine/cost/a.cpp:1: #include \"../simulate/run.h\": "
                     "headers are included by room, not by path"});
  EXPECT_EQ(checkIncludes(table, "engine/cost/a.cpp", "#include HEADER\n"),
            Messages{"engine/cost/a.cpp:1: #include HEADER: "
                     "an include must name its header, not a macro"});
}

TEST(Includes, OnlyRealIncludesCount) {
  EXPECT_EQ(checkIncludes(exampleTable(), "engine/cost/a.cpp",
                          "// #include <QString>\n"
                          "/* #include <QString>\n#include <QString>\n*/\n"
                          "const char* s = R\"x(\n#include <QString>\n)x\";\n"
                          "const char* t = \"/*\"; int n = 1'000; char c = '\"';\n"
                          "#include <vector>\n"),
            Messages{});
  EXPECT_EQ(checkIncludes(exampleTable(), "engine/cost/a.cpp",
                          "const char* t = \"/*\"; char c = '\"'; int n = 1'000;\n"
                          "/* */ #include <QString>\n"),
            Messages{"engine/cost/a.cpp:2: #include <QString>: "
                     "room 'cost' may not see library 'qt'"});
}

TEST(Includes, AFolderOutsideTheTableIsRefused) {
  EXPECT_EQ(checkIncludes(exampleTable(), "engine/util/a.h", ""),
            Messages{"engine/util/a.h:1: the file's folder is not a room of engine/rooms.txt"});
}

TEST(LicenceLine, DependsOnTheFolder) {
  const std::string apache = "// SPDX-License-Identifier: Apache-2.0\n";
  const std::string gpl = "// SPDX-License-Identifier: GPL-3.0-or-later\n";
  EXPECT_EQ(checkLicenceLine("engine/cost/a.h", apache), std::nullopt);
  EXPECT_EQ(checkLicenceLine("app/cli/main.cpp", apache), std::nullopt);
  EXPECT_EQ(checkLicenceLine("widgets/charts/a.h", gpl), std::nullopt);
  EXPECT_EQ(checkLicenceLine("app/studio/main.cpp", gpl), std::nullopt);
  EXPECT_EQ(checkLicenceLine("app/render/main.cpp", apache),
            "app/render/main.cpp:1: the first line must be "
            "'// SPDX-License-Identifier: GPL-3.0-or-later'");
  EXPECT_EQ(checkLicenceLine("engine/cost/a.h", "\n" + apache),
            "engine/cost/a.h:1: the first line must be '// SPDX-License-Identifier: Apache-2.0'");
}

TEST(LineWidths, CountCharactersAndNotBytes) {
  const std::string wide(101, 'x');
  EXPECT_EQ(checkLineWidths("engine/cost/a.h", "a\n" + wide + "\nb\n"),
            Messages{"engine/cost/a.h:2: 101 columns, at most 100"});
  std::string dots;
  for (int i = 0; i < 100; ++i) dots += "·";
  EXPECT_EQ(checkLineWidths("engine/cost/a.h", dots), Messages{});
  EXPECT_EQ(checkLineWidths("engine/cost/a.h", ""), Messages{});
}

TEST(Prose, IsWhatCanBeWrapped) {
  EXPECT_EQ(proseOf("a\n| b |\n```\nc\n```\n![d](e)\nf"), "a\n\n\n\n\n\nf\n");
  EXPECT_EQ(proseOf(""), "");
}

}  // namespace
}  // namespace gridloom::architecture
