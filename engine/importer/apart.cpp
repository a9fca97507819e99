// SPDX-License-Identifier: Apache-2.0
#include "importer/apart.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

namespace gridloom::importer {

namespace {

void put(std::string& to, const std::string& text) {
  to += fmt::format("{}\n{}", text.size(), text);
}

std::string written(const Imported& imported) {
  const Finding& finding = imported.finding;
  std::string text = fmt::format("{} {} {} {}\n", int{imported.isRefused}, finding.line,
                                 finding.column, imported.places.size());
  for (const Place& place : imported.places)
    text += fmt::format("{} {}\n", place.line, place.column);
  for (const std::string* part :
       {&imported.kernels, &finding.message, &finding.hint, &finding.needs})
    put(text, *part);
  return text;
}

std::optional<Imported> readBack(const std::string& text) {
  std::istringstream in(text);
  Imported imported;
  std::size_t places = 0;
  in >> imported.isRefused >> imported.finding.line >> imported.finding.column >> places;
  for (Place place; imported.places.size() < places && in >> place.line >> place.column;)
    imported.places.push_back(place);
  Finding& finding = imported.finding;
  for (std::string* part : {&imported.kernels, &finding.message, &finding.hint, &finding.needs}) {
    std::size_t size = 0;
    if (!(in >> size) || in.get() != '\n' || size > text.size()) return std::nullopt;
    part->resize(size);
    in.read(part->data(), static_cast<std::streamsize>(size));
  }
  return in ? std::optional(imported) : std::nullopt;
}

void writeAll(int to, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t some = write(to, text.data() + at, text.size() - at);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return;
    at += static_cast<std::size_t>(some);
  }
}

std::string readAll(int from) {
  std::string text;
  std::array<char, 65536> some{};
  for (;;) {
    const ssize_t size = read(from, some.data(), some.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(some.data(), static_cast<std::size_t>(size));
  }
}

// Ends with its parent, and leaves what the parent began to write to the parent.
[[noreturn]] void runChild(const std::function<Imported()>& read, int to, unsigned mostSeconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit now{};
  if (getrlimit(RLIMIT_CPU, &now) == 0) {
    now.rlim_cur = std::min<rlim_t>(now.rlim_cur, mostSeconds);
    setrlimit(RLIMIT_CPU, &now);
  }
  try {
    writeAll(to, written(read()));
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

std::optional<Imported> readApart(const std::function<Imported()>& read, unsigned mostSeconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    runChild(read, ends[1], mostSeconds);
  }
  close(ends[1]);
  const std::string text = child > 0 ? readAll(ends[0]) : std::string{};
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const bool isWhole = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return isWhole ? readBack(text) : std::nullopt;
}

}  // namespace gridloom::importer
