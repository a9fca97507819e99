// SPDX-License-Identifier: Apache-2.0
//
// gridloom-import NAME [--exact-dataflow] [--most-kernels=N] [ARGUMENT=VALUE ...] reads MLIR from
// standard input and writes recurrences to standard output: a line with the number of their lines,
// for each of them the line and the column of MLIR that it comes from, then the recurrences. Exit
// status 2: what it writes instead are the line and the column of what cannot be imported, then a
// line that says why, one with a hint, and one with the name of an argument that needs a value.
// `--exact-dataflow`: where recurrences of the known forms did not check.
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <limits>
#include <new>
#include <string>

#include "importer/mlir_module.h"

namespace {

constexpr rlim_t kMostMemory = rlim_t{8} << 30;
constexpr rlim_t kMostSeconds = 60;

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_cur, most);
  setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace

int main(int argc, char** argv) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // reserve more than there is
  limit(RLIMIT_AS, kMostMemory);
#endif
  limit(RLIMIT_CPU, kMostSeconds);
  limit(RLIMIT_CORE, 0);
  if (argc < 2) {
    std::cout << "0 0\nno name was given\ngridloom import starts this program\n";
    return 2;
  }
  using gridloom::importer::MemoryOrder;
  MemoryOrder order = MemoryOrder::KnownForms;
  std::size_t mostKernels = std::numeric_limits<std::size_t>::max();
  std::map<std::string, std::int64_t> settings;
  for (int n = 2; n < argc; ++n) {
    const std::string text = argv[n];
    if (text == "--exact-dataflow") {
      order = MemoryOrder::ExactDataflow;
      continue;
    }
    const auto equals = text.find('=');
    std::int64_t value = 0;
    if (equals != std::string::npos)
      std::from_chars(text.data() + equals + 1, text.data() + text.size(), value);
    if (text.starts_with("--most-kernels=")) {
      mostKernels = static_cast<std::size_t>(value);
      continue;
    }
    settings[text.substr(0, equals)] = value;
  }
  const std::string text((std::istreambuf_iterator<char>(std::cin)), {});
  gridloom::importer::Imported imported;
  try {
    imported = gridloom::importer::importMlir(text, argv[1], settings, order, mostKernels);
  } catch (const std::bad_alloc&) {
    imported = {};
    imported.finding = {"reading it takes more than 8 GiB of memory", "split the file"};
  }
  if (!imported.kernels.empty()) {
    std::cout << imported.places.size() << '\n';
    for (const auto& place : imported.places)
      std::cout << place.line << ' ' << place.column << '\n';
    std::cout << imported.kernels;
    return std::cout.flush() ? 0 : 4;
  }
  const auto& finding = imported.finding;
  std::cout << finding.line << ' ' << finding.column << '\n'
            << oneLine(finding.message) << '\n'
            << oneLine(finding.hint) << '\n'
            << finding.needs << '\n';
  return 2;
}
