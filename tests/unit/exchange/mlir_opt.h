// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gridloom::test {

inline constexpr const char* kMlirOpt = "/usr/lib/llvm-19/bin/mlir-opt";
inline bool hasMlirOpt() { return std::filesystem::exists(kMlirOpt); }

struct MlirOptRun {
  bool accepted = false;
  std::string said;  ///< the module, or what is wrong
};
/// Runs mlir-opt on a text with unregistered dialects.
inline MlirOptRun runMlirOpt(const std::string& text, const std::string& options) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string file = (folder / ("module" + std::to_string(getpid()) + ".mlir")).string();
  std::ofstream(file) << text;
  const std::string command = std::string(kMlirOpt) + " --allow-unregistered-dialect " + options +
                              " " + file + " > " + file + ".out 2>&1";
  MlirOptRun run;
  run.accepted = std::system(command.c_str()) == 0;
  {
    std::ifstream out(file + ".out");
    run.said.assign(std::istreambuf_iterator<char>(out), {});
  }
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".out");
  return run;
}

/// What mlir-opt says against a text; "" if it accepts it, also between its passes.
inline std::string mlirFindings(const std::string& text) {
  const MlirOptRun run = runMlirOpt(text, "--verify-each --canonicalize --cse");
  if (run.accepted) return {};
  return run.said.empty() ? "it failed without a word" : run.said.substr(0, 500);
}

}  // namespace gridloom::test
