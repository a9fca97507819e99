// SPDX-License-Identifier: Apache-2.0
#include "line/problem.h"
#include "kernel/interpreter.h"
#include "service/fit.h"
#include "support/random_kernel.h"
#include "texts/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace gridloom::fuzz {

namespace {

constexpr std::string_view kHead = "// problem:";
constexpr std::size_t kMostSeed = 1'000'000;
constexpr std::array kSizes{1, 1, 2, 3, 7, 8, 12, 16, 17, 32, 33, 48, 64, 96, 200};

/// `random-12`: the random kernel of that number.
constexpr std::string_view kRandomKernel = "random-";

base::Result<base::SourceRef> textOfKernel(const std::string& kernel) {
  if (kernel.starts_with(kRandomKernel)) {
    const std::uint64_t seed = std::stoull(kernel.substr(kRandomKernel.size()));
    return base::makeSource(kernel + ".rec", test::randomKernel(seed));
  }
  const std::string own =
      fmt::format("{}/fuzz/line/kernels/{}.rec", GRIDLOOM_TEST_DATA_DIR, kernel);
  return texts::loadKernelText(std::filesystem::exists(own) ? own : kernel);
}

const std::vector<std::string>& kernels() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"empty_sum", "several_sums", "split_halves"};
    for (const texts::Preset& preset : texts::listKernels()) all.push_back(preset.name);
    return all;
  }();
  return names;
}

base::Result<service::KernelRef> openKernel(const Problem& problem) {
  auto text = textOfKernel(problem.kernel);
  if (!text) return text.takeDiagnostics();
  return service::openKernel(*text, {problem.sizes, "", ""});
}

/// Of all statements: values are computed one by one, for every mapping that is listed.
constexpr double kMostFlops = 2e6;

// Others cannot be compared: of an empty maximum, for example.
bool hasFiniteValues(const kernel::Kernel& kernel) {
  const auto values = kernel::interpret(kernel, kernel::sampleInputs(kernel, 1));
  if (!values) return false;
  return std::ranges::all_of(*values, [](const auto& entry) {
    return std::ranges::all_of(entry.second.data, [](double x) { return std::isfinite(x); });
  });
}

bool isSmall(const Problem& problem) {
  const auto kernel = openKernel(problem);
  return kernel && (*kernel)->nest && kernel::flopCount((*kernel)->kernel) <= kMostFlops &&
         service::checkValuesPossible(**kernel).empty() && hasFiniteValues((*kernel)->kernel);
}

template <class Values> auto pick(Random& random, const Values& values) {
  return values[random.below(values.size())];
}

bool drawSizes(Problem& problem, Random& random) {
  auto text = textOfKernel(problem.kernel);
  if (!text) return false;
  const auto whole = service::openKernel(*text, {});
  if (!whole) return false;
  problem.sizes.clear();
  for (const kernel::Parameter& parameter : (*whole)->kernel.parameters) {
    const bool derived = std::ranges::any_of(parameter.spelling,
                                             [](unsigned char c) { return std::isalpha(c) != 0; });
    if (!derived) problem.sizes.emplace_back(parameter.name, pick(random, kSizes));
  }
  return isSmall(problem);
}

}  // namespace

Problem randomProblem(Random& random) {
  Problem problem;
  do {
    problem.kernel = random.oneIn(3) ? fmt::format("{}{}", kRandomKernel, random.below(kMostSeed))
                                     : pick(random, kernels());
  } while (!drawSizes(problem, random));
  problem.machine = randomMachine(random);
  return problem;
}

std::vector<Problem> simplerThan(const Problem& problem) {
  std::vector<Problem> simpler;
  for (std::size_t n = 0; n < problem.sizes.size(); ++n) {
    for (const std::int64_t size : {std::int64_t{1}, problem.sizes[n].second / 2}) {
      if (size < 1 || size == problem.sizes[n].second) continue;
      Problem smaller = problem;
      smaller.sizes[n].second = size;
      if (isSmall(smaller)) simpler.push_back(std::move(smaller));
    }
  }
  for (const Machine& machine : simplerThan(problem.machine)) {
    simpler.push_back(problem);
    simpler.back().machine = machine;
  }
  return simpler;
}

std::string textOf(const Problem& problem) {
  std::string head = fmt::format("{} {}", kHead, problem.kernel);
  for (const auto& [name, size] : problem.sizes) head += fmt::format(" {}={}", name, size);
  return head + '\n' + textOf(problem.machine);
}

base::Result<Inputs> open(const std::string& text, const std::string& name) {
  Problem problem;
  std::istringstream head(text.substr(std::min(text.size(), kHead.size()), text.find('\n')));
  head >> problem.kernel;
  for (std::string size; head >> size && size.find('=') != std::string::npos;) {
    const std::size_t at = size.find('=');
    problem.sizes.emplace_back(size.substr(0, at), std::stoll(size.substr(at + 1)));
  }
  auto kernel = openKernel(problem);
  if (!kernel) return kernel.takeDiagnostics();
  auto hardware = service::openHardware(base::makeSource(name, text));
  if (!hardware) return hardware.takeDiagnostics();
  base::Progress progress;
  const auto fit = service::fit(*kernel, **hardware, {}, progress);
  return Inputs{*hardware, fit ? fit->kernel : *kernel};
}

}  // namespace gridloom::fuzz
