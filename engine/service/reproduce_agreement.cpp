// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

#include "cost/model.h"
#include "mapping/space.h"
#include "report/statistics.h"
#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"
#include "service/result_records.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

constexpr int kBest = 50;
constexpr std::size_t kWorst = 3;

struct Subject {
  HardwareRef hardware;
  KernelRef kernel;
  std::string name;
};

struct Sample {
  double predicted = 0;
  double simulated = 0;
  std::string mapping;
};

/// "M=1024 N=1024": parameters and their values.
std::optional<std::vector<std::pair<std::string, std::int64_t>>> settingsIn(std::string_view text) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view number = word.substr(equals + 1);
    std::int64_t value = 0;
    const auto [last, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || last != number.data() + number.size()) return std::nullopt;
    out.emplace_back(word.substr(0, equals), value);
  }
  return out;
}

base::Result<Subject> openSubject(CaseRunner& runner, const FigureFile& file, std::size_t row) {
  auto settings = settingsIn(file.text(row, "parameters"));
  if (!settings) return file.errorIn(row, "expected parameters as `M=1024 N=1024`");
  auto hardware = runner.hardware(file.text(row, "hardware"));
  if (!hardware) return hardware.takeDiagnostics();
  auto text = loadKernelText(file.text(row, "kernel"));
  if (!text) return text.takeDiagnostics();
  auto kernel = openKernel(*std::move(text), {*std::move(settings), "", ""});
  if (!kernel) return kernel.takeDiagnostics();
  if (!(*kernel)->nest) return (*kernel)->notMapped;
  return Subject{*std::move(hardware), *std::move(kernel),
                 file.text(row, "kernel") + " " + file.text(row, "parameters") + " on " +
                     file.text(row, "hardware")};
}

/// A mapping that cannot be simulated is an error: the space holds only what can run.
base::Result<std::vector<Sample>> randomSamples(CaseRunner& runner, const Subject& subject) {
  const kernel::Kernel& kernel = subject.kernel->kernel;
  const kernel::TileNest& nest = *subject.kernel->nest;
  const hardware::Topology& hw = subject.hardware->topology;
  auto compute = hw.compute("", timing::operandBits(nest));
  if (!compute) return compute.takeDiagnostics();
  const mapping::Axes axes =
      mapping::makeAxes(kernel, nest, hw, compute->matrixShape, compute->vectorLanes, {});
  std::vector<Sample> samples;
  for (int i = 0; i < runner.options().samples; ++i) {
    const std::uint64_t seed = runner.options().seed + static_cast<std::uint64_t>(i);
    const auto mapping = mapping::sampleMapping(kernel, nest, hw, axes, {}, seed);
    if (!mapping) continue;
    auto run = simulateMapping(subject.hardware, subject.kernel, *mapping, {}, runner.progress());
    if (!run) return run.takeDiagnostics();
    if (auto insane = checkSanity(**run); !insane.empty()) return insane;
    samples.push_back({(*run)->predicted.cycles, (*run)->simulated.cycles, (*run)->line});
  }
  return samples;
}

base::Result<std::vector<Sample>> bestSamples(CaseRunner& runner, const Subject& subject) {
  auto exploration =
      explore(subject.hardware, subject.kernel, {},
              {kBest, runner.options().threads, "", rerankFirst(kBest)}, runner.progress());
  if (!exploration) return exploration.takeDiagnostics();
  if (auto insane = checkSanity(**exploration); !insane.empty()) return insane;
  std::vector<Sample> samples;
  for (const Ranked& ranked : (*exploration)->top) {
    if (!ranked.simulated) {
      return ranked.notSimulated.empty() ? base::Diagnostics{base::plainError("stopped")}
                                         : ranked.notSimulated;
    }
    samples.push_back({ranked.candidate.estimate.cycles, ranked.simulated->cycles, ranked.line});
  }
  return samples;
}

double missOf(const Sample& sample) {
  return std::abs(std::log(sample.predicted / sample.simulated));
}

report::Agreement agreementOf(const std::string& subject, std::vector<Sample> samples) {
  report::Agreement out;
  out.subject = subject;
  out.mappings = static_cast<std::int64_t>(samples.size());
  std::vector<double> predicted, simulated, ratios;
  for (const Sample& sample : samples) {
    predicted.push_back(sample.predicted);
    simulated.push_back(sample.simulated);
    ratios.push_back(sample.predicted / sample.simulated);
  }
  out.error = report::geometricError(ratios);
  out.bias = report::geometricMean(ratios) - 1;
  out.tau = report::kendallTau(predicted, simulated);
  std::ranges::stable_sort(samples, std::greater<>(), missOf);
  samples.resize(std::min(samples.size(), kWorst));
  for (const Sample& sample : samples) {
    out.worst.push_back({subject, "cycles of the mapping predicted worst", std::nullopt,
                         sample.predicted, sample.simulated, sample.mapping});
  }
  return out;
}

}  // namespace

ReproducedTable modelAgreement(CaseRunner& runner) {
  constexpr std::array<FigureColumn, 3> columns{
      {{"hardware", false}, {"kernel", false}, {"parameters", false}}};
  auto file = FigureFile::openCases("agreement", columns);
  if (!file) return file.takeDiagnostics();

  report::Reproduction out;
  out.title = "Predicted against simulated";
  out.source = "this engine: cost model and simulator share no code";
  out.remarks = {
      "random: feasible mappings drawn evenly over the axes of the space; best: the first "
      "of the ranking",
      "for orientation: TL's model is 17% off its measurements (geometric mean, TL-11)"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    auto subject = openSubject(runner, *file, row);
    if (!subject) return subject.takeDiagnostics();
    auto random = randomSamples(runner, *subject);
    if (!random) return random.takeDiagnostics();
    auto best = bestSamples(runner, *subject);
    if (!best) return best.takeDiagnostics();
    out.agreements.push_back(agreementOf(subject->name + ", random", *random));
    out.agreements.push_back(agreementOf(subject->name + ", best", *best));
  }
  return out;
}

}  // namespace gridloom::service
