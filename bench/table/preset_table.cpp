// SPDX-License-Identifier: Apache-2.0
//
// Every built-in kernel on every preset: one row each, and what must hold in all of them. The table
// of a release is kept in bench/reference/preset_table.csv; `--against` says what is slower than
// there.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "cell_run.h"
#include "report/statistics.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace {

using namespace gridloom;
using bench::Cell;
using bench::Row;

/// Sizes of cells where the kernel's own take too long: `kernel,hardware,NAME=size ...`; `*` is
/// every machine.
using Sizes = std::map<std::pair<std::string, std::string>, std::string>;

Sizes readSizes(const std::string& path) {
  Sizes sizes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream parts(line);
    std::string kernel, hardware, set;
    std::getline(parts, kernel, ',');
    std::getline(parts, hardware, ',');
    std::getline(parts, set);
    sizes[{kernel, hardware}] = set;
  }
  return sizes;
}

std::vector<std::pair<std::string, std::int64_t>> settings(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t at = word.find('=');
    out.emplace_back(word.substr(0, at), std::stoll(word.substr(at + 1)));
  }
  return out;
}

constexpr std::string_view kColumns = "kernel,hardware,sizes,predicted,simulated,gap,utilization,"
                                      "search_s,refine_s,exact,simulated_mappings,too_long,"
                                      "named,busiest,decisive,saved,mapping,refusal";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string lineOf(const Row& row) {
  const std::string gap =
      row.simulated > 0
          ? fmt::format("{:.4f}", report::predictionRatio(row.predicted, row.simulated) - 1)
          : "";
  return fmt::format(
      "{},{},{},{:.0f},{:.0f},{},{:.4f},{:.2f},{:.2f},{},{},{},{},{},{},{:.3f},{},{}",
      row.cell.kernel, row.cell.hardware, row.cell.sizesText(), row.predicted, row.simulated, gap,
      row.utilization, row.searchSeconds, row.rerankSeconds, row.exact ? "yes" : "no",
      row.simulatedMappings, row.tooLong, quoted(row.named), quoted(row.busiest),
      quoted(row.decisive), row.saved, quoted(row.mapping), quoted(row.refusal));
}

/// Simulated cycles of an older table, by cell and sizes.
std::map<std::string, double> readOlder(const std::string& path) {
  std::map<std::string, double> older;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string kernel, hardware, sizes, predicted, simulated;
    for (std::string* part : {&kernel, &hardware, &sizes, &predicted, &simulated}) {
      std::getline(parts, *part, ',');
    }
    if (line.starts_with('#') || kernel == "kernel") continue;
    older[kernel + ',' + hardware + ',' + sizes] = std::stod(simulated);
  }
  return older;
}

std::vector<std::string> namesOf(const std::vector<texts::Preset>& presets) {
  std::vector<std::string> names;
  for (const texts::Preset& preset : presets) names.push_back(preset.name);
  return names;
}

// The kernels outside of folders: every one of them on every hardware is enough.
std::vector<texts::Preset> mainKernels() {
  std::vector<texts::Preset> kernels = texts::listKernels();
  std::erase_if(kernels, [](const texts::Preset& preset) { return !preset.group.empty(); });
  return kernels;
}

struct Settings {
  std::string sizes = GRIDLOOM_BENCH_DATA_DIR "/cases/preset_table_sizes.csv", out, against;
  bool twice = false;
  std::vector<std::string> kernels = namesOf(mainKernels());
  std::vector<std::string> hardware = namesOf(texts::listHardware());
};

class Table {
 public:
  explicit Table(const Settings& settings)
      : m_settings(settings),
        m_sizes(readSizes(settings.sizes)),
        m_older(readOlder(settings.against)) {
    if (settings.out.empty()) return;
    m_file.open(settings.out);
    m_file << kColumns << '\n';
  }

  int run() {
    for (const std::string& machine : m_settings.hardware) {
      for (const std::string& kernel : m_settings.kernels)
        add(bench::runCell(cellOf(kernel, machine), m_settings.twice));
    }
    const double gap = m_simulated > 0 ? 100 * (std::exp(m_gaps / m_simulated) - 1) : 0;
    fmt::print("cells {}, refused {}, mean gap {:.2f}%, longest re-ranking {:.2f} s, slower {}, "
               "faults {}\n",
               m_rows, m_refused, gap, m_longest, m_slower, m_faults);
    return m_faults > 0 ? 1 : 0;
  }

 private:
  Cell cellOf(const std::string& kernel, const std::string& machine) const {
    for (const std::string& of : {machine, std::string("*")}) {
      const auto found = m_sizes.find({kernel, of});
      if (found != m_sizes.end()) return {kernel, machine, settings(found->second)};
    }
    return {kernel, machine, {}};
  }

  void add(const Row& row) {
    ++m_rows;
    m_refused += row.refusal.empty() ? 0 : 1;
    m_faults += static_cast<int>(row.faults.size());
    m_longest = std::max(m_longest, row.rerankSeconds);
    if (row.simulated > 0) {
      m_gaps += std::abs(std::log(report::predictionRatio(row.predicted, row.simulated)));
      ++m_simulated;
    }
    if (m_file.is_open()) m_file << lineOf(row) << std::endl;
    print(row);
  }

  void print(const Row& row) {
    fmt::print("{:<42} {:>14.0f} {:>14.0f} {:>6.2f} s + {:.2f} s  {}\n", row.cell.name(),
               row.predicted, row.simulated, row.searchSeconds, row.rerankSeconds,
               row.refusal.empty() ? row.mapping : row.refusal);
    for (const std::string& fault : row.faults) fmt::print("  FAULT {}\n", fault);
    const auto before =
        m_older.find(row.cell.kernel + ',' + row.cell.hardware + ',' + row.cell.sizesText());
    if (before != m_older.end() && before->second > 0 && row.simulated > 1.01 * before->second) {
      fmt::print("  SLOWER {:.0f} before\n", before->second);
      ++m_slower;
    }
    std::fflush(stdout);
  }

  const Settings& m_settings;
  Sizes m_sizes;
  std::map<std::string, double> m_older;
  std::ofstream m_file;
  int m_rows = 0, m_refused = 0, m_faults = 0, m_slower = 0, m_simulated = 0;
  double m_gaps = 0, m_longest = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Every built-in kernel on every preset, as a table; fails where something must not be.");
  app.add_option("--sizes", settings.sizes, "sizes of cells where the kernel's own take too long");
  app.add_option("--out", settings.out, "the table as CSV");
  app.add_option("--against", settings.against, "an older table: says which cells became slower");
  app.add_option("--kernel", settings.kernels, "these kernels only");
  app.add_option("--hardware", settings.hardware, "these presets only");
  app.add_flag("--twice", settings.twice,
               "simulate the best of each cell with twice of each resource");
  CLI11_PARSE(app, argc, argv);
  return Table(settings).run();
}
