// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gridloom::test {

inline bool hasCompiler() { return std::system("g++ --version > /dev/null 2>&1") == 0; }

/// What g++ and the program say that it makes of this text; ends with "(failed)" if either fails.
inline std::string compiledAndRun(const std::string& text) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string file = (folder / ("program" + std::to_string(getpid()))).string();
  std::ofstream(file + ".cpp") << text;
  const std::string command = "(g++ -std=c++20 -O1 -pthread -Wall -Wextra -Werror " + file +
                              ".cpp -o " + file + " && timeout 60 " + file + ") > " + file +
                              ".out 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream in(file + ".out");
  std::string said((std::istreambuf_iterator<char>(in)), {});
  for (const char* ending : {"", ".cpp", ".out"}) std::filesystem::remove(file + ending);
  return status == 0 ? said : said + "(failed)";
}

}  // namespace gridloom::test
