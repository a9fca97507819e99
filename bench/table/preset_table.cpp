// SPDX-License-Identifier: Apache-2.0
//
// Every built-in kernel on every preset: one row each, and what must hold in all of them. The table of a release is
// kept in bench/reference/preset_table.csv; `--against` says what is slower than there.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "service/lowering.h"
#include "service/workspace.h"

namespace {

using namespace gridloom;

/// A search that takes longer ends with the best so far, and its row says so.
constexpr double kMostSeconds = 20;

/// CPU seconds of this process.
double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Cell {
  std::string kernel, hardware;
  std::vector<std::pair<std::string, std::int64_t>> sizes;  ///< others are the kernel's own

  std::string name() const { return kernel + " on " + hardware; }
  std::string sizesText() const {
    std::string text;
    for (const auto& [name, size] : sizes)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, size);
    return text;
  }
};

struct Row {
  Cell cell;
  std::string refusal;  ///< why there is no mapping; the rest is then empty
  std::string mapping;
  double predicted = 0, simulated = 0, utilization = 0;
  double searchSeconds = 0, rerankSeconds = 0;
  std::size_t simulatedMappings = 0, tooLong = 0;
  bool exact = false;
  std::vector<std::string> faults;
};

/// Sizes of cells where the kernel's own take too long: `kernel,hardware,NAME=size ...`; `*` is every machine.
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

std::string firstOf(const base::Diagnostics& diagnostics) {
  for (const base::Diagnostic& d : diagnostics) {
    if (d.severity != base::Severity::Error) continue;
    return d.hint.empty() ? d.message : d.message + "; help: " + d.hint;
  }
  return "no reason";
}

std::string rejectedText(const search::SpaceCount& space) {
  std::string text = space.exact ? "no mapping is feasible"
                                 : fmt::format("no mapping was found, {}", nameOf(space.stopped));
  for (const search::Rejection& r : space.rejected) {
    text += fmt::format("; {}: {}", r.reason, r.count);
    if (r.needed > 0)
      text += fmt::format(", the nearest needs {:.0f} of {:.0f}", r.needed, r.available);
  }
  return text;
}

class CellRun {
 public:
  explicit CellRun(Cell cell) { m_row.cell = std::move(cell); }

  Row run() {
    if (open()) explore();
    return std::move(m_row);
  }

 private:
  template <class T> bool take(base::Result<T> result, T& to) {
    if (!result) {
      m_row.refusal = firstOf(result.diagnostics());
      return false;
    }
    to = *std::move(result);
    return true;
  }

  bool open() {
    base::SourceRef text;
    if (!take(service::loadHardwareText(m_row.cell.hardware), text)) return false;
    if (!take(service::openHardware(text), m_hardware)) return false;
    if (!take(service::loadKernelText(m_row.cell.kernel), text)) return false;
    return take(service::openKernel(text, {m_row.cell.sizes, "", ""}), m_kernel);
  }

  base::Result<service::ExplorationRef> explored(const service::Reranking& rerank) {
    service::ExploreOptions options;
    options.top = 20;
    options.threads = 1;
    options.rerank = rerank;
    options.search.seconds = kMostSeconds;
    base::Progress progress;
    return service::explore(m_hardware, m_kernel, {}, options, progress);
  }

  // The search alone first, as wide as re-ranking wants it: what more the second run takes is re-ranking.
  void explore() {
    const double begin = cpuSeconds();
    service::Reranking none = service::kQuickReranking;
    none.work = 0;
    service::ExplorationRef alone, found;
    if (!take(explored(none), alone)) return;
    const double searched = cpuSeconds();
    if (!take(explored(service::kQuickReranking), found)) return;
    m_row.searchSeconds = searched - begin;
    m_row.rerankSeconds = std::max(0.0, cpuSeconds() - searched - m_row.searchSeconds);
    m_row.simulatedMappings = found->reranked.simulated;
    m_row.tooLong = found->reranked.tooLong;
    m_row.exact = found->space.exact;
    checkCounts(found->space);
    if (found->top.empty()) {
      m_row.refusal = rejectedText(found->space);
      return;
    }
    const service::Ranked& best = found->top.front();
    m_row.mapping = best.line;
    m_row.predicted = best.candidate.estimate.cycles;
    m_row.simulated = best.simulated ? best.simulated->cycles : 0;
    m_row.utilization =
        best.simulated ? best.simulated->utilization : best.candidate.estimate.utilization;
    for (const service::Ranked& ranked : found->top) checkMapping(ranked, found->roofline);
  }

  void require(bool holds, std::string what) {
    if (!holds) m_row.faults.push_back(std::move(what));
  }

  void checkCounts(const search::SpaceCount& space) {
    std::int64_t sum = space.evaluated + space.pruned;
    for (const search::Rejection& rejection : space.rejected) sum += rejection.count;
    require(!space.exact || sum == space.size,
            fmt::format("{} of {} mappings are counted", sum, space.size));
  }

  void checkMapping(const service::Ranked& ranked, const cost::Roofline& roofline) {
    constexpr double kSame = 1e-9;
    require(ranked.candidate.estimate.utilization <= 1 + kSame,
            fmt::format("predicted at {:.1f}% of peak: {}",
                        100 * ranked.candidate.estimate.utilization, ranked.line));
    require(ranked.notSimulated.empty(), firstOf(ranked.notSimulated) + ": " + ranked.line);
    if (!ranked.simulated) return;
    require(ranked.simulated->utilization <= 1 + kSame,
            fmt::format("simulated at {:.1f}% of peak: {}", 100 * ranked.simulated->utilization,
                        ranked.line));
    require(ranked.simulated->cycles >= roofline.cycles * (1 - kSame),
            fmt::format("{} cycles, the bound is {}: {}", ranked.simulated->cycles, roofline.cycles,
                        ranked.line));
  }

  Row m_row;
  service::HardwareRef m_hardware;
  service::KernelRef m_kernel;
};

constexpr std::string_view kColumns = "kernel,hardware,sizes,predicted,simulated,gap,utilization,"
                                      "search_s,refine_s,exact,simulated_mappings,too_long,"
                                      "mapping,refusal";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string lineOf(const Row& row) {
  const std::string gap =
      row.simulated > 0 ? fmt::format("{:.4f}", row.predicted / row.simulated - 1) : "";
  return fmt::format("{},{},{},{:.0f},{:.0f},{},{:.4f},{:.2f},{:.2f},{},{},{},{},{}",
                     row.cell.kernel, row.cell.hardware, row.cell.sizesText(), row.predicted,
                     row.simulated, gap, row.utilization, row.searchSeconds, row.rerankSeconds,
                     row.exact ? "yes" : "no", row.simulatedMappings, row.tooLong,
                     quoted(row.mapping), quoted(row.refusal));
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

std::vector<std::string> namesOf(const std::vector<service::Preset>& presets) {
  std::vector<std::string> names;
  for (const service::Preset& preset : presets) names.push_back(preset.name);
  return names;
}

struct Settings {
  std::string sizes = GRIDLOOM_BENCH_DATA_DIR "/cases/preset_table_sizes.csv", out, against;
  std::vector<std::string> kernels = namesOf(service::listKernels());
  std::vector<std::string> hardware = namesOf(service::listHardware());
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
        add(CellRun(cellOf(kernel, machine)).run());
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
      m_gaps += std::abs(std::log(row.predicted / row.simulated));
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
  CLI11_PARSE(app, argc, argv);
  return Table(settings).run();
}
