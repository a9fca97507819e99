// SPDX-License-Identifier: Apache-2.0

// `gridloom export chart` is the program that draws: it alone needs Qt.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_program.h"
#include "output.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

/// Where the verb stands: options such as --no-color may come first.
int verbAt(int argc, char** argv) {
  int at = 1;
  while (at < argc && argv[at][0] == '-') ++at;
  return at;
}

/// The program that draws; "" where it is missing, which is reported.
std::string renderProgram() {
  std::string program = base::siblingProgram("gridloom-render", GRIDLOOM_RENDER_PROGRAM);
  if (program.empty()) {
    printError("charts are drawn by gridloom-render, which is not installed beside gridloom",
               "build Gridloom with the studio: cmake -DGRIDLOOM_STUDIO=ON");
  }
  return program;
}

}  // namespace

bool asksForChart(int argc, char** argv) {
  const int verb = verbAt(argc, argv);
  return verb + 1 < argc && std::string_view(argv[verb]) == "export" &&
         std::string_view(argv[verb + 1]) == "chart";
}

Exit drawChart(int argc, char** argv) {
  std::string program = renderProgram();
  if (program.empty()) return Exit::Machine;
  std::vector<char*> arguments{program.data()};
  arguments.insert(arguments.end(), argv + verbAt(argc, argv) + 2, argv + argc);
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  printError("gridloom-render cannot be started: " + program);
  return Exit::Machine;
}

Exit checkChartFile(const std::string& file) {
  if (file.empty()) return Exit::Done;
  const bool known = std::ranges::any_of(std::array{".svg", ".png", ".pdf"},
                                         [&](const char* each) { return file.ends_with(each); });
  if (!known) {
    printError("--chart wants a file ending in .svg, .png or .pdf, got `" + file + "`");
    return Exit::BadInput;
  }
  const std::string folder = std::filesystem::path(file).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) {
    printError("cannot write " + file + ": " + std::strerror(errno));
    return Exit::BadInput;
  }
  return renderProgram().empty() ? Exit::Machine : Exit::Done;
}

Exit drawSweep(const std::string& file, const std::string& json) {
  const auto ended =
      base::runProgram(renderProgram(), {"--sweep", "/dev/stdin", "--out", file}, json);
  if (ended && ended->status == 0) return Exit::Done;
  if (ended && ended->status > 0 && !ended->errors.empty()) {
    std::fputs(ended->errors.c_str(), stderr);
    return static_cast<Exit>(ended->status);
  }
  printError("the chart is not written: " + file,
             "`--json F` writes the sweep, and `gridloom "
             "export chart --sweep F --out C` says why it cannot be drawn");
  return ended ? Exit::Internal : Exit::Machine;
}

}  // namespace gridloom::cli
