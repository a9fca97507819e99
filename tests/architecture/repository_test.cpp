// SPDX-License-Identifier: Apache-2.0

// The house as it stands: every file of the repository against the rules.

#include "complexity.h"
#include "house_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::architecture {
namespace {

namespace fs = std::filesystem;

const fs::path root = GRIDLOOM_SOURCE_DIR;

std::string contentsOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// What git tracks or would add; empty where there is no git or no checkout.
std::vector<std::string> filesOfGit() {
  const std::string command =
      "git -C '" + root.string() + "' ls-files -z --cached --others --exclude-standard 2>/dev/null";
  std::unique_ptr<std::FILE, std::function<void(std::FILE*)>> pipe(
      ::popen(command.c_str(), "r"), [](std::FILE* file) { ::pclose(file); });
  std::vector<std::string> files;
  if (!pipe) return files;
  std::string name;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    if (c != '\0') {
      name += static_cast<char>(c);
    } else {
      if (fs::is_regular_file(root / name)) files.push_back(name);
      name.clear();
    }
  }
  return files;
}

std::vector<std::string> filesOfTree() {
  std::vector<std::string> files;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
    const std::string path = it->path().lexically_relative(root).generic_string();
    if (it->is_directory() && (path == ".git" || path == "build")) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      files.push_back(path);
    }
  }
  return files;
}

/// Paths from the repository's root, sorted.
const std::vector<std::string>& repositoryFiles() {
  static const std::vector<std::string> files = [] {
    auto found = filesOfGit();
    if (found.empty()) found = filesOfTree();
    std::sort(found.begin(), found.end());
    return found;
  }();
  return files;
}

bool isSource(std::string_view path) {
  return std::ranges::any_of(std::vector<std::string_view>{".h", ".hpp", ".cpp", ".cc", ".inc"},
                             [&](std::string_view extension) { return path.ends_with(extension); });
}

bool isInRoomFolder(std::string_view path) {
  return path.starts_with("engine/") || path.starts_with("app/") || path.starts_with("widgets/");
}

RoomTable repositoryTable() {
  auto table = parseRooms(contentsOf(root / "engine/rooms.txt"));
  if (!table) {
    ADD_FAILURE() << "engine/rooms.txt is malformed";
    return {};
  }
  for (const std::string& path : repositoryFiles()) {
    const std::string_view view = path;
    if (!view.starts_with("widgets/")) continue;
    const auto slash = view.find('/', 8);
    if (slash != std::string_view::npos) table->widgetFolders.emplace(view.substr(8, slash - 8));
  }
  return *table;
}

std::set<std::string> roomsThatSee(const RoomTable& table, std::string_view library) {
  std::set<std::string> result;
  for (const auto& [name, room] : table.rooms) {
    if (room.externals.contains(library)) result.insert(name);
  }
  return result;
}

TEST(Table, CostAndSimulateAreIndependent) {
  const RoomTable table = repositoryTable();
  EXPECT_FALSE(table.rooms.at("cost").rooms.contains("simulate"));
  EXPECT_FALSE(table.rooms.at("simulate").rooms.contains("cost"));
  for (const auto& seen : table.rooms.at("cost").rooms) {
    EXPECT_FALSE(table.rooms.at(seen).rooms.contains("simulate")) << seen;
  }
  for (const auto& seen : table.rooms.at("simulate").rooms) {
    EXPECT_FALSE(table.rooms.at(seen).rooms.contains("cost")) << seen;
  }
}

TEST(Table, LibrariesStayInTheirRooms) {
  const RoomTable table = repositoryTable();
  using Rooms = std::set<std::string>;
  EXPECT_EQ(roomsThatSee(table, "qt"), (Rooms{"widgets", "app_studio", "app_render"}));
  EXPECT_EQ(roomsThatSee(table, "isl"), (Rooms{"affine", "importer"}));
  EXPECT_EQ(roomsThatSee(table, "tbb"),
            (Rooms{"search", "simulate", "ranking", "report", "service"}));
  EXPECT_EQ(roomsThatSee(table, "nlohmann"), Rooms{"exchange"});
  EXPECT_EQ(roomsThatSee(table, "mlir"), Rooms{"importer"});
  EXPECT_EQ(roomsThatSee(table, "cli11"), Rooms{"app_cli"});
  EXPECT_EQ(roomsThatSee(table, "eigen"), (Rooms{"cost", "kernel"}));
}

TEST(Repository, IncludesFollowTheTable) {
  const RoomTable table = repositoryTable();
  std::size_t scanned = 0;
  for (const std::string& path : repositoryFiles()) {
    if (!isSource(path) || !isInRoomFolder(path)) continue;
    ++scanned;
    for (const std::string& message : checkIncludes(table, path, contentsOf(root / path))) {
      ADD_FAILURE() << message;
    }
  }
  EXPECT_GT(scanned, 0U);
}

TEST(Repository, NamesFollowTheTable) {
  const RoomTable table = repositoryTable();
  for (const std::string& path : repositoryFiles()) {
    if (!isSource(path) || !isInRoomFolder(path)) continue;
    for (const std::string& message : checkNames(table, path, contentsOf(root / path))) {
      ADD_FAILURE() << message;
    }
  }
}

TEST(Table, TheExecutorSeesNoMapping) {
  const RoomTable table = repositoryTable();
  for (const char* room : {"network", "values", "simulate"}) {
    EXPECT_FALSE(table.rooms.at(room).rooms.contains("mapping")) << room;
  }
}

TEST(Repository, EverySourceNamesItsLicence) {
  std::size_t scanned = 0;
  for (const std::string& path : repositoryFiles()) {
    if (!isSource(path)) continue;
    ++scanned;
    if (const auto message = checkLicenceLine(path, contentsOf(root / path))) {
      ADD_FAILURE() << *message;
    }
  }
  EXPECT_GT(scanned, 0U);
}

// Tests quote texts that others wrote, whose lines may be longer.
TEST(Repository, LinesAreWithinTheirWidth) {
  for (const std::string& path : repositoryFiles()) {
    if (!isSource(path) || !isInRoomFolder(path)) continue;
    for (const std::string& message : checkLineWidths(path, contentsOf(root / path))) {
      ADD_FAILURE() << message;
    }
  }
}

TEST(Repository, PagesAreWithinTheirWidth) {
  for (const std::string& path : repositoryFiles()) {
    if (!path.ends_with(".md")) continue;
    for (const std::string& message : checkLineWidths(path, proseOf(contentsOf(root / path)))) {
      ADD_FAILURE() << message;
    }
  }
}

TEST(Repository, NoFunctionIsTooComplex) {
  constexpr int most = 20;
  std::size_t functions = 0;
  for (const std::string& path : repositoryFiles()) {
    if (!isSource(path) || !isInRoomFolder(path)) continue;
    for (const FunctionComplexity& each : complexitiesOf(contentsOf(root / path))) {
      ++functions;
      EXPECT_LE(each.complexity, most) << path << ":" << each.line << ": " << each.name;
    }
  }
  EXPECT_GT(functions, 5000U);
}

TEST(Repository, NoFileIsLargerThanOneMebibyte) {
  for (const std::string& path : repositoryFiles()) {
    const auto size = fs::file_size(root / path);
    EXPECT_LE(size, 1U << 20U) << path;
  }
}

TEST(Repository, TheTopLevelIsTheDesigns) {
  const std::set<std::string, std::less<>> allowed{"CMakeLists.txt",
                                                   "CMakePresets.json",
                                                   "README.md",
                                                   "LICENSE",
                                                   "CHANGELOG.md",
                                                   "setup",
                                                   ".ci",
                                                   ".clang-format",
                                                   ".clang-tidy",
                                                   ".gitignore",
                                                   "app",
                                                   "bench",
                                                   "engine",
                                                   "hwpresets",
                                                   "kernels",
                                                   "resources",
                                                   "tests",
                                                   "widgets"};
  for (const std::string& path : repositoryFiles()) {
    EXPECT_TRUE(allowed.contains(path.substr(0, path.find('/')))) << path;
  }
}

}  // namespace
}  // namespace gridloom::architecture
