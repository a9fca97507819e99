// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gridloom::test {

/// Result of a run of the command.
struct CommandResult {
  int exitCode = -1;  ///< -1: ended by a signal
  std::string out;
  std::string err;
};

/// A temporary folder for one test; the destructor removes it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (m_path / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::vector<std::string> names() const;

 private:
  std::filesystem::path m_path;
};

/// Runs `gridloom` with these arguments and waits for it; with `interruptAfter`, sends it SIGINT
/// then.
CommandResult runCommand(const std::vector<std::string>& arguments,
                         std::optional<std::chrono::milliseconds> interruptAfter = {});

/// Environment of a run.
struct Surroundings {
  std::string program = {};            ///< "": the command
  std::function<void()> prepare = {};  ///< called in the new process before the program begins
  std::optional<std::chrono::milliseconds> signalAfter = {};
  int signal = 0;
  std::string out = {};  ///< file for stdout; "": output is read and dropped
};
CommandResult runCommand(const std::vector<std::string>& arguments, const Surroundings& around);

std::string readFile(const std::string& path);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gridloom::test
