// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::base {

/// How a program that was started ended.
struct Ended {
  int status = 0;  ///< exit status; minus the signal that ended it
  std::string output;
  std::string errors;  ///< its standard error
};

/// Runs a program with `input` as its standard input and waits for it. Nothing where no temporary
/// file could be written or the program could not be started.
std::optional<Ended> runProgram(const std::string& path, const std::vector<std::string>& arguments,
                                std::string_view input);

/// The path of the program that runs; "" where the system does not say.
std::string ownProgram();

/// The path of another program of Gridloom: beside the one that runs, where it is installed, else
/// where it was built; "" where it is neither.
std::string siblingProgram(const std::string& name, const std::string& built);

}  // namespace gridloom::base
