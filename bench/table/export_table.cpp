// SPDX-License-Identifier: Apache-2.0
//
// The best mapping of every built-in kernel on every preset in a format for other tools, at small
// sizes: which cells are written, which are refused and why, and whether the tool accepts the text.
// C++ is compiled and run, and its values must be right.
#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "exchange/air_text.h"
#include "exchange/cpp_text.h"
#include "exchange/hls_text.h"
#include "service/fit.h"
#include "service/schedule_input.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace {

using namespace gridloom;

struct Settings {
  std::string sizes = GRIDLOOM_BENCH_DATA_DIR "/cases/small_sizes.csv", out;
  std::string format = "cpp";
  std::vector<std::string> kernels;
  std::vector<std::string> hardware{"wormhole_4x8", "npu_phoenix_4x4", "spyre_ring",
                                    "arria10_systolic_10x8"};
};

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;

std::vector<std::pair<std::string, Sizes>> readSizes(const std::string& path) {
  std::vector<std::pair<std::string, Sizes>> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t comma = line.find(',');
    std::istringstream words(line.substr(comma + 1));
    Sizes sizes;
    for (std::string word; words >> word;) {
      const std::size_t at = word.find('=');
      sizes.emplace_back(word.substr(0, at), std::stoll(word.substr(at + 1)));
    }
    all.emplace_back(line.substr(0, comma), std::move(sizes));
  }
  return all;
}

std::string firstOf(const base::Diagnostics& diagnostics) {
  return diagnostics.empty() ? "no reason" : diagnostics.front().message;
}

/// What became of a cell.
struct Outcome {
  enum class Kind { NoMapping, Refused, NotAccepted, Wrong, Right };
  Kind kind = Kind::Right;
  std::string text;  ///< why, or what the tool or the program says
};
constexpr const char* kKinds[] = {"no mapping", "refused", "not accepted", "wrong", "right"};

/// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "export_table_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    m_path = name;
  }
  ~Folder() { std::filesystem::remove_all(m_path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

std::string contentOf(const std::string& file) {
  std::ifstream in(file);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

Outcome compiled(const std::string& program) {
  const Folder folder;
  const std::string file = folder.path() + "/program";
  std::ofstream(file + ".cpp") << program;
  const std::string compile = "g++ -std=c++20 -O1 -pthread -Wall -Wextra -Werror " + file +
                              ".cpp -o " + file + " > " + file + ".out 2>&1";
  if (std::system(compile.c_str()) != 0) {
    return {Outcome::Kind::NotAccepted, contentOf(file + ".out")};
  }
  const std::string run = "timeout 120 " + file + " > " + file + ".out 2>&1";
  if (std::system(run.c_str()) == 0) return {};
  return {Outcome::Kind::Wrong, contentOf(file + ".out")};
}

Outcome acceptedByMlirOpt(const std::string& text) {
  const Folder folder;
  const std::string file = folder.path() + "/module";
  std::ofstream(file + ".mlir") << text;
  const std::string check = "/usr/lib/llvm-19/bin/mlir-opt --allow-unregistered-dialect "
                            "--verify-each --canonicalize --cse " +
                            file + ".mlir > " + file + ".out 2>&1";
  if (std::system(check.c_str()) == 0) return {};
  return {Outcome::Kind::NotAccepted, contentOf(file + ".out")};
}

base::Result<std::string> textOf(const std::string& format, const mapping::Mapping& mapping,
                                 const service::Kernel& of, const service::Hardware& hardware) {
  if (format == "hls") {
    return exchange::hlsText(mapping, of.kernel, *of.nest, hardware.topology);
  }
  const auto schedule = service::scheduleOf(mapping, of, hardware);
  if (!schedule) return schedule.diagnostics();
  const auto write = format == "air" ? exchange::airText : exchange::cppText;
  return write((*schedule)->schedule, of.kernel, *of.nest, hardware.topology);
}

Outcome runCell(const std::string& kernelName, const std::string& hardwareName, const Sizes& sizes,
                const std::string& format) {
  const auto machine = texts::loadHardwareText(hardwareName);
  if (!machine) return {Outcome::Kind::NoMapping, firstOf(machine.diagnostics())};
  const auto hardware = service::openHardware(*machine);
  const auto source = texts::loadKernelText(kernelName);
  if (!source) return {Outcome::Kind::NoMapping, firstOf(source.diagnostics())};
  const auto kernel = service::openKernel(*source, {sizes, "", ""});
  if (!kernel) return {Outcome::Kind::NoMapping, firstOf(kernel.diagnostics())};
  base::Progress progress;
  service::ExploreOptions options;
  options.top = 1;
  const auto fit = service::fit(*kernel, **hardware, {}, progress);
  if (!fit) return {Outcome::Kind::NoMapping, firstOf(fit.diagnostics())};
  options.search = fit->left;
  const auto result = service::explore(*hardware, fit->kernel, {}, options, progress);
  if (!result) return {Outcome::Kind::NoMapping, firstOf(result.diagnostics())};
  if ((*result)->top.empty()) return {Outcome::Kind::NoMapping, "no mapping is feasible"};
  const auto text =
      textOf(format, (*result)->top.front().candidate.mapping, *(*result)->kernel, **hardware);
  if (!text) return {Outcome::Kind::Refused, firstOf(text.diagnostics())};
  return format == "air" ? acceptedByMlirOpt(*text) : compiled(*text);
}

int run(const Settings& settings) {
  std::map<Outcome::Kind, int> counts;
  std::ofstream file(settings.out);
  if (file.is_open()) file << "kernel,hardware,outcome\n";
  for (const std::string& machine : settings.hardware) {
    for (const auto& [kernel, sizes] : readSizes(settings.sizes)) {
      const bool wanted = settings.kernels.empty() ||
                          std::ranges::find(settings.kernels, kernel) != settings.kernels.end();
      if (!wanted) continue;
      const Outcome outcome = runCell(kernel, machine, sizes, settings.format);
      ++counts[outcome.kind];
      const char* kind = kKinds[static_cast<int>(outcome.kind)];
      fmt::print("{:<45} {:<12} {}\n", kernel + " on " + machine, kind,
                 outcome.text.substr(0, 300));
      std::fflush(stdout);
      if (file.is_open()) file << kernel << ',' << machine << ',' << kind << std::endl;
    }
  }
  for (const auto& [kind, count] : counts) {
    fmt::print("{}: {}\n", kKinds[static_cast<int>(kind)], count);
  }
  return counts.contains(Outcome::Kind::NotAccepted) || counts.contains(Outcome::Kind::Wrong);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Built-in kernels on presets in a format for other tools; fails where a tool does "
               "not accept a text, or a program computes wrong values.");
  app.add_option("--format", settings.format, "cpp and hls: compiled by g++ and run; air: mlir-opt")
      ->check(CLI::IsMember({"cpp", "hls", "air"}));
  app.add_option("--sizes", settings.sizes, "sizes of the kernels: kernel,NAME=size ...");
  app.add_option("--out", settings.out, "the outcomes as CSV");
  app.add_option("--kernel", settings.kernels, "these kernels only");
  app.add_option("--hardware", settings.hardware, "these presets only");
  CLI11_PARSE(app, argc, argv);
  return run(settings);
}
