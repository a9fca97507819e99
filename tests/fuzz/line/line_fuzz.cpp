// SPDX-License-Identifier: Apache-2.0
//
// Random kernels of random sizes on random machines through the whole line. Every failure is made
// smaller and written to a file that stands for it: line_fuzz --replay FILE.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "line/checks.h"

namespace {

using namespace gridloom;
using namespace gridloom::fuzz;

constexpr double kWorse = 1.01;
constexpr double kMuchWorse = 1.03;

struct Settings {
  std::uint64_t seed = 1;
  std::int64_t first = 0;
  std::int64_t iterations = 100;
  double seconds = 0;
  bool twice = false;
  double error = 0;
  bool minimise = true;
  std::string failures = "line-fuzz-failures";
  std::vector<std::string> replay;
};

std::optional<Failure> firstFailure(const Problem& problem) {
  const auto inputs = open(textOf(problem), "machine.hw");
  if (!inputs) return Failure{"open", base::render(inputs.diagnostics())};
  auto failures = checkLine(*inputs);
  if (failures.empty()) return std::nullopt;
  return std::move(failures.front());
}

/// The plainest problem, one step at a time, that still fails by the same check.
Problem smallest(Problem problem, const std::string& check) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (Problem& simpler : simplerThan(problem)) {
      const auto failure = firstFailure(simpler);
      if (!failure || failure->check != check) continue;
      problem = std::move(simpler);
      smaller = true;
      break;
    }
  }
  return problem;
}

class Fuzzer {
 public:
  explicit Fuzzer(const Settings& settings) : m_settings(settings) {}

  int run() {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t end = m_settings.first + m_settings.iterations;
    for (std::int64_t n = m_settings.first; n < end; ++n) {
      const double spent =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (m_settings.seconds > 0 && spent > m_settings.seconds) break;
      // Each problem follows from its number alone.
      Random random(m_settings.seed * 1'000'003 + static_cast<std::uint64_t>(n));
      const Problem problem = randomProblem(random);
      ++m_problems;
      if (m_settings.error > 0) {
        lookAtError(problem, n);
      } else if (m_settings.twice) {
        lookAtTwice(problem, n);
      } else if (const auto failure = firstFailure(problem)) {
        report(problem, *failure, n);
      }
    }
    return summary();
  }

 private:
  void report(const Problem& problem, const Failure& failure, std::int64_t number) {
    ++m_failed[failure.check];
    const Problem written = m_settings.minimise ? smallest(problem, failure.check) : problem;
    const auto again = firstFailure(written);
    std::filesystem::create_directories(m_settings.failures);
    const std::string path =
        fmt::format("{}/{}-{}-{}.hw", m_settings.failures, failure.check, m_settings.seed, number);
    std::ofstream(path) << textOf(written);
    fmt::print("{}: {}: {}\n", path, failure.check, again ? again->seen : failure.seen);
    std::fflush(stdout);
  }

  // More of a resource is never worse: the old mapping is still there, as fast or faster. Where
  // the best is worse, the cycles of the old mapping tell a search that missed it from a mapping
  // that more of the resource makes slower.
  void lookAtTwice(const Problem& problem, std::int64_t number) {
    const auto base = open(textOf(problem), "machine.hw");
    const auto before = base ? bestOf(*base) : std::nullopt;
    if (!before) return;
    for (const Part part : resources()) {
      if (problem.machine[part] <= 0) continue;
      Problem more = problem;
      more.machine = withTwice(problem.machine, part);
      const auto inputs = open(textOf(more), "machine.hw");
      const auto now = inputs ? bestOf(*inputs) : std::nullopt;
      if (!now) continue;
      ++m_doublings;
      if (now->cycles <= kWorse * before->cycles) continue;
      ++m_worse;
      if (now->cycles > kMuchWorse * before->cycles) ++m_muchWorse;
      const std::string path = keep(problem, "twice", number);
      fmt::print("{}: twice the {}: {} cycles become {} ({:+.1f}%); the mapping of before takes "
                 "{}\n",
                 path, nameOf(part), before->cycles, now->cycles,
                 100 * (now->cycles / before->cycles - 1), cyclesOf(*inputs, before->mapping));
      std::fflush(stdout);
    }
  }

  void lookAtError(const Problem& problem, std::int64_t number) {
    const auto inputs = open(textOf(problem), "machine.hw");
    const auto best = inputs ? bestOf(*inputs) : std::nullopt;
    if (!best) return;
    const double error = best->predicted / best->cycles - 1;
    ++m_compared;
    m_errors += std::abs(error);
    if (std::abs(error) <= m_settings.error) return;
    const std::string path = keep(problem, "error", number);
    fmt::print("{}: {} cycles predicted, {} simulated ({:+.1f}%)\n", path, best->predicted,
               best->cycles, 100 * error);
    std::fflush(stdout);
  }

  std::string keep(const Problem& problem, const char* why, std::int64_t number) const {
    std::filesystem::create_directories(m_settings.failures);
    std::string path =
        fmt::format("{}/{}-{}-{}.hw", m_settings.failures, why, m_settings.seed, number);
    std::ofstream(path) << textOf(problem);
    return path;
  }

  int summary() const {
    std::int64_t failed = 0;
    for (const auto& [check, count] : m_failed) {
      fmt::print("{}: {}\n", check, count);
      failed += count;
    }
    if (m_settings.error > 0 && m_compared > 0) {
      fmt::print("best mappings {}, mean error {:.1f}%\n", m_compared,
                 100 * m_errors / static_cast<double>(m_compared));
    }
    if (m_settings.twice) {
      fmt::print("doublings {}: worse by over 1%: {}, by over 3%: {}\n", m_doublings, m_worse,
                 m_muchWorse);
    }
    fmt::print("problems {}, failed {}\n", m_problems, failed);
    return failed > 0 ? 1 : 0;
  }

  const Settings& m_settings;
  std::int64_t m_compared = 0;
  double m_errors = 0;
  std::int64_t m_problems = 0, m_doublings = 0, m_worse = 0, m_muchWorse = 0;
  std::map<std::string, std::int64_t> m_failed;
};

int replay(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto inputs = open(text, path);
  if (!inputs) {
    fmt::print("{}", base::render(inputs.diagnostics()));
    return 1;
  }
  const auto failures = checkLine(*inputs);
  for (const Failure& failure : failures)
    fmt::print("{}: {}: {}\n", path, failure.check, failure.seen);
  return failures.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Random kernels on random machines through the whole line.");
  app.add_option("--seed", settings.seed, "first number of the sequence of problems");
  app.add_option("--first", settings.first, "number of the first problem, as failures name it");
  app.add_option("--iterations", settings.iterations, "how many problems");
  app.add_option("--seconds", settings.seconds, "stop after so long (0: never)");
  app.add_flag("--twice", settings.twice,
               "only compare the best with those of twice each resource");
  app.add_option("--error", settings.error,
                 "only compare the best mapping's prediction with its simulation, and keep problems "
                 "where it is off by a larger share");
  app.add_flag("!--as-found", settings.minimise, "write failures as they were found");
  app.add_option("--failures", settings.failures, "folder for problems that fail");
  app.add_option("--replay", settings.replay, "files of failures to check again");
  CLI11_PARSE(app, argc, argv);
  if (settings.replay.empty()) return Fuzzer(settings).run();
  int status = 0;
  for (const std::string& path : settings.replay) status |= replay(path);
  return status;
}
