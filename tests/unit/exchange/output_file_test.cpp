// SPDX-License-Identifier: Apache-2.0
#include "exchange/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace gridloom::exchange {
namespace {

namespace fs = std::filesystem;

struct OutputFile : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) /
                    (std::string("gridloom-output-") +
                     testing::UnitTest::GetInstance()->current_test_info()->name());
  OutputFile() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~OutputFile() override { fs::remove_all(folder); }

  std::string content(const std::string& name) const {
    std::ifstream in(folder / name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }
};

TEST_F(OutputFile, ReplacesAndLeavesNothingElse) {
  const std::string path = (folder / "a.txt").string();
  EXPECT_TRUE(writeFile(path, "first, and longer").empty());
  EXPECT_TRUE(writeFile(path, "second").empty());
  EXPECT_EQ(content("a.txt"), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, AFailedWriteKeepsWhatWasThere) {
  const std::string path = (folder / "a.txt").string();
  ASSERT_TRUE(writeFile(path, "kept").empty());
  const auto errors = writeFile(path, [](std::ostream& out) {
    out << "half";
    out.setstate(std::ios::badbit);
  });
  EXPECT_TRUE(base::hasError(errors));
  EXPECT_EQ(content("a.txt"), "kept");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, ADirectoryAndAMissingFolderAreErrors) {
  EXPECT_NE(base::render(writeFile(folder.string(), "x")).find("it is a directory"),
            std::string::npos);
  EXPECT_TRUE(base::hasError(writeFile((folder / "none" / "a.txt").string(), "x")));
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFile, AReplacedFileKeepsItsPermissions) {
  const std::string path = (folder / "a.txt").string();
  ASSERT_TRUE(writeFile(path, "old").empty());
  const fs::perms narrow = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  fs::permissions(path, narrow);
  EXPECT_TRUE(writeFile(path, "new").empty());
  EXPECT_EQ(fs::status(path).permissions(), narrow);
}

TEST_F(OutputFile, AWriteProtectedFileIsNotReplaced) {
  const std::string path = (folder / "a.txt").string();
  ASSERT_TRUE(writeFile(path, "kept").empty());
  fs::permissions(path, fs::perms::owner_read);
  EXPECT_NE(base::render(writeFile(path, "new")).find("write-protected"), std::string::npos);
  EXPECT_EQ(content("a.txt"), "kept");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, DevicesAreWrittenToDirectly) {
  EXPECT_TRUE(writeFile("/dev/null", "gone").empty());
  if (fs::exists("/dev/full")) {
    EXPECT_NE(base::render(writeFile("/dev/full", "x")).find("cannot write /dev/full: No space"),
              std::string::npos);
  }
}

TEST_F(OutputFile, ALinkToNothingMakesTheFileItNames) {
  fs::create_symlink(folder / "real.txt", folder / "link.txt");
  EXPECT_TRUE(writeFile((folder / "link.txt").string(), "new").empty());
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(content("real.txt"), "new");
}

TEST_F(OutputFile, ALinkStaysALink) {
  ASSERT_TRUE(writeFile((folder / "real.txt").string(), "old").empty());
  fs::create_symlink(folder / "real.txt", folder / "link.txt");
  EXPECT_TRUE(writeFile((folder / "link.txt").string(), "new").empty());
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(content("real.txt"), "new");
}

}  // namespace
}  // namespace gridloom::exchange
