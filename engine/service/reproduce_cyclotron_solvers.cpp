// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

constexpr std::int64_t kTile = 64;
constexpr const char* kArray = "pe_array_8x8";

/// An array of n rows of processing elements, with other links and registers.
base::Result<std::string> arrayOf(CaseRunner& runner, std::int64_t columns, std::int64_t rows,
                                  double latencyFactor = 1, double registerFactor = 1) {
  auto whole = runner.hardware(kArray);
  if (!whole) return whole.takeDiagnostics();
  Hardware out = **whole;
  for (hardware::SpatialDim& dim : out.spec.dims) dim.size = dim.name == "x" ? columns : rows;
  for (hardware::Interconnect& link : out.spec.interconnects) {
    if (link.latency) link.latency->value *= latencyFactor;
  }
  for (hardware::Memory& memory : out.spec.memories) {
    if (!memory.global) memory.size.value *= registerFactor;
  }
  auto topology = hardware::makeTopology(out.spec);
  if (!topology) return topology.takeDiagnostics();
  out.topology = *std::move(topology);
  std::string name = fmt::format("{} x {} elements, latency x {:g}, registers x {:g}", columns,
                                 rows, latencyFactor, registerFactor);
  runner.add(name, std::make_shared<const Hardware>(std::move(out)));
  return name;
}

/// One tile of X per element: as many rows of tiles as the array has, and right-hand sides as columns.
CaseRequest solve(const std::string& array, std::int64_t columns, std::int64_t rows,
                  const char* directives) {
  return {array, "trsm", {{"N", rows * kTile}, {"R", columns * kTile}}, directives, "", 1};
}

/// One row of tiles of L per element of a column.
CaseRequest factorise(const std::string& array, std::int64_t rows) {
  return {array, "cholesky", {{"N", rows * kTile}}, "cholesky_rows", "", 1};
}

/// Mean share of the time that the cores of every row compute, in percent.
std::vector<double> useOfRows(const CaseResult& result, std::int64_t columns, std::int64_t rows) {
  std::vector<double> use;
  // Cores are numbered along the last dimension first, and that is the rows'.
  for (std::int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::int64_t column = 0; column < columns; ++column) {
      sum += result.simulated.busy[static_cast<std::size_t>(column * rows + row)];
    }
    use.push_back(100 * sum / static_cast<double>(columns));
  }
  return use;
}

/// Runs one solver on arrays of several sizes, one figure per row of the array.
class RowTable {
 public:
  RowTable(CaseRunner& runner, report::Reproduction& out) : m_runner(runner), m_out(out) {}

  base::Diagnostics add(const std::string& what, std::int64_t columns, std::int64_t rows,
                        const CaseRequest& request) {
    auto result = m_runner.run(request);
    if (!result) return result.takeDiagnostics();
    m_use.push_back(useOfRows(*result, columns, rows));
    const std::vector<double>& use = m_use.back();
    const std::string subject = fmt::format("{}, {} x {} elements", what, columns, rows);
    m_out.figures.push_back({subject, "cycles", std::nullopt, result->predicted.cycles,
                             result->simulated.cycles, result->mapping});
    for (std::size_t row = 0; row < use.size(); ++row) {
      m_out.figures.push_back({fmt::format("{}, row {}", subject, row), "% of the time computing",
                               std::nullopt, std::nullopt, use[row], ""});
    }
    return {};
  }

  /// Whether every array is used more with every row.
  bool rises() const {
    return std::ranges::all_of(m_use, [](const auto& use) { return std::ranges::is_sorted(use); });
  }
  const std::vector<std::vector<double>>& use() const { return m_use; }

 private:
  CaseRunner& m_runner;
  report::Reproduction& m_out;
  std::vector<std::vector<double>> m_use;
};

std::string ends(const std::vector<double>& use) {
  return fmt::format("{:.0f}% to {:.0f}%", use.front(), use.back());
}

}  // namespace

ReproducedTable cyclotronUtilization(CaseRunner& runner) {
  constexpr std::array<std::int64_t, 3> sizes{2, 4, 8};
  report::Reproduction out;
  out.title = "Triangular solve and Cholesky: use of the processing elements by row";
  out.source = "Cyclotron (paper 004), 10.2, 10.3, Figs. 16a and 17b: figures only as pictures";
  out.remarks = {
      fmt::format("{}; tiles of {} x {}, one row of tiles per row of the array", kArray, kTile,
                  kTile),
      "tiles that another element made come back through the memory at the boundary; the paper's "
      "go from neighbour to neighbour"};
  RowTable solves(runner, out), factors(runner, out);
  for (const std::int64_t n : sizes) {
    auto array = arrayOf(runner, n, n);
    if (!array) return array.takeDiagnostics();
    if (auto errors = solves.add("trsm", n, n, solve(*array, n, n, "trsm_stream"));
        !errors.empty()) {
      return errors;
    }
  }
  for (const std::int64_t n : sizes) {
    auto column = arrayOf(runner, 1, n);
    if (!column) return column.takeDiagnostics();
    if (auto errors = factors.add("cholesky", 1, n, factorise(*column, n)); !errors.empty()) {
      return errors;
    }
  }
  out.claims.push_back(
      {"CY-3", "the use of elements in the triangular solve rises down the array", std::nullopt,
       solves.rises(),
       fmt::format("from the first row to the last: {} of 2, {} of 4, {} of 8",
                   ends(solves.use()[0]), ends(solves.use()[1]), ends(solves.use()[2]))});
  out.claims.push_back(
      {"CY-4", "Cholesky uses elements more down the array", std::nullopt, factors.rises(),
       fmt::format("from the first row to the last: {} of 2, {} of 4, {} of 8",
                   ends(factors.use()[0]), ends(factors.use()[1]), ends(factors.use()[2]))});
  const auto last = [&](std::size_t n) { return factors.use()[n].back(); };
  out.claims.push_back(
      {"CY-4", "its updates grow with the array, and with them the use of the lower elements",
       std::nullopt, last(0) <= last(1) && last(1) <= last(2),
       fmt::format("last row: {:.0f}% of 2, {:.0f}% of 4, {:.0f}% of 8 rows; with one tile per row "
                   "the factorisation of the diagonal, element by element, outweighs them",
                   last(0), last(1), last(2))});
  return out;
}

ReproducedTable cyclotronSolverKnobs(CaseRunner& runner) {
  constexpr std::int64_t kRows = 8;
  constexpr std::array<double, 4> latencies{1, 4, 16, 64};
  constexpr std::array<double, 4> registers{1, 0.5, 0.25, 0.125};
  report::Reproduction out;
  out.title = "Triangular solve and Cholesky: stationary inputs, link latency, registers";
  out.source = "Cyclotron (paper 004), 9.1 and Fig. 17a: figures only as curves, of a cluster";
  out.remarks = {
      fmt::format("{}: {} rows of tiles; the best mapping for each machine", kArray, kRows)};
  const auto run = [&](const std::string& subject, const CaseRequest& request,
                       std::vector<CaseResult>& results) -> base::Diagnostics {
    auto result = runner.run(request);
    if (!result) return result.takeDiagnostics();
    out.figures.push_back({subject, "cycles", std::nullopt, result->predicted.cycles,
                           result->simulated.cycles, result->mapping});
    results.push_back(*std::move(result));
    return {};
  };
  std::vector<CaseResult> kept;
  for (const std::int64_t n : {2, 4, 8}) {
    auto array = arrayOf(runner, n, n);
    if (!array) return array.takeDiagnostics();
    for (const char* flow : {"trsm_prefetch", "trsm_stream"}) {
      auto errors =
          run(fmt::format("{}, {} x {} elements", flow, n, n), solve(*array, n, n, flow), kept);
      if (!errors.empty()) return errors;
    }
  }
  std::array<std::vector<CaseResult>, 4> swept;  // trsm, cholesky by latency; the same by registers
  for (std::size_t knob = 0; knob < 2; ++knob) {
    for (const double factor : knob == 0 ? latencies : registers) {
      const std::string what =
          fmt::format("{} x {:g}", knob == 0 ? "link latency" : "registers", factor);
      for (const bool solver : {true, false}) {
        auto array = arrayOf(runner, solver ? kRows : 1, kRows, knob == 0 ? factor : 1,
                             knob == 0 ? 1 : factor);
        if (!array) return array.takeDiagnostics();
        auto errors = run(fmt::format("{}, {}", solver ? "trsm" : "cholesky", what),
                          solver ? solve(*array, kRows, kRows, "") : factorise(*array, kRows),
                          swept[2 * knob + (solver ? 0 : 1)]);
        if (!errors.empty()) return errors;
      }
    }
  }
  double widest = 1;
  for (std::size_t n = 0; n + 1 < kept.size(); n += 2) {
    const double ratio = kept[n].simulated.cycles / kept[n + 1].simulated.cycles;
    widest = std::max(widest, std::max(ratio, 1 / ratio));
  }
  out.claims.push_back(
      {"CY-2", "with L kept and with L passed on, the triangular solve takes about as long",
       std::nullopt, widest < 1.25,
       fmt::format("at most {:.2f} x apart, on 2, 4 and 8 rows", widest)});
  const auto rises = [&](Measure CaseResult::*m) {
    return std::ranges::all_of(swept, [&](const std::vector<CaseResult>& results) {
      return std::ranges::is_sorted(results, {},
                                    [&](const CaseResult& r) { return (r.*m).cycles; });
    });
  };
  const auto cost = [&](std::size_t n) {
    return swept[n].back().simulated.cycles / swept[n].front().simulated.cycles;
  };
  out.claims.push_back(
      {"CY-6", "link latency and registers are knobs: slower links and less memory cost time",
       rises(&CaseResult::predicted), rises(&CaseResult::simulated),
       fmt::format("64 x the latency: {:.2f} x (trsm), {:.2f} x (cholesky); an eighth of the "
                   "registers: {:.2f} x, {:.2f} x",
                   cost(0), cost(1), cost(2), cost(3))});
  return out;
}

}  // namespace gridloom::service
