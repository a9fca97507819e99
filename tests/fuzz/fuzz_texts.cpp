// SPDX-License-Identifier: Apache-2.0

// Texts of every format, changed at random: none may crash, hang, fail inside, or be printed
// otherwise than it reads.
//
//   fuzz_texts [--iterations N] [--seconds S] [--seed X] [--format F] [--out FOLDER]
//   fuzz_texts --format F FILE...      checks these texts
//
// An input depends on the seed, the format and its number alone. What fails is made small, and
// written to a file that is named; it becomes a part of tests/fuzz/corpus, which every run checks
// first.

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "isolate.h"
#include "minimise.h"
#include "mutate.h"
#include "text_formats.h"

namespace {

using namespace gridloom::fuzz;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 500;  ///< inputs per process
constexpr int kTries = 600;          ///< to make a failing input smaller

struct Options {
  std::uint64_t iterations = 100;  ///< of each format
  std::uint64_t seconds = 0;       ///< for all; 0: as many as `iterations` says
  std::uint64_t seed = 1;
  std::string format;
  std::string out = ".";
  std::vector<std::string> files;
};

bool readNumber(const char* text, std::uint64_t& number) {
  const std::string_view digits(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool readOptions(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (!name.starts_with("--")) {
      options.files.emplace_back(name);
      continue;
    }
    if (++i == argc) return false;
    if (name == "--format") {
      options.format = argv[i];
    } else if (name == "--out") {
      options.out = argv[i];
    } else {
      std::uint64_t* number = name == "--iterations" ? &options.iterations
                              : name == "--seconds"  ? &options.seconds
                              : name == "--seed"     ? &options.seed
                                                     : nullptr;
      if (number == nullptr || !readNumber(argv[i], *number)) return false;
    }
  }
  return options.files.empty() || !options.format.empty();
}

/// Inputs of one format: the corpus as it is, then changed texts, by their number.
class Inputs {
 public:
  Inputs(const TextFormat& format, std::uint64_t seed)
      : m_seeds(seedsOf(format)), m_seed(seed * 0x9E3779B97F4A7C15U) {
    for (const char c : format.name) m_seed = m_seed * 31 + static_cast<unsigned char>(c);
  }
  std::size_t seeds() const { return m_seeds.size(); }
  std::string at(std::size_t number) const {
    if (number < m_seeds.size()) return m_seeds[number];
    Random random(m_seed + number);
    return mutated(m_seeds, random);
  }

 private:
  std::vector<std::string> m_seeds;
  std::uint64_t m_seed;
};

/// The same fault: reasons are told apart up to what the text has put into them.
bool isSame(const std::string& a, const std::string& b) {
  return a.substr(0, a.find(':')) == b.substr(0, b.find(':'));
}

void tell(const TextFormat& format, const std::string& text, const Failure& failure,
          const Options& options) {
  const auto fails = [&](const std::string& smaller) {
    const auto again = firstFailure(0, 1, [&](std::size_t) { return format.check(smaller); });
    return again && isSame(again->reason, failure.reason);
  };
  const bool slow = failure.reason.starts_with("took");
  const std::string small = minimised(text, fails, slow ? kTries / 20 : kTries);
  const std::filesystem::path file =
      std::filesystem::path(options.out) /
      ("fuzz-" + std::string(format.name) + "-" + std::to_string(options.seed) + "-" +
       std::to_string(failure.input) + std::string(format.ending));
  std::ofstream(file, std::ios::binary) << small;
  std::printf("%s, seed %llu, input %zu: %s\n  %zu bytes in %s\n", format.name.data(),
              static_cast<unsigned long long>(options.seed), failure.input, failure.reason.c_str(),
              small.size(), file.string().c_str());
  std::fflush(stdout);
}

/// How many of the inputs fail.
std::size_t checkRange(const TextFormat& format, const Inputs& inputs, std::size_t begin,
                       std::size_t end, const Options& options) {
  std::size_t failures = 0;
  while (begin < end) {
    const auto failure = firstFailure(
        begin, end, [&](std::size_t number) { return format.check(inputs.at(number)); });
    if (!failure) break;
    ++failures;
    tell(format, inputs.at(failure->input), *failure, options);
    begin = failure->input + 1;
  }
  return failures;
}

std::size_t checkFiles(const TextFormat& format, const Options& options) {
  std::size_t failures = 0;
  for (const std::string& name : options.files) {
    std::ifstream in(name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto failure = firstFailure(0, 1, [&](std::size_t) { return format.check(text.str()); });
    std::printf("%s: %s\n", name.c_str(), failure ? failure->reason.c_str() : "ok");
    failures += failure ? 1 : 0;
  }
  return failures;
}

std::size_t fuzz(const std::vector<TextFormat>& formats, const Options& options) {
  std::size_t failures = 0;
  std::size_t checked = 0;
  const auto begin = Clock::now();
  const auto inTime = [&] {
    return options.seconds == 0 || Clock::now() - begin < std::chrono::seconds(options.seconds);
  };
  std::vector<Inputs> inputs;
  for (const TextFormat& format : formats) inputs.emplace_back(format, options.seed);
  bool more = true;
  for (std::size_t from = 0; more && inTime(); from += kBatch) {
    more = false;
    for (std::size_t f = 0; f < formats.size() && inTime(); ++f) {
      const std::size_t most =
          options.seconds > 0 ? from + kBatch : inputs[f].seeds() + options.iterations;
      const std::size_t end = std::min(from + kBatch, most);
      if (from >= end) continue;
      failures += checkRange(formats[f], inputs[f], from, end, options);
      checked += end - from;
      more = true;
    }
  }
  std::printf("%zu inputs, %zu fail\n", checked, failures);
  return failures;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!readOptions(argc, argv, options)) {
    std::fputs("fuzz_texts [--iterations N] [--seconds S] [--seed X] [--format F] [--out FOLDER] "
               "[FILE...]\n",
               stderr);
    return 2;
  }
  std::vector<TextFormat> formats;
  for (const TextFormat& format : textFormats()) {
    if (options.format.empty() || options.format == format.name) formats.push_back(format);
  }
  if (formats.empty()) return 2;
  const std::size_t failures =
      options.files.empty() ? fuzz(formats, options) : checkFiles(formats.front(), options);
  return failures == 0 ? 0 : 1;
}
