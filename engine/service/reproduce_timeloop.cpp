// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "service/count.h"
#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

constexpr std::array<FigureColumn, 11> kColumns{{{"hardware", false},
                                                 {"kernel", false},
                                                 {"nest", false},
                                                 {"memory", false},
                                                 {"tensor", false},
                                                 {"tile"},
                                                 {"reads"},
                                                 {"fills"},
                                                 {"updates"},
                                                 {"reductions"},
                                                 {"addresses"}}};

struct Quantity {
  const char* column;
  double access::TensorAccesses::*value;
  bool shown;  ///< as a row of its own
};
constexpr std::array<Quantity, 6> kQuantities{
    {{"tile", &access::TensorAccesses::tile, false},
     {"reads", &access::TensorAccesses::reads, true},
     {"fills", &access::TensorAccesses::fills, true},
     {"updates", &access::TensorAccesses::updates, true},
     {"reductions", &access::TensorAccesses::reductions, false},
     {"addresses", &access::TensorAccesses::addresses, false}}};

/// A case counted both ways.
struct Counted {
  NestCount steady;
  NestCount walked;
};

base::Result<Counted> countCase(CaseRunner& runner, const FigureFile& file, std::size_t row) {
  auto hardware = runner.hardware(file.text(row, "hardware"));
  if (!hardware) return hardware.takeDiagnostics();
  auto text = loadKernelText(file.text(row, "kernel"));
  if (!text) return text.takeDiagnostics();
  auto kernel = openKernel(*std::move(text), {});
  if (!kernel) return kernel.takeDiagnostics();
  auto nest = loadNestText(file.text(row, "nest"));
  if (!nest) return nest.takeDiagnostics();
  auto steady = countNest(*hardware, *kernel, *nest);
  if (!steady) return steady.takeDiagnostics();
  auto walked = countNest(*hardware, *kernel, *nest, access::Sweep::Full);
  if (!walked) return walked.takeDiagnostics();
  return Counted{*std::move(steady), *std::move(walked)};
}

const access::TensorAccesses* accessesOf(const NestCount& count, const std::string& memory,
                                         const std::string& tensor) {
  const auto level = std::ranges::find(count.counts.levels, memory, &access::LevelAccesses::memory);
  if (level == count.counts.levels.end()) return nullptr;
  for (std::size_t i = 0; i < count.counts.tensors.size(); ++i) {
    if (count.kernel->kernel.tensor(count.counts.tensors[i]).name == tensor) {
      return &level->tensors[i];
    }
  }
  return nullptr;
}

/// How many of the published figures came out the same.
struct Tally {
  int figures = 0;
  int steady = 0;
  int walked = 0;
};

base::Diagnostics addRow(const FigureFile& file, std::size_t row, const Counted& counted,
                         report::Reproduction& out, Tally& tally) {
  const std::string& memory = file.text(row, "memory");
  const std::string& tensor = file.text(row, "tensor");
  const auto* steady = accessesOf(counted.steady, memory, tensor);
  const auto* walked = accessesOf(counted.walked, memory, tensor);
  if (steady == nullptr || walked == nullptr) {
    return {file.errorIn(row,
                         "the nest has no memory `" + memory + "` with a tensor `" + tensor + "`")};
  }
  for (const Quantity& quantity : kQuantities) {
    const double published = file.number(row, quantity.column);
    const double ours = steady->*quantity.value;
    const double executed = walked->*quantity.value;
    ++tally.figures;
    tally.steady += ours == published ? 1 : 0;
    tally.walked += executed == published ? 1 : 0;
    if (!quantity.shown) continue;
    out.figures.push_back({fmt::format("{} {} {}", file.text(row, "nest"), memory, tensor),
                           quantity.column, published, ours, executed, ""});
  }
  return {};
}

}  // namespace

ReproducedTable timeloopCounts(CaseRunner& runner) {
  auto file = FigureFile::openReference("timeloop_counts", kColumns);
  if (!file) return file.takeDiagnostics();

  report::Reproduction out;
  out.title = "Accesses per memory and tensor, in words, per instance";
  out.source = "Timeloop (timeloop-accelergy-exercises 00 to 02)";
  out.remarks = {"predicted: counted from the second iteration of every loop, as Timeloop counts; "
                 "simulated: the "
                 "nest walked through, every iteration",
                 "the same for nests of your own: gridloom count --hardware H --kernel K --nest N"};
  Tally tally;
  std::optional<Counted> counted;
  for (std::size_t row = 0; row < file->rows() && !runner.cancelled(); ++row) {
    if (row == 0 || file->text(row, "nest") != file->text(row - 1, "nest")) {
      auto next = countCase(runner, *file, row);
      if (!next) return next.takeDiagnostics();
      counted = *std::move(next);
    }
    auto errors = addRow(*file, row, *counted, out, tally);
    if (!errors.empty()) return errors;
  }
  out.claims.push_back(
      {"exact", "every tile size, read, fill, update, reduction and address is the same",
       tally.steady == tally.figures, tally.walked == tally.figures,
       fmt::format("{} of {} predicted, {} simulated", tally.steady, tally.figures, tally.walked)});
  return out;
}

}  // namespace gridloom::service
