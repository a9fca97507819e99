// SPDX-License-Identifier: Apache-2.0

// `gridloom export chart` is the program that draws: it alone needs Qt.

#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/child_program.h"
#include "output.h"
#include "verbs.h"

namespace gridloom::cli {

bool asksForChart(int argc, char** argv) {
  return argc > 2 && std::string_view(argv[1]) == "export" && std::string_view(argv[2]) == "chart";
}

Exit drawChart(int argc, char** argv) {
  std::string program = base::siblingProgram("gridloom-render", GRIDLOOM_RENDER_PROGRAM);
  if (program.empty()) {
    printError("charts are drawn by gridloom-render, which is not installed beside gridloom",
               "build Gridloom with the studio: cmake -DGRIDLOOM_STUDIO=ON");
    return Exit::Machine;
  }
  std::vector<char*> arguments{program.data()};
  arguments.insert(arguments.end(), argv + 3, argv + argc);
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  printError("gridloom-render cannot be started: " + program);
  return Exit::Machine;
}

}  // namespace gridloom::cli
