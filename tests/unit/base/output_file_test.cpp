// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/file_identity.h"
#include "base/replacement_file.h"

namespace gridloom::base {
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
  EXPECT_TRUE(writeFile(path, "first, and longer").ok());
  EXPECT_TRUE(writeFile(path, "second").ok());
  EXPECT_EQ(content("a.txt"), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, AFailedWriteKeepsWhatWasThere) {
  const std::string path = (folder / "a.txt").string();
  ASSERT_TRUE(writeFile(path, "kept").ok());
  const Written written = writeFile(path, [](std::ostream& out) {
    out << "half";
    out.setstate(std::ios::badbit);
  });
  EXPECT_FALSE(written.ok());
  EXPECT_EQ(content("a.txt"), "kept");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, ADirectoryAndAMissingFolderAreErrors) {
  const Written written = writeFile(folder.string(), "x");
  EXPECT_NE(render(written.errors).find("it is a directory"), std::string::npos);
  EXPECT_FALSE(written.machineFault);
  EXPECT_FALSE(writeFile((folder / "none" / "a.txt").string(), "x").ok());
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFile, AReplacedFileKeepsItsPermissions) {
  const std::string path = (folder / "a.txt").string();
  ASSERT_TRUE(writeFile(path, "old").ok());
  const fs::perms narrow = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  fs::permissions(path, narrow);
  EXPECT_TRUE(writeFile(path, "new").ok());
  EXPECT_EQ(fs::status(path).permissions(), narrow);
}

TEST_F(OutputFile, AWriteProtectedFileIsNotReplaced) {
  const std::string path = (folder / "a.txt").string();
  ASSERT_TRUE(writeFile(path, "kept").ok());
  fs::permissions(path, fs::perms::owner_read);
  EXPECT_NE(render(writeFile(path, "new").errors).find("write-protected"), std::string::npos);
  EXPECT_EQ(content("a.txt"), "kept");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, DevicesAreWrittenToDirectly) {
  EXPECT_TRUE(writeFile("/dev/null", "gone").ok());
  if (fs::exists("/dev/full")) {
    const Written full = writeFile("/dev/full", "x");
    EXPECT_NE(render(full.errors).find("cannot write /dev/full: No space"), std::string::npos);
    EXPECT_TRUE(full.machineFault);
  }
}

TEST_F(OutputFile, ALinkToNothingMakesTheFileItNames) {
  fs::create_symlink(folder / "real.txt", folder / "link.txt");
  EXPECT_TRUE(writeFile((folder / "link.txt").string(), "new").ok());
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(content("real.txt"), "new");
}

/// Exit status of `work` in a process of its own.
int statusOf(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(OutputFile, ANameMayHaveAllTheBytesASystemAllows) {
  const std::string name(255, 'n');
  EXPECT_TRUE(writeFile((folder / name).string(), "first").ok());
  EXPECT_TRUE(writeFile((folder / name).string(), "second").ok());
  EXPECT_EQ(content(name), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, AFileSizeLimitIsAFaultOfTheMachineAndLeavesNothing) {
  const std::string path = (folder / "a.txt").string();
  const int status = statusOf([&] {
    const struct rlimit most { 4096, 4096 };
    setrlimit(RLIMIT_FSIZE, &most);
    signal(SIGXFSZ, SIG_IGN);
    const Written written = writeFile(path, std::string(1000000, 'x'));
    const std::string text = render(written.errors);
    const bool told =
        text.find("File too large") != std::string::npos &&
        text.find("it has 976.6 KiB, and files may have 4 KiB here") != std::string::npos;
    return written.machineFault && told ? 7 : 8;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFile, ARunThatIsKilledLeavesAtMostOneFileWhichTheNextTakesOver) {
  const fs::path path = folder / "a.txt";
  for (int run = 0; run < 3; ++run) {
    const int status = statusOf([&] {
      ReplacementFile file(path, ReplacementFile::Way::Named);
      if (file.open() != 0) return 1;
      return raise(SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(files(), 1);
  }
  EXPECT_TRUE(writeFile(path.string(), "old").ok());
  ReplacementFile file(path, ReplacementFile::Way::Named);
  ASSERT_EQ(file.open(), 0);
  ASSERT_EQ(write(file.fd(), "new", 3), 3);
  ASSERT_EQ(file.commit(std::nullopt), 0);
  EXPECT_EQ(content("a.txt"), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, ANamelessFileIsGoneWithItsRun) {
  const fs::path path = folder / "a.txt";
  if (ReplacementFile probe(path); probe.open() != 0 || files() > 0) {
    GTEST_SKIP() << "files without names are not known here";
  }
  const int status = statusOf([&] {
    writeFile(path.string(), [](std::ostream& out) {
      out << std::string(1000000, 'x');
      raise(SIGKILL);
    });
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFile, OneRunAtATimeWritesAFileUnderAName) {
  const fs::path path = folder / "a.txt";
  ReplacementFile first(path, ReplacementFile::Way::Named);
  ASSERT_EQ(first.open(), 0);
  ReplacementFile second(path, ReplacementFile::Way::Named);
  EXPECT_EQ(second.open(), EBUSY);
  EXPECT_EQ(first.commit(std::nullopt), 0);
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, OneFileIsKnownUnderManyNames) {
  const std::string file = (folder / "a.txt").string();
  const std::string missing = (folder / "b.txt").string();
  ASSERT_TRUE(writeFile(file, "x").ok());
  fs::create_directory(folder / "sub");
  fs::create_symlink(file, folder / "soft");
  fs::create_hard_link(file, folder / "hard");
  fs::create_symlink(missing, folder / "dangling");
  fs::create_directory_symlink(folder, folder / "sub" / "up");
  for (const char* name : {"a.txt", "soft", "hard", "sub/../a.txt", "sub/up/a.txt"}) {
    EXPECT_TRUE(isSameFile(file, (folder / name).string())) << name;
  }
  EXPECT_TRUE(isSameFile(missing, (folder / "sub" / "up" / "b.txt").string()));
  EXPECT_TRUE(isSameFile(missing, (folder / "dangling").string()));
  EXPECT_FALSE(isSameFile(file, missing));
  EXPECT_FALSE(isSameFile("/dev/null", "/dev/null"));
}

TEST_F(OutputFile, ALinkStaysALink) {
  ASSERT_TRUE(writeFile((folder / "real.txt").string(), "old").ok());
  fs::create_symlink(folder / "real.txt", folder / "link.txt");
  EXPECT_TRUE(writeFile((folder / "link.txt").string(), "new").ok());
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(content("real.txt"), "new");
}

}  // namespace
}  // namespace gridloom::base
